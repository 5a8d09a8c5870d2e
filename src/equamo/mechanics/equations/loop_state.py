"""States with loops in numbers, for inverse dynamics: on φ = 0, with A u = 0 and A u̇ = −Ȧ u."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, cast, final

from ...algebra.arrays import np
from ...errors import ConstraintError, EvaluationError
from .assembly import Assembler
from .characteristic_sizes import CharacteristicSizes
from .equations import EquationsOfMotion
from .mobility import mobility
from .state_reader import Floats, Reader

OFF: Final = 1e-6  # largest violation of the loops by a state, relative to its size
SMALL: Final = 1e-9  # singular values below this times the largest count as zero


@final
@dataclass(frozen=True, eq=False)
class LoopState:
    """State of the augmented equations that satisfies the loops.

    Attributes:
        q: Coordinates.
        v: Joint speeds.
        A: Coefficients of all rows.
        W: Basis of the motions with A u = 0, joint speeds × degrees of freedom.
        bias: Ȧ u.
        sizes: Sizes of the equations and of displacements, which have different units.
    """

    q: Floats
    v: Floats
    A: Floats
    W: Floats
    bias: Floats
    sizes: CharacteristicSizes

    def internal_forces(self) -> Floats:
        """Orthonormal basis of the λ with Aᵀ λ = 0."""
        rows = self.sizes.of_rows(self.sizes.robot.rows)
        return null_space(self.A.T, 1 / self.sizes.u, 1 / rows)


def loop_state(
    eom: EquationsOfMotion, q: Any, v: Any, values: Mapping[str, Any] | None, place: str
) -> LoopState:
    """Read a state that satisfies the loops.

    Raises:
        EvaluationError: The state violates the loops.
        ConstraintError: The configuration is singular.
    """
    space, robot = eom.robot.state_space, eom.robot
    position = Reader(place, space.q, exact=True).read_state(q)
    speed = Reader(place, space.v, exact=True).read_state(v)
    assembler = Assembler(robot, values, place)
    assembler.check_closed(position, OFF, "assemble the state first with eq.assemble")
    sizes = assembler.sizes
    A = eom.evaluate("constraint_matrix", q=position, values=values)
    A = np.reshape(A, (len(robot.rows), len(robot.joint_speeds)))
    bias = eom.evaluate("constraint_bias", q=position, v=speed, values=values)
    allowed = sizes.negligible_rates(robot.rows, np.abs(A) @ np.abs(speed), OFF)
    _check(place, "v", A @ speed, allowed, eom, "A v = 0")
    return LoopState(position, speed, A, _motions(eom, A, sizes, place), bias, sizes)


def _motions(eom: EquationsOfMotion, A: Floats, sizes: CharacteristicSizes, place: str) -> Floats:
    """Orthonormal basis of the motions with A u = 0."""
    W = null_space(A, sizes.of_rows(eom.robot.rows), sizes.u)
    rank, expected = A.shape[1] - W.shape[1], mobility(eom.robot).rank
    if rank < expected:
        raise ConstraintError(
            f"{place}: the loops of robot {eom.robot.name!r} must have rank {expected}, got {rank} at "
            "this q, a configuration singularity; pass another configuration."
        )
    return W


def loop_accelerations(eom: EquationsOfMotion, state: LoopState, vdot: Any, place: str) -> Floats:
    """Joint accelerations with A u̇ = −Ȧ u: named ones are kept, the others follow.

    Raises:
        EvaluationError: The accelerations do not satisfy the loops.
    """
    part = eom.robot.state_space.vdot
    reader = Reader(place, part, exact=True)
    named = vdot is None or isinstance(vdot, Mapping)
    given = dict(cast(Mapping[Any, Any], vdot or {})) if named else {}
    start = reader.read_state(given if named else vdot)
    dof = state.W.shape[1]
    if named and len(given) <= dof and len(state.A):
        kept = {part.position[reader.entry(k)] for k in given}
        free = [k for k in range(part.size) if k not in kept]
        rest = -(state.bias + state.A @ start)
        size, rows = state.sizes.u[free], state.sizes.of_rows(eom.robot.rows)
        left = state.A[:, free] * size / rows[:, None]
        start[free] += size * np.linalg.lstsq(left, rest / rows, rcond=SMALL)[0]
    terms = np.abs(state.A) @ np.abs(start) + np.abs(state.bias)
    allowed = state.sizes.negligible_rates(eom.robot.rows, terms, OFF)
    _check(place, "vdot", state.A @ start + state.bias, allowed, eom, "A v̇ + Ȧ v = 0")
    return start


def _check(
    place: str, name: str, rest: Floats, allowed: Floats, eom: EquationsOfMotion, equation: str
) -> None:
    beyond = np.abs(rest) - allowed
    if beyond.max(initial=0.0) > 0:
        worst = int(np.argmax(beyond))
        row = eom.robot.rows[worst]
        raise EvaluationError(
            f"{place}: {name} must satisfy {equation}, got {abs(rest[worst]):.3g} in {row.name!r}; pass "
            f"the independent entries by name, or assemble the state with eq.assemble."
        )


def null_space(A: Floats, rows: Floats | None = None, columns: Floats | None = None) -> Floats:
    """Orthonormal basis of the x with A x = 0, as columns.

    Args:
        A: Matrix.
        rows: Sizes of the equations, which may have different units; by default 1.
        columns: Sizes of the entries of x; by default 1.
    """
    if not A.size:
        return np.eye(A.shape[1])
    size = np.ones(A.shape[1]) if columns is None else columns
    scaled = A * size / (np.ones(len(A)) if rows is None else rows)[:, None]
    _, sizes, right = np.linalg.svd(scaled)
    rank = int(np.sum(sizes > SMALL * float(sizes[0])))
    basis = size[:, None] * right[rank:].T
    return basis if columns is None else np.asarray(np.linalg.qr(basis)[0])
