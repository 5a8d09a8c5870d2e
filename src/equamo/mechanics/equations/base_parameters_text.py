"""Base parameters as text, one combination per line."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Final

from ...algebra.expr import Expr
from ...algebra.expr.printing.text import to_text as expression_text
from ...basics.wording import counted

if TYPE_CHECKING:
    from .base_parameters import BaseParameters

_DIGITS: Final = 6  # of numbers that are too long to be written exactly


def to_text(base: BaseParameters) -> str:
    """Number of base parameters, and each as a sum: `ZZ_upper + L1**2*m_fore`.

    Numbers of more than twelve characters are rounded to six digits; `combinations` has them exactly.
    """
    Y = base.regressor
    bound = "as many as the rank" if base.is_minimal else f"rank {base.rank}"
    robot = Y.equations.robot.name
    lines = [f"{counted(base.count, 'base parameter')} of {robot} (of {len(Y.names)}, {bound})"]
    lines += [combination_text(base, n) for n in base.names]
    return "\n".join(lines)


def combination_text(base: BaseParameters, name: str) -> str:
    """One combination, its own parameter first."""
    text = name
    for other, c in base.terms[name].items():
        sign, factor = _factor(c)
        text += f" {sign} {factor}{other}"
    return text


def _factor(c: Expr) -> tuple[str, str]:
    """(sign, factor with its multiplication sign) of a coefficient."""
    if c.value is not None:
        sign, size = ("-", -c.value) if c.value < 0 else ("+", c.value)
        return sign, "" if size == 1 else f"{_number(size)}*"
    text = expression_text(c)
    if _is_sum(text):
        return "+", f"({text})*"
    return ("-", f"{text[1:]}*") if text.startswith("-") else ("+", f"{text}*")


def _is_sum(text: str) -> bool:
    """Whether a formula is a sum outside all brackets."""
    depth = 0
    for k, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and text.startswith((" + ", " - "), k):
            return True
    return False


def _number(x: int | Fraction) -> str:
    exact = str(x)
    return exact if len(exact) <= 2 * _DIGITS else f"{float(x):.{_DIGITS}g}"
