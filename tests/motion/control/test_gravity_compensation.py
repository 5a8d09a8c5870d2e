"""Gravity compensation: a robot at rest stays there."""

from __future__ import annotations

import numpy as np
import pytest

from equamo.errors import EquamoError, UnknownNameError
from equamo.mechanics.equations import derive
from equamo.motion.control.gravity_compensation import gravity_compensation
from equamo.robot.library import load
from equamo.robot.model import Robot, joint_spring


@pytest.mark.parametrize("name", ["rr_arm", "krang", "puma560"])
def test_a_robot_at_rest_stays(name: str) -> None:
    eom = derive(load(name))
    control = gravity_compensation(eom)
    rng = np.random.default_rng(1)
    for _ in range(3):
        q, v = rng.uniform(-2, 2, len(eom.q)), rng.normal(size=len(eom.v))
        u = control.inputs(0.0, q, v)
        assert np.abs(eom.evaluate("state_derivative", q=q, inputs=u)).max() < 1e-9
        np.testing.assert_allclose(eom.evaluate(control.expressions, q=q), u, rtol=1e-9, atol=1e-9)


def test_springs_and_values_count() -> None:
    arm = load("rr_arm")
    eom = derive(Robot("sprung", arm.bodies, gravity=arm.gravity, parameters=arm.parameter_info.values(),
                       forces=[*arm.forces, joint_spring("q2", 7, rest="1/2")]))  # fmt: skip
    values = {"m1": 3.0}
    u = gravity_compensation(eom, values=values).inputs(0, [0.3, 0.9], [0, 0])
    rest = eom.evaluate("state_derivative", q=[0.3, 0.9], inputs=u, values=values)
    assert np.abs(rest).max() < 1e-12
    assert np.abs(u - eom.evaluate("gravity", q=[0.3, 0.9], values=values)).max() > 1


def test_joints_of_a_robot_on_wheels() -> None:
    """The equations of the joints are met; those of the wheels are left alone."""
    eom = derive(load("krang_on_wheels"))
    motors = [s.name for s in eom.inputs[2:]]
    control = gravity_compensation(eom, inputs=motors)
    q = np.random.default_rng(2).uniform(-1, 1, len(eom.q))
    u = control.inputs(0, q, np.zeros(19))
    left = eom.evaluate("inverse_dynamics", q=q) - eom.evaluate("input_matrix", q=q) @ u
    assert np.abs(left[3:]).max() < 1e-9
    assert not u[:2].any()
    with pytest.raises(EquamoError, match="dq_imu"):
        gravity_compensation(eom)


def test_wrong_arguments() -> None:
    eom = derive(load("rr_arm"))
    with pytest.raises(UnknownNameError, match="tau3"):
        gravity_compensation(eom, inputs=["tau3"])
    with pytest.raises(UnknownNameError, match="m9"):
        gravity_compensation(eom, values={"m9": 1})
    with pytest.raises(EquamoError, match="takes EquationsOfMotion"):
        gravity_compensation(eom.robot)  # type: ignore[arg-type]
