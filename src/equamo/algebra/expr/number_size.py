"""Bit length of exact numbers, which grow as they are multiplied."""

from __future__ import annotations

from collections.abc import Iterable

from .graph import Expr


def bits(entries: Iterable[Expr]) -> int:
    """Bit length of the longest numerator or denominator among the entries that are numbers.

    >>> from equamo.algebra.expr import as_expr
    >>> bits([as_expr("1/1024"), as_expr("x")])
    11
    """
    numbers = [x.value for x in entries if x.value is not None]
    return max(
        (max(x.numerator.bit_length(), x.denominator.bit_length()) for x in numbers), default=0
    )
