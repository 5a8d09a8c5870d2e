"""The motion that a page has by default."""

from __future__ import annotations

import numpy as np
import pytest

import equamo as eq
from equamo.publish.page.sections.motion import MOST, _followed, default_motion
from scaled_robots import Scaling, scaled


def test_only_inputs_that_move_one_joint_directly_follow_a_sway() -> None:
    """Not one behind a gear, nor one that acts on two joints: its torque would be another one."""
    bodies = [
        eq.Body("a", eq.revolute("q1"), mass=1, com="1 0 0"),
        eq.Body("b", eq.revolute("q2", at="1 0 0"), mass=1, com="1 0 0", parent="a"),
        eq.Body("c", eq.revolute("q3", at="1 0 0"), mass=1, com="1 0 0", parent="b"),
    ]
    forces = [
        eq.joint_actuator("q1", "direct"),
        eq.joint_actuator("q2", "geared", gear=50),
        eq.torque_actuator("c", "a", "0 0 both"),
    ]
    robot = eq.Robot("arm", bodies, forces=forces)
    assert list(_followed(eq.derive(robot))) == ["direct"]


def chain(count: int) -> eq.EquationsOfMotion:
    bodies = [eq.Body("b0", eq.revolute("q0"), mass=1, com="1/2 0 0", inertia="1 1 1")]
    for k in range(1, count):
        joint = eq.revolute(f"q{k}", at="1 0 0")
        bodies.append(eq.Body(f"b{k}", joint, mass=1, com="1/2 0 0", parent=f"b{k - 1}"))
    return eq.derive(eq.Robot("chain", bodies))


def test_three_joints_swing_freely_and_four_follow_a_sway() -> None:
    for count, said in ((3, "Free motion"), (4, "The actuators compensate gravity")):
        found = default_motion(chain(count))
        assert found is not None
        assert found[1].startswith(said)
        assert bool(np.any(found[0].inputs)) == (count == 4)


def test_a_very_big_robot_is_not_simulated() -> None:
    assert default_motion(chain(MOST + 1)) is None


@pytest.mark.parametrize("power", [-6, 6])
def test_a_robot_of_micrometres_moves_like_one_of_metres(power: int) -> None:
    robot = eq.Robot(
        "slider", [eq.Body("a", eq.prismatic("x", axis="x"), mass=1),
                   eq.Body("b", eq.revolute("q", axis="y"), parent="a", mass=1, com="0 0 -2")],
        forces=[eq.joint_spring("x", 5)],
    )  # fmt: skip
    size = 10.0**power
    motions = [default_motion(eq.derive(x)) for x in (robot, scaled(robot, Scaling.of(1, size, 1)))]
    assert motions[0] is not None
    assert motions[1] is not None
    q, other = motions[0][0].q, motions[1][0].q
    np.testing.assert_allclose(other / [size, 1], q, rtol=0, atol=1e-7 * np.abs(q).max())
