"""LaTeX of numbers in floating point."""

from __future__ import annotations

from fractions import Fraction


def number_latex(x: float | Fraction, digits: int = 6) -> str:
    r"""Number with `digits` significant digits; powers of ten instead of an exponent.

    >>> print(number_latex(-1.5e-7), number_latex(1e20), number_latex(Fraction(1, 3)))
    -1.5 \times 10^{-7} 10^{20} \frac{1}{3}
    """
    if isinstance(x, Fraction):
        sign, top = "-" * (x < 0), abs(x.numerator)
        return f"{sign}{top}" if x.denominator == 1 else rf"{sign}\frac{{{top}}}{{{x.denominator}}}"
    text = f"{x + 0.0:.{digits}g}"  # no -0
    if text.lstrip("-") in ("inf", "nan"):
        return text.replace("inf", r"\infty").replace("nan", r"\text{nan}")
    mantissa, _, exponent = text.partition("e")
    if not exponent:
        return mantissa
    power = f"10^{{{int(exponent)}}}"
    return {"1": power, "-1": f"-{power}"}.get(mantissa, rf"{mantissa} \times {power}")
