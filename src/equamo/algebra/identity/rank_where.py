"""Exact rank of a matrix at points that satisfy given equations.

If the equations are linear in some of their symbols, a random point of a finite field is completed by
solving them for these symbols. The remaining symbols are free, so such points are generic, and the rank
is certain up to the bound of `rank`: a point is wrong only if a nonzero minor vanishes there.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from random import Random
from typing import Any, Final

from ...errors import ExpressionError
from ..expr import Expr
from ..expr.evaluate import Tape
from ..expr.matrix import Matrix
from ..expr.walk import symbols
from .linearity import linear_coefficients
from .point import Points
from .rank import finite_field, reduced, usable_points
from .rewrite import rewrite

_TRIALS: Final = 2


def independent_rows_where(
    A: Matrix,
    equations: Sequence[Expr],
    candidates: Iterable[Expr],
    unit: Iterable[Sequence[Expr]] = (),
) -> list[int] | None:
    """Rows of A that do not depend on those above them, at generic points where the equations hold.

    Args:
        A: The matrix.
        equations: Expressions that are 0.
        candidates: Symbols for which the equations may be solved, if they are linear in them.
        unit: Groups of symbols whose squares sum to 1.

    Returns:
        The rows; None if the equations cannot be solved in this way, or only with symbols equal to 0.

    >>> from equamo.algebra.expr import parse, symbol
    >>> A = Matrix([["cos(a)", "1"], ["cos(b)", "1"]])
    >>> independent_rows_where(A, [parse("l*cos(a) - l*cos(b) + d")], [symbol("d")])
    [0, 1]
    """
    unknowns = linear_symbols(equations, candidates)
    C, rest = linear_coefficients(equations, unknowns)
    n, k = len(equations), len(unknowns)
    roots = rewrite([*(x for row in C for x in row), *rest, *A.entries])
    points = Points(roots, unit)
    linear, matrix = (
        Tape(part, points.given) for part in (roots[: n * (k + 1)], roots[n * (k + 1) :])
    )
    random = Random(secrets.randbits(128))
    best: list[int] = []

    def completed(p: int, values: dict[Expr, Any]) -> list[int] | None:
        field = finite_field(p, random)
        numbers = linear.run(field, values)
        rows = [[*numbers[i * k : (i + 1) * k], -numbers[n * k + i]] for i in range(n)]
        solution = _solution(rows, k, p, random)
        if solution is None or 0 in solution:
            return None
        values.update(zip(unknowns, solution, strict=True))
        return matrix.run(field, values)

    try:
        for p, entries in usable_points(points, random, completed, _TRIALS):
            if entries is None:
                return None
            columns = [entries[j :: A.shape[1]] for j in range(A.shape[1])]
            best = max(best, reduced(columns, p)[1], key=len)
    except ExpressionError:  # no point has values
        return None
    return best


def linear_symbols(equations: Sequence[Expr], candidates: Iterable[Expr]) -> list[Expr]:
    """Symbols in which all equations together are linear, chosen one by one.

    >>> from equamo.algebra.expr import parse, symbol
    >>> linear_symbols([parse("l*cos(a) + d*e")], [symbol(n) for n in "dela"])
    [d, l]
    """
    occurring = set(symbols(equations))
    chosen: list[Expr] = []
    for x in candidates:
        if x in occurring:
            try:
                linear_coefficients(equations, [*chosen, x])
            except ExpressionError:
                continue
            chosen.append(x)
    return chosen


def _solution(rows: list[list[int]], k: int, p: int, random: Random) -> list[int] | None:
    """Random solution of C x = b modulo p from the rows [C | b]; None if no solution exists."""
    rows, pivots = reduced(rows, p)
    if k in pivots:
        return None
    x = [random.randrange(1, p) for _ in range(k)]
    for row, j in zip(rows, pivots, strict=True):
        x[j] = (row[k] - sum(c * x[i] for i, c in enumerate(row[:k]) if i != j)) % p
    return x
