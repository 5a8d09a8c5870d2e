"""Estimated widths of typeset formulas: used to break lines and to scale those that are too wide."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from ...algebra.expr.printing.maths import (
    BRACKETS,
    Accent,
    Fence,
    Fraction,
    Grid,
    Letter,
    Maths,
    Number,
    Root,
    Row,
    Scripts,
    Sign,
    Space,
    Word,
)
from ...algebra.expr.printing.maths_reader import read_maths

LINE: Final = 38.0  # ems of a formula that fits on a line beside its number
_SCRIPT: Final = 0.72  # size of a script
_THIN: Final = frozenset(",;:.′|()[]{}")
_RELATIONS: Final = frozenset("=≤≥≠≈≡→↦∈<>")


@lru_cache(maxsize=4096)
def width(latex: str) -> float:
    r"""Estimated width of a formula, in ems.

    >>> width(r"M_{12}") < width(r"M_{12} + m") < width(r"\frac{M_{12} + m}{2} + \sin q_{1}")
    True
    """
    return _width(read_maths(latex))


def _width(maths: Maths) -> float:
    match maths:
        case Letter():
            return 0.58
        case Word(text, _, function):
            return 0.47 * len(text) + 0.17 * function
        case Number(text, _):
            return 0.5 * len(text)
        case Sign(text):
            if text in _THIN:
                return 0.36
            return 1.33 if text in _RELATIONS else 1.22
        case Space(ems):
            return ems
        case Row(parts):
            return sum(map(_width, parts))
        case Scripts(base, below, above):
            scripts = [_width(x) for x in (below, above) if x is not None]
            return _width(base) + _SCRIPT * max(scripts) + 0.05
        case Accent(base, _) | Root(base):
            return _width(base) + (0.85 if isinstance(maths, Root) else 0)
        case Fraction(top, bottom):
            return max(_width(top), _width(bottom)) + 0.25
        case Fence(left, inside, right):
            return 0.45 * (bool(left) + bool(right)) + _width(inside)
        case Grid(environment, rows):
            columns = [
                max(_width(row[k]) for row in rows if k < len(row)) for k in range(len(rows[0]))
            ]
            gap = 0.1 if environment == "aligned" else 1.0
            brackets = 1.0 if any(BRACKETS[environment]) else 0.0
            return sum(columns) + gap * (len(columns) - 1) + brackets
