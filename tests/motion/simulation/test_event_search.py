"""Passages of events through 0: two in one step, poles, jumps, NaN; against roots that are known."""

from __future__ import annotations

from math import inf, nan, pi
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, strategies as st

from equamo.errors import EvaluationError
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.motion.simulation.event_search import POINTS, _closest, crossings  # pyright: ignore[reportPrivateUsage]
from equamo.motion.simulation.events import Event
from equamo.motion.simulation.simulate import simulate
from equamo.robot.model import Body, Robot, prismatic


@pytest.fixture(scope="module")
def slider() -> EquationsOfMotion:
    """x moves evenly: x = x0 + t ẋ."""
    return derive(Robot("slider", [Body("b", prismatic("x", axis="x"), mass=1)], gravity="0 0 0"))


METHODS = [{}, {"method": "Radau"}, {"method": "rk4", "step": 1.0}]


@pytest.mark.needs("scipy", cases="Radau")
@pytest.mark.sweep(1)
@pytest.mark.parametrize("how", METHODS, ids=["DOP853", "Radau", "rk4"])
def test_two_passages_in_one_step(slider: EquationsOfMotion, how: dict[str, Any]) -> None:
    """The whole motion is a few steps; the roots lie close together, in any part of a step."""
    for first in np.linspace(0.05, 1.9, 23):
        event = f"(x - {first:.6f})*(x - {first + 0.004:.6f})"
        motion = simulate(slider, v=[1], duration=2, events={"e": event}, **how)
        assert motion.events["e"] == pytest.approx([first, first + 0.004], abs=1e-5)


def test_directions_of_two_passages(slider: EquationsOfMotion) -> None:
    def times(direction: int) -> list[float]:
        event = Event("(x - 0.7)*(x - 0.704)", direction=direction)
        return simulate(slider, v=[1], duration=2, events={"e": event}).events["e"].tolist()

    assert times(-1) == pytest.approx([0.7])
    assert times(1) == pytest.approx([0.704])


def test_a_terminal_event_between_two_passages(slider: EquationsOfMotion) -> None:
    """It ends the run at the first of them: the second never happens."""
    event = Event("(x - 0.7)*(x - 0.704)", terminal=True)
    motion = simulate(slider, v=[1], duration=2, events={"e": event})
    assert motion.stopped_by == "e"
    assert motion.t[-1] == pytest.approx(0.7)


@pytest.mark.needs("scipy", cases="Radau")
@pytest.mark.parametrize("how", METHODS, ids=["DOP853", "Radau", "rk4"])
@pytest.mark.parametrize("pole", ["1/(x - 1)", "1/(x - 0.7)", "tan(pi*x/2)"])
def test_a_pole_is_not_an_event(slider: EquationsOfMotion, how: dict[str, Any], pole: str) -> None:
    motion = simulate(slider, [0.3], [1], duration=1, events={"e": pole}, **how)
    assert not len(motion.events["e"])


def test_a_pole_hides_no_root(slider: EquationsOfMotion) -> None:
    motion = simulate(slider, v=[1], duration=2, events={"e": "1/(x - 1) + 2"})
    assert motion.events["e"] == pytest.approx([0.5])


def test_a_jump_is_an_event(slider: EquationsOfMotion) -> None:
    def jumps(t: float, q: Any, v: Any) -> float:
        return -3.0 if q[0] < 0.7 else 1e-3

    motion = simulate(slider, v=[1], duration=2, events={"e": jumps})
    assert motion.events["e"] == pytest.approx([0.7])


@pytest.mark.needs("scipy", cases="Radau")
@pytest.mark.parametrize("how", METHODS, ids=["DOP853", "Radau", "rk4"])
def test_nan_is_an_error(slider: EquationsOfMotion, how: dict[str, Any]) -> None:
    def undefined(t: float, q: Any, v: Any) -> float:
        return nan if q[0] > 1 else -1.0

    for event in (undefined, "sqrt(1 - x) + 1"):
        with pytest.raises(EvaluationError, match=r"'e' must be a number .* got nan at t = 1[ .]"):
            simulate(slider, v=[1], duration=2, events={"e": event}, **how)


# -- the search itself ---------------------------------------------------------------------------------
def both(a: float, b: float) -> bool:
    return a < 0 <= b or a > 0 >= b


