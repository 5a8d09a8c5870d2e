"""Rank of a matrix of expressions, computed at random points of a finite field.

The rank at a point is a lower bound of the generic rank. The probability that it is smaller is bounded
as for a proof, since a minor would have to vanish there; two points of 127 bits are used.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from math import isqrt
from random import Random
from typing import Any, TypeVar

from ...errors import ExpressionError
from ..expr import Expr
from ..expr.evaluate import Modular, Tape
from ..expr.functions import SQRT
from ..expr.matrix import Matrix
from .point import Points, Unlucky
from .primes import square_root
from .rewrite import rewrite

_BITS = 127
_TRIALS = 2
_UNDEFINED = "The matrix has no value at any random point; its entries must not divide by zero."
_ROOTLESS = (
    "A matrix must have values at random points, got square roots that exist at none of {}; write its "
    "entries with fewer different square roots."
)
_DRAWS = 64  # per point, without square roots of expressions
_MOST_ROOTS = 10  # square roots of expressions, each of which doubles the number of draws
Values = TypeVar("Values")


def usable_points(
    points: Points,
    random: Random,
    compute: Callable[[int, dict[Expr, Any]], Values],
    count: int,
    *,
    one_prime: bool = False,
) -> Iterator[tuple[int, Values]]:
    """(p, values) at `count` random points at which all values exist, with different primes or one.

    Roots of numbers exist modulo the primes that are drawn; each root of an expression exists at half of
    the points.
    """
    p, roots = points.prime_with_roots(_BITS, random)
    undefined = 0
    draws = count * _DRAWS << min(len(points.radicals), _MOST_ROOTS)
    for number in range(draws):
        if number and number % _DRAWS == 0 and not one_prime:
            p, roots = points.prime_with_roots(_BITS, random)
        try:
            values = compute(p, points.draw(p, roots, random))
        except Unlucky:
            continue
        except ValueError:  # no inverse: a zero denominator
            undefined += 1
            continue
        yield p, values
        count -= 1
        if not count:
            return
        if not one_prime:
            p, roots = points.prime_with_roots(_BITS, random)
    raise ExpressionError(_UNDEFINED if undefined else _ROOTLESS.format(draws))


def field_matrices(
    A: Matrix, count: int = _TRIALS, unit: Iterable[Sequence[Expr]] = ()
) -> list[tuple[int, list[list[int]]]]:
    """(p, A modulo p) at `count` random points."""
    random = Random(secrets.randbits(128))
    roots = rewrite(A.entries)
    points = Points(roots, unit)
    tape = Tape(roots, points.given, points.order)
    n, m = A.shape

    def matrix(p: int, point: dict[Expr, Any]) -> list[list[int]]:
        values = tape.run(finite_field(p, random), point)
        return [values[i * m : (i + 1) * m] for i in range(n)]

    return list(usable_points(points, random, matrix, count))


def finite_field(p: int, random: Random) -> Modular:
    """GF(p) with square roots if they exist; other functions are new variables."""
    known: dict[tuple[int, ...], int] = {}

    def apply(node: Expr, *x: int) -> int:
        if node.op == SQRT:
            r = square_root(x[0], p)
            if r is None:
                raise Unlucky(node)
            return r
        return known.setdefault((node.op, *x), random.randrange(p))

    return Modular(p, apply)


def rank(A: Matrix, unit: Iterable[Sequence[Expr]] = ()) -> int:
    """Generic rank of a matrix.

    >>> rank(Matrix([["cos(a)", "sin(a)"], ["2*cos(a)", "2*sin(a)"]]))
    1
    """
    return len(independent_columns(A, unit))


def independent_columns(A: Matrix, unit: Iterable[Sequence[Expr]] = ()) -> list[int]:
    """Columns that do not depend on those to their left."""
    if not A.shape[0] or not A.shape[1]:
        return []
    best: list[int] = []
    for p, rows in field_matrices(A, unit=unit):
        _, columns = reduced(rows, p)
        if len(columns) > len(best):
            best = columns
    return best


def independent_rows(A: Matrix, unit: Iterable[Sequence[Expr]] = ()) -> list[int]:
    """Rows that do not depend on those above them."""
    return independent_columns(A.T, unit) if A.shape[0] else []


def reduced(rows: list[list[int]], p: int) -> tuple[list[list[int]], list[int]]:
    """Reduced row echelon form modulo a prime, without rows of zeros, and the pivot columns.

    >>> reduced([[2, 4, 6], [1, 2, 4]], 7)
    ([[1, 2, 0], [0, 0, 1]], [0, 2])
    """
    from flint import fmpz_mod_ctx, fmpz_mod_mat

    echelon, count = fmpz_mod_mat(rows, fmpz_mod_ctx(p)).rref()
    pivot_rows = [[int(x) for x in row] for row in echelon.tolist()[:count]]
    return pivot_rows, [next(j for j, x in enumerate(row) if x) for row in pivot_rows]


def constant_combinations(
    A: Matrix, unit: Iterable[Sequence[Expr]] = (), seed: int | None = None
) -> list[list[Fraction]]:
    """Basis of the rational λ with Σ λ_i (row i of A) = 0 at every point, each with one λ_i = 1.

    Computed modulo one prime, at more random points than there are rows, then converted to fractions.
    The result is a candidate that the caller must prove.

    >>> constant_combinations(Matrix([["x", "y"], ["sin(a)", 0], ["2*x + sin(a)", "2*y"]]))
    [[Fraction(-2, 1), Fraction(-1, 1), Fraction(1, 1)]]
    """
    random = Random(secrets.randbits(128) if seed is None else seed)
    n, m = A.shape
    roots = rewrite(A.entries)
    points = Points(roots, unit)
    tape = Tape(roots, points.given, points.order)

    def columns(p: int, point: dict[Expr, Any]) -> list[list[int]]:
        values = tape.run(finite_field(p, random), point)
        return [[values[i * m + j] for i in range(n)] for j in range(m)]

    found = list(usable_points(points, random, columns, n + 2, one_prime=True))
    rows, p = [row for _, more in found for row in more], found[0][0]
    combinations = [[fraction(x, p) for x in vector] for vector in null_space(rows, n, p)]
    return [[x for x in vector if x is not None] for vector in combinations if None not in vector]


def null_space(rows: list[list[int]], n: int, p: int) -> list[list[int]]:
    """Basis of the null space of the rows (vectors of n numbers) modulo p."""
    rows, columns = reduced(rows, p)
    basis: list[list[int]] = []
    for free in (j for j in range(n) if j not in columns):
        vector = [0] * n
        vector[free] = 1
        for k, j in enumerate(columns):
            vector[j] = -rows[k][free] % p
        basis.append(vector)
    return basis


def fraction(x: int, p: int) -> Fraction | None:
    """Fraction a/b ≡ x modulo p with a² and b² below p/2 (Wang 1981), or None."""
    limit = isqrt(p // 2)
    a, b, u, v = p, x % p, 0, 1
    while b > limit:
        q = a // b
        a, b, u, v = b, a - q * b, v, u - q * v
    return None if v == 0 or abs(v) > limit else Fraction(b, v)
