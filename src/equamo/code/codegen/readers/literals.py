"""Numbers in generated text: the exact value of what a language reads there."""

from __future__ import annotations

import re
from fractions import Fraction
from math import isfinite
from typing import Final

from ....errors import EquamoError
from ...ir.program import Dtype
from ...ir.rounding import nearest

# A point or an exponent, no leading zeros: what is an integer, octal or hexadecimal in some language
# is no number here (1/2 is 0 in C).
_DECIMAL: Final = re.compile(r"(?:0|[1-9]\d*)(?:\.\d+(?:e[+-]?\d{1,3})?|e[+-]?\d{1,3})")
LONGEST: Final = 40  # characters; the shortest text of a double has at most 25


def is_decimal(text: str) -> bool:
    """Whether a text is a decimal number with a point or an exponent.

    >>> [is_decimal(x) for x in ("0.5", "1e-05", "2", "010.5", "0x1.8p3", ".5", "1.0f")]
    [True, True, False, False, False, False, False]
    """
    return len(text) <= LONGEST and _DECIMAL.fullmatch(text) is not None


def double(text: str) -> Fraction | None:
    """The double next to a decimal number; None if there is none.

    >>> double("0.1") == Fraction(0.1), double("1e999"), double("1")
    (True, None, None)
    """
    if not is_decimal(text):
        return None
    value = float(text)
    return Fraction(value) if isfinite(value) else None


def single(text: str) -> Fraction | None:
    """The float32 next to a decimal number, rounded once as a C compiler does; None if there is none.

    >>> float(single("0.1")), single("1e39")
    (0.10000000149011612, None)
    """
    if not is_decimal(text):
        return None
    try:
        return Fraction(nearest(Fraction(text), "float32"))
    except EquamoError:
        return None


def exact(text: str, dtype: Dtype) -> Fraction | None:
    """A number of the type in a language whose literals are doubles: its text must not need rounding.

    A float32 meets other numbers as a double does in some expressions, as a float32 in others; it is
    the same number in both only if it is exactly a float32.

    >>> float(exact("0.1", "float64")), exact("0.1", "float32"), float(exact("0.5", "float32"))
    (0.1, None, 0.5)
    """
    value = double(text)
    if value is None or dtype == "float64":
        return value
    try:
        return value if Fraction(nearest(value, "float32")) == value else None
    except EquamoError:
        return None
