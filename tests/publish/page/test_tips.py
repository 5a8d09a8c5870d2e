"""Jacobians on the page: hands and feet first, and none that is identically zero."""

import pytest

import equamo as eq
from equamo.publish.page.tips import TIPS, tip_jacobians
from robot_pages import equations

pytestmark = pytest.mark.needs("pinocchio")


def test_hands_come_first() -> None:
    assert list(tip_jacobians(equations("panda")))[:2] == ["panda_leftfinger", "panda_rightfinger"]
    robot = eq.Robot(
        "torso",
        [
            eq.Body("torso", eq.revolute("q1"), mass=1),
            eq.Body("logo", eq.fixed(at="0 0 1"), parent="torso", mass=1),
            eq.Body("arm", eq.revolute("q2"), parent="torso", mass=1),
            eq.Body("hand", eq.fixed(at="1 0 0"), parent="arm", mass=1),
            *(eq.Body(f"bolt{k}", eq.fixed(), parent="torso", mass=1) for k in range(TIPS)),
        ],
    )
    found = list(tip_jacobians(eq.derive(robot)))
    assert found == ["hand", "logo", "bolt0", "bolt1"]


def test_a_body_that_cannot_move_has_no_jacobian() -> None:
    robot = eq.Robot(
        "crane",
        [
            eq.Body("foot", eq.fixed(), mass=5),
            eq.Body("mast", eq.revolute("q1"), mass=1),
            eq.Body("camera", eq.fixed(at="0 0 1"), parent="mast", mass=1),
            eq.Body("jib", eq.revolute("q2"), parent="mast", mass=1),
            eq.Body("hook", eq.prismatic("q3"), parent="jib", mass=1),
        ],
    )
    assert list(tip_jacobians(eq.derive(robot))) == ["hook", "camera"]
