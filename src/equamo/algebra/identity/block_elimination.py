"""Linear equations of closed loops, solved block by block.

`elimination` shortens every entry at every step, which suits a few constraints on wheels; the closed
forms of loops grow too fast for that. The matrix is brought to block triangular form (maximum matching,
strongly connected components: Duff and Reid 1978). A block of up to three unknowns is solved by
determinants: the only divisor is that of the block itself, so the solution exists wherever the block is
regular. A larger block is solved by the factors of AᵀA, whose pivots are zero only where the block is
singular. Entries that are zero for all values of the symbols are found at a random point of a finite
field; the caller proves the solution.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import prod
from typing import Final

from ..expr import ONE, ZERO, Expr
from ..expr.closed_form.closed_form import closed_form
from ..expr.graph import LAST_LEAF, MUL, NEG, constant
from ..expr.matrix import Matrix
from ..expr.vector import dot
from .rank import field_matrices

_BY_DETERMINANTS: Final = 3  # unknowns of a block at most
_MINUS_ONE: Final = constant(-1)
_BUDGET: Final = 200_000  # of each closed form

Rows = list[list[Expr]]


def solve_in_blocks(A: Matrix, B: Matrix, unit: Iterable[Sequence[Expr]] = ()) -> Matrix:
    """Solve A X = B, with entries in short closed form if their block is small; A must be square and
    regular.

    Args:
        A: Coefficients.
        B: Right-hand sides, one per column.
        unit: Groups of symbols whose squares sum to one.

    Returns:
        X.

    >>> solve_in_blocks(Matrix([["a", 1], [0, "b"]]), Matrix([["c"], ["d"]]))
    Matrix([[(c - d/b)/a], [d/b]])
    """
    n = range(A.shape[0])
    pairs = zip(A.rows, field_matrices(A, 1, unit)[0][1], strict=True)
    rows = [[x if m else ZERO for x, m in zip(r, s, strict=True)] for r, s in pairs]
    row_of = _matching([[j for j in n if r[j] is not ZERO] for r in rows])
    X: dict[int, list[Expr]] = {}
    for columns in _components([[j for j in n if rows[i][j] is not ZERO] for i in row_of]):
        own = [row_of[j] for j in columns]
        right: Rows = []
        for i in own:
            known = [j for j in X if rows[i][j] is not ZERO]
            a = [rows[i][j] for j in known]
            values = [[X[j][c] for j in known] for c in range(B.shape[1])]
            right.append([b - dot(a, x) for b, x in zip(B.rows[i], values, strict=True)])
        block = [[rows[i][j] for j in columns] for i in own]
        if len(columns) == 1:
            solution = [[_short(b / block[0][0]) for b in right[0]]]
        else:
            few = len(columns) <= _BY_DETERMINANTS
            solution = (_by_determinants if few else _by_factors)(block, right)
        X |= zip(columns, solution, strict=True)
    return Matrix([X[j] for j in n])


def _matching(columns: list[list[int]]) -> list[int]:
    """Row of each column in a perfect matching, for the columns of the nonzero entries of each row."""
    row_of: dict[int, int] = {}

    def augment(i: int, seen: set[int]) -> bool:
        for j in columns[i]:
            if j not in seen:
                seen.add(j)
                if j not in row_of or augment(row_of[j], seen):
                    row_of[j] = i
                    return True
        return False

    for i in range(len(columns)):
        augment(i, set())
    return [row_of[j] for j in range(len(columns))]


def _components(edges: list[list[int]]) -> list[list[int]]:
    """Strongly connected components, each after its dependencies (Tarjan 1972)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    stack: list[int] = []
    found: list[list[int]] = []

    def visit(k: int) -> None:
        index[k] = low[k] = len(index)
        stack.append(k)
        for j in edges[k]:
            if j not in index:
                visit(j)
                low[k] = min(low[k], low[j])
            elif j in stack:
                low[k] = min(low[k], index[j])
        if low[k] == index[k]:
            at = stack.index(k)
            found.append(sorted(stack[at:]))
            del stack[at:]

    for k in range(len(edges)):
        if k not in index:
            visit(k)
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
    """Quotient without the literal common factors."""
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
