"""Stanford arm: the table, and agreement with the Robotics Toolbox."""

import pytest

from equamo.mechanics.certificate import prove
from equamo.mechanics.equations import derive
from equamo.robot.library import load
from equamo.robot.model import check
from peer_toolbox import agrees, toolbox


@pytest.mark.needs("roboticstoolbox")
@pytest.mark.parametrize("full", [False, True])
def test_agrees_with_the_toolbox(full: bool) -> None:
    agrees(derive(load("stanford", full=full)), toolbox("Stanford"))


def test_certificate() -> None:
    assert prove(load("stanford")).ok


def test_the_third_joint_slides() -> None:
    kinds = [type(b.joint).__name__ for b in load("stanford").bodies if b.joint.coordinates]
    assert kinds == ["Revolute", "Revolute", "Prismatic", *["Revolute"] * 3]


def test_rotors_can_be_left_out() -> None:
    assert len(load("stanford", rotors=False).forces) == 6


def test_what_is_no_rigid_body_is_found() -> None:
    assert [(f.body, f.entry) for f in check(load("stanford")).findings] == [("body5", "inertia")]
