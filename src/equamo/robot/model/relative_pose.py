"""Pose of a frame in another, through their nearest common ancestor in the tree."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..spatial.frame import WORLD_FRAME, Frame
from ..spatial.pose import Pose
from .body import WORLD, Body

if TYPE_CHECKING:
    from .robot import Robot


def transform(robot: Robot, frame: str, seen_from: str = WORLD) -> Pose:
    """Pose of a frame in another, through their nearest common ancestor.

    Args:
        robot: The robot.
        frame: Body, or "world".
        seen_from: Reference: another body, or "world".

    Returns:
        The pose, which depends only on the coordinates between the two frames.
    """
    to, of_frame = from_common_ancestor(robot, seen_from, frame)
    return to.inverse @ of_frame


def from_common_ancestor(robot: Robot, a: str, b: str) -> tuple[Pose, Pose]:
    """Poses of two frames in the frame of their nearest common ancestor."""
    path_a, path_b = robot.path(a), robot.path(b)
    n = 0
    while n < min(len(path_a), len(path_b)) and path_a[n] is path_b[n]:
        n += 1
    common = path_a[n - 1].frame if n else WORLD_FRAME
    return _chain(robot, common, path_a[n:]), _chain(robot, common, path_b[n:])


def _chain(robot: Robot, start: Frame, bodies: tuple[Body, ...]) -> Pose:
    """Pose in `start` of the last of some bodies, each of which carries the next."""
    X = Pose.identity(start)
    for b in bodies:
        X = X @ robot.joint_pose(b)
    return X
