"""Linear equations in expressions, solved by elimination with pivots that are not provably zero."""

from __future__ import annotations

from typing import Final

from ..expr import ZERO, Expr
from ..expr.closed_form.closed_form import closed_form
from ..expr.graph import LAST_LEAF
from ..expr.matrix import Matrix
from .prove import prove_zero

_LONG: Final = 40  # operations


def solve(A: Matrix, B: Matrix) -> Matrix:
    """Solve A X = B by elimination, with entries in short closed form; A is square and regular."""
    n = A.shape[0]
    rows = [[*A.rows[i], *B.rows[i]] for i in range(n)]
    for k in range(n):
        # A nonzero pivot: a number if there is one, else the shortest entry.
        choices = [i for i in range(k, n) if rows[i][k] is not ZERO]
        choices.sort(key=lambda i: (rows[i][k].value is None, rows[i][k].operations().total))
        pivot = next(
            i for i in choices if rows[i][k].value is not None or not prove_zero(rows[i][k])
        )
        rows[k], rows[pivot] = rows[pivot], rows[k]
        p = rows[k][k]
        rows[k] = [_short(x / p) for x in rows[k]]
        for i in range(n):
            if i != k and rows[i][k] is not ZERO:
                f = rows[i][k]
                rows[i] = [_short(x - f * y) for x, y in zip(rows[i], rows[k], strict=True)]
    return Matrix([r[n:] for r in rows])


def _short(x: Expr) -> Expr:
    """Closed form of a short entry; for a long one the search takes seconds and gains little."""
    return x if x.op <= LAST_LEAF or x.operations().total > _LONG else closed_form(x)
