"""Isolation of the zeros of a function within a step, by bisection with enclosures.

An interval on which the enclosure excludes 0 has no zero; one on which the rate has one sign has at most
one. All others are halved, from left to right, until they are shorter than `NARROW` of the step: two
zeros that close together are one that the function only touches. With values f₀, f₁ at the ends and a
rate in [d₀, d₁], the function is also excluded from 0 by the two lines from its ends,

    (1) f ≥ (f₀ d₁ − f₁ d₀ + (t₁ − t₀) d₀ d₁)/(d₁ − d₀)        for f₀, f₁ > 0, d₀ < 0 < d₁
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import copysign, isnan, nan
from typing import Final, NamedTuple

from .enclosure import Bounds
from .step_polynomial import Part

Value = Callable[[float], float]
Enclose = Callable[[Part], Bounds]

NARROW: Final = 1e-10  # fraction of a step
MOST: Final = 2000  # intervals that are tried in one step


class Piece(NamedTuple):
    """Interval with at most one zero, unless it is not `resolved`."""

    start: float
    end: float
    resolved: bool
    sign: float  # ±1 without a zero, 0 if the function is 0 throughout; nan if it may have a zero

    @property
    def clear(self) -> bool:
        """Whether it has no zero."""
        return self.sign == self.sign


def pieces(value: Value, enclose: Enclose, whole: Part) -> Iterator[Piece]:
    """Pieces of a step from left to right; those that are not clear may have a zero."""
    least = NARROW * (whole.end - whole.start)
    values: dict[float, float] = {}

    def at(t: float) -> float:
        if t not in values:
            values[t] = value(t)
        return values[t]

    stack, tried = [whole], 0
    while stack:
        part = stack.pop()
        a, b = part.start, part.end
        tried += 1
        low, high, down, up = enclose(part)
        if low > 0 or high < 0 or low == high == 0:  # also 0 throughout
            yield Piece(a, b, True, 1.0 if low > 0 else -1.0 if high < 0 else 0.0)
            continue
        if down > 0 or up < 0:
            yield Piece(a, b, True, nan)
            continue
        if _excluded(at(a), at(b), down, up, b - a):
            yield Piece(a, b, True, copysign(1.0, at(a)))
            continue
        middle = (a + b) / 2
        undefined = isnan(at(a)) and isnan(at(b))
        if undefined or b - a <= least or tried > MOST or not a < middle < b:
            yield Piece(a, b, undefined or b - a <= least, nan)
            continue
        left, right = part.halves()
        stack += [right, left]


def _excluded(a: float, b: float, down: float, up: float, h: float) -> bool:
    """(1)"""
    if a < 0 and b < 0:
        a, b, down, up = -a, -b, -up, -down
    if not (a > 0 and b > 0):
        return False
    if down >= 0 or up <= 0:
        return True
    return a * up - b * down + h * down * up > 0


def first_below(value: Value, enclose: Enclose, whole: Part) -> tuple[float, float] | None:
    """Ends of an interval in which a function, not negative before, becomes negative; None if none."""
    if value(whole.start) < 0:
        return whole.start, whole.start
    for piece in pieces(value, enclose, whole):
        if piece.sign < 0:  # it passes 0 between two pieces
            return piece.start, piece.start
        if not piece.clear and value(piece.end) < 0:
            return piece.start, piece.end
    return None
