"""Equations of a robot that stands or closes loops, without constraint forces: the projected form.

With N = 1 − M⁻¹ Aᵀ Λ A of `constraint_space`, Nᵀ Aᵀ = 0, so that λ drops out of
M v̇ + C v + g = B τ + Σ Jᵀf + Aᵀ λ:

    (1)  Nᵀ (M v̇ + C v + g − B τ − Σ Jᵀf) = 0

It holds for every v̇ with A v̇ + Ȧ v = 0, and has as many equations as speeds, of which only as many as
the degrees of freedom are independent. Combined with the rows, Nᵀ M v̇ = M v̇ − Aᵀ Λ A v̇ yields
equations that determine v̇:

    (2)  M v̇ + Nᵀ (C v + g − B τ − Σ Jᵀf) + Aᵀ Λ Ȧ v = 0
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from .constraint_space import ConstraintSpace
from .equations import EquationsOfMotion
from .replaced import replace_in


@final
@dataclass(frozen=True, slots=True)
class ProjectedEquations:
    """Projected form Nᵀ (M v̇ + C v + g − B τ − Σ Jᵀf) = 0 of equations with constraint rows.

    Attributes:
        rows: Names of the independent rows.
        projector: N = 1 − M⁻¹ Aᵀ Λ A; N v satisfies A N v = 0.
        constraint_inertia: Λ = (A M⁻¹ Aᵀ)⁻¹ of the independent rows.
        constraint_matrix: A of the independent rows.
        constraint_bias: Ȧ v of the independent rows.
        mass_matrix: Nᵀ M, symmetric and singular.
        bias: Nᵀ C v.
        gravity: Nᵀ g.
        input_matrix: Nᵀ B.
        passive_force: Nᵀ times the forces that are not inputs.
    """

    rows: tuple[str, ...]
    projector: Matrix
    constraint_inertia: Matrix
    constraint_matrix: Matrix
    constraint_bias: Vector
    mass_matrix: Matrix
    bias: Vector
    gravity: Vector
    input_matrix: Matrix
    passive_force: Vector

    def residual(self, vdot: Any, inputs: Any) -> Vector:
        """Left-hand side of (1) for accelerations and inputs, which is 0 along a motion."""
        still = self.bias + self.gravity - self.passive_force
        return self.mass_matrix @ Vector(vdot) + still - self.input_matrix @ Vector(inputs)

    def replaced(self, steps: tuple[Mapping[Any, Any], ...]) -> ProjectedEquations:
        """Copy with symbols replaced, one mapping after the other."""
        fields = (getattr(self, name) for name in self.__slots__)
        return ProjectedEquations(*(replace_in(x, steps) for x in fields))


def projected(eom: EquationsOfMotion) -> ProjectedEquations:
    """Projected form of equations with loops or held contacts.

    Args:
        eom: Equations of motion in the augmented form.

    Returns:
        N, Λ, and the equations multiplied by Nᵀ.

    Raises:
        ConstraintError: The robot has no rows, or its speeds were chosen.

    >>> from equamo.robot.library import load
    >>> from equamo.mechanics.equations import derive
    >>> stance = projected(derive(load("starleth")).in_mode(LF="stick", RH="stick"))
    >>> stance.rows
    ('LF x', 'LF y', 'LF z', 'RH x', 'RH y', 'RH z')
    """
    space = ConstraintSpace(eom, "projected()")
    whole, N = space.eom, space.projector
    names = whole.mass_matrix.row_names
    M, B = N.T @ whole.mass_matrix, N.T @ whole.input_matrix
    form = ProjectedEquations(
        rows=space.rows,
        projector=N,
        constraint_inertia=space.inertia,
        constraint_matrix=space.A,
        constraint_bias=space.bias,
        mass_matrix=Matrix(M.rows, names, names),
        bias=Vector(N.T @ whole.bias, names),
        gravity=Vector(N.T @ whole.gravity, names),
        input_matrix=Matrix(B.rows, names, whole.input_matrix.column_names),
        passive_force=Vector(N.T @ whole.passive_force, names),
    )
    return form if eom.replaced is None else form.replaced(eom.replaced.steps)
