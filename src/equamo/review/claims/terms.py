"""Terms and monomials of an expression."""

from __future__ import annotations

from collections.abc import Iterable

from ...algebra.expr import ONE, ZERO, Expr, constant
from ...algebra.expr.graph import ADD, DIV, MUL, NEG, POW, SUB
from ...algebra.expr.rules import add, neg, split


def terms(e: Expr) -> list[Expr]:
    """Terms of a sum with their signs; sums inside products are not expanded.

    >>> from equamo.algebra.expr import parse
    >>> sorted(map(str, terms(parse("a - b*(c + d) + 2"))))
    ['-b*(c + d)', '2', 'a']
    """
    result: list[Expr] = []
    stack = [(e, False)]
    while stack:
        n, negative = stack.pop()
        if n.op == NEG and n.a.op in (ADD, SUB):
            stack.append((n.a, not negative))
        elif n.op in (ADD, SUB):
            stack.append((n.b, negative ^ (n.op == SUB)))
            stack.append((n.a, negative))
        elif n is not ZERO:
            result.append(neg(n) if negative else n)
    return result


def total(parts: Iterable[Expr]) -> Expr:
    """Sum of terms."""
    e = ZERO
    for p in parts:
        e = add(e, p)
    return e


def monomials(e: Expr, limit: int = 60) -> list[Expr] | None:
    """Monomials of the expanded expression; None if there are too many."""
    if e.op == NEG:
        inner = monomials(e.a, limit)
        return None if inner is None else [neg(x) for x in inner]
    if e.op in (ADD, SUB):
        left, right = monomials(e.a, limit), monomials(e.b, limit)
        if left is None or right is None:
            return None
        return _collected([*left, *(neg(x) if e.op == SUB else x for x in right)], limit)
    if e.op == MUL or (e.op == POW and 2 <= e.b <= 4 and e.a.op in (ADD, SUB)):
        factors = [e.a, e.b] if e.op == MUL else [e.a] * e.b
        product = [ONE]
        for f in factors:
            parts = monomials(f, limit)
            if parts is None or len(parts) * len(product) > 4 * limit:
                return None
            product = [x * y for x in product for y in parts]
        return _collected(product, limit)
    if e.op == DIV:
        top = monomials(e.a, limit)
        return None if top is None else [x / e.b for x in top]
    return [] if e is ZERO else [e]


def _collected(parts: list[Expr], limit: int) -> list[Expr] | None:
    """Add up equal monomials."""
    table: dict[Expr, object] = {}
    for p in parts:
        sign, x = (-1, p.a) if p.op == NEG else (1, p)
        c, x = split(x)
        table[x] = table.get(x, 0) + sign * c  # pyright: ignore
    result = [constant(c) * x for x, c in table.items() if c]  # pyright: ignore
    return result if len(result) <= limit else None


def monomial_count(e: Expr) -> int:
    """Number of monomials; 100 if there are too many to expand."""
    parts = monomials(e)
    return 100 if parts is None else max(1, len(parts))
