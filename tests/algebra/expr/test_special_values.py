"""Exact values of sine and cosine: at multiples of a quarter and a sixth of π, and no others."""

from __future__ import annotations

from fractions import Fraction
from math import cos, pi

import pytest

from equamo.algebra.expr.special_values import _cos_of_pi  # pyright: ignore[reportPrivateUsage]


@pytest.mark.parametrize("k", range(-30, 31))
def test_cosines_of_multiples_of_a_twelfth_of_pi(k: int) -> None:
    found = _cos_of_pi(Fraction(k, 12))
    assert (found is None) is (k % 12 in (1, 5, 7, 11))
    if found is not None:
        near = (k + 12) % 24 - 12  # the same angle within ±π, where a float of it is accurate
        assert float(found) == pytest.approx(cos(near * pi / 12), abs=1e-15)
