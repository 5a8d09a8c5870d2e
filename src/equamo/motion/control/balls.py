"""Matrices of balls: real numbers with rigorous error bounds (Arb), at the precision of `working`.

A ball that excludes 0 is certainly not zero. A ball that contains 0 and is smaller by half of all bits
than the terms it was made from counts as zero: doubles have 53 bits, so a sum of products of them would
have to cancel to hundreds of bits without being zero. A larger ball is undecided, and more bits decide.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from fractions import Fraction
from math import isfinite
from typing import Any, Final, TypeVar

from ...errors import EvaluationError

BITS: Final = 512  # of the first attempt
ATTEMPTS: Final = 4  # each with three times as many bits

Ball = Any
Balls = list[Any]
Rows = list[list[Any]]
T = TypeVar("T")


class UndecidedError(ArithmeticError):
    """More bits are needed to tell whether a number is zero."""


@contextmanager
def working(bits: int) -> Generator[None]:
    """Precision of the balls that are computed meanwhile."""
    from flint import ctx

    context: Any = ctx
    with context.workprec(bits):
        yield


def with_enough_bits(compute: Callable[[], T], bits: int = BITS, attempts: int = ATTEMPTS) -> T:
    """Result of a computation that raises `UndecidedError` as long as it needs more bits."""
    for attempt in range(attempts):
        with working(bits * 3**attempt):
            try:
                return compute()
            except (UndecidedError, ZeroDivisionError):  # a ball that contains 0 has no inverse
                continue
    raise EvaluationError(
        f"A linear system must have numbers that {bits * 3 ** (attempts - 1):,} bits can tell from 0, "
        "but these differ too much in size, or a function of the model has no value here; linearize "
        "at another state, or use other units."
    )


def bits() -> int:
    """Working precision."""
    from flint import ctx

    context: Any = ctx
    return int(context.prec)


def ball(x: float | int | Fraction) -> Ball:
    """An exact number; a double is its exact binary value."""
    from flint import arb, fmpq

    if isinstance(x, float) and not isfinite(x):
        raise EvaluationError(
            f"The numbers of a linear system must be finite, got {x}; linearize at another state."
        )
    number = Fraction(x)
    return arb(fmpq(number.numerator, number.denominator))


def zero() -> Ball:
    """The number 0."""
    from flint import arb

    return arb(0)


def from_floats(rows: Iterable[Iterable[Any]]) -> Rows:
    """Balls of the exact values of doubles."""
    return [[ball(float(x)) for x in row] for row in rows]


def to_floats(rows: Rows) -> list[list[float]]:
    """Nearest doubles."""
    return [[float(x) for x in row] for row in rows]


def unit_rows(size: int, indices: Iterable[int]) -> Rows:
    """Rows of the identity."""
    return [[ball(int(i == k)) for i in range(size)] for k in indices]


def decided(x: Ball, terms: Sequence[Ball]) -> Ball:
    """A sum of terms, or exactly 0 if it contains 0.

    Raises:
        UndecidedError: The ball is too large to tell, or not finite.
    """
    if not x.is_finite():
        raise UndecidedError
    if not x.contains(0):
        return x
    if x.is_zero():
        return x
    size = max((t.abs_upper() for t in terms), default=x)
    if x.rad() * 2 ** (bits() // 2) <= size:
        return zero()
    raise UndecidedError


def combined(weights: Sequence[Ball], values: Sequence[Ball]) -> Ball:
    """Σ weights · values, exactly 0 if it contains 0."""
    terms = [
        w * x for w, x in zip(weights, values, strict=True) if not w.is_zero() and not x.is_zero()
    ]
    return decided(sum(terms, zero()), terms)


def product(A: Rows, B: Rows) -> Rows:
    """A B, with exact zeros."""
    width = len(B[0]) if B else 0
    sparse = [[(j, x) for j, x in enumerate(row) if not x.is_zero()] for row in B]
    rows: Rows = []
    for row in A:
        terms: dict[int, Balls] = {}
        for x, other in zip(row, sparse, strict=True):
            if not x.is_zero():
                for j, y in other:
                    terms.setdefault(j, []).append(x * y)
        whole = [zero()] * width
        for j, found in terms.items():
            whole[j] = decided(sum(found[1:], found[0]), found)
        rows.append(whole)
    return rows


def difference(A: Rows, B: Rows) -> Rows:
    """A − B, with exact zeros."""
    return [
        [decided(x - y, [x, y]) for x, y in zip(a, b, strict=True)]
        for a, b in zip(A, B, strict=True)
    ]


def negative(A: Rows) -> Rows:
    """−A"""
    return [[-x for x in row] for row in A]


def solved(A: Rows, right: Rows) -> Rows:
    """A⁻¹ right, with exact zeros; ZeroDivisionError if A may be singular at this precision."""
    from flint import arb_mat

    if not A or not right[0]:
        return [[] for _ in A]
    if all(x.is_zero() for row in right for x in row):
        return [[zero()] * len(right[0]) for _ in A]
    found: Any = arb_mat(A).solve(arb_mat(right))
    rows = [[found[i, j] for j in range(len(right[0]))] for i in range(len(A))]
    columns = [
        [zero()] * len(A) if all(b.is_zero() for b in given) else _decided_column(list(column))
        for column, given in zip(zip(*rows, strict=True), zip(*right, strict=True), strict=True)
    ]
    return [list(row) for row in zip(*columns, strict=True)]


def _decided_column(column: Balls) -> Balls:
    size = max(x.abs_upper() for x in column)
    return [decided(x, [size]) for x in column]


def exponential(A: Rows) -> Rows:
    """exp A, with exact zeros."""
    from flint import arb_mat

    found: Any = arb_mat(A).exp()
    n = range(len(A))
    return [[decided(found[i, j], [ball(1)]) for j in n] for i in n]


def as_fraction(x: Ball, digits: int) -> Fraction:
    """The decimals of the nearest double if a ball contains them, or else its midpoint, rounded."""
    if x.is_zero():
        return Fraction(0)
    nearest = float(x)
    if isfinite(nearest) and x.contains(ball(Fraction(repr(nearest)))):
        return Fraction(repr(nearest))
    with working(digits):
        mantissa, exponent = (+x.mid()).mid().man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
