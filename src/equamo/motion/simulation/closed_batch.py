"""Batches of runs on loops and sticking contacts: initial states, held contacts, and broken runs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr, absolute
from ...algebra.expr.vector import dot
from ...mechanics.equations.assembly import assemble, few
from ...mechanics.equations.characteristic_sizes import CharacteristicSizes
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.model.closure import Row
from .closed_state import dependent_rates, projected_rows
from .columns import columns
from .conditions import PLACE, Conditions
from .constraint_rows import closing_rows

Floats = NDArray[np.float64]

NEAR: Final = (
    1e-10  # a start with smaller |φ| and |A v|, as fractions of their sizes, is used as it is
)
LOST: Final = 1e-6  # a state with a larger |φ|, divided by its size, has left its loops
ROWS: Final = 64  # states of a run that are checked
STATES: Final = 500  # states of a run between which chosen speeds are checked


def closed_conditions(conditions: Conditions) -> tuple[Conditions, Floats | None]:
    """Conditions with assembled states, and the held positions of contacts (N, count), if any."""
    eom = conditions.eom
    rows = projected_rows(eom)
    if not rows:
        return conditions, None
    # A single step starts at the given state: its derivatives do not include an assembly.
    initial = assembled_states(conditions) if conditions.place == PLACE else conditions.initial
    held = [r.position for r in rows if r.phi is None and r.position is not None]
    positions = columns(held, _known(conditions, initial), len(initial)) if held else None
    return replace(conditions, initial=initial), positions


def assembled_states(conditions: Conditions) -> Floats:
    """Initial states (N, n) on the loops and contacts; entries that the user named are kept."""
    eom, states = conditions.eom, conditions.initial
    known, rows = _known(conditions, states), closing_rows(eom)
    loops = [r for r in rows if r.phi is not None]
    phi = columns([r.phi for r in loops if r.phi is not None], known, len(states))
    phi /= _row_sizes(conditions, loops)
    rates = np.zeros((len(states), 1))
    if is_augmented(eom.robot):
        rates = columns([dot(r.A, eom.v) for r in rows], known, len(states))
        terms = [dot([absolute(a) for a in r.A], [absolute(x) for x in eom.v]) for r in rows]
        sizes, by_row = columns(terms, known, len(states)), _row_sizes(conditions, list(rows))
        largest = (sizes / by_row).max(axis=1, initial=0, keepdims=True)
        rates /= by_row * np.where(largest > 0, largest, 1.0)
    off = np.maximum(np.abs(phi).max(axis=1, initial=0), np.abs(rates).max(axis=1, initial=0))
    # φ = 0 also holds for antiparallel axes and half-turns; assemble moves or rejects such a state.
    signs = columns([x.expression for x in eom.robot.inequalities], known, len(states))
    off[(signs <= 0).any(axis=1)] = np.inf
    # So is a distance of 0, which a state may satisfy.
    lengths = columns(
        [x.length for x in eom.robot.loops if x.length is not None], known, len(states)
    )
    off[~(lengths > 0).all(axis=1)] = np.inf
    result, n = states.copy(), len(eom.q)
    for i in np.flatnonzero(~(off <= NEAR)):
        row = conditions.values if conditions.values.ndim == 1 else conditions.values[i]
        values = {s.name: float(x) for s, x in zip(eom.parameters, row, strict=True)}
        given = {name: x for name, x in values.items() if np.isfinite(x)}
        keep = _kept(eom, conditions.named)
        state = assemble(eom, states[i, :n], states[i, n:], given, keep=keep)
        result[i] = np.concatenate([state.q, state.v])
    return result


def _kept(eom: EquationsOfMotion, named: tuple[str, ...]) -> list[str] | None:
    """Coordinates and speeds named by the user, unless they exceed the degrees of freedom."""
    groups = ([s.name for s in group if s.name in named] for group in (eom.q, eom.v))
    return [n for names in groups for n in few(eom.robot, names)] or None


def mark_lost(
    conditions: Conditions, trajectory: Floats, ends: tuple[Floats, Floats], every: int
) -> None:
    """Mark runs that left their loops or contacts as broken, with NaN from then on."""
    final, broken = ends
    rows = [r for r in closing_rows(conditions.eom) if r.position is not None]
    entries = [r.position for r in rows if r.position is not None]
    count = trajectory.shape[1]
    first = columns(entries, _known(conditions, trajectory[:, 0]), len(trajectory))
    held = np.where([r.phi is None for r in rows], first, 0.0)
    sizes, before = _row_sizes(conditions, rows), 0
    for k in dict.fromkeys((count - 1) * j // (ROWS - 1) for j in range(ROWS)):
        phi = columns(entries, _known(conditions, trajectory[:, k]), len(trajectory)) - held
        for i in np.flatnonzero((np.abs(phi) > LOST * sizes).any(axis=1)):
            final[i], broken[i] = trajectory[i, before], before * every
            trajectory[i, before + 1 :] = np.nan
        before = k


def mark_undetermined(
    conditions: Conditions, trajectory: Floats, ends: tuple[Floats, Floats], every: int
) -> None:
    """Mark runs as broken if their chosen speeds cease to determine the others between two states.

    Where that happens, [A; D] of [A; D] u = [0; v] is singular, so its determinant changes sign. An
    even number of changes between two states is not detected.
    """
    dependent = dependent_rates(conditions.eom)
    if dependent is None:
        return
    rows, others = dependent
    (final, broken), (runs, count, _) = ends, trajectory.shape
    at = list(dict.fromkeys((count - 1) * j // (STATES - 1) for j in range(STATES)))
    signs = np.empty((runs, len(at)))
    for j, k in enumerate(at):
        A = columns(
            [r.A[i] for r in rows for i in others], _known(conditions, trajectory[:, k]), runs
        )
        with np.errstate(all="ignore"):  # A is NaN in a diverged run
            signs[:, j] = np.sign(np.linalg.det(A.reshape(runs, len(rows), len(rows))))
    turned = signs[:, 1:] * signs[:, :1] < 0
    for i in np.flatnonzero(turned.any(axis=1)):
        k = at[int(np.argmax(turned[i]))]
        final[i], broken[i] = trajectory[i, k], k * every
        trajectory[i, k + 1 :] = np.nan


def _row_sizes(conditions: Conditions, rows: Sequence[Row]) -> Floats:
    """Sizes of φ of rows, for the medians of the parameters of all runs."""
    values = np.median(np.atleast_2d(conditions.values), axis=0)
    return CharacteristicSizes.of_parameters(conditions.eom, values).of_rows(rows)


def _known(conditions: Conditions, states: Floats) -> dict[Expr, Any]:
    eom = conditions.eom
    known: dict[Expr, Any] = {s: states[:, k] for k, s in enumerate((*eom.q, *eom.v))}
    return known | {s: conditions.values[..., k] for k, s in enumerate(eom.parameters)}
