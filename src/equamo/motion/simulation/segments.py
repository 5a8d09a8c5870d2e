"""A motion in segments with different independent speeds, joined in all joint speeds.

See `partition` for when speeds are switched. Every segment has its own equations, flow and projection;
events and control functions get coordinates and speeds as the user chose them. The joined motion is that
of the augmented form, and has an event for each switch.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr.evaluate import evaluate_floats
from ...algebra.expr.walk import symbols
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.forms import augmented
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from .closing import Closing
from .flow import Flow
from .inputs import as_function
from .partition import Partition
from .projection import Projection
from .solve import Run, Task, solve

Floats = NDArray[np.float64]

POINTS: Final = 3  # at which arguments of signs are compared
MOST: Final = 10_000  # segments of a motion


@final
@dataclass(frozen=True)
class Driven:
    """Arguments of a flow, as the user passed them."""

    control: Any
    external: Any
    smoothing: float | None


@final
@dataclass(frozen=True)
class Segment:
    """One part of a motion."""

    partition: Partition
    run: Run
    flow: Flow

    @property
    def works(self) -> tuple[str, ...]:
        """Names of the works in the states."""
        return self.flow.work


def continued(task: Task, run: Run, start: Floats, driven: Driven, rtol: float) -> tuple[Flow, Run]:
    """Flow and run of a whole motion from `start` whose first segment must switch its speeds."""
    first = task.partition
    assert first is not None
    if first.has_velocity_rows:
        return _repeated(task, run, start, driven, rtol)
    segments = [Segment(first, run, task.flow)]
    current, closing = first, task.closing
    while run.switch is not None and len(segments) < MOST:
        t, y = run.switch
        other, y = current.switched(y)
        control, external = (other.control(first, x) for x in (driven.control, driven.external))
        flow = Flow(other.eom, control, external, first.parameters, driven.smoothing)
        n = other.n_q + other.n_v
        y = np.concatenate([y[:n], _works(y[n:], segments[-1].works, flow.work)])
        closing = _closing(other, closing, rtol)
        seen = other.seen_as(first)
        part = replace(
            task, flow=flow, closing=closing, partition=other, seen=seen, start=t,
            watched=task.watched,
        )  # fmt: skip
        run = solve(part, y)
        name = f"speeds switched to {', '.join(s.name for s in other.eom.v)}"
        run.events.setdefault(name, []).insert(0, t)
        segments.append(Segment(other, run, flow))
        current = other
    return joined(first, segments, driven)


def _repeated(task: Task, run: Run, start: Floats, driven: Driven, rtol: float) -> tuple[Flow, Run]:
    """Flow and run of the whole motion in the speeds to which it must switch."""
    first = task.partition
    assert first is not None
    assert run.switch is not None
    other, _ = first.switched(run.switch[1])
    y = other.reached(first, start)
    control, external = (other.control(first, x) for x in (driven.control, driven.external))
    flow = Flow(other.eom, control, external, first.parameters, driven.smoothing)
    y = np.concatenate([y, np.zeros(len(flow.work))])
    closing = _closing(other, None, rtol)
    closing.start(y)
    again = solve(
        replace(
            task, flow=flow, closing=closing, partition=other, seen=other.seen_as(first),
        ),
        y,
    )  # fmt: skip
    names = [", ".join(s.name for s in p.eom.v) for p in (first, other)]
    if again.switch is not None:
        again.last = again.switch
        again.broken = (
            f"neither the speeds {names[0]} nor {names[1]} determine the whole motion, and a motion "
            "with velocity constraints cannot switch"
        )
        again.advice = "Choose other speeds, or use a loop or joint instead of the constraint"
    again.events.setdefault(f"speeds switched to {names[1]}", []).append(0.0)
    return flow, again


def _closing(partition: Partition, before: Closing | None, rtol: float) -> Closing:
    """Closing of another partition, with the held contacts and the energy of the one before."""
    result = Closing(Projection(partition.eom, partition.parameters), rtol)
    if before is not None:
        result.energy = before.energy
        result.projection.rows.held = before.projection.rows.held
    return result


def joined(first: Partition, segments: Sequence[Segment], driven: Driven) -> tuple[Flow, Run]:
    """One run in all joint speeds."""
    eom = _augmented(first.eom)
    control, external = (_in_joint_speeds(first, x) for x in (driven.control, driven.external))
    flow = Flow(eom, control, external, first.parameters, driven.smoothing)
    last = segments[-1].run
    whole = Run(edges=[segments[0].run.edges[0]], stopped_by=last.stopped_by, broken=last.broken,
                advice=last.advice)  # fmt: skip
    for segment in segments:
        run, turn = segment.run, _Converted(segment, flow.work)
        whole.t += run.t
        whole.y += [turn.state(y) for y in run.y]
        if flow.signs:
            whole.s += _directions(segment, flow, run.s)
        whole.projected += run.projected
        whole.edges += run.edges[1:]
        whole.pieces += [_Piece(turn, piece) for piece in run.pieces]
        for name, times in run.events.items():
            whole.events.setdefault(name, []).extend(times)
        if run.last is not None:
            whole.last = run.last[0], turn.state(run.last[1])
    return flow, whole


def _augmented(eom: EquationsOfMotion) -> EquationsOfMotion:
    if "augmented form" not in eom.made:
        eom.made["augmented form"] = augmented(eom)
    return eom.made["augmented form"]


def _in_joint_speeds(first: Partition, argument: Any) -> Any:
    """A control of the first partition as one of the augmented form."""
    function = as_function(argument)
    if function is None:
        return argument

    def converted(t: float, q: Floats, u: Floats) -> Any:
        return function(t, q, u[first.kept])

    return converted


def _directions(segment: Segment, flow: Flow, directions: Sequence[Floats]) -> list[Floats]:
    """Directions of the signs of the joined flow, which are those of the segment in other speeds."""
    own = segment.flow
    arguments = ChosenSpeeds(segment.partition.eom.robot).insert([s.a for s in flow.signs])
    every = [*arguments, *(s.a for s in own.signs)]
    rng = np.random.default_rng(0)
    points = [{x: float(rng.uniform(0.1, 1)) for x in symbols(every)} for _ in range(POINTS)]
    rows = np.array([evaluate_floats(every, point) for point in points]).T
    theirs, ours = rows[: len(arguments)], rows[len(arguments) :]
    matches: list[tuple[int, float]] = []
    for x in theirs:
        size = 1e-9 * np.abs(x).max()
        same = [
            (k, s)
            for k, y in enumerate(ours)
            for s in (1.0, -1.0)
            if np.abs(x - s * y).max() <= size
        ]
        assert same, "the signs of a robot are the same in all independent speeds"
        matches.append(same[0])
    columns, factors = [k for k, _ in matches], np.array([s for _, s in matches])
    return [factors * s[columns] for s in directions]


def _works(works: Floats, names: Sequence[str], wanted: Sequence[str]) -> Floats:
    """Works in another order; 0 for elements that do no work."""
    zeros = np.zeros(works.shape[:-1])
    columns = [works[..., names.index(n)] if n in names else zeros for n in wanted]
    return np.stack(columns, axis=-1) if columns else np.zeros((*works.shape[:-1], 0))


@final
@dataclass(frozen=True)
class _Converted:
    """States of a segment as (q, u, works) of the augmented form."""

    segment: Segment
    works: tuple[str, ...]

    def state(self, y: Floats) -> Floats:
        part, m = self.segment.partition, self.segment.partition.n_q + self.segment.partition.n_v
        works = _works(y[..., m:], self.segment.works, self.works)
        q, u = y[..., : part.n_q], part.joint_speeds(y)
        return np.concatenate([q, u, works], axis=-1)


@final
@dataclass(frozen=True)
class _Piece:
    """Interpolant of a step, in the augmented form."""

    turn: _Converted
    dense: Any

    def __call__(self, t: Any) -> Floats:
        y = np.asarray(self.dense(t), dtype=np.float64)
        return self.turn.state(y) if y.ndim == 1 else self.turn.state(y.T).T
