"""Sums and products built in reading order: by name, numbers last in a sum.

The graph is binary and text keeps its structure, so a sum that should read a + b + c must be built as
(a + b) + c.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ..graph import (
    ADD,
    ATAN2,
    CONST,
    MUL,
    NEG,
    ONE,
    PI,
    SUB,
    SYMBOL,
    ZERO,
    Expr,
    constant,
)
from ..rules import add, mul, neg, power
from .arrange import Key, natural_key
from .text import to_text


def ordered_sum(terms: Iterable[Expr]) -> Expr:
    """Sum of terms, independent of their order; with all signs changed it is the negative sum.

    >>> from equamo.algebra.expr import symbols
    >>> a, b, c = symbols("a b c")
    >>> ordered_sum([c, -a, b]), ordered_sum([a, -b, -c])
    (b + c - a, a - (b + c))
    """
    ordered = sorted(terms, key=_term_key)
    minus = [x.op == NEG for x in ordered]
    count = 2 * sum(minus)
    if count > len(minus) or (count == len(minus) and any(minus[:1])):
        return neg(_sum([neg(x) for x in ordered]))
    return _sum(ordered)


def _sum(ordered: list[Expr]) -> Expr:
    total = ZERO
    for x in sorted(ordered, key=lambda x: x.op == NEG):  # added terms before subtracted ones
        total = add(total, x)
    return total


def in_order(expr: Expr) -> Expr:
    """Put a sum into reading order, for use where its overall sign does not matter.

    >>> from equamo.algebra.expr import parse
    >>> in_order(parse("d - (a + b + c)"))
    d - a - b - c
    """
    terms: list[Expr] = []
    stack = [(expr, False)]
    while stack:
        x, minus = stack.pop()
        if x.op == NEG:
            stack.append((x.a, not minus))
        elif x.op in (ADD, SUB):
            stack += [(x.a, minus), (x.b, minus != (x.op == SUB))]
        else:
            terms.append(neg(x) if minus else x)
    return _sum(sorted(terms, key=_term_key))


def ordered_product(exponents: Mapping[Expr, int]) -> Expr:
    """Product of powers: symbols, then functions, then sums.

    >>> from equamo.algebra.expr import sin, symbols
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
    number = x.op in (CONST, PI)
    if x.op == MUL and x.a.op == CONST:
        x = x.b
    return number, natural_key(to_text(x))


def _factor_key(x: Expr) -> tuple[int, Key]:
    kind = 0 if x.op <= PI else 1 if x.op == SYMBOL else 2 if x.op >= ATAN2 else 3
    return kind, natural_key(to_text(x))
