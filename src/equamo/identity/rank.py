"""Rank of a matrix of expressions, at random points of a finite field.

A rank found at a point is a lower bound of the generic rank, and equal to it but for a chance that is
bounded like that of a proof (a minor of that size would vanish there); two points of 127 bits.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from random import Random

from ..errors import ExpressionError
from ..expr import Expr
from ..expr.evaluate import Modular, Tape
from ..expr.matrix import Matrix
from .point import Points, Unlucky
from .rewrite import rewrite

_BITS = 127
_TRIALS = 2


def field_matrices(
    A: Matrix, count: int = _TRIALS, unit: Iterable[Sequence[Expr]] = ()
) -> list[tuple[int, list[list[int]]]]:
    """(p, A modulo p) at so many random points."""
    random = Random(secrets.randbits(128))
    roots = rewrite(A.entries)
    points = Points(roots, unit)
    tape = Tape(roots, points.given, points.order)
    n, m = A.shape
    found: list[tuple[int, list[list[int]]]] = []
    for _ in range(64 * count):
        try:
            p, number_roots = points.prime(_BITS, random)
            values = tape.run(Modular(p), points.draw(p, number_roots, random))
        except (Unlucky, ValueError):
            continue
        found.append((p, [values[i * m : (i + 1) * m] for i in range(n)]))
        if len(found) == count:
            return found
    raise ExpressionError("No random point was found where the matrix has a value.")


def rank(A: Matrix, unit: Iterable[Sequence[Expr]] = ()) -> int:
    """The generic rank.

    >>> rank(Matrix([["cos(a)", "sin(a)"], ["2*cos(a)", "2*sin(a)"]]))
    1
    """
    return len(independent_columns(A, unit))


def independent_columns(A: Matrix, unit: Iterable[Sequence[Expr]] = ()) -> list[int]:
    """The first columns, left to right, of which none depends on those before it."""
    if not A.shape[0] or not A.shape[1]:
        return []
    best: list[int] = []
    for p, rows in field_matrices(A, unit=unit):
        columns = pivots(rows, p)
        if len(columns) > len(best):
            best = columns
    return best


def independent_rows(A: Matrix, unit: Iterable[Sequence[Expr]] = ()) -> list[int]:
    """The first rows, top to bottom, of which none depends on those before it."""
    return independent_columns(A.T, unit) if A.shape[0] else []


def pivots(rows: list[list[int]], p: int) -> list[int]:
    """Pivot columns of a matrix modulo p."""
    rows = [list(r) for r in rows]
    columns: list[int] = []
    k = 0
    for j in range(len(rows[0])):
        i = next((i for i in range(k, len(rows)) if rows[i][j] % p), None)
        if i is None:
            continue
        rows[k], rows[i] = rows[i], rows[k]
        inverse = pow(rows[k][j], -1, p)
        for other in range(k + 1, len(rows)):
            f = rows[other][j] * inverse % p
            if f:
                rows[other] = [(x - f * y) % p for x, y in zip(rows[other], rows[k], strict=True)]
        columns.append(j)
        k += 1
    return columns
