"""Rounding of exact numbers to floating point, once: to nearest, ties to even."""

from __future__ import annotations

from fractions import Fraction

from ..errors import EquamoError


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
