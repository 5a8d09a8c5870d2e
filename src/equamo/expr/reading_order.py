"""Sums and products built in the order in which they are read: by name, numbers last in a sum.

The graph is binary and text keeps its structure, so a sum that is to be read as a + b + c has to be
built as (a + b) + c.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from .arrange import Key, natural_key
from .graph import ATAN2, CONST, NEG, ONE, PI, SYMBOL, ZERO, Expr, constant
from .rules import add, mul, power
from .text import to_text


def ordered_sum(terms: Iterable[Expr]) -> Expr:
    """The sum of terms, the same whatever their order, and with all signs changed its negative.

    >>> from equamo.expr import symbols
    >>> ordered_sum(symbols("c a b"))
    a + b + c
    """
    total = ZERO
    for x in sorted(terms, key=_term_key):
        total = add(total, x)
    return total


def ordered_product(exponents: Mapping[Expr, int]) -> Expr:
    """The product of powers: symbols, then functions, then sums.

    >>> from equamo.expr import sin, symbols
    >>> q, m = symbols("q m")
    >>> ordered_product({sin(q): 1, q + m: 1, m: 2})
    m**2*sin(q)*(m + q)
    """
    product = ONE
    for x in sorted(exponents, key=_factor_key):
        product = mul(product, power(x, constant(exponents[x])))
    return product


def _term_key(x: Expr) -> tuple[bool, Key]:
    x = x.a if x.op == NEG else x
    return x.op in (CONST, PI), natural_key(to_text(x))


def _factor_key(x: Expr) -> tuple[int, Key]:
    kind = 0 if x.op <= PI else 1 if x.op == SYMBOL else 2 if x.op >= ATAN2 else 3
    return kind, natural_key(to_text(x))
