"""Products with derivatives of the dynamics, without the matrices.

    jvp   ∂f · δ        one forward sweep
    vjp   λᵀ ∂f         one reverse sweep, by external loads and parameters as well
    H     λᵀ ∂²ID       rows D_k of the gradient of λ·ID
    hvp   H δ           a reverse sweep over the derivative of λ·ID along δ

For forward dynamics, with r of `dynamics_derivatives` and v̇ = FD(q, v, τ),

    (1) jvp = M⁻¹ (δτ − ∂r/∂q δq − ∂r/∂v δv)
    (2) vjp: μ = M⁻¹ λ, then −μᵀ ∂r by q, v and the constants, and μ by τ (Bᵀ μ by inputs)

With constraints, K = [M −Aᵀ; A 0] stands for M, and Kᵀ μ = (λ, 0) in (2). Since K and Kᵀ differ in the
signs of A alone, K (μ₁, −μ₂) = (λ, 0).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from ...algebra.expr import ZERO, Expr, internal
from ...algebra.expr.differentiate import directional_columns
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector, dot
from ...mechanics.equations.equations import EquationsOfMotion
from .dynamics_derivatives import DynamicsDerivatives
from .variables import Variables


@final
class DynamicsProducts:
    """Products with the derivatives of one robot's dynamics."""

    derivatives: DynamicsDerivatives
    eom: EquationsOfMotion

    def __init__(self, derivatives: DynamicsDerivatives) -> None:
        self.derivatives, self.eom = derivatives, derivatives.eom
        self.lam: tuple[Expr, ...] = tuple(
            internal("lam", x.name) for x in self.eom.v
        )  # λ, one per equation
        self.lam_q: tuple[Expr, ...] = tuple(
            internal("lam q", x.name) for x in self.eom.q
        )  # one per rate q̇

    # -- inverse dynamics ----------------------------------------------------------------------------
    def inverse_dynamics_jvp(self) -> Vector:
        """∂τ/∂q δq + ∂τ/∂v δv + ∂τ/∂v̇ δv̇"""
        x = self.derivatives.of_inverse
        return Vector(x.product(self._torque, x.delta))

    def inverse_dynamics_vjp(self) -> tuple[Vector, ...]:
        """λᵀ ∂τ by q, v, v̇, and by the constants."""
        x = self._with_constants(self.derivatives.of_inverse)
        return x.split(x.gradient(self._power))

    def inverse_dynamics_hessian(self) -> Matrix:
        """H of λ·ID by (q, v, v̇)"""
        d = self.derivatives
        x = d.of_inverse
        slopes = x.gradient(self._power)
        m, n = len(d.directions), len(self.eom.v)
        by_q = directional_columns(slopes, x.seeds[:m])  # D_k of each slope, k along q
        by_v = directional_columns(slopes[m : m + n], x.seeds[m : m + n])
        along_q = list(zip(*by_q, strict=True)) if by_q else []
        qq = d.directions.hessian([row[:m] for row in along_q], slopes[:m])
        rest = [row[m:] for row in along_q]  # by q and v, by q and v̇
        H = [[ZERO] * (m + 2 * n) for _ in range(m + 2 * n)]
        for k in range(m):
            H[k][:m] = qq.rows[k]
            H[k][m:] = rest[k]
            for l, e in enumerate(rest[k], m):
                H[l][k] = e  # v and v̇ commute with q
        for k in range(n):  # ID is linear in v̇, with coefficients that do not depend on v
            for l in range(k, n):
                H[m + k][m + l] = H[m + l][m + k] = by_v[k][l]
        return Matrix(H)

    def inverse_dynamics_hvp(self) -> Vector:
        """H δ"""
        x = self.derivatives.of_inverse
        f, directions = self._power, self.derivatives.directions
        found = x.gradient(x.product([f], x.delta)[0])
        m = len(directions)
        return Vector([*directions.hessian_product(found[:m], f, x.delta[:m]), *found[m:]])

    @property
    def _torque(self) -> list[Expr]:
        return list(self.derivatives.equations.inverse_dynamics())

    @property
    def _power(self) -> Expr:
        """λ·ID"""
        return dot(self.lam, self._torque)

    def _with_constants(self, x: Variables) -> Variables:
        return Variables(x.directions, (*x.groups, *self.derivatives.constants))

    # -- forward dynamics ----------------------------------------------------------------------------
    def forward_dynamics_jvp(self, by_inputs: bool = False) -> Vector:
        """(1)"""
        d = self.derivatives
        delta = d.padded(self._moved(by_inputs))
        moved = d.of_state.product(d.residual(by_inputs), d.of_state.delta)
        rest = [x - y for x, y in zip(delta, d.solved(moved, by_inputs), strict=True)]
        return Vector(d.factors.solve(rest)[: len(self.eom.v)])

    def _moved(self, by_inputs: bool) -> list[Expr]:
        """δτ, or B δu"""
        d = self.derivatives
        if not by_inputs:
            return list(d.tau.delta)
        return list(self.eom.input_matrix @ Vector(d.inputs.delta))

    def forward_dynamics_vjp(self, by_inputs: bool = False) -> tuple[Vector, ...]:
        """(2)"""
        by_q, by_v, by_force, *rest = self._pulled_back(self.lam, by_inputs)
        return by_q, by_v, by_force, *rest

    def _pulled_back(self, lam: Sequence[Expr], by_inputs: bool) -> tuple[Vector, ...]:
        d = self.derivatives
        x = self._with_constants(d.of_state)
        mu = [internal("mu", s.name) for s in self.eom.v]
        mu += [internal("mu of row", s.name) for s in d.unknowns[len(mu) :]]
        slopes = x.gradient(-dot(mu, d.residual(by_inputs)))
        n, found = len(self.eom.v), d.factors.solve(d.padded(lam))
        solution, negated = found[:n], [-y for y in found[n:]]
        known = dict(zip(mu, [*solution, *negated], strict=True))
        at = substitute(d.solved(slopes, by_inputs), known)
        by_q, by_v, *rest = x.split(at)
        by_force = Vector(solution)
        if by_inputs:
            B = self.eom.input_matrix
            by_force = Vector([dot(column, solution) for column in zip(*B.rows, strict=True)])
        return by_q, by_v, by_force, *rest

    # -- state derivative ----------------------------------------------------------------------------
    def state_derivative_jvp(self) -> Vector:
        """∂ẋ/∂q δq + ∂ẋ/∂v δv + ∂ẋ/∂u δu"""
        x = self.derivatives.of_state
        rates = list(self.eom.kinematic_map @ Vector(self.eom.v))
        return Vector([*x.product(rates, x.delta), *self.forward_dynamics_jvp(by_inputs=True)])

    def state_derivative_vjp(self) -> tuple[Vector, ...]:
        """λᵀ ∂ẋ by q, v, the inputs and the constants, λ = (λ_q, λ_v)."""
        x = self._with_constants(self.derivatives.of_state)
        rates = self.eom.kinematic_map @ Vector(self.eom.v)
        by_q, by_v, by_u, *rest = self._pulled_back(self.lam, by_inputs=True)
        more_q, more_v, *more = x.split(x.gradient(dot(self.lam_q, rates)))
        constants = (a + b for a, b in zip(rest, more, strict=True))
        return by_q + more_q, by_v + more_v, by_u, *constants
