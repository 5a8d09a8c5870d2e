"""Rounding of exact numbers to floating point, once: to nearest, ties to even."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import frexp
from typing import Final

from ...basics.wording import brief
from ...errors import EquamoError
from .program import Dtype, Instruction, Program

# π to 50 digits: the next number of either type is the same for all that begins with them.
_FORMATS: Final = {  # bits of a mantissa; exponents of the least number and above the largest
    "float64": (53, -1074, 1024),
    "float32": (24, -149, 128),
}
PI: Final = Fraction(314159265358979323846264338327950288419716939937510, 10**50)


def rounded(program: Program, dtype: Dtype) -> Program:
    """The program with each constant, and π, replaced by the number of the type next to it.

    The constants are exact again, so that what a target emits can be compared with it. That each is
    rounded correctly is checked by the definition.

    >>> from equamo.algebra.expr import parse, symbol
    >>> from equamo.code.ir.lower import lower
    >>> from equamo.code.ir.program import Argument
    >>> tenth = lower("f", [Argument("x", (symbol("a"),))], {"y": parse("a/10")})
    >>> rounded(tenth, "float64").instructions[0].leaf == Fraction(0.1)
    True
    """
    return replace(program, instructions=tuple(_rounded(x, dtype) for x in program.instructions))


def _rounded(x: Instruction, dtype: Dtype) -> Instruction:
    exact = PI if x.op == "pi" else x.leaf
    if not isinstance(exact, Fraction):
        return x
    y = nearest(exact, dtype)
    if not is_nearest(y, exact, dtype):
        raise EquamoError(f"{brief(exact)} must be rounded to the nearest {dtype}, got {y!r}.")
    return Instruction("constant", (), Fraction(y))


def nearest(x: Fraction | int | float, dtype: str) -> float:
    """Round x to the nearest number of a type; EquamoError if it is too large for the type.

    Via a double, a float32 would be rounded twice: 1 + 2⁻²⁴ + 2⁻⁶⁰ would become 1.

    >>> nearest(1 + Fraction(1, 2**24) + Fraction(1, 2**60), "float32") == 1 + 2**-23
    True
    """
    try:
        if dtype == "float64":
            return float(x)
        return _float32(Fraction(x))
    except OverflowError:
        shown = f"{Fraction(x).numerator}"[:12]
        raise EquamoError(
            f"A number must be in the range of {dtype}, got {shown}… "
            f"({len(str(abs(int(x))))} digits before the point)."
        ) from None


def is_nearest(y: float, x: Fraction, dtype: Dtype) -> bool:
    """Whether y is the number of the type next to x, ties to even: by the definition, not by rounding.

    >>> is_nearest(0.1, Fraction(1, 10), "float64"), is_nearest(0.1, Fraction(1, 10), "float32")
    (True, False)
    """
    digits, least, most = _FORMATS[dtype]
    n, d = abs(y).as_integer_ratio()
    if n and x and (y > 0) != (x > 0):
        return False
    # |y| = n/d as a multiple of 2^exponent, the spacing of numbers from 2^(e − 1) to 2^e, |y| among them
    exponent = max(frexp(y)[1] - digits, least) if n else least
    up, down = max(0, -exponent), max(0, exponent)
    mantissa, rest = divmod(n << up, d << down)
    if rest or n >= d << most:
        return False  # not a number of the type
    # Half way to the next number above and below; a power of two has a nearer one below. In quarters.
    nearer = mantissa == 1 << (digits - 1) and exponent > least
    unit = x.denominator << down
    meant = 4 * abs(x.numerator) << up
    below, above = (4 * mantissa - (1 if nearer else 2)) * unit, (4 * mantissa + 2) * unit
    if mantissa % 2 == 0:
        return below <= meant <= above
    return below < meant < above


def _float32(x: Fraction) -> float:
    size = abs(x)
    if not size:
        return 0.0
    # 2^e ≤ |x| < 2^(e + 1); below 2⁻¹²⁶ the spacing is constant.
    e = size.numerator.bit_length() - size.denominator.bit_length()
    if size < Fraction(2) ** e:
        e -= 1
    unit = Fraction(2) ** (max(e, -126) - 23)
    rounded = round(size / unit) * unit
    if rounded >= 2**128:
        raise OverflowError
    return float(rounded if x > 0 else -rounded)
