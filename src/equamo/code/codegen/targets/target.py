"""Target: abstract class of a language, with its numbers, operations and functions."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from math import pi
from typing import ClassVar, Final

from ...ir.program import DTYPES, Argument, Dtype
from ...ir.rounding import nearest
from .package import Package, Routine

_PLAIN: Final = {
    "²": "^2",
    "³": "^3",
    "−": "-",
    "–": "-",
    "×": "x",
    "·": " ",
    "°": " deg",
    "…": "...",
}


class Target(ABC):
    """Abstract class of a language: one `format_…` method per kind of node, and `files`.

    Operands are text, in parentheses if precedence requires them (that of C, shared by all languages
    here). The operators of this class are also those of C.
    """

    name: ClassVar[str]
    description: ClassVar[str]
    functions: ClassVar[Mapping[str, str]]  # names of `expr.functions` that differ
    dtypes: ClassVar[tuple[Dtype, ...]] = DTYPES
    longest_inside: ClassVar[int] = 40  # longest text of an unnamed value inside an expression
    differentiates: ClassVar[bool] = False  # whether a function comes with its derivatives

    dtype: Dtype = "float64"

    # -- files -----------------------------------------------------------------------------------------
    @abstractmethod
    def files(self, package: Package) -> dict[str, str]:
        """Files for a robot, as {file name: text}."""

    @abstractmethod
    def code(self, package: Package) -> list[str]:
        """Names of the files that hold the functions, which are read back and proved."""

    def symbol(self, package: Package, routine: Routine) -> str:
        """Name of a function in these files."""
        return routine.name

    # -- leaves ----------------------------------------------------------------------------------------
    def format_constant(self, value: Fraction) -> str:
        """Shortest decimal text that reads as the nearest number of the type."""
        return number(value, self.dtype)

    def format_pi(self) -> str:
        return number(Fraction(pi), self.dtype)

    @abstractmethod
    def format_input(self, argument: Argument, element: int) -> str:
        """Read an element of an argument, counted from 0."""

    # -- operations ------------------------------------------------------------------------------------
    def format_neg(self, a: str) -> str:
        return f"-{a}"

    def format_add(self, a: str, b: str) -> str:
        return f"{a} + {b}"

    def format_sub(self, a: str, b: str) -> str:
        return f"{a} - {b}"

    def format_mul(self, a: str, b: str) -> str:
        return f"{a}*{b}"

    def format_div(self, a: str, b: str) -> str:
        return f"{a}/{b}"

    # The compiler fuses multiply-adds: on a machine without them, fma() would be slow.
    def format_fma(self, a: str, b: str, c: str) -> str:
        return f"{a}*{b} + {c}"

    def format_fms(self, a: str, b: str, c: str) -> str:
        return f"{a}*{b} - {c}"

    def format_fnma(self, a: str, b: str, c: str) -> str:
        return f"{c} - {a}*{b}"

    def format_fnms(self, a: str, b: str, c: str) -> str:
        return f"-{a}*{b} - {c}"

    # -- functions -------------------------------------------------------------------------------------
    def format_function(self, name: str, a: str) -> str:
        """Call a function of `expr.functions`: sin, cos, sqrt …"""
        return f"{self.functions.get(name, name)}({a})"

    def format_atan2(self, a: str, b: str) -> str:
        return f"{self.functions.get('atan2', 'atan2')}({a}, {b})"


def number(value: Fraction | int | float, dtype: Dtype) -> str:
    """Decimal text of the nearest number of the type, valid in all languages here.

    >>> number(Fraction(1, 3), "float64"), number(2, "float64"), number(Fraction(1, 10), "float32")
    ('0.3333333333333333', '2.0', '0.1')
    """
    found = nearest(value, dtype)
    return repr(found) if dtype == "float64" else shortest(found)


def shortest(x: float) -> str:
    """Shortest decimal text that reads as a number of float32.

    >>> shortest(0.10000000149011612), shortest(16777216.0), shortest(1.401298464324817e-45)
    ('0.1', '16777216.0', '1e-45')
    """
    texts = (f"{x:.{digits}g}" for digits in range(1, 10))  # 9 digits are always enough
    return repr(float(next(t for t in texts if nearest(float(t), "float32") == x)))


def exactly(value: Fraction | int | float, dtype: Dtype) -> str:
    """Text of the nearest number of the type, for languages that read it as a double.

    There 0.1 is no float32: it would be one number next to an array and another next to a number.

    >>> exactly(Fraction(1, 10), "float64"), exactly(Fraction(1, 10), "float32")
    ('0.1', '0.10000000149011612')
    """
    return repr(nearest(value, dtype))


def comment(text: str) -> str:
    r"""Escape text for a comment in any language: one line of ASCII that cannot end the comment.

    >>> print(comment("arm */ #include <x>\n§ %{"))
    arm * / #include <x>\u000a\u00a7 % {
    """
    plain = "".join(_PLAIN.get(c, c) for c in text)
    plain = "".join(c if " " <= c <= "~" else f"\\u{ord(c):04x}" for c in plain)
    plain = re.sub(r"([*])(?=/)|(/)(?=\*)|([?])(?=\?)|([%#])(?=[{}])", r"\g<0> ", plain)
    return plain.rstrip("\\") + "\\ " * plain.endswith("\\")
