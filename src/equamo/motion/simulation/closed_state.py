"""Projection of states onto loops and sticking contacts in machine code, for batches of runs.

    (1) δ = −M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁻¹ φ,   q' = q + N δ       one step of Newton's method
    (2) v' = v − M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁻¹ A v                 unless chosen speeds satisfy A W v = 0

as in `projection`, from the factors of [M −Aᵀ; A 0] that forward dynamics needs anyway. φ of a sticking
contact is r(q) − r(q₀); the numbers r(q₀) of each run are further parameters of its code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...algebra.expr import ONE, ZERO, Expr, internal, sqrt
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector, dot
from ...algebra.expr.walk import walk
from ...code.ir.functions import program_equations
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.mobility import independent_rows
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ...mechanics.recursions.composite_bodies import mass_matrix
from ...mechanics.recursions.constrained_dynamics import ConstrainedFactors
from ...robot.model.closure import Row
from .constraint_rows import closing_rows

MOST_ROWS: Final = 8  # for which their determinant is computed after every step


def projected_rows(eom: EquationsOfMotion) -> list[Row]:
    """Independent rows onto which states are projected; none for a tree, or if φ = 0 for all q."""
    robot = eom.robot
    if robot.eliminated or not closing_rows(eom):
        return []
    chosen = [robot.rows[k] for k in independent_rows(robot)]
    return [r for r in chosen if r.position is not None]


def held_symbol(row: Row) -> Expr:
    """Symbol of the position at which a contact is held."""
    return internal("held", row.name)


def held_symbols(eom: EquationsOfMotion) -> tuple[Expr, ...]:
    """Symbols of the positions at which contacts are held."""
    return tuple(held_symbol(r) for r in projected_rows(eom) if r.phi is None)


def closed_state(eom: EquationsOfMotion) -> list[Expr]:
    """Projected state (q', v') as expressions in q, v, parameters and the held positions."""
    robot, rows = eom.robot, projected_rows(eom)
    n = len(robot.joint_speeds)
    gaps: list[Expr] = []
    for r in rows:
        assert r.position is not None
        gaps.append(r.position if r.phi is not None else r.position - held_symbol(r))
    if is_augmented(robot):
        solver, v = program_equations(eom).solver, list(eom.v)
        rates = solver.solve([*([ZERO] * n), *(-dot(r.A, eom.v) for r in rows)])[:n]
        speeds = [x + d for x, d in zip(v, rates, strict=True)]  # (2)
    else:
        M = Matrix(ChosenSpeeds(robot).insert(x) for x in mass_matrix(robot.tree).rows)
        solver, speeds = ConstrainedFactors(M, Matrix([r.A for r in rows])), list(eom.v)
    delta = solver.solve([*([ZERO] * n), *(-x for x in gaps)])[:n]  # (1)
    moved = robot.tree.kinematic_map @ Vector(delta)
    q = [x + d for x, d in zip(eom.q, moved, strict=True)]
    return _at_unit(eom, [*q, *speeds])


def dependent_rates(eom: EquationsOfMotion) -> tuple[list[Row], list[int]] | None:
    """Rows, and the joint speeds that they must determine; None unless the others are chosen."""
    robot, chosen = eom.robot, {s.name for s in eom.v}
    others = [k for k, s in enumerate(robot.joint_speeds) if s.name not in chosen]
    rows = [robot.rows[k] for k in independent_rows(robot)]
    if is_augmented(robot) or len(others) != len(rows):
        return None  # all joint speeds, or speeds that are formulas
    return rows, others


def partition_determinant(eom: EquationsOfMotion) -> Expr | None:
    """Determinant that is 0 where chosen speeds do not determine the others; None if it is too long.

    It is that of the columns of A of the other speeds, as a product of pivots.
    """
    key = "partition determinant", MOST_ROWS
    if key not in eom.made:
        found = dependent_rates(eom)
        short = found is not None and len(found[0]) <= MOST_ROWS
        eom.made[key] = _determinant(*found) if found is not None and short else None
    return eom.made[key]


def _determinant(rows: Sequence[Row], others: Sequence[int]) -> Expr | None:
    """Product of the pivots of the columns `others` of A; None if they are always dependent."""
    A = [[r.A[k] for k in others] for r in rows]
    result = ONE
    for k in range(len(A)):
        # The simplest pivot; numbers first. Where one is 0, the sign is unknown in that step.
        place = min(
            ((i, j) for i in range(k, len(A)) for j in range(k, len(A)) if A[i][j] is not ZERO),
            key=lambda ij: (A[ij[0]][ij[1]].value is None, len(walk([A[ij[0]][ij[1]]]))),
            default=None,
        )
        if place is None:
            return None
        i, j = place
        if i != k:
            A[k], A[i] = A[i], A[k]
            result = -result
        if j != k:
            for row in A:
                row[k], row[j] = row[j], row[k]
            result = -result
        result = result * A[k][k]
        for row in A[k + 1 :]:
            factor = row[k] / A[k][k]
            row[k:] = [x - factor * y for x, y in zip(row[k:], A[k][k:], strict=True)]
    return result


def _at_unit(eom: EquationsOfMotion, entries: Sequence[Expr]) -> list[Expr]:
    """Entries evaluated at unit quaternions q/|q|."""
    new: dict[Expr, Expr] = {}
    for group in eom.robot.unit_groups:
        square = Vector(group)
        length = sqrt(square @ square)
        new |= {x: x / length for x in group}
    return substitute(entries, new)
