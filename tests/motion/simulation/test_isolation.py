"""Zeros within a step: isolated by enclosures, and found between values at single times."""

from __future__ import annotations

from itertools import pairwise
from math import nan, pi, sin

import numpy as np
import pytest

from equamo.algebra.expr import parse, symbol
from equamo.motion.simulation.dormand_prince import DormandPrince
from equamo.motion.simulation.enclosure import Bounds, Enclosure
from equamo.motion.simulation.isolation import NARROW, first_below, pieces
from equamo.motion.simulation.load_search import first_excess
from equamo.motion.simulation.step_polynomial import Part, part

STEP = Part(0.0, 10.0, np.zeros((2, 0)))


def bounds(text: str):  # type: ignore[no-untyped-def]
    enclosure = Enclosure(parse(text))

    def enclose(piece: Part) -> Bounds:
        return enclosure({symbol("t"): (piece.start, piece.end, 1.0, 1.0)})

    return enclose


def test_pieces_isolate_all_zeros() -> None:
    found = [
        (p.start, p.end)
        for p in pieces(lambda t: sin(t * t), bounds("sin(t**2)"), STEP)
        if not p.clear
    ]
    zeros = np.sqrt(pi * np.arange(1, 32))
    assert all(any(a <= x <= b for a, b in found) for x in zeros[zeros < 10])
    changes = [(a, b) for a, b in found if sin(a * a) * sin(b * b) < 0]
    assert len(changes) == 31  # one for each zero after t = 0


def test_pieces_cover_the_step() -> None:
    found = list(pieces(lambda t: (t - 3) ** 2, bounds("(t - 3)**2"), STEP))
    assert found[0].start == 0
    assert found[-1].end == 10
    assert all(a.end == b.start for a, b in pairwise(found))
    unclear = [p for p in found if not p.clear]
    assert sum(p.end - p.start for p in unclear) < 100 * NARROW  # where it touches 0


@pytest.mark.parametrize("gap", [1e-2, 1e-4, 1e-6])
def test_two_zeros_that_are_close(gap: float) -> None:
    text = f"(t - 3)*(t - 3 - {gap!r:})".replace("e-0", "/10**")
    e = parse(text)
    found = first_below(lambda t: float(e.subs({"t": t})), bounds(text), STEP)
    assert found is not None
    assert found[0] <= 3 <= found[1] <= 3 + gap


def test_the_first_passage() -> None:
    assert first_below(lambda t: 1 + t, bounds("1 + t"), STEP) is None
    assert first_below(lambda t: t - 1, bounds("t - 1"), STEP) == (0, 0)
    assert first_below(lambda t: (t - 2) ** 2, bounds("(t - 2)**2"), STEP) is None
    # 0 at the middle of the step, where it is divided
    found = first_below(lambda t: 5 - t, bounds("5 - t"), STEP)
    assert found is not None
    assert found[0] <= 5 <= found[1]


def test_a_function_without_values_is_not_divided_forever() -> None:
    calls: list[float] = []

    def value(t: float) -> float:
        calls.append(t)
        return 1.0 if t < 4 else nan

    list(pieces(value, bounds("sqrt(4 - t)"), STEP))
    assert len(calls) < 200


def test_zero_throughout_is_clear() -> None:
    (piece,) = pieces(lambda t: 0.0, lambda piece: (0.0, 0.0, 0.0, 0.0), STEP)
    assert piece.clear
    assert piece.sign == 0


# -- the states of a step ------------------------------------------------------------------------------
def test_steps_are_polynomials() -> None:
    solver = DormandPrince(
        lambda t, y: np.array([y[1], -y[0]]),
        0.0,
        np.array([1.0, 0.0]),
        5.0,
        0.5,
        1e-9,
        1e-12,
        np.inf,
    )
    solver.step()
    dense = solver.dense_output()
    whole = part(dense, 0.0, solver.t, [1])
    assert whole is not None
    stack = [whole]
    for _ in range(4):
        stack = [half for p in stack for half in p.halves()]
    for p in stack:
        ((low, high, down, up),) = p.bounds()
        t = np.linspace(p.start, p.end, 5)
        y = dense(t)[1]
        rates = np.diff(y) / np.diff(t)
        assert low - 1e-12 <= y.min() <= y.max() <= high + 1e-12
        assert down - 1e-9 <= rates.min() <= rates.max() <= up + 1e-9
        assert high - low < 0.05


def test_other_functions_are_not_polynomials() -> None:
    assert part(lambda t: np.array([np.abs(t - 0.3)]), 0.0, 1.0, [0]) is None
    constant = part(lambda t: np.array([0.1 + 0 * t]), 0.0, 1.0, [0])
    assert constant is not None
    assert constant.bounds() == [(0.1, 0.1, 0.0, 0.0)]


# -- values at single times ----------------------------------------------------------------------------
@pytest.mark.parametrize("frequency", [0.3, 20.0, 1000.0])
def test_the_first_excess(frequency: float) -> None:
    found = first_excess(lambda t: np.array([-2.0, 1.01 * sin(frequency * t) - 1]), 0.0, 10.0)
    assert found == pytest.approx(np.arcsin(1 / 1.01) / frequency, rel=1e-9)


def test_there_may_be_no_excess() -> None:
    calls: list[float] = []

    def value(t: float) -> np.ndarray:
        calls.append(t)
        return np.array([0.9 * sin(0.3 * t) - 1])

    assert first_excess(value, 0.0, 10.0) is None
    assert len(calls) < 60
    assert first_excess(lambda t: np.array([0.5]), 1.0, 2.0) == 1
