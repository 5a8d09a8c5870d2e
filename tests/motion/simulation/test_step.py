"""One step of a fixed-step method: that of rollout, and derivatives against differences of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.errors import DivergenceError, EquamoError, EvaluationError, UnknownNameError
from equamo.motion.simulation.step_derivatives import normalised
from equamo.robot.model import Body, Robot, free, revolute
from random_trees import random_tree

METHODS = ("rk4", "semi_implicit_euler", "implicit_midpoint")
DT = 0.05


def floating() -> Robot:
    bodies = [
        Body("a", free("base"), mass=1, com=".1 .2 .3", inertia="1 2 3"),
        Body("b", revolute("q1", at="0 .3 .1"), parent="a", mass="mb", com=".3 .1 0"),
    ]
    return Robot("floating", bodies, parameters={"mb": 2})


@cache
def compiled(name: str) -> Any:
    return eq.compile(eq.derive(floating() if name == "floating" else eq.load(name)))


def state(robot: Robot, seed: int = 1) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(seed)
    q, v, u = (rng.normal(size=len(x)) for x in (robot.q, robot.v, robot.inputs))
    for group in robot.state_space.quaternions:
        q[list(group)] /= np.linalg.norm(q[list(group)])
    return q, v, u


def slope(fast: Any, after: Callable[[float], Any], h: float = 1e-5) -> np.ndarray:
    """Central difference of a state (q, v), as a displacement"""
    (q, v), (p, w) = after(h), after(-h)
    return np.concatenate([fast.difference(p, q), v - w]) / (2 * h)


@pytest.mark.parametrize("method", METHODS)
def test_a_step_is_that_of_rollout(method: str) -> None:
    fast = compiled("floating")
    q, v, u = state(fast.eom.robot)
    run = eq.rollout(fast.eom, q, v, control=u, step=DT, steps=1, method=method)
    ours = fast.step(q, v, u, dt=DT, method=method)
    np.testing.assert_array_equal(ours[0], run.q[-1])
    np.testing.assert_array_equal(ours[1], run.v[-1])


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize(
    ("name", "by"),
    [("rr_arm", ["m2", "L1"]), ("floating", ["mb"]), ("wheeled_inverted_pendulum", [])],
)
def test_derivatives_are_differences(name: str, by: list[str], method: str) -> None:
    fast = compiled(name)
    robot = fast.eom.robot
    q, v, u = state(robot)
    A, B, P = fast.step_derivatives(q, v, u, dt=DT, method=method, by=by)
    n = len(robot.joint_speeds)

    def moved(x: np.ndarray) -> Callable[[float], Any]:
        return lambda s: fast.step(
            fast.integrate(q, s * x[:n]), v + s * x[n:], u, dt=DT, method=method
        )

    for k, x in enumerate(np.eye(n + len(v))):
        np.testing.assert_allclose(A[:, k], slope(fast, moved(x)), atol=2e-9)
    for k, x in enumerate(np.eye(len(u))):
        change = slope(fast, lambda s, x=x: fast.step(q, v, u + s * x, dt=DT, method=method))
        np.testing.assert_allclose(B[:, k], change, atol=2e-9)
    for k, p in enumerate(by):
        value = float(robot.values[p])  # type: ignore[arg-type]

        def after(s: float, p: str = p, value: float = value) -> Any:
            return fast.step(q, v, u, dt=DT, method=method, values={p: value + s})

        np.testing.assert_allclose(P[:, k], slope(fast, after), atol=2e-9)


@pytest.mark.parametrize("parameters", ["symbolic", "numeric"])
def test_derivatives_are_of_the_dynamics_that_the_step_computes(parameters: str) -> None:
    """Off unit quaternions variants of the dynamics differ; numbers make another one the cheapest."""
    kinds = ("free quaternion", "revolute", "spherical quaternion")
    robot = random_tree(3, bodies=kinds, forces=False, free_at_root=True).robot()
    robot = robot.with_values({n: 9.81 for n, x in robot.values.items() if x is None})
    fast = eq.compile(eq.derive(robot), parameters=parameters)
    q, v, u = state(robot)
    A, _, _ = fast.step_derivatives(q, v, u, dt=0.5)
    x, n = np.random.default_rng(3).normal(size=A.shape[1]), len(v)

    def moved(s: float) -> Any:
        return fast.step(fast.integrate(q, s * x[:n]), v + s * x[n:], u, dt=0.5)

    np.testing.assert_allclose(A @ x, slope(fast, moved), rtol=1e-5, atol=1e-5)


def test_coordinates_and_tangent_agree() -> None:
    fast = compiled("floating")
    q, v, u = state(fast.eom.robot)
    A, B, _ = fast.step_derivatives(q, v, u, dt=DT)
    plain, by_inputs, _ = fast.step_derivatives(q, v, u, dt=DT, wrt="coordinates")
    k, n = len(q), len(fast.eom.robot.joint_speeds)
    after, _ = fast.step(q, v, u, dt=DT)
    N = fast.configurations.map(q[None])[0]
    inverse = fast.configurations.inverse_map(after[None])[0]
    np.testing.assert_allclose(inverse @ plain[:k, :k] @ N, A[:n, :n], atol=1e-12)
    np.testing.assert_allclose(inverse @ by_inputs[:k], B[:n], atol=1e-12)
    np.testing.assert_allclose(after @ plain[:k] @ np.zeros(k + len(v)), 0)
    for group in fast.eom.robot.state_space.quaternions:  # the length does not change
        part = list(group)
        np.testing.assert_allclose(after[part] @ plain[part], 0, atol=1e-12)


def test_quaternions_of_a_batch_are_normalised_one_by_one() -> None:
    """Each by its own length, and the derivatives with them: against differences."""
    eom = compiled("floating").eom
    (group,) = eom.robot.state_space.quaternions
    part, rng = list(group), np.random.default_rng(2)
    x = rng.normal(size=(3, len(eom.q) + len(eom.v)))
    X = rng.normal(size=(*x.shape, 2))
    slopes, after = normalised(eom, X, x)
    unit = x[:, part] / np.sqrt((x[:, part] ** 2).sum(axis=1))[:, None]
    assert after[:, part] == pytest.approx(unit)
    rest = [k for k in range(x.shape[1]) if k not in part]
    np.testing.assert_array_equal(after[:, rest], x[:, rest])
    np.testing.assert_array_equal(slopes[:, rest], X[:, rest])
    for k in range(2):
        above, below = (normalised(eom, X, x + h * X[:, :, k])[1] for h in (1e-6, -1e-6))
        assert slopes[:, :, k] == pytest.approx((above - below) / 2e-6, abs=1e-7)


@pytest.mark.parametrize("method", METHODS)
def test_a_batch_is_its_rows(method: str) -> None:
    fast = compiled("rr_arm")
    q, v = np.random.default_rng(2).normal(size=(2, 3, 2))
    u = np.array([0.1, 0.2])
    whole = fast.step_derivatives(q, v, u, dt=DT, method=method)
    ends = fast.step(q, v, u, dt=DT, method=method)
    for k in range(3):
        single = fast.step_derivatives(q[k], v[k], u, dt=DT, method=method)
        for a, b in zip(whole, single, strict=True):
            np.testing.assert_allclose(a[k], b, atol=1e-13)
        for a, b in zip(ends, fast.step(q[k], v[k], u, dt=DT, method=method), strict=True):
            np.testing.assert_allclose(a[k], b, atol=1e-14)


def test_errors_say_what_must_hold() -> None:
    fast = compiled("rr_arm")
    zero = [0.0, 0.0]
    with pytest.raises(EvaluationError, match="step: dt must be a finite time above 0 s, got -1"):
        fast.step(zero, zero, dt=-1)
    with pytest.raises(EvaluationError, match="step: q must have shape"):
        fast.step([0.0], zero, dt=DT)
    with pytest.raises(EquamoError, match=r"Unknown fixed-step method 'euler' in step"):
        fast.step(zero, zero, dt=DT, method="euler")
    with pytest.raises(UnknownNameError, match="Unknown parameter 'm9'"):
        fast.step_derivatives(zero, zero, dt=DT, by=["m9"])
    with pytest.raises(EquamoError, match="wrt must be 'tangent' or 'coordinates', got 'x'"):
        fast.step_derivatives(zero, zero, dt=DT, wrt="x")
    with pytest.raises(EvaluationError, match="by must be a list of parameters, got 3"):
        fast.step_derivatives(zero, zero, dt=DT, by=3)
    with pytest.raises(DivergenceError, match="step by rk4: run 0 diverged"):
        fast.step(zero, [1e200, 1e200], dt=DT)
    lame = eq.compile(eq.derive(Robot("lame", [Body("a", revolute("q"), mass="m", com="1 0 0")])))
    with pytest.raises(EvaluationError, match="step: no value for 1 parameter"):
        lame.step([0.0], [0.0], dt=DT)
    with pytest.raises(EvaluationError, match="step_derivatives: no value for 1 parameter"):
        lame.step_derivatives([0.0], [0.0], dt=DT)


@pytest.mark.parametrize("method", METHODS)
def test_derivatives_diverge_with_their_step(method: str) -> None:
    """Forces that grow with v² overflow from 1e200 rad/s, on every processor."""
    fast = compiled("rr_arm")
    wild, calm = ([0.3, 1.0], [1e200, 1e200]), ([0.3, 1.0], [0.1, 0.2])
    match = f"{{}} by {method}: run 0 diverged after step 0"
    with pytest.raises(DivergenceError, match=match.format("step")):
        fast.step(*wild, dt=DT, method=method)
    with pytest.raises(DivergenceError, match=match.format("step_derivatives")) as raised:
        fast.step_derivatives(*wild, dt=DT, method=method)
    assert raised.value.broken.v.tolist() == wild[1]
    # in a batch, only its row
    q, v = (np.array(x) for x in zip(wild, calm, wild, strict=True))
    alone = fast.step_derivatives(*calm, dt=DT, method=method)
    for x, y in zip(fast.step_derivatives(q, v, dt=DT, method=method), alone, strict=True):
        assert np.isnan(x[::2]).all()
        np.testing.assert_allclose(x[1], y, atol=1e-13)
    none = fast.step_derivatives(q[::2], v[::2], dt=DT, method=method)
    assert [x.shape for x in none] == [(2, *x.shape) for x in alone]
    assert all(np.isnan(x).all() for x in none)


def standing(square: float) -> Any:
    """A pendulum upside down at q = 0: q̈ = square sin q, of which no number is rounded at q = 0."""
    rod = Body("rod", revolute("q"), mass=1, com="1 0 0", inertia="0 0 0")
    return eq.compile(eq.derive(Robot("standing", [rod], gravity=f"{-square} 0 0")))


def test_the_solution_is_that_of_the_step() -> None:
    """q_m = x with x − 1.5 sin x = q₀ + v₀ has three solutions for dt = 2 s.

    From q₀ = v₀ = 0 the iteration stays at x = 0, which repels it. From q₀ = 0.001 it leaves the nearest
    solution, x = −0.002, to which Newton's method leads, for x = 1.4968.
    """
    fast = standing(1.5)

    def expected(x: float) -> list[list[float]]:
        """dq' = 2 dx − dq, dv' = dv + 3 cos x dx with (1 − 1.5 cos x) dx = dq + dv"""
        dx = 1 / (1 - 1.5 * np.cos(x))
        return [[2 * dx - 1, 2 * dx], [3 * np.cos(x) * dx, 1 + 3 * np.cos(x) * dx]]

    far = 1.5
    for _ in range(10):
        far -= (far - 1.5 * np.sin(far) - 1e-3) / (1 - 1.5 * np.cos(far))
    for start, x in ((0.0, 0.0), (1e-3, far)):
        given: dict[str, Any] = {"q": [start], "v": [0.0], "dt": 2.0, "method": "implicit_midpoint"}
        np.testing.assert_allclose(fast.step(**given)[0], [2 * x - start], atol=1e-13)
        np.testing.assert_allclose(fast.step_derivatives(**given)[0], expected(x), atol=1e-12)


def test_derivatives_that_do_not_exist_are_an_error() -> None:
    """1 − dt²/4 square = 0: the step stays at its start, but (1) does not determine a derivative."""
    fast = standing(1)
    options = {"dt": 2.0, "method": "implicit_midpoint"}
    assert fast.step([0.0], [0.0], **options)[0].tolist() == [0]
    match = r"by implicit_midpoint: the derivatives of a step must be finite, .* at \(q, v\) = 0, 0"
    with pytest.raises(DivergenceError, match=match):
        fast.step_derivatives([0.0], [0.0], **options)
    A, _, _ = fast.step_derivatives([[0.0], [0.5]], [[0.0], [0.0]], dt=2.0, method="rk4")
    assert np.isfinite(A).all()
    A, _, _ = fast.step_derivatives([[0.0], [1.0]], [[0.0], [0.0]], **options)
    assert not np.isfinite(A[0]).any()
    assert np.isfinite(A[1]).all()
