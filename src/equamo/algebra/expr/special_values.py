"""Values of functions at special arguments: fractions of π, roots of numbers."""

from __future__ import annotations

from fractions import Fraction
from math import isqrt

from .graph import ADD, CONST, HALF, NEG, ONE, PI_NODE, SUB, ZERO, Expr, constant
from .rules import mul, neg, split


def _turns(x: Expr) -> Fraction | None:
    """r with x = r·π, else None."""
    sign = 1
    if x.op == NEG:
        sign, x = -1, x.a
    c, y = split(x)
    return Fraction(sign * c) if y is PI_NODE else None


def _cos_of_pi(r: Fraction) -> Expr | None:
    """cos(r·π) for multiples of a quarter and a sixth of π."""
    from .functions import sqrt

    r = abs(r) % 2
    r = 2 - r if r > 1 else r
    if r > Fraction(1, 2):
        inner = _cos_of_pi(1 - r)
        return None if inner is None else neg(inner)
    table = {
        Fraction(0): ONE,
        Fraction(1, 6): mul(HALF, sqrt(constant(3))),
        Fraction(1, 4): mul(HALF, sqrt(constant(2))),
        Fraction(1, 3): HALF,
        Fraction(1, 2): ZERO,
    }
    return table.get(r)


def _shift(x: Expr) -> tuple[Expr, int] | None:
    """(y, k) with x = y + k·π/2 for a sum x that contains a multiple of a quarter turn."""
    y, k, sign = x, 0, 1  # x = sign·y + k·π/2
    while y.op in (ADD, SUB, NEG):
        second = -1 if y.op == SUB else 1
        if y.op == NEG:
            y, sign = y.a, -sign
        elif (r := _quarter_turns(y.a)) is not None:
            y, k, sign = y.b, k + sign * r, sign * second
        elif (r := _quarter_turns(y.b)) is not None:
            y, k = y.a, k + sign * second * r
        else:
            break
    return None if y is x else (y if sign > 0 else neg(y), k)


def _quarter_turns(x: Expr) -> int | None:
    """k with x = k·π/2, else None."""
    r = _turns(x)
    return None if r is None or (2 * r).denominator != 1 else int(2 * r)


def cos_of_turn(x: Expr) -> Expr | None:
    """cos(x) if x is a multiple of π or contains quarter turns, else None."""
    from .functions import cos, sin

    r = _turns(x)
    if r is not None:
        return _cos_of_pi(r)
    shifted = _shift(x)
    if shifted is None:
        return None
    y, k = shifted  # cos(y + kπ/2)
    return (cos(y), neg(sin(y)), neg(cos(y)), sin(y))[k % 4]


def sin_of_turn(x: Expr) -> Expr | None:
    """sin(x) if x is a multiple of π or contains quarter turns, else None."""
    from .functions import cos, sin

    r = _turns(x)
    if r is not None:
        return _cos_of_pi(r - Fraction(1, 2))
    shifted = _shift(x)
    if shifted is None:
        return None
    y, k = shifted  # sin(y + kπ/2)
    return (sin(y), cos(y), neg(sin(y)), neg(cos(y)))[k % 4]


def sqrt_of_number(x: Expr) -> Expr | None:
    """√(n/d) as a rational times roots of primes; None for large numbers."""
    if x.op != CONST:
        return None
    from .functions import SQRT, apply, sqrt

    n, d = x.a.numerator, x.a.denominator
    if d != 1:  # √(n/d) = √(n·d)/d
        return mul(constant(Fraction(1, d)), sqrt(constant(n * d)))
    roots: list[int] = []
    square, p = 1, 2
    while p * p <= n and p < 1000:
        while n % (p * p) == 0:
            square, n = square * p, n // (p * p)
        if n % p == 0:
            roots.append(p)
            n //= p
        p += 1
    whole = _integer_root(n)
    if whole is not None:
        square, n = square * whole, 1
    if n > 1:
        roots.append(n)
    if square == 1 and len(roots) == 1:
        return None  # already in its simplest form
    product = constant(square)
    for p in roots:
        product = mul(product, apply(SQRT, constant(p)))
    return product


def _integer_root(n: int) -> int | None:
    r = isqrt(n)
    return r if r * r == n else None
