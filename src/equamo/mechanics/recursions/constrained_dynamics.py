"""Dynamics with constraints A v̇ + Ȧ v = 0, by the sparse factors of M; nothing is inverted.

    (1) M x − Aᵀ λ = f ,  A x = c                 x = v̇, c = −Ȧ v, f = τ − bias; λ along the rows of A
    (2) M = Lᵀ D L ,  Y = L⁻ᵀ Aᵀ                  zeros between branches stay zeros of Y
    (3) G = A M⁻¹ Aᵀ = Yᵀ D⁻¹ Y                   the inverse inertia along the rows (Delassus)
    (4) z = L⁻ᵀ f ,  G λ = c − Yᵀ D⁻¹ z
    (5) x = L⁻¹ D⁻¹ (z + Y λ)

G is regular if and only if the rows of A are independent (M is positive definite): redundant rows must
be omitted beforehand. Loops that share no joint yield separate blocks of G. If a joint has no
inertia of its own, M is singular, but the system need not be; then, because of A x = c,

    (6) M + AᵀA  and  f + Aᵀc  replace M and f, which changes neither x nor λ; G⁻¹ grows by 1
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import final

from ...algebra.expr import Expr
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import Vector, dot
from ...errors import ExpressionError
from .factorisation import Factors, ltdl


@final
class ConstrainedFactors:
    """Factors of the matrix [M −Aᵀ; A 0]; without rows, those of M.

    Raises ExpressionError, with the name of a row, if it is singular.

    >>> from equamo.algebra.expr import ZERO, symbol
    >>> m, f = symbol("m"), symbol("f")
    >>> bound = ConstrainedFactors(Matrix([[m, 0], [0, m]]), Matrix([[1, 1]]))
    >>> [e.closed_form() for e in bound.solve([f, ZERO, ZERO])]
    [f/(2*m), -f/(2*m), -f/2]
    """

    size: int
    is_shifted: bool
    mass: Factors

    def __init__(self, M: Matrix, A: Matrix | None = None) -> None:
        self.size, self.A = len(M.rows), A
        self.rows: list[list[Expr]] = [] if A is None else [list(row) for row in A.rows]
        self._names = None if A is None else A.row_names
        self.is_shifted = False  # (6)
        try:
            self.mass = ltdl(M)
        except ExpressionError:  # nothing with inertia moves along a speed
            if A is None or not A.rows:
                raise
            self.is_shifted, self.mass = True, ltdl(M + A.T @ A)

    @cached_property
    def _Y(self) -> list[list[Expr]]:
        """Columns of Y, one per row of A."""
        return [self.mass.solve_upper(row) for row in self.rows]  # (2)

    @cached_property
    def _scaled(self) -> list[list[Expr]]:
        """Columns of D⁻¹ Y."""
        return [self.mass.scaled(y) for y in self._Y]

    @cached_property
    def inverse_inertia(self) -> Matrix:
        """G = A M⁻¹ Aᵀ; with (6) that of M + AᵀA."""
        n = range(len(self.rows))
        lower = [[dot(self._Y[i], self._scaled[j]) for j in range(i + 1)] for i in n]  # (3)
        return Matrix(
            [[lower[max(i, j)][min(i, j)] for j in n] for i in n], self._names, self._names
        )

    @cached_property
    def _G(self) -> Factors:
        return ltdl(self.inverse_inertia, singular=_dependent)

    def solve(self, b: Sequence[Expr]) -> list[Expr]:
        """(x, λ) of (1) for b = (f, c), one list after the other."""
        n, m = self.size, len(self.rows)
        if not m:
            return self.mass.solve(b)
        f = list(b[:n])
        if self.is_shifted:
            assert self.A is not None
            f = [x + y for x, y in zip(f, self.A.T @ Vector(b[n:]), strict=True)]  # (6)
        z = self.mass.solve_upper(f)
        rest = [c - dot(y, z) for c, y in zip(b[n:], self._scaled, strict=True)]
        lam = self._G.solve(rest)  # (4)
        for y, force in zip(self._Y, lam, strict=True):
            z = [a + e * force for a, e in zip(z, y, strict=True)]
        return [*self.mass.solve_lower(self.mass.scaled(z)), *lam]  # (5)

    def inverse(self) -> Matrix:
        """∂x/∂f = M⁻¹ − M⁻¹ Aᵀ G⁻¹ A M⁻¹, symmetric; M⁻¹ without rows."""
        whole = self.mass.inverse()
        if not self.rows:
            return whole
        columns = [self.mass.solve_lower(y) for y in self._scaled]  # of M⁻¹ Aᵀ
        # G = Lᵀ D L, so Bᵀ D⁻¹ B with B = L⁻ᵀ A M⁻¹ is subtracted
        B = list(
            zip(*(self._G.solve_upper(row) for row in zip(*columns, strict=True)), strict=True)
        )
        scaled = [[e * d for e in row] for row, d in zip(B, self._G.inverse_D, strict=True)]
        n = range(self.size)
        lower = [
            [
                whole[i, j] - dot((row[i] for row in B), (row[j] for row in scaled))
                for j in range(i + 1)
            ]
            for i in n
        ]
        return Matrix([[lower[max(i, j)][min(i, j)] for j in n] for i in n])

    def inertia(self) -> Matrix:
        """Λ = (A M⁻¹ Aᵀ)⁻¹, the inertia along the rows: λ = Λ c if f = 0."""
        found = self._G.inverse()
        return found - identity(len(self.rows)) if self.is_shifted else found  # (6)


def _dependent(row: str) -> str:
    return f"the rows of constraints must be independent, but {row} depends on those after it; omit it."
