"""Limits of formulas in text and LaTeX: length, nesting and size of numbers."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Final, final

from ...errors import ParseError
from .syntax import Node

MAX_LENGTH: Final = 200_000
MAX_DIGITS: Final = 300


def within_limits(text: str, read: Callable[[str], tuple[Node, ...]]) -> tuple[Node, ...]:
    """Read a text; raise an error if it is too long or too deeply nested."""
    if len(text) > MAX_LENGTH:
        raise ParseError(
            f"a formula must have at most {MAX_LENGTH} characters, got {len(text)}.", 0
        )
    try:
        return read(text)
    except RecursionError:  # a deep call stack leaves less room than Nesting assumes
        raise ParseError("the formula is nested too deeply; simplify it.", 0) from None


def number(word: str, position: int) -> Node:
    """Node of an exact number: 1.5e-3 is 3/2000.

    >>> number("1.5e-3", 0).value
    Fraction(3, 2000)
    """
    digits, _, exponent = word.lower().partition("e")
    if len(digits) > MAX_DIGITS or len(exponent) > 4 or abs(int(exponent or 0)) > MAX_DIGITS:
        raise ParseError(f"a number must have at most {MAX_DIGITS} digits.", position)
    return Node("number", position, Fraction(digits) * Fraction(10) ** int(exponent or 0))


def whole_number(text: str, most: int) -> int | None:
    """Number from 1 to `most` that a text has in decimal digits, or None.

    >>> whole_number("12", 20), whole_number("12", 9), whole_number("9" * 5000, 20)
    (12, None, None)
    """
    if not text.isdecimal() or len(text) > len(str(most)):
        return None
    return n if 1 <= (n := int(text)) <= most else None


@final
class Nesting:
    """Context manager for every level of a formula; too many levels are an error."""

    limit: int
    of: str
    position: Callable[[], int]
    depth: int

    def __init__(self, limit: int, of: str, position: Callable[[], int]) -> None:
        self.limit, self.of, self.position = limit, of, position
        self.depth = 0

    def __enter__(self) -> None:
        self.depth += 1
        if self.depth > self.limit:
            raise ParseError(f"at most {self.limit} {self.of} can be nested.", self.position())

    def __exit__(self, *_: object) -> None:
        self.depth -= 1
