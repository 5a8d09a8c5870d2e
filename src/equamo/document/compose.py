"""A robot and a method to a Paper."""

from __future__ import annotations

from collections.abc import Iterable

from ..model.robot import Robot
from .paper import Paper


def compose(
    robot: Robot,
    by: str | tuple[str, str] = "lagrange",
    title: str | None = None,
    short: bool = False,
    letters: str = "MCg",
    quantities: Iterable[str] | None = None,
) -> Paper:
    """The derivation of a robot's equations of motion, as a document."""
    methods = (by,) if isinstance(by, str) else tuple(by)
    return Paper(title or robot.name, robot, methods, "", (), {}, short)
