"""Cubics between samples are SciPy's: with rates, and monotonic ones."""

import numpy as np
import pytest
from scipy.interpolate import CubicHermiteSpline, PchipInterpolator

from equamo.motion.simulation.interpolation import hermite, monotonic_slopes

pytestmark = pytest.mark.needs("scipy")


@pytest.mark.parametrize("count", [2, 3, 17])
def test_curves_are_scipys(count: int) -> None:
    rng = np.random.default_rng(count)
    t = np.cumsum(rng.uniform(0.1, 2, count))
    y, slopes = rng.normal(size=(2, count, 3))
    y[:, 1] = np.round(y[:, 1])  # equal neighbours
    y[:, 2] = np.sort(y[:, 2])
    times = np.concatenate([t, rng.uniform(t[0], t[-1], 50)])
    spline = CubicHermiteSpline(t, y, slopes)
    np.testing.assert_allclose(hermite(t, y, slopes, times), spline(times), atol=1e-12)
    found = hermite(t, y, monotonic_slopes(t, y), times)
    np.testing.assert_allclose(found, PchipInterpolator(t, y)(times), atol=1e-12)


def test_ends_that_would_overshoot_are_limited() -> None:
    for y in ([0.0, 1, 0, 5, 5.1], [0, 0.1, -9, 3, 3], [0, 0, 0, 1, 0], [1, 2, 30, 29, 28.9]):
        t, rows = np.array([0.0, 1, 1.5, 4, 4.2]), np.array(y)[:, None]
        times = np.linspace(0, 4.2, 100)
        found = hermite(t, rows, monotonic_slopes(t, rows), times)
        np.testing.assert_allclose(found, PchipInterpolator(t, rows)(times), atol=1e-12)
        assert found.min() >= rows.min() - 1e-12
        assert found.max() <= rows.max() + 1e-12
