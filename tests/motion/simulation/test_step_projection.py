"""Derivatives of projected steps: those of `step` along the loops, to the rounding of differences.

The state before the step moves on φ = 0 and A v = 0, as does the step that is compared with it. Both are
differentiated by differences of fourth order, so that nothing is assumed about the projection.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.errors import DivergenceError
from equamo.motion.simulation.projection import projection
from loops_examples import bennett, four_bar, parallelogram, watt

METHODS = ("rk4", "semi_implicit_euler", "implicit_midpoint")
TIMES = (1e-4, 1e-2, 0.1, 0.4)
SPEEDS = (0.3, 4.0)
ACCURATE = 1e-6  # of derivatives, relative to the largest
STEPS = (1e-3, 1e-4)  # of differences: one of them is better than ACCURATE


def held() -> eq.Robot:
    """A rod in a plane whose tip sticks to the ground."""
    body = eq.Body("rod", eq.planar("x y q1"), mass=1, com=".2 0 0", inertia="0 0.1 0.1")
    contact = eq.contact("tip", "rod", ".4 0 0", normal="y")
    robot = eq.Robot("held", [body], gravity="0 -9.81 0", contacts=[contact])
    return robot.in_mode(tip="stick")


def ball() -> eq.Robot:
    """A free body, its orientation a quaternion, of which a point sticks to the ground."""
    body = eq.Body("ball", eq.free("b"), mass=2, com="0.05 0.1 0", inertia="0.3 0.4 0.5")
    contact = eq.contact("tip", "ball", "0.3 0.1 -0.2")
    robot = eq.Robot("ball", [body], contacts=[contact], gravity="0 0 -9.81")
    return robot.in_mode(tip="stick")


def light(massless: str) -> eq.Robot:
    """A four-bar with a rod without mass: M of its tree is singular."""
    bars = (
        ("crank", "0 0 0", "world"),
        ("coupler", ".2 0 0", "crank"),
        ("rocker", ".45 0 0", "world"),
    )
    bodies = [
        eq.Body(name, eq.revolute(f"q{k}", at=at), parent=parent)
        if name == massless
        else eq.Body(name, eq.revolute(f"q{k}", at=at), parent=parent, mass=k, com=".1 0 0",
                     inertia="0 0.02 0.02")
        for k, (name, at, parent) in enumerate(bars, 1)
    ]  # fmt: skip
    loop = eq.loop("closure", "coupler", ".5 0 0", to="rocker", to_at=".4 0 0")
    return eq.Robot(f"light_{massless}", bodies, loops=[loop], gravity="0 -9.81 0",
                    home={"q1": 1.0, "q2": -0.55, "q3": 1.29})  # fmt: skip


MAKE: dict[str, Callable[[], eq.EquationsOfMotion]] = {
    "four_bar": lambda: eq.derive(four_bar()),
    "held": lambda: eq.derive(held()),
    "light coupler": lambda: eq.derive(light("coupler")),
    "four_bar, minimal": lambda: eq.derive(four_bar()).minimal("dq1"),
    "four_bar, explicit": lambda: eq.derive(four_bar()).explicit("open"),
    "four_bar, distance": lambda: eq.derive(four_bar("distance")),
    "light coupler, minimal": lambda: eq.derive(light("coupler")).minimal("dq1"),
    "ball": lambda: eq.derive(ball()),
    "parallelogram, minimal": lambda: eq.derive(parallelogram()).minimal(),
    "five_bar, minimal": lambda: eq.derive(eq.load("five_bar")).minimal(),
    "bennett": lambda: eq.derive(bennett()),
    "watt": lambda: eq.derive(watt()),
}


@cache
def compiled(name: str) -> Any:
    return eq.compile(MAKE[name]())


def curve(fast: Any, speed: float) -> Callable[[float], tuple[np.ndarray, np.ndarray]]:
    """States (q, v) on the loops, in a random direction through one near home."""
    eom = fast.eom
    random = np.random.default_rng(int(10 * speed))
    on_loops = projection(eom, np.array([float(eom.robot.values[s.name]) for s in eom.parameters]))
    assert on_loops is not None
    start = eq.assemble(eom, v=speed * random.normal(size=len(eom.v)))
    along = random.normal(size=len(eom.robot.joint_speeds))
    faster = random.normal(size=len(eom.v))

    def state(s: float) -> tuple[np.ndarray, np.ndarray]:
        on_loops.rows.hold(start.q)
        q, v, *_ = on_loops(fast.integrate(start.q, s * along), start.v + s * faster)
        return on_loops(q, v)[:2]

    return state


def slope(fast: Any, h: float, states: dict[int, tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """Derivative at 0 of states at ±h and ±2 h, as a displacement"""

    def difference(k: int) -> np.ndarray:
        (q, v), (p, w) = states[k], states[-k]
        return np.concatenate([fast.difference(p, q), v - w]) / (2 * k * h)

    return (4 * difference(1) - difference(2)) / 3


def error_of(fast: Any, method: str, dt: float, speed: float) -> float | None:
    """Largest error of the derivatives relative to the largest one; None if a step diverges."""
    state = curve(fast, speed)
    u = np.random.default_rng(3).normal(size=len(fast.eom.inputs))
    start = state(0.0)
    errors: list[float] = []
    try:
        A, B, _ = fast.step_derivatives(*start, u, dt=dt, method=method)
        for h in STEPS:
            before = {k: state(k * h) for k in (-2, -1, 1, 2)}
            pushed = {k: u + k * h * (1 + u) for k in before}
            after = {k: fast.step(*x, u, dt=dt, method=method) for k, x in before.items()}
            driven = {k: fast.step(*start, x, dt=dt, method=method) for k, x in pushed.items()}
            expected, by_inputs = slope(fast, h, after), slope(fast, h, driven)
            scale = max(1.0, np.abs(A).max(), np.abs(expected).max())
            wrong = np.abs(A @ slope(fast, h, before) - expected), np.abs(B @ (1 + u) - by_inputs)
            errors.append(max(float(x.max()) for x in wrong) / scale)
    except DivergenceError:
        return None
    return min(errors)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", MAKE)
def test_derivatives_are_those_of_the_step_along_the_loop(name: str) -> None:
    fast = compiled(name)
    chosen = "minimal" in name or "explicit" in name
    for method in METHODS if chosen else METHODS[:2]:
        errors = {
            (dt, speed): error_of(fast, method, dt, speed) for dt in TIMES for speed in SPEEDS
        }
        found = {k: x for k, x in errors.items() if x is not None}
        assert len(found) >= 4, method
        assert max(found.values()) < ACCURATE, (method, errors)


@pytest.mark.sweep(1)
@pytest.mark.parametrize("method", METHODS[:2])
def test_derivatives_by_parameters_with_the_loop_held(method: str) -> None:
    """Of a mass, for which the loop stays the same, at a large step."""
    fast = compiled("four_bar")
    q, v = curve(fast, 2.0)(0.0)
    _, _, P = fast.step_derivatives(q, v, dt=0.1, method=method, by=["m2"])
    value, h = float(fast.eom.robot.values["m2"]), 1e-3
    states = {
        k: fast.step(q, v, dt=0.1, method=method, values={"m2": value + k * h})
        for k in (-2, -1, 1, 2)
    }
    np.testing.assert_allclose(P[:, 0], slope(fast, h, states), rtol=1e-7, atol=1e-9)


@pytest.mark.ci
@pytest.mark.parametrize("method", METHODS[:2])
def test_bodies_that_lose_their_mass_by_values_are_named(method: str) -> None:
    """The equations divide by an inertia that these values make 0."""
    fast = compiled("four_bar")
    q, v = curve(fast, 2.0)(0.0)
    none = {"m2": 0, "I2": 0, "Ix": 0}
    match = "nothing with inertia moves along dq2; such bodies must be massless in the robot"
    for function in (fast.step, fast.step_derivatives):
        with pytest.raises(DivergenceError, match=match):
            function(q, v, dt=0.01, method=method, values=none)
    with pytest.raises(DivergenceError, match=match):
        eq.rollout(fast.eom, q, v, step=0.01, steps=2, method=method, values=none)
    with pytest.raises(DivergenceError) as caught:
        fast.step(q, [1e200] * 3, dt=0.01, method=method)
    assert "inertia" not in str(caught.value)
    assert "iteration" not in str(caught.value)
