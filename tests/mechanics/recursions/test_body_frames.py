"""Frames of bodies that make a robot cheaper to compute: no further change saves anything."""

from __future__ import annotations

from equamo.mechanics.recursions.body_frames import reframed
from equamo.robot.model.joint import Joint
from random_trees import random_tree


def test_frames_are_improved_until_no_change_saves_anything() -> None:
    """One pass is not enough for this robot: a body's new frame can simplify its parent's."""
    robot = reframed(random_tree(22, speeds=5, forces=False).robot())
    again = reframed(robot)

    def placed(joint: Joint) -> tuple[object, object]:
        return joint.at, joint.turned

    assert [placed(b.joint) for b in again.bodies] == [placed(b.joint) for b in robot.bodies]
