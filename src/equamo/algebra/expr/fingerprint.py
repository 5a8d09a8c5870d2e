"""Values of expressions at a fixed pseudo-random point of GF(2⁶¹ − 1), where equal ones are equal.

Sines and cosines are those of rational points of the circle, one for every monomial of an argument;
square roots are roots; any other function is a hash of its argument's value.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import lcm
from typing import Any, Final

from .angles import Turn, turn
from .evaluate import Multiprecision, evaluate
from .functions import COS, SIN, SQRT, TABLE, TAN
from .graph import ADD, ATAN2, CONST, DIV, MUL, NEG, POW, SUB, SYMBOL, Expr, digest
from .linear_form import Monomial
from .walk import symbols, walk

PRIME: Final = 2**61 - 1
TRIES: Final = 16
DIGITS: Final = 60


def same(a: Expr, b: Expr) -> bool:
    """Whether two expressions have equal values at the first point where both are defined.

    If the field cannot decide (it has no angle π/3 and no √17), real numbers of 60 digits do.
    """
    for k in range(TRIES):
        try:
            x, y = fingerprints([a, b], str(k))
        except ValueError:  # a division by zero, or a root that is not in the field
            continue
        if x == y:
            return True
        break
    return _same_digits(a, b)


def _same_digits(a: Expr, b: Expr) -> bool:
    ring = Multiprecision(DIGITS)
    for k in range(TRIES):
        values = {  # between −1 and 2
            x: ring.constant(Fraction(digest(f"{x.name} {k}") % (3 * 10**12), 10**12) - 1)
            for x in symbols([a, b])
        }
        try:
            x, y = evaluate([a, b], ring, values)
        except (ArithmeticError, ValueError):  # outside the domain of a function
            continue
        return bool(abs(x - y) <= (abs(x) + abs(y)) * Fraction(1, 10 ** (DIGITS // 2)))
    return False


def fingerprints(exprs: Sequence[Expr], point: str = "") -> list[int]:
    """Values of the expressions at the point of this name; ValueError if one is undefined there."""
    order = walk(exprs)
    turns = {n: turn(n.a) for n in order if n.op in (SIN, COS, TAN)}
    unit = lcm(*(c.denominator for t in turns.values() for c in t.parts.values()))
    value: dict[Expr, int] = {}
    for n in order:
        if n in turns:
            sine, cosine = _circle(turns[n], unit, value, point)
            value[n] = sine if n.op == SIN else cosine
            if n.op == TAN:
                value[n] = sine * pow(cosine, -1, PRIME) % PRIME
        else:
            value[n] = _value(n, value, point) % PRIME
    return [value[x] for x in exprs]


def _value(n: Expr, value: Mapping[Expr, int], point: str) -> int:
    op = n.op
    if op == CONST:
        return n.a.numerator * pow(n.a.denominator, -1, PRIME)
    if op == NEG:
        return -value[n.a]
    if op == ADD:
        return value[n.a] + value[n.b]
    if op == SUB:
        return value[n.a] - value[n.b]
    if op == MUL:
        return value[n.a] * value[n.b]
    if op == DIV:
        return value[n.a] * pow(value[n.b], -1, PRIME)
    if op == POW:
        return pow(value[n.a], n.b, PRIME)
    if op == ATAN2:
        return digest(f"atan2 {value[n.a]} {value[n.b]} {point}")
    if op not in TABLE:
        return digest(f"symbol {n.name} {point}" if op == SYMBOL else f"pi {point}")
    x = value[n.a]
    if op == SQRT:
        root = pow(x, (PRIME + 1) // 4, PRIME)
        if root * root % PRIME != x:
            raise ValueError("not a square")
        return root
    row = TABLE[op]
    flipped = row.parity is not None and x > PRIME // 2
    y = digest(f"{row.name} {PRIME - x if flipped else x} {point}")
    return -y if flipped and row.parity == "odd" else y


def _circle(t: Turn, unit: int, value: Mapping[Expr, int], point: str) -> tuple[int, int]:
    """(sin, cos) of an argument."""
    sine, cosine = ((0, 1), (1, 0), (0, -1), (-1, 0))[t.quarters]
    for m, c in t.parts.items():
        u = digest(f"angle {_monomial(m, value)} {point}") % PRIME
        scale = pow(1 + u * u, -1, PRIME)
        x, y = _power((1 - u * u) * scale % PRIME, 2 * u * scale % PRIME, abs(int(c * unit)))
        y = y if c > 0 else -y
        sine, cosine = (sine * x + cosine * y) % PRIME, (cosine * x - sine * y) % PRIME
    return sine, cosine


def _power(x: int, y: int, n: int) -> tuple[int, int]:
    """(x + i·y)ⁿ."""
    a, b = 1, 0
    for bit in bin(n)[2:]:
        a, b = (a * a - b * b) % PRIME, 2 * a * b % PRIME
        if bit == "1":
            a, b = (a * x - b * y) % PRIME, (a * y + b * x) % PRIME
    return a, b


def _monomial(m: Monomial, value: Mapping[Expr, int]) -> int:
    product = 1
    for atom, e in m:
        product = product * pow(_atom(atom, value), e, PRIME) % PRIME
    return product


def _atom(atom: Any, value: Mapping[Expr, int]) -> int:
    if isinstance(atom, Expr):
        return value[atom]
    terms: frozenset[tuple[Monomial, Fraction]] = atom[1]
    return sum(_monomial(m, value) * c.numerator * pow(c.denominator, -1, PRIME) for m, c in terms)
