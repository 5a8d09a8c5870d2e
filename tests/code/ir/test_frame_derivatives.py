"""Derivatives of poses and Jacobians of frames: against differences, proved, and against Pinocchio."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.errors import EquamoError, UnknownNameError
from equamo.robot.model import Body, Robot, free, revolute, spherical

H = 1e-5


def floating() -> Robot:
    bodies = [
        Body("a", free("base"), mass=1, com=".1 .2 .3", inertia="1 2 3"),
        Body("b", revolute("q1", at="0 .3 .1"), parent="a", mass="mb", com=".3 .1 0"),
        Body("c", spherical("s", at=".3 0 .1"), parent="b", mass=1, inertia="1 1 1"),
    ]
    return Robot("floating", bodies, parameters={"mb": 2})


def configuration(robot: Robot) -> np.ndarray:
    q = np.random.default_rng(1).normal(size=len(robot.q))
    for group in robot.state_space.quaternions:
        q[list(group)] /= np.linalg.norm(q[list(group)])
    return q


def slopes(fast: Any, q: np.ndarray, f: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    steps = H * np.eye(len(fast.eom.robot.joint_speeds))
    columns = [(f(fast.integrate(q, d)) - f(fast.integrate(q, -d))) / (2 * H) for d in steps]
    return np.stack(columns, axis=-1)


@pytest.mark.parametrize("name", ["floating", "rr_arm", "wheeled_inverted_pendulum"])
def test_they_are_differences_and_proved(name: str) -> None:
    robot = floating() if name == "floating" else eq.load(name)
    fast = eq.compile(eq.derive(robot))
    q, frame = configuration(robot), robot.bodies[-1].name
    pose = slopes(fast, q, lambda x: fast.pose(frame, x))
    jacobian = slopes(fast, q, lambda x: fast.jacobian(frame, x))
    np.testing.assert_allclose(fast.pose_derivatives(frame, q), pose, atol=2e-9)
    np.testing.assert_allclose(fast.jacobian_derivatives(frame, q), jacobian, atol=2e-9)
    assert fast.certificate()


def test_by_coordinates_they_are_tangent_ones_times_the_inverse_map() -> None:
    robot = floating()
    fast = eq.compile(eq.derive(robot))
    q = configuration(robot)
    inverse = fast.configurations.inverse_map(q[None])[0]
    for function in (fast.pose_derivatives, fast.jacobian_derivatives):
        plain = function("c", q, wrt="coordinates")
        np.testing.assert_allclose(plain, function("c", q) @ inverse, atol=1e-13)


def test_a_batch_has_a_leading_axis() -> None:
    fast = eq.compile(eq.derive(eq.load("rr_arm")))
    assert fast.pose_derivatives("fore", np.zeros((5, 2))).shape == (5, 4, 4, 2)
    assert fast.jacobian_derivatives("fore", np.zeros((5, 2))).shape == (5, 6, 2, 2)


def test_errors_name_what_is_wrong() -> None:
    fast = eq.compile(eq.derive(eq.load("rr_arm")))
    with pytest.raises(UnknownNameError, match="Unknown frame 'hand'"):
        fast.pose_derivatives("hand", [0, 0])
    with pytest.raises(EquamoError, match="pose_derivatives: wrt must be 'tangent' or"):
        fast.pose_derivatives("fore", [0, 0], wrt="q")
