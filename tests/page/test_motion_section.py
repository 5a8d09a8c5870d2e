"""The motion that a page has by default."""

from __future__ import annotations

import equamo as eq
from equamo.page.sections.motion import _followed


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
