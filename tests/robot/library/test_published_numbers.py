"""Numbers of built-in robots that no equation depends on, or only through the shape of the robot."""

from __future__ import annotations

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr import symbol
from equamo.algebra.expr.evaluate import evaluate_floats
from equamo.algebra.expr.vector import Vector
from equamo.mechanics.kinematics.poses import poses


def test_limits_of_the_leg_of_cassie() -> None:
    """[degrees], as Agility Robotics publishes them."""
    found = {
        n: tuple(round(float(np.degrees(float(x.value))), 9) for x in (limits.lower, limits.upper))
        for n, limits in eq.load("cassie_leg").limits.items()
    }
    assert found == {
        "hip_roll": (-15, 22.5), "hip_yaw": (-22.5, 22.5), "hip_pitch": (-50, 80), "knee": (-164, -37),
        "foot": (-140, -30), "shin": (-20, 20), "tarsus": (50, 170), "foot_crank": (-140, -30),
    }  # fmt: skip
    home = eq.load("cassie_leg").home.q
    assert all(low <= np.degrees(home.get(n, 0)) <= high for n, (low, high) in found.items()
               if n not in ("shin",))  # fmt: skip


def test_the_legs_of_the_delta_robot_are_a_third_of_a_turn_apart() -> None:
    robot = eq.load("delta")
    values = {symbol(n): float(x) for n, x in {**robot.values, **robot.home.q}.items()}
    X = poses(robot)
    sites = [X[f"arm{i}"].position for i in "123"] + [
        X[f"arm{i}"].rotation.column(0) for i in "123"
    ]
    motors, outward = np.split(
        np.array(evaluate_floats([e for v in sites for e in Vector(v)], values)).reshape(6, 3), 2
    )
    assert motors.sum(axis=0) == pytest.approx(np.zeros(3), abs=1e-12)
    assert motors == pytest.approx(0.33 * outward)
    assert outward @ outward.T == pytest.approx(1.5 * np.eye(3) - 0.5)
