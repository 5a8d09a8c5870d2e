"""Loss of rank along a motion: found in steps of any length, and only where rank is lost."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.motion.simulation.projection import projection
from equamo.motion.simulation.rank_watch import RankWatch
from loops_examples import four_bar, parallelogram

LINE = np.array([1.0, -1.0, 1.0])  # of a parallelogram: links in line at multiples of π


@cache
def equations(name: str) -> eq.EquationsOfMotion:
    return eq.derive({"parallelogram": parallelogram, "four_bar": four_bar, "cart": cart}[name]())


def cart() -> eq.Robot:
    """A parallelogram on a cart, without gravity: two degrees of freedom."""
    bars = (("crank", "0 0 0", "cart", 0.3), ("coupler", ".3 0 0", "crank", 0.5),
            ("rocker", ".5 0 0", "cart", 0.3))  # fmt: skip
    bodies = [eq.Body("cart", eq.prismatic("x", axis="x"), mass=2)]
    bodies += [
        eq.Body(
            name, eq.revolute(f"q{k}", at=at), parent=parent, mass=k, com=f"{length / 2} 0 0",
            inertia="0 .05 .05",
        )
        for k, (name, at, parent, length) in enumerate(bars, 1)
    ]  # fmt: skip
    loop = eq.loop("closure", "coupler", ".5 0 0", to="rocker", to_at=".3 0 0")
    return eq.Robot("cart", bodies, gravity="0 0 0", loops=[loop])


def watch_of(eom: eq.EquationsOfMotion, **values: float) -> RankWatch:
    names = [s.name for s in eom.parameters]
    found = projection(eom, np.array([float(eom.robot.values[n] or 0) for n in names]))
    assert found is not None
    for name, value in values.items():
        found.rows.parameters[names.index(name)] = value
    return RankWatch(found, 1e-9)


def watch() -> RankWatch:
    return watch_of(equations("parallelogram"))


def test_rank_is_lost_where_the_links_are_in_line() -> None:
    watch = watch_of(equations("parallelogram"))
    far = watch.value(np.array([1.0, -1.0, 1.0]))
    near = watch.value(np.array([1e-3, -1e-3, 1e-3]))
    assert far > 0.1
    assert near < 1e-2 * far
    assert watch.value(np.zeros(3)) < 1e-7
    assert watch.owners(np.zeros(3)) == ["closure"]
    line = np.array([1.0, -1.0, 1.0])
    assert watch.singular(-0.3, 0.5, lambda t: t * line) == pytest.approx(0, abs=1e-8)
    assert watch.singular(0.2, 0.9, lambda t: t * line) is None


def test_a_rank_lost_after_a_smaller_value_that_is_not_a_minimum_at_zero() -> None:
    """The value at each point is compared with its neighbours, and not with those before them."""
    watch = watch_of(equations("parallelogram"))
    angles = [0.01, 0.08, 0.05, -0.1, -0.12]  # zero between the third and the fourth

    def line(t: float) -> np.ndarray:
        return np.interp(t, np.linspace(0, 1, 5), angles) * np.array([1.0, -1.0, 1.0])

    watch.value(np.array([1.0, -1.0, 1.0]))
    assert watch.singular(0, 1, line) == pytest.approx(0.5 + 0.25 / 3, abs=1e-6)


@pytest.mark.parametrize("speed", [0.01, 1, 30, 1e3])
def test_the_first_of_many_in_one_long_step(speed: float) -> None:
    """All angles return to nearly the same values at many times within the step."""
    end = 40 * np.pi / speed
    found = watch().singular(0, end, lambda t: (1 + speed * t) * LINE)
    assert found == pytest.approx((np.pi - 1) / speed, rel=1e-9)
    assert watch().singular(0, 2 / speed, lambda t: (1 + speed * t) * LINE) is None


def test_a_fast_motion_after_a_long_time() -> None:
    """The time is found to the rounding of the step, not of the time since the start."""
    start = 1e4
    found = watch().singular(start, start + 0.1, lambda t: (1 + 1e3 * (t - start)) * LINE)
    assert found == pytest.approx(start + (np.pi - 1) / 1e3, abs=1e-10)


@pytest.mark.parametrize("error", [1e-7, 1e-5, 1e-3])
def test_a_motion_that_misses_the_singular_point_by_its_error(error: float) -> None:
    """There is no zero of σ near it, but the rows are reversed behind it."""
    shift = error * np.array([0.3, 1.0, -0.5])
    found = watch().singular(0, 1, lambda t: (np.pi - 0.4 + t) * LINE + shift)
    assert found == pytest.approx(0.4, abs=4 * error)


def test_the_true_motion_beside_a_singular_point_continues() -> None:
    """A four-bar that is nearly a parallelogram turns near it, and its rows with it."""
    watch = watch_of(equations("four_bar"), L1=0.3, L3=0.3, L2=0.5, L4=0.5 - 1e-4)

    def crank(t: float) -> np.ndarray:
        """The closed configuration with the crank at π − 0.5 + t, by its triangle."""
        q1 = np.pi - 0.5 + t
        x, y = 0.3 * np.cos(q1), 0.3 * np.sin(q1)
        reach = np.hypot(0.4999 - x, y)
        inside = np.arccos((0.5**2 + reach**2 - 0.3**2) / (2 * 0.5 * reach))
        angle = np.arctan2(-y, 0.4999 - x) + inside
        end = np.array([x, y]) + 0.5 * np.array([np.cos(angle), np.sin(angle)])
        return np.array([q1, angle - q1, np.arctan2(end[1], end[0] - 0.4999)])

    assert np.abs(watch.projection.rows.at(crank(0.3)).phi).max() < 1e-12
    values = watch.values(np.array([crank(t) for t in np.linspace(0, 1, 400)]))
    assert 1e-4 < values.min() < 0.1
    assert watch.singular(0, 1, crank) is None


def test_a_massless_rod_is_watched_in_the_metric_of_the_others() -> None:
    eom = equations("parallelogram")
    whole, light = watch_of(eom), watch_of(eom, m2=0, I2=0)
    q = 1.2 * LINE
    assert light.value(q) > 0.1
    assert light.value(np.pi * LINE) < 1e-7
    assert light.singular(0, 3, lambda t: (1 + t) * LINE) == pytest.approx(np.pi - 1)
    assert light.singular(0, 2, lambda t: (1 + t) * LINE) is None
    assert whole.value(q) > 0.1


def test_rows_without_a_value_lose_rank() -> None:
    """Not a number: no acceleration exists there."""
    broken = watch()
    q = np.array([1.0, np.nan, 1.0])
    assert broken.value(q) == 0
    assert broken.owners(q) == ["closure"]
    found = broken.singular(0, 1, lambda t: LINE if t < 0.5 else LINE * np.nan)
    assert found == pytest.approx(0.5, abs=1e-6)


METHODS = ("DOP853", "RK45", "rk4", "Radau", "BDF", "RK23", "semi_implicit_euler")


@pytest.mark.sweep(1)
@pytest.mark.parametrize("number", range(14))
def test_no_motion_passes_a_singular_configuration(number: int, whole_sweeps: bool) -> None:
    """Without gravity the speeds are constant, so that steps become as long as the tolerance allows."""
    for trial in range(20 if whole_sweeps else 1):
        random = np.random.default_rng([number, trial])
        speed, start = 10 ** random.uniform(-1, 2), random.uniform(0.2, 2.9)
        expected = (np.pi - start) / speed
        method = METHODS[number % len(METHODS)]
        duration = expected * float(random.choice([3, 10, 100]))
        options: dict[str, Any] = {"method": method, "rtol": 10 ** random.uniform(-10, -3)}
        if method in ("rk4", "semi_implicit_euler"):
            step = expected / random.uniform(0.3, 40)
            options = {"method": method, "step": step}
            duration = step * int(np.ceil(3 * expected / step))
        values = {"g": 0.0}
        with pytest.raises(eq.SimulationError, match="singular configuration") as caught:
            eq.simulate(
                equations("parallelogram"), dict(zip(("q1", "q2", "q3"), start * LINE, strict=True)),
                speed * LINE, duration=duration, values=values, **options,
            )  # fmt: skip
        (time,) = caught.value.trajectory.events["loss of rank"]
        assert time == pytest.approx(expected, rel=1e-3)


def simulated(name: str, line: np.ndarray, speed: float, **options: Any) -> Callable[[], Any]:
    eom = equations(name)
    q = dict(zip([s.name for s in eom.q], line, strict=True))
    v = speed * np.where(np.abs(line) > 0, np.sign(line), 0)
    return lambda: eq.simulate(eom, q, v, **options)


@pytest.mark.ci
@pytest.mark.parametrize("method", ["DOP853", "RK45", "Radau"])
@pytest.mark.parametrize("rtol", [1e-4, 1e-8])
def test_two_degrees_of_freedom(method: str, rtol: float) -> None:
    line = np.array([0.0, 0.8, -0.8, 0.8])
    run = simulated("cart", line, 3.0, duration=5, method=method, rtol=rtol)
    with pytest.raises(eq.SimulationError, match="singular configuration") as caught:
        run()
    assert caught.value.trajectory["q1"][-1] == pytest.approx(np.pi, abs=1e-3)


@pytest.mark.ci
@pytest.mark.parametrize(
    ("excess", "method"), [(3e-2, "DOP853"), (1e-3, "rk4"), (-1e-3, "Radau"), (1e-4, "DOP853")]
)
def test_near_misses_are_no_loss_of_rank(excess: float, method: str) -> None:
    values = {"g": 0, "L1": 0.3, "L3": 0.3, "L2": 0.5, "L4": 0.5 * (1 + excess)}
    options: dict[str, Any] = {"duration": 5, "method": method, "values": values}
    options |= {"step": 2e-3} if method == "rk4" else {"rtol": 1e-7}
    motion = simulated("four_bar", LINE, 1.0, **options)()
    assert "loss of rank" not in motion.events
    assert motion.t[-1] == 5
