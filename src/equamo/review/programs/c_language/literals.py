"""Number and string literals of C, with exact values."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final

from ....algebra.expr.graph import constant
from ....basics.wording import brief
from ..place import Place
from ..scalar_functions import valued
from .arithmetic import bounded
from .memory import Text, Value

_INTEGER: Final = re.compile(r"(0[xX][\da-fA-F]+|0[0-7]*|[1-9]\d*)([uUlL]{0,3})")
_DECIMAL: Final = re.compile(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,5})?[fFlL]?")
_HEX: Final = re.compile(r"0[xX]([\da-fA-F]*)\.?([\da-fA-F]*)[pP]([+-]?\d{1,5})[fFlL]?")
LONGEST: Final = 2000  # characters of a number


def literal(text: str, place: Place) -> Value:
    """The value of a constant.

    >>> here = Place("x.c", 1)
    >>> [str(literal(t, here)) for t in ("0.1", "1.", "1e-3f", "0x1p-2")]
    ['1/10', '1', '1/1000', '1/4']
    >>> literal("010", here), literal("3u", here), literal('"q"', here)
    (Integer(value=8, unsigned=False), Integer(value=3, unsigned=True), Text(value='q'))
    """
    if len(text) > LONGEST:
        place.fail(f"a number must have at most {LONGEST} characters, got {len(text)}")
    if text.startswith('"') and "\\\\" not in text:
        return Text(text[1:-1])
    found = _INTEGER.fullmatch(text)
    if found is not None:
        digits = found[1]
        octal = len(digits) > 1 and digits[0] == "0" and digits[1] not in "xX"
        value = int(digits, 8 if octal else 0)
        return bounded(value, "u" in found[2].lower(), place)
    found = _HEX.fullmatch(text)
    if found is not None and found[1] + found[2]:
        scale = int(found[3]) - 4 * len(found[2])
        number = int(found[1] + found[2], 16) * Fraction(2) ** scale
    elif _DECIMAL.fullmatch(text):
        number = Fraction(text.rstrip("fFlL"))
    else:
        place.fail(f"expected a number, got {brief(text)}")
    return valued(place, lambda: constant(number))
