"""Enclosures contain all values and rates, and get tight on short intervals."""

from __future__ import annotations

from math import inf, isfinite

import numpy as np
import pytest

from equamo.algebra.expr import parse, symbol
from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.algebra.expr.functions import BY_NAME
from equamo.motion.simulation.enclosure import ANY, Enclosure, times

T, X = symbol("t"), symbol("x")
TEXTS = [
    "sin(3*t + x)", "cos(t*x)", "tan(t)", "sqrt(t + 2)", "exp(t - x)", "log(t + 3)", "tanh(2*t*x)",
    "abs(t - 1/2)", "sign(t - 1/2)*x", "asin(t/3)", "acos(t/3)", "atan(5*t)", "atan2(t, x + 3)",
    "t**3 - x**2", "(t - 1/5)**4", "x/(t + 2)", "1/(t - 1)", "pi*t - x/2 - (-t)",
    "(t - x)**2/(1 + t**2)",
]  # fmt: skip


def motion(t: float) -> tuple[float, float]:
    """x and its rate."""
    return 0.5 + 0.3 * t, 0.3


@pytest.mark.parametrize("text", TEXTS)
def test_values_and_rates_are_enclosed(text: str) -> None:
    e = parse(text)
    enclosure = Enclosure(e)
    rate = e.diff(T) + e.diff(X) * parse("3/10")
    rng = np.random.default_rng(0)
    for width in (1.0, 0.1, 1e-3):
        for start in rng.uniform(-1, 1.5, size=12):
            end = start + width
            x = motion(start)[0], motion(end)[0]
            low, high, down, up = enclosure({T: (start, end, 1, 1), X: (*x, 0.3, 0.3)})
            for t in np.linspace(start, end, 9):
                point = {T: float(t), X: motion(t)[0]}
                try:
                    value, slope = evaluate_floats([e, rate], point)
                except (ValueError, ZeroDivisionError):
                    continue
                assert low - 1e-12 <= value <= high + 1e-12
                if "sign" not in text and "abs" not in text:
                    assert down - 1e-9 * abs(slope) <= slope <= up + 1e-9 * abs(slope)
            if width == 1e-3 and isfinite(high - low):
                assert high - low < 0.3


def test_every_function_of_the_language_has_bounds() -> None:
    """Each has finite bounds where it is smooth; an unknown function has none, and is bisected."""
    for name in BY_NAME:
        bounds = Enclosure(parse(f"{name}(t)"))({T: (0.4, 0.5, 1, 1)})
        assert all(map(isfinite, bounds)), name


def test_bounds_are_infinite_where_nothing_is_known() -> None:
    for text, start in (("1/t", -1.0), ("sqrt(t)", -1.0), ("log(t)", -1.0), ("tan(t)", 1.0)):
        low, high, *_ = Enclosure(parse(text))({T: (start, start + 2, 1, 1)})
        assert (low, high) == (-inf, inf)
    assert Enclosure(parse("asin(t)"))({T: (0.5, 2, 1, 1)})[:2] == (-inf, inf)
    assert Enclosure(parse("atan2(t, x)"))({T: (-1, 1, 1, 1), X: (-2, -1, 0, 0)}) == ANY
    assert Enclosure(parse("exp(t)"))({T: (0, 1e4, 1, 1)})[1] == inf
    assert Enclosure(parse("t**9"))({T: (-1e200, 1e200, 1, 1)})[:2] == (-inf, inf)


def test_a_product_with_a_zero_is_zero() -> None:
    assert times((0.0, 0.0), (-inf, inf)) == (0, 0)
    assert times((0.0, 1.0), (-inf, inf)) == (-inf, inf)
