"""The value of expressions at one fixed random-looking point of GF(2⁶¹ − 1): equal ones have equal values.

Sines and cosines are those of rational points of the circle, one for every monomial of an argument;
square roots are roots; any other function is an unknown function of its argument's value.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import lcm
from typing import Final

from .angles import Turn, monomial_expr, turn
from .functions import COS, SIN, SQRT, TABLE, TAN
from .graph import ADD, ATAN2, CONST, DIV, MUL, NEG, POW, SUB, SYMBOL, Expr, digest
from .walk import walk

PRIME: Final = 2**61 - 1
TRIES: Final = 16


def same(a: Expr, b: Expr) -> bool:
    """Whether two expressions have equal values at the first point where both have one."""
    for k in range(TRIES):
        try:
            x, y = fingerprints([a, b], str(k))
        except ValueError:  # a zero divided by, or a root of what is no square
            continue
        return x == y
    return False


def fingerprints(exprs: Sequence[Expr], point: str = "") -> list[int]:
    """Values of the expressions at the point of this name; ValueError where there is none."""
    order = walk(exprs)
    turns = {n: turn(n.a) for n in order if n.op in (SIN, COS, TAN)}
    unit = lcm(*(c.denominator for t in turns.values() for c in t.parts.values()))
    monomials = {m: monomial_expr(m) for t in turns.values() for m in t.parts}
    value: dict[Expr, int] = {}
    for n in walk([*monomials.values(), *exprs]):
        if n.op in turns_of:
            here = {m: value[x] for m, x in monomials.items() if x in value}
            value[n] = _turned(n, turns[n] if n in turns else turn(n.a), here, unit, point)
        else:
            value[n] = _value(n, value, point) % PRIME
    return [value[x] for x in exprs]
