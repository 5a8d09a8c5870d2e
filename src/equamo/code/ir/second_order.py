"""First and second derivatives of a function on demand: J, λᵀ J, and the Hessian of λ·y.

`Explicit` is for a function whose entries y(x) are a graph. `Solved` is for accelerations, the solution
z(x) of r(x, z) = 0 (`dynamics_derivatives`), which is not differentiated as a graph:

    (1) ∂z = −K⁻¹ ∂r,  K = ∂r/∂z
    (2) λᵀ ∂z = −μᵀ ∂r,  Kᵀ μ = λ
    (3) ∂²(λ·z) = −(R_xx + S + Sᵀ),  S = (∂z)ᵀ R_zx,  R = ∂²(μ·r) at fixed μ and z

(3) needs no R_zz: r is linear in z. All are in coordinates (`Directions`), at unit quaternions.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import final

from ...algebra.expr import ZERO, Expr, internal
from ...algebra.expr.differentiate import directional_columns, gradient, hessian
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector, dot
from .dynamics_derivatives import DynamicsDerivatives
from .variables import Variables

Rows = list[list[Expr]]


def hessian_of(f: Expr, x: Variables, slopes: Sequence[Expr] | None = None) -> Rows:
    """Second derivatives of a scalar f with respect to all variables.

    >>> from equamo.algebra.expr import parse
    >>> from equamo.code.ir.directions import Directions
    >>> from equamo.code.ir.variables import Group
    >>> from equamo.robot.library import load
    >>> arm = load("rr_arm")
    >>> x = Variables(Directions(arm, "coordinates"), (Group("v", arm.v),))
    >>> hessian_of(parse("q1*q2*dq2"), x)
    [[0, dq2, 0, q2], [dq2, 0, 0, q1], [0, 0, 0, 0], [q2, q1, 0, 0]]
    """
    slopes = x.gradient(f) if slopes is None else slopes
    m = len(x.directions)
    by_q = directional_columns(slopes, x.seeds[:m])  # D_k of each slope, k along q
    along = [list(column) for column in zip(*by_q, strict=True)] if by_q else []
    qq = x.directions.hessian([row[:m] for row in along], slopes[:m]).rows
    rest = hessian(slopes[m:], [s for g in x.groups for s in g.symbols])
    upper = [[*qq[k], *along[k][m:]] for k in range(m)]
    lower = [[*(along[k][m + i] for k in range(m)), *row] for i, row in enumerate(rest)]
    return [*upper, *lower]


@final
@dataclass(frozen=True)
class Explicit:
    """Derivatives of entries y(x) that are a graph."""

    y: Sequence[Expr]
    x: Variables
    lam: Sequence[Expr]

    def jacobian(self) -> Rows:
        """One row per entry, one column per variable."""
        return directional_columns(self.y, self.x.seeds)

    def pulled_back(self) -> list[Expr]:
        """λᵀ J"""
        return self.x.gradient(dot(self.lam, self.y))

    def hessian(self) -> Rows:
        """Hessian of λ·y."""
        return hessian_of(dot(self.lam, self.y), self.x)


@final
class Solved:
    """Derivatives of the accelerations of forward dynamics, and with them of ẋ = (N v, v̇).

    Args:
        derivatives: Derivatives of the dynamics by coordinates.
        x: The variables: q, v, τ or the inputs, and constants.
        lam: λ, one per result; those of q̇ come first for a state derivative.
        by_inputs: Whether the forces are B·inputs.
        of_state: Whether the result is ẋ.
    """

    d: DynamicsDerivatives
    x: Variables
    by_inputs: bool
    of_state: bool
    lam_q: Sequence[Expr]
    lam: Sequence[Expr]

    def __init__(
        self,
        derivatives: DynamicsDerivatives,
        x: Variables,
        lam: Sequence[Expr],
        by_inputs: bool,
        of_state: bool,
    ) -> None:
        self.d, self.x, self.by_inputs, self.of_state = derivatives, x, by_inputs, of_state
        n = len(derivatives.eom.v)
        self.lam_q, self.lam = lam[: len(lam) - n], lam[len(lam) - n :]
        self.mu: tuple[Expr, ...] = tuple(
            internal("mu", str(k)) for k in range(len(derivatives.unknowns))
        )

    @cached_property
    def _residual(self) -> list[Expr]:
        return self.d.residual(self.by_inputs)

    @cached_property
    def _rates(self) -> list[Expr]:
        """q̇ of a state derivative."""
        eom = self.d.eom
        return list(eom.kinematic_map @ Vector(eom.v)) if self.of_state else []

    @cached_property
    def _along(self) -> Rows:
        """∂z, one row per unknown."""
        by_q, by_v = self.d.residual_slopes(self.by_inputs)
        done = [row_q + row_v for row_q, row_v in zip(by_q.rows, by_v.rows, strict=True)]
        rest = directional_columns(self._residual, self.x.seeds[len(done[0]) :])
        slopes = [[*row, *more] for row, more in zip(done, rest, strict=True)]
        width, size = len(self.x.delta), len(slopes)
        flat = [row[k] for k in range(width) for row in slopes]
        at = self.d.solved(flat, self.by_inputs)
        columns = [self.d.factors.solve(at[k * size : (k + 1) * size]) for k in range(width)]
        return [[-column[i] for column in columns] for i in range(size)]  # (1)

    def _at_solution(self, entries: Sequence[Expr]) -> list[Expr]:
        """Entries with the solutions in place of z and μ."""
        n = len(self.lam)
        found = self.d.factors.solve(self.d.padded(self.lam))
        # K and Kᵀ differ in the signs of the constraints' rows.
        mu = dict(zip(self.mu, [*found[:n], *(-y for y in found[n:])], strict=True))
        return substitute(self.d.solved(list(entries), self.by_inputs), mu)

    def jacobian(self) -> Rows:
        """One row per entry, one column per variable."""
        rates = directional_columns(self._rates, self.x.seeds)
        return [*rates, *self._along[: len(self.lam)]]

    def pulled_back(self) -> list[Expr]:
        """λᵀ J"""
        slopes = self._at_solution(self.x.gradient(-dot(self.mu, self._residual)))  # (2)
        if not self.of_state:
            return slopes
        more = self.x.gradient(dot(self.lam_q, self._rates))
        return [a + b for a, b in zip(slopes, more, strict=True)]

    def hessian(self) -> Rows:
        """Hessian of λ·y, by (3)."""
        scalar = dot(self.mu, self._residual)
        R_xx = hessian_of(scalar, self.x)
        R_zx = directional_columns(gradient(scalar, self.d.unknowns), self.x.seeds)
        size = len(R_xx)
        flat = self._at_solution([e for row in (*R_xx, *R_zx) for e in row])
        rows = [flat[i * size : (i + 1) * size] for i in range(len(flat) // size)]
        R_xx, R_zx = rows[:size], rows[size:]
        used = [any(row[k] is not ZERO for row in R_zx) for k in range(size)]
        along = list(zip(*self._along, strict=True))
        across = list(zip(*R_zx, strict=True))
        S = [
            [dot(a, c) if used[k] else ZERO for k, c in enumerate(across)] for a in along
        ]  # (∂z)ᵀ R_zx
        H = [[ZERO] * size for _ in range(size)]
        more = hessian_of(dot(self.lam_q, self._rates), self.x) if self.of_state else H
        total = [[ZERO] * size for _ in range(size)]
        for k in range(size):
            for l in range(k + 1):
                e = more[k][l] - (R_xx[k][l] + S[k][l] + S[l][k])
                total[k][l] = total[l][k] = e
        return total
