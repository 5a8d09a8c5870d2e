"""Both sides of an identity, entry by entry."""

from __future__ import annotations

from collections.abc import Iterable

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.graph import NEG, SUB
from ...algebra.expr.rules import sub
from ...algebra.identity.prove import Quantity, pairs

Sides = tuple[Expr, Expr]  # left, right


def sides(left: Quantity, right: Quantity) -> list[Sides]:
    """Entries of two scalars, vectors or matrices of one shape, row by row."""
    return pairs(left, right)


def vanishing(entries: Iterable[Expr]) -> list[Sides]:
    """Entries that are zero."""
    return [(e, ZERO) for e in entries]


def equation(vanishing: Expr) -> Sides:
    """The two sides of a difference that vanishes; of anything else, itself and 0.

    >>> from equamo.algebra.expr import parse
    >>> sorted(map(str, equation(parse("a - b"))))
    ['a', 'b']
    """
    e = vanishing.a if vanishing.op == NEG else vanishing
    return (e.a, e.b) if e.op == SUB else (e, ZERO)


def residuals(identity: Iterable[Sides]) -> list[Expr]:
    """left − right of each entry.

    >>> from equamo.algebra.expr import parse
    >>> residuals([(parse("a + b"), parse("b"))])
    [a + b - b]
    """
    return [sub(left, right) for left, right in identity]
