"""Polynomials with rational coefficients: values, roots, and where their roots lie."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

from equamo.motion.control.rational_polynomials import frequencies, ratio_at, roots, sizes


def polynomial(*numbers: float) -> list[Fraction]:
    return [Fraction(x) for x in numbers]


def test_ratios_lose_no_digits() -> None:
    """(s − 1)²⁰ / 1 beside 1, where doubles have none left."""
    p = polynomial(1)
    for _ in range(20):
        p = [a - b for a, b in zip([*p, Fraction(0)], [Fraction(0), *p], strict=True)]
    assert ratio_at(p, polynomial(1), 1 + 2.0**-30) == pytest.approx(2.0**-600, rel=1e-15)
    assert ratio_at(p, polynomial(1), 1) == 0


def test_sizes_bound_the_roots() -> None:
    rng = np.random.default_rng(3)
    for _ in range(20):
        found = 10 ** rng.uniform(-4, 4, 4) * rng.choice([-1, 1], 4)
        p = polynomial(*np.poly(found), 0)  # and a root 0
        bounds = sizes(p)
        assert bounds is not None
        low, high = bounds
        logs = np.log2(np.abs(found))
        assert low <= logs.min()
        assert logs.max() <= high
        listed = frequencies(polynomial(1), p, None)
        assert abs(listed[0]) < np.abs(found).min()
        assert abs(listed[-1]) > np.abs(found).max()
        np.testing.assert_allclose(sorted(roots(p), key=abs)[1:], sorted(found, key=abs), rtol=1e-8)
    assert sizes(polynomial(2, 0)) is None
    assert len(frequencies([], polynomial(1), None)) == 50
    assert np.abs(frequencies([], polynomial(1), 0.1)) == pytest.approx([1] * 50, rel=1e-15)
