"""Projection of states onto loops and sticking contacts in machine code, for batches of runs.

    (1) δ = −M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁻¹ φ,   q' = q + N δ       one step of Newton's method
    (2) v' = v − M⁻¹ Aᵀ (A M⁻¹ Aᵀ)⁻¹ A v                 unless chosen speeds satisfy A W v = 0

as in `projection`, from the factors of [M −Aᵀ; A 0] that forward dynamics needs anyway. φ of a sticking
contact is r(q) − r(q₀); the numbers r(q₀) of each run are further parameters of its code.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..equations.constrained import is_augmented
from ..equations.equations import EquationsOfMotion
from ..equations.mobility import independent_rows
from ..expr import ZERO, Expr, internal, sqrt
from ..expr.matrix import Matrix
from ..expr.substitute import substitute
from ..expr.vector import Vector, dot
from ..ir.functions import program_equations
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..model.closure import Row
from ..recursions.composite_bodies import mass_matrix
from ..recursions.constrained_dynamics import ConstrainedFactors
from .constraint_rows import closing_rows


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


def _at_unit(eom: EquationsOfMotion, entries: Sequence[Expr]) -> list[Expr]:
    """Entries evaluated at unit quaternions q/|q|."""
    new: dict[Expr, Expr] = {}
    for group in eom.robot.unit_groups:
        square = Vector(group)
        length = sqrt(square @ square)
        new |= {x: x / length for x in group}
    return substitute(entries, new)
