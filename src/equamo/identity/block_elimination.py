"""Linear equations of closed loops, solved in blocks that share no unknown.

`elimination` shortens every entry at every step, which suits a few constraints on wheels; the closed
forms of loops grow too fast for that. Here equations with one unknown are solved first. Of what remains,
a block of up to three unknowns is solved by determinants: the only divisor is that of the block itself,
so the solution exists wherever the block is regular. A larger block is solved by the factors of AᵀA,
whose pivots are zero only where the block is singular.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Final

from ..expr import ONE, ZERO, Expr
from ..expr.closed_form.closed_form import closed_form
from ..expr.graph import LAST_LEAF, MUL, NEG, constant
from ..expr.matrix import Matrix
from ..expr.vector import dot

_BY_DETERMINANTS: Final = 3  # unknowns of a block at most
_MINUS_ONE: Final = constant(-1)
_BUDGET: Final = 200_000  # of each closed form

Rows = list[list[Expr]]


def solve_in_blocks(A: Matrix, B: Matrix) -> Matrix:
    """Solve A X = B, with entries in short closed form if their block is small; A is square and regular.

    >>> solve_in_blocks(Matrix([["a", 1], [0, "b"]]), Matrix([["c"], ["d"]]))
    Matrix([[(c - d/b)/a], [d/b]])
    """
    rows, right = [list(r) for r in A.rows], [list(r) for r in B.rows]
    unknown = set(range(len(rows)))
    left = set(range(len(rows)))
    X: dict[int, list[Expr]] = {}
    while alone := _with_one_unknown(rows, left, unknown):
        i, j = alone
        X[j] = [_short(b / rows[i][j]) for b in right[i]]
        left.remove(i)
        unknown.remove(j)
        for k in left:
            if (f := rows[k][j]) is not ZERO:
                right[k] = [b - f * x for b, x in zip(right[k], X[j], strict=True)]
    for own, columns in _blocks(rows, left, unknown):
        block = [[rows[i][j] for j in columns] for i in own]
        few = len(columns) <= _BY_DETERMINANTS
        values = (_by_determinants if few else _by_factors)(block, [right[i] for i in own])
        X |= zip(columns, values, strict=True)
    return Matrix([X[j] for j in range(len(rows))])


def _with_one_unknown(rows: Rows, left: set[int], unknown: set[int]) -> tuple[int, int] | None:
    """First equation that has one unknown; one with the coefficient ±1 if there is one."""
    single: list[tuple[bool, int, int]] = []
    for i in sorted(left):
        own = [j for j in unknown if rows[i][j] is not ZERO]
        if len(own) == 1:
            single.append((rows[i][own[0]].value is None, i, own[0]))
    return min(single)[1:] if single else None


def _blocks(rows: Rows, left: set[int], unknown: set[int]) -> list[tuple[list[int], list[int]]]:
    """Equations and unknowns that belong together, directly or through others."""
    found: list[tuple[list[int], list[int]]] = []
    open_rows, open_columns = set(left), set(unknown)
    while open_rows:
        own, columns = {min(open_rows)}, set[int]()
        while True:
            more = {j for j in open_columns - columns if any(rows[i][j] is not ZERO for i in own)}
            columns |= more
            added = {i for i in open_rows - own if any(rows[i][j] is not ZERO for j in columns)}
            own |= added
            if not more and not added:
                break
        found.append((sorted(own), sorted(columns)))
        open_rows -= own
        open_columns -= columns
    return found


def _by_determinants(A: Rows, B: Rows) -> Rows:
    """X = adj(A) B / det A"""
    n = range(len(A))
    cofactor = [[_cofactor(A, i, j) for j in n] for i in n]
    det = _short(dot(A[0], cofactor[0]))
    columns = list(zip(*B, strict=True))
    return [
        [_quotient(_short(dot((cofactor[i][j] for i in n), b)), det) for b in columns]
        for j in n
    ]  # fmt: skip


def _quotient(numerator: Expr, denominator: Expr) -> Expr:
    """Quotient without the factors that both have literally."""
    above, below = _factors(numerator), _factors(denominator)
    for x in [x for x in below if x in above]:
        above.remove(x)
        below.remove(x)
    return prod(above, start=ONE) / prod(below, start=ONE)


def _factors(product: Expr) -> list[Expr]:
    """Factors of a product."""
    found, rest = list[Expr](), [product]
    while rest:
        x = rest.pop()
        if x.op == MUL:
            rest += (x.b, x.a)
        elif x.op == NEG:
            found.append(_MINUS_ONE)
            rest.append(x.a)
        else:
            found.append(x)
    return found


def _cofactor(A: Rows, i: int, j: int) -> Expr:
    """(−1)^(i+j) times the determinant of A without row i and column j."""
    n = range(len(A))
    minor = [[A[k][l] for l in n if l != j] for k in n if k != i]
    det = _determinant(minor)
    return det if (i + j) % 2 == 0 else -det


def _determinant(A: Rows) -> Expr:
    if not A:
        return ONE
    total = ZERO
    for j, a in enumerate(A[0]):
        if a is not ZERO:
            rest = _determinant([[*row[:j], *row[j + 1 :]] for row in A[1:]])
            total = total + a * rest if j % 2 == 0 else total - a * rest
    return total


def _by_factors(A: Rows, B: Rows) -> Rows:
    """X = (AᵀA)⁻¹ AᵀB by AᵀA = Lᵀ D L, eliminated from the last unknown to the first."""
    n = len(A)
    columns = list(zip(*A, strict=True))
    H = [[dot(columns[i], columns[j]) for j in range(n)] for i in range(n)]
    X = [[dot(columns[i], b) for b in zip(*B, strict=True)] for i in range(n)]
    for k in reversed(range(n)):
        for i in range(k):
            if H[k][i] is ZERO:
                continue
            f = H[k][i] / H[k][k]
            for j in range(i + 1):
                H[i][j] = H[i][j] - f * H[k][j]
            X[i] = _minus(X[i], f, X[k])
    for k in range(n):
        for j in range(k):
            X[k] = _minus(X[k], H[k][j], X[j])
        X[k] = [x / H[k][k] for x in X[k]]
    return X


def _minus(x: Sequence[Expr], f: Expr, y: Sequence[Expr]) -> list[Expr]:
    return [a - f * b for a, b in zip(x, y, strict=True)]


def _short(x: Expr) -> Expr:
    return x if x.op <= LAST_LEAF else closed_form(x, _BUDGET)