@given(
    roots=st.lists(st.floats(0.01, 0.99), min_size=2, max_size=2, unique=True),
    points=st.integers(2, POINTS),
)
@example(roots=[0.99, 0.9899999999999999], points=2)  # no number between them: it touches 0
def test_all_roots_of_a_parabola(roots: list[float], points: int) -> None:
    a, b = sorted(roots)
    times = np.linspace(0, 1, points + 1).tolist()
    found = crossings(lambda t: (t - a) * (t - b), times, both)
    if b - a > 1e-4:
        assert found == pytest.approx([a, b], abs=1e-9)
    else:  # nearer than the search for the turning point resolves: both, neither, or one met exactly
        assert len(found) in (0, 2) or found in ([a], [b])


def test_values_that_are_infinite() -> None:
    def pole(t: float) -> float:
        return inf if t == 1 else 1 / (t - 1)

    assert crossings(pole, [0, 1, 2], both) == []
    assert crossings(lambda t: -inf if t < 1 else t - 1.5, [0, 1, 2], both) == [1.5]


def test_to_touch_is_not_to_pass() -> None:
    assert crossings(lambda t: (t - 0.3) ** 2 + 1e-9, [0, 0.5, 1], both) == []


def test_a_constant_costs_one_look_at_each_point() -> None:
    calls: list[float] = []

    def constant(t: float) -> float:
        calls.append(t)
        return 3.0

    assert crossings(constant, [0, 1, 2, 3], both) == []
    assert calls == [0, 1, 2, 3]


def test_sines() -> None:
    """A part may hold two passages if it has one turning point."""
    found = crossings(lambda t: np.cos(2 * pi * t) + 0.99, [0, 0.4, 1.05, 1.4, 2], both)
    near = np.arccos(-0.99) / (2 * pi)
    assert found == pytest.approx([near, 1 - near, 1 + near, 2 - near], abs=1e-9)


def test_the_search_for_the_closest_point_ends_beyond_zero() -> None:
    """At the first point on the other side: the crossings lie between it and its neighbours."""
    calls: list[float] = []

    def dips(t: float) -> float:
        calls.append(t)
        return (t - 0.3) * (t - 0.5)

    times = [0.0, 0.25, 1.0]
    found = _closest(dips, times, [dips(t) for t in times], 1)
    assert found == [calls[-1]]
    assert 0.3 <= found[0] <= 0.5
    assert not any(0.3 <= t <= 0.5 for t in calls[:-1])
    assert found != pytest.approx([0.4], abs=1e-6)  # not the lowest point


@pytest.mark.parametrize(
    ("values", "k", "closest"),
    [
        ([4.0, 1.0, 2.0], 1, True),
        ([-4.0, -1.0, -2.0], 1, True),
        ([4.0, 1.0, 1.0], 1, True),
        ([1.0, 1.0, 1.0], 1, False),  # constant
        ([4.0, 1.0, 0.5], 1, False),  # a neighbour is closer
        ([4.0, 1.0, -1.0], 1, False),  # a crossing
        ([4.0, 0.0, 1.0], 1, False),
        ([inf, 1.0, 2.0], 1, False),
        ([4.0, inf, 2.0], 1, False),
    ],
)
def test_which_points_may_hide_two_crossings(values: list[float], k: int, closest: bool) -> None:
    """Those that are closer to 0 than both neighbours, or as close as one of them."""
    times = [0.0, 1.0, 2.0]
    assert bool(_closest(lambda t: values[0] + t, times, values, k)) is closest


@pytest.mark.parametrize("k", [0, 1])
def test_the_end_of_a_step_may_hide_two_crossings(k: int) -> None:
    """If the value gets closer to 0 from there; the point is inside the step."""
    times, inside = [0.0, 1.0], (0.2, 0.8)[k]

    def away(t: float) -> float:
        return 3 + abs(t - k)

    def near(t: float) -> float:
        return 3 + (t - inside) ** 2

    assert _closest(away, times, [away(t) for t in times], k) == []
    found = _closest(near, times, [near(t) for t in times], k)
    assert found == pytest.approx([inside], abs=1e-6)


def test_four_passages_in_one_fixed_step(slider: EquationsOfMotion) -> None:
    """A quarter of a step is the longest interval in which a passage and its return are looked for."""
    motion = simulate(
        slider, v=[1], duration=1, method="rk4", step=1.0, events={"e": "cos(4*pi*x)"}
    )
    assert motion.events["e"] == pytest.approx([1 / 8, 3 / 8, 5 / 8, 7 / 8])
