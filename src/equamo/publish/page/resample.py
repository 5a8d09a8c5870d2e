"""Resampling of a motion at even times, for player and charts, by the solver's own interpolation."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

import numpy as np
from numpy.typing import NDArray

from ...motion.simulation.columns import columns, known_columns
from ...motion.simulation.interpolation import hermite, monotonic_slopes
from ...motion.simulation.trajectory import Trajectory

Floats = NDArray[np.float64]


def resampled(trajectory: Trajectory, rate: float, most: int) -> Trajectory:
    """Resample a motion at `rate` samples per second, at most `most`, with the first and last time.

    q, v and works are interpolated by the solver. Inputs are known at its samples only and are
    interpolated monotonically; friction keeps the direction of the sample before.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.motion.simulation.simulate import simulate
    >>> from equamo.robot.library import load
    >>> resampled(simulate(derive(load("rr_arm")), q={"q1": 1}, duration=2), 40, 1000).t[:3]
    array([0.   , 0.025, 0.05 ])
    """
    t = trajectory.t
    span = float(t[-1] - t[0])
    if span <= 0:
        return trajectory
    count = min(most, max(2, ceil(rate * span - 1e-9) + 1))
    # The ends are exactly those of the samples.
    times = np.clip(t[0] + span * (np.arange(count) / (count - 1)), t[0], t[-1])
    times[-1] = t[-1]
    q, v = trajectory.at(times)
    return replace(
        trajectory, t=times, q=q, v=v,
        vdot=_between(t, trajectory.vdot, times),
        inputs=_between(t, trajectory.inputs, times),
        external=_between(t, trajectory.external, times),
        work=_works(trajectory, times),
        lengths=_between(t, trajectory.lengths, times),
        directions=_before(t, trajectory.directions, times),
        projections=_projections(trajectory, times),
    )  # fmt: skip


def coordinate_rates(trajectory: Trajectory) -> Floats:
    """Rates q̇ = N v at the samples, (T, n_q)."""
    eom, count = trajectory.eom, len(trajectory)
    known = known_columns(eom, trajectory.q, trajectory.v, trajectory.parameters)
    N = columns(eom.kinematic_map.entries, known, count).reshape(count, len(eom.q), len(eom.v))
    return np.einsum("tij,tj->ti", N, trajectory.v)


def _works(trajectory: Trajectory, times: Floats) -> dict[str, Floats]:
    """Works, integrated with the state behind q and v; without interpolants, between the samples."""
    work = dict(trajectory.work)
    if trajectory.steps is None:
        return {n: _between(trajectory.t, x[:, None], times)[:, 0] for n, x in work.items()}
    y = trajectory.steps(times)[:, len(trajectory.eom.q) + len(trajectory.eom.v) :]
    works = {n: y[:, k] for k, n in enumerate(list(work)[: y.shape[1]])}
    return {n: works.get(n, np.zeros(len(times))) for n in work}


def _projections(trajectory: Trajectory, times: Floats) -> Floats | None:
    """Energy changes caused by projections, which occur in every step."""
    if trajectory.projections is None:
        return None
    return np.interp(times, trajectory.t, trajectory.projections)


def _before(t: Floats, rows: Floats, times: Floats) -> Floats:
    """Rows (T, n) at the last sample not after each time."""
    if not rows.size:
        return rows
    return rows[np.clip(np.searchsorted(t, times, "right") - 1, 0, len(t) - 1)]


def _between(t: Floats, rows: Floats, times: Floats) -> Floats:
    """Rows (T, n) interpolated monotonically between the samples."""
    if not rows.shape[1]:
        return np.empty((len(times), 0))
    return hermite(t, rows, monotonic_slopes(t, rows), times)
