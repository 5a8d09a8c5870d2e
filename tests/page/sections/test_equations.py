"""Closed forms on the page: not those with numbers that are harder to read than the chain."""

from fractions import Fraction

from equamo.expr import symbol
from equamo.page.sections.equations import LARGE, _largest, _limit


def test_numbers_beyond_floating_point_are_compared() -> None:
    x = symbol("x")
    assert _largest(x) == 0
    assert _largest(Fraction(-7, 2) * x + 3) == Fraction(7, 2)
    assert _largest(10**400 * x) == 10**400
    assert _limit(x) == LARGE
    assert _limit(10**400 * x) == 10**401
