"""Numbers as they are written in TOML."""

from __future__ import annotations

from fractions import Fraction

import pytest

from equamo.robot.formats.toml_text import Decimal, number


@pytest.mark.parametrize("sign", [1, -1])
def test_integers_below_ten_to_the_fifteen_are_integers(sign: int) -> None:
    assert number(sign * (10**15 - 1)) == sign * (10**15 - 1)
    large = number(sign * 10**15)
    assert isinstance(large, Decimal)
    assert Fraction(large.text) == sign * 10**15
