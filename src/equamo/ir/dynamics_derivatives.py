"""Derivatives of the dynamics with respect to q, v and v̇, τ or the inputs.

Inverse dynamics τ = ID(q, v, v̇) is differentiated on the graph. The acceleration of forward dynamics is
the solution of r = 0, and no solve is differentiated:

    (1) r(q, v, v̇, τ) = ID(q, v, v̇) − τ          with inputs u: ID − B(q) u
    (2) ∂v̇/∂x = −M⁻¹ ∂r/∂x  at v̇ = FD(q, v, τ),   M = Lᵀ D L
    (3) ẋ = (N v, v̇)

With chosen speeds ID = Wᵀ ID_tree(q, W v, W v̇ + Ẇ v): W(q) and Ẇ are differentiated with the rest.
"""

from __future__ import annotations

from functools import cached_property
from typing import final

from ..expr import Expr
from ..expr.matrix import Matrix
from ..expr.substitute import substitute
from ..expr.vector import Vector
from ..recursions.factorisation import Factors
from .directions import Directions, Wrt
from .functions import ProgramEquations
from .variables import Group, Variables


@final
class DynamicsDerivatives:
    """Derivatives of one robot's dynamics along the tangent space, or by coordinates."""

    def __init__(self, equations: ProgramEquations, wrt: Wrt = "tangent") -> None:
        self.equations, self.eom = equations, equations.eom
        self.directions = Directions(self.eom.robot, wrt)
        eom = self.eom
        self.v, self.vdot = Group("v", eom.v), Group("vdot", eom.vdot)
        self.tau, self.inputs = Group("tau", equations.tau), Group("inputs", eom.inputs)
        given = Group("external", eom.external), Group("parameters", eom.parameters)
        self.constants = tuple(g for g in given if g.symbols)

    # -- inverse dynamics ----------------------------------------------------------------------------
    @cached_property
    def of_inverse(self) -> Variables:
        """(q, v, v̇)"""
        return Variables(self.directions, (self.v, self.vdot))

    @cached_property
    def of_state(self) -> Variables:
        """(q, v)"""
        return Variables(self.directions, (self.v,))

    def inverse_dynamics(self) -> tuple[Matrix, Matrix, Matrix]:
        """(∂τ/∂q, ∂τ/∂v, ∂τ/∂v̇ = M)"""
        by_q, by_v = self._slopes
        return by_q, by_v, self.equations.mass_matrix()

    @cached_property
    def _slopes(self) -> tuple[Matrix, Matrix]:
        by_q, by_v = self.of_state.jacobian(list(self.equations.inverse_dynamics()))
        return by_q, by_v

    # -- forward dynamics ----------------------------------------------------------------------------
    def force(self, by_inputs: bool) -> list[Expr]:
        """τ, or B(q) u"""
        eom = self.eom
        return list(eom.input_matrix @ Vector(eom.inputs)) if by_inputs else list(self.tau.symbols)

    def residual(self, by_inputs: bool) -> list[Expr]:
        """(1)"""
        needed = self.equations.inverse_dynamics()
        return [x - y for x, y in zip(needed, self.force(by_inputs), strict=True)]

    def solved(self, entries: list[Expr], by_inputs: bool) -> list[Expr]:
        """Entries with the acceleration of forward dynamics in place of v̇."""
        acceleration = self._acceleration(by_inputs)
        return substitute(entries, dict(zip(self.eom.vdot, acceleration, strict=True)))

    def _acceleration(self, by_inputs: bool) -> list[Expr]:
        still = self.equations.inverse_dynamics(still=True)
        rest = [t - b for t, b in zip(self.force(by_inputs), still, strict=True)]
        return self.factors.solve(rest)

    @cached_property
    def factors(self) -> Factors:
        """Factors of M."""
        return self.equations.factors()

    def forward_dynamics(self, by_inputs: bool = False) -> tuple[Matrix, Matrix, Matrix]:
        """(∂v̇/∂q, ∂v̇/∂v, ∂v̇/∂τ = M⁻¹), or (…, ∂v̇/∂u = M⁻¹ B)"""
        slopes = [list(column) for part in self._slopes for column in zip(*part.rows, strict=True)]
        if by_inputs:
            # ∂(B u)/∂q; B and u do not depend on v
            of_force = self.of_state.jacobian(self.force(True))[0]
            for k, column in enumerate(zip(*of_force.rows, strict=True)):
                slopes[k] = [x - y for x, y in zip(slopes[k], column, strict=True)]
        n, flat = len(self.eom.v), [e for column in slopes for e in column]
        at = self.solved(flat, by_inputs)
        columns = [at[k * n : (k + 1) * n] for k in range(len(slopes))]
        moved = [[-x for x in self.factors.solve(column)] for column in columns]  # (2)
        by_q, by_v = self.of_state.matrices(list(zip(*moved, strict=True)))
        if not by_inputs:
            return by_q, by_v, self.factors.inverse()
        B = self.eom.input_matrix
        solved = [self.factors.solve(column) for column in zip(*B.rows, strict=True)]
        return by_q, by_v, Matrix([[column[i] for column in solved] for i in range(n)])

    def state_derivative(self) -> tuple[Matrix, Matrix, Matrix]:
        """∂ẋ by q, v and the inputs"""
        eom = self.eom
        N = eom.kinematic_map
        rates = self.of_state.jacobian(list(N @ Vector(eom.v)))[0]
        by_q, by_v, by_u = self.forward_dynamics(by_inputs=True)
        zero = [[0] * len(eom.inputs) for _ in eom.q]
        return (
            Matrix([*rates.rows, *by_q.rows]),
            Matrix([*N.rows, *by_v.rows]),
            Matrix([*zero, *by_u.rows]),
        )
