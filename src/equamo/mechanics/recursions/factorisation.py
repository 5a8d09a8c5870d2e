"""M = Lᵀ D L with branch-induced sparsity ([RBDA] table 6.3); M is never inverted.

Factored from the last speed to the first, so that a zero of M between two branches stays a zero of L.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import final

from ...algebra.expr import ONE, ZERO, Expr
from ...algebra.expr.matrix import Matrix
from ...errors import ExpressionError


@final
@dataclass(frozen=True)
class Factors:
    """Unit lower triangular L by its entries below the diagonal, D, and 1/D."""

    L: dict[tuple[int, int], Expr]
    D: tuple[Expr, ...]
    inverse_D: tuple[Expr, ...]

    def matrix(self) -> Matrix:
        """L below the diagonal, D on it, zeros above."""
        n = range(len(self.D))
        return Matrix([[self.D[i] if i == j else self.L.get((i, j), ZERO) for j in n] for i in n])

    def solve(self, b: Sequence[Expr]) -> list[Expr]:
        """x with Lᵀ D L x = b"""
        return self.solve_lower(self.scaled(self.solve_upper(b)))

    def solve_upper(self, b: Sequence[Expr]) -> list[Expr]:
        """y with Lᵀ y = b"""
        y = list(b)
        for i in reversed(range(len(y))):
            for j in self._row(i):
                y[j] = y[j] - self.L[i, j] * y[i]
        return y

    def scaled(self, y: Sequence[Expr]) -> list[Expr]:
        """D⁻¹ y"""
        return [e * d for e, d in zip(y, self.inverse_D, strict=True)]

    def solve_lower(self, y: Sequence[Expr]) -> list[Expr]:
        """x with L x = y"""
        x = list(y)
        for i in range(len(x)):
            for j in self._row(i):
                x[i] = x[i] - self.L[i, j] * x[j]
        return x

    def inverse(self) -> Matrix:
        """M⁻¹ = L⁻¹ D⁻¹ L⁻ᵀ, column by column; it is symmetric, so each column stops at the diagonal."""
        n = len(self.D)
        columns: list[list[Expr]] = []
        for k in range(n):
            x = [ONE if i == k else ZERO for i in range(k + 1)]
            for i in reversed(range(k + 1)):  # Lᵀ y = e_k
                for j in self._row(i):
                    x[j] -= self.L[i, j] * x[i]
            x = [y * d for y, d in zip(x, self.inverse_D, strict=False)]
            for i in range(k + 1):  # L x = D⁻¹ y
                for j in self._row(i):
                    x[i] -= self.L[i, j] * x[j]
            columns.append(x)
        return Matrix([[columns[max(i, j)][min(i, j)] for j in range(n)] for i in range(n)])

    def _row(self, i: int) -> list[int]:
        return [j for j in range(i) if (i, j) in self.L]


def ltdl(M: Matrix, singular: Callable[[str], str] | None = None) -> Factors:
    """Factors of a symmetric positive definite matrix.

    Args:
        M: The matrix; its row names are used in the error.
        singular: Message for the row of a pivot that is 0; by default that of a mass matrix.

    Raises:
        ExpressionError: If a pivot is literally 0; the message names its row.

    >>> from equamo.algebra.expr import symbol
    >>> a, b, c = (symbol(n) for n in "abc")
    >>> [x.closed_form() for x in ltdl(Matrix([[a, b], [b, c]])).D]
    [a - b**2/c, c]
    """
    H = [list(r) for r in M.rows]
    n = len(H)
    inverse_D = [ZERO] * n
    L: dict[tuple[int, int], Expr] = {}
    for k in reversed(range(n)):
        if H[k][k] is ZERO:
            row = f"row {k}" if M.row_names is None else repr(M.row_names[k])
            raise ExpressionError((singular or _no_inertia)(row))
        inverse_D[k] = ONE / H[k][k]
        below = [i for i in range(k) if H[k][i] is not ZERO]
        for i in reversed(below):
            # H_ij −= H_ki H_kj / D_k for j ≤ i
            a = H[k][i] * inverse_D[k]
            for j in below:
                if j <= i:
                    H[i][j] = H[i][j] - a * H[k][j]
            L[k, i] = a
    return Factors(L, tuple(H[i][i] for i in range(n)), tuple(inverse_D))


def _no_inertia(row: str) -> str:
    return (
        f"the mass matrix is singular: nothing with inertia moves along {row}; forward dynamics and the "
        "factors of M need a mass or an inertia there."
    )
