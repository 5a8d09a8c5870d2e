"""Zeros and minima between two bounds, against SciPy and against known ones."""

from collections.abc import Callable
from math import cos, exp, pi, sin, tanh

import pytest
from scipy.optimize import brentq, fminbound

from equamo.motion.simulation.bracket import minimum, root

pytestmark = pytest.mark.needs("scipy")


class Counted:
    """Function that counts its calls."""

    def __init__(self, function: Callable[[float], float]) -> None:
        self.function, self.calls = function, 0

    def __call__(self, t: float) -> float:
        self.calls += 1
        return self.function(t)


ZEROS = [
    (lambda t: t - 0.3, 0, 1),
    (lambda t: cos(t), 0, 3),
    (lambda t: t**9 - 1e-6, -1, 4),
    (lambda t: exp(t) - 1e5, 0, 30),
    (lambda t: tanh(50 * (t - 0.7)), 0, 1),
    (lambda t: 1.0 if t > 1 / 3 else -1.0, 0, 1),
    (lambda t: sin(t), 3, 100 * pi / 31),
]


@pytest.mark.parametrize(("function", "low", "high"), ZEROS)
def test_zeros(function: Callable[[float], float], low: float, high: float) -> None:
    ours, theirs = Counted(function), Counted(function)
    expected = brentq(theirs, low, high, xtol=1e-15, rtol=1e-14)
    assert root(ours, low, high) == pytest.approx(expected, abs=2e-13)
    assert ours.calls <= 2 * theirs.calls + 10


def test_a_zero_at_an_end() -> None:
    assert root(lambda t: t, 0, 1) == 0
    assert root(lambda t: t, -1, 0) == 0
    assert root(lambda t: -t, 0, 1) == 0


def test_a_zero_of_order_3() -> None:
    """SciPy's does not converge here."""
    assert root(lambda t: -((t - 2) ** 3), 0, 5) == pytest.approx(2, abs=1e-4)


MINIMA = [
    (lambda t: (t - 0.3) ** 2, 0, 1),
    (lambda t: abs(t - 0.3), 0, 1),
    (lambda t: -cos(t), -2, 1),
    (lambda t: t, 0, 1),
    (lambda t: -t, 0, 1),
    (lambda t: (t - 2) ** 4 + 1, 0, 5),
    (lambda t: 3.0, 0, 1),
]


@pytest.mark.parametrize(("function", "low", "high"), MINIMA)
def test_minima(function: Callable[[float], float], low: float, high: float) -> None:
    ours, theirs = Counted(function), Counted(function)
    expected = fminbound(theirs, low, high, xtol=1e-9)
    found = minimum(ours, low, high, 1e-9)
    assert low <= found <= high
    assert function(found) == pytest.approx(function(float(expected)), abs=1e-8)
    assert ours.calls <= 2 * theirs.calls + 10


def test_equal_values_are_searched_like_scipy() -> None:
    """Steps with ties, where a point that is as good as the third takes its place."""
    steps = [3, 3, 0, 2, 3, 3, 2, 3, 2]
    ours: list[float] = []
    theirs: list[float] = []

    def stairs(t: float, seen: list[float]) -> float:
        seen.append(float(t))
        return float(steps[min(int(t * len(steps)), len(steps) - 1)])

    minimum(lambda t: stairs(t, ours), 0, 1, 1e-3)
    fminbound(lambda t: stairs(t, theirs), 0, 1, xtol=1e-3)
    assert ours == pytest.approx(theirs, abs=1e-9)


@pytest.mark.parametrize("unit", [2.0**-60, 2.0**60])
def test_the_unit_of_time_does_not_matter(unit: float) -> None:
    expected = root(lambda t: cos(t) - t**3, 0, 1)
    assert root(lambda t: cos(t / unit) - (t / unit) ** 3, 0, unit) == expected * unit
    assert abs(root(lambda t: t / unit + (t / unit) ** 3, -unit, 2 * unit)) < 1e-14 * unit
