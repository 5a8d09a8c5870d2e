"""Warning about accelerations that rounding makes wrong, such as those of light bodies in loops.

With all joint speeds, v̇ follows from A M⁻¹ Aᵀ, in which a light body outweighs all others: if it has
10⁻¹² of their mass, v̇ loses 12 of 16 digits. The motions W with A W = 0 need no M⁻¹. They tell how far
v̇ is from the solution of

    (1) A v̇ + Ȧ v = 0                     missing: δ₁ = −A⁺ (A v̇ + Ȧ v)
    (2) Wᵀ (M v̇ + bias − forces) = 0      missing: δ₂ = −W (Wᵀ M W)⁻¹ Wᵀ (M (v̇ + δ₁) + bias − forces)
"""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr
from ...algebra.expr.vector import Vector
from ...errors import AccuracyWarning, callers_level
from ...mechanics.equations.characteristic_sizes import CharacteristicSizes
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.mobility import independent_rows
from .columns import columns, known_columns

if TYPE_CHECKING:
    from .trajectory import Trajectory

Floats = NDArray[np.float64]

EXACT: Final = 1e-8  # relative error of accelerations that needs no warning
SAMPLES: Final = 9  # samples of a trajectory at which it is measured
# Below this σ_min/σ_max of A, digits are lost by the configuration, not by the masses; `rank_watch`
# ends a run in which it becomes 0.
SINGULAR: Final = 1e-4


def warn_of_wrong_accelerations(trajectory: Trajectory) -> bool:
    """Warn if rounding makes the accelerations of a motion on loops wrong, and return whether it did."""
    error = acceleration_error(trajectory)
    if not error > EXACT:
        return False
    eom = trajectory.eom
    warnings.warn(
        f"simulate: the accelerations of robot {eom.robot.name!r} must be exact to {EXACT:.0e}, but "
        f"rounding makes them wrong by up to {error:.1e}, because bodies in its loops are much lighter "
        f"than others, or have no mass. Use eom.minimal(), which loses no digits, or larger masses.",
        AccuracyWarning,
        stacklevel=callers_level(),
    )
    return True


def acceleration_error(trajectory: Trajectory) -> float:
    """Largest error of v̇ at some samples, as a fraction of the largest v̇; 0 without loops."""
    eom = trajectory.eom
    if not is_augmented(eom.robot) or not len(trajectory):
        return 0.0
    at = np.unique(np.linspace(0, len(trajectory) - 1, SAMPLES).astype(int))
    sizes = CharacteristicSizes.of_parameters(eom, trajectory.parameters)
    M, A, rate, rest = _numbers(eom, trajectory, at)
    rows, moves = sizes.of_rows([eom.robot.rows[k] for k in independent_rows(eom.robot)]), sizes.u
    # Without gravity all v̇ may be 0, as the sum of terms of the size of v².
    turning = np.abs(trajectory.v[at] / moves).max(initial=0)
    largest, worst = max(sizes.rate, float(turning)) ** 2, 0.0
    for k, vdot in enumerate(trajectory.vdot[at]):
        scaled = A[k] * moves / rows[:, None]
        if not (np.isfinite(scaled).all() and np.isfinite(vdot).all()):
            continue
        _, s, right = np.linalg.svd(scaled)
        if s[-1] < SINGULAR * s[0]:
            continue
        W, x = right[len(s) :].T, vdot / moves
        inertia = moves[:, None] * M[k] * moves
        gap = scaled @ x + rate[k] / rows
        x1 = x - np.asarray(np.linalg.pinv(scaled), dtype=np.float64) @ gap  # (1)
        missing = W.T @ (inertia @ x1 + moves * rest[k])
        try:
            x2 = x1 - W @ np.asarray(np.linalg.solve(W.T @ inertia @ W, missing), dtype=np.float64)
        except np.linalg.LinAlgError:  # singular
            continue
        largest = max(largest, float(np.abs(x2).max(initial=0)))
        worst = max(worst, float(np.abs(x2 - x).max(initial=0)))
    return worst / largest if largest > 0 else 0.0


def _numbers(
    eom: EquationsOfMotion, trajectory: Trajectory, at: NDArray[np.int64]
) -> tuple[Floats, Floats, Floats, Floats]:
    """M, A and Ȧ v of the independent rows, and bias − forces, at some samples."""
    n, count = len(eom.v), len(at)
    rows = list(independent_rows(eom.robot))
    still = dict.fromkeys(eom.vdot, 0)
    rest = eom.inverse_dynamics.subs(still) - eom.input_matrix @ Vector(eom.inputs)
    bias: Vector = eom.constraint_bias
    entries = [
        *eom.mass_matrix.entries,
        *(a for k in rows for a in eom.robot.rows[k].A),
        *(bias[k] for k in rows),
        *rest.entries,
    ]
    q, v = trajectory.q[at], trajectory.v[at]
    known: dict[Expr, Any] = known_columns(eom, q, v, trajectory.parameters)
    known |= {s: trajectory.inputs[at, k] for k, s in enumerate(eom.inputs)}
    known |= {s: trajectory.external[at, k] for k, s in enumerate(eom.external)}
    known |= {s: trajectory.directions[at, k] for k, s in enumerate(trajectory.signs)}
    table = columns(entries, known, count)
    m = len(rows)
    M, A, rate, rest = np.split(table, np.cumsum([n * n, m * n, m]), axis=1)
    return M.reshape(count, n, n), A.reshape(count, m, n), rate, rest
