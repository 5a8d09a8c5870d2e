"""Numbers in LaTeX have powers of ten instead of exponents."""

from __future__ import annotations

from fractions import Fraction

import pytest

from equamo.algebra.expr.printing.latex_number import number_latex


@pytest.mark.parametrize(
    ("x", "latex"),
    [
        (0.5, "0.5"), (-2.0, "-2"), (-0.0, "0"), (1 / 3, "0.333333"), (123456.789, "123457"),
        (1.5e-7, r"1.5 \times 10^{-7}"), (1e20, "10^{20}"), (-1e20, "-10^{20}"),
        (float("inf"), r"\infty"), (float("-inf"), r"-\infty"), (float("nan"), r"\text{nan}"),
        (Fraction(1, 3), r"\frac{1}{3}"), (Fraction(-1, 3), r"-\frac{1}{3}"), (Fraction(-4), "-4"),
    ],
)  # fmt: skip
def test_numbers(x: float | Fraction, latex: str) -> None:
    assert number_latex(x) == latex


def test_digits() -> None:
    assert number_latex(1 / 3, 2) == "0.33"
