"""Both sides of an identity, entry by entry."""

from __future__ import annotations

from collections.abc import Iterable

from ..expr import ZERO, Expr
from ..expr.rules import sub
from ..identity.prove import Quantity, pairs

Sides = tuple[Expr, Expr]  # left, right


def sides(left: Quantity, right: Quantity) -> list[Sides]:
    """Entries of two scalars, vectors or matrices of one shape, row by row."""
    return pairs(left, right)


def vanishing(entries: Iterable[Expr]) -> list[Sides]:
    """Entries that are zero."""
    return [(e, ZERO) for e in entries]


def residuals(identity: Iterable[Sides]) -> list[Expr]:
    """left − right of each entry.

    >>> from equamo.expr import parse
    >>> residuals([(parse("a + b"), parse("b"))])
    [a + b - b]
    """
    return [sub(left, right) for left, right in identity]
