"""Loops and contacts of a robot in pictures: end points of rods, and solids that mark them."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from ...algebra.arrays import np
from ...algebra.expr import Expr
from ...robot.model import Robot
from .posture import Array
from .skeleton import UPRIGHT, Kind, Rod, Solid, turn_to

MARK: Final = 0.019  # radius of a mark, relative to the robot's size
_DRUMS: Final = ("revolute", "cylindrical")
_BLOCKS: Final = ("prismatic", "fixed", "planar")

Numbers = Callable[[Sequence[Expr]], Array]


def attached_points(
    robot: Robot, index: Mapping[str, int], numbers: Numbers
) -> dict[int, list[Array]]:
    """Points of each body with a loop or a contact."""
    points: dict[int, list[Array]] = {}
    for loop in robot.loops:
        for body, at in ((loop.body, loop.at), (loop.to, loop.to_at)):
            points.setdefault(index[body], []).append(numbers(list(at)))
    for contact in robot.contacts:
        points.setdefault(index[contact.body], []).append(numbers(list(contact.at)))
    return points


def loop_marks(
    robot: Robot, index: Mapping[str, int], numbers: Numbers, size: float
) -> tuple[list[Rod], list[Solid]]:
    """Marks of all loops, and a thin rod for every distance: drums, balls or blocks."""
    rods: list[Rod] = []
    solids: list[Solid] = []
    r = MARK * size
    for loop in robot.loops:
        body, to = index[loop.body], index[loop.to]
        at, to_at = numbers(list(loop.at)), numbers(list(loop.to_at))
        if loop.joint == "distance":
            rods.append(Rod(body, (body, at), (to, to_at), 0.3 * r))
            solids.append(Solid(to, "sphere", "loop", (0.7 * r, 0.7 * r, 0.7 * r), to_at, UPRIGHT))
        kind: Kind = "sphere"
        extent, turned = (r, r, r), UPRIGHT
        if loop.joint in _DRUMS:
            kind, extent, turned = "cylinder", (r, r, 2.2 * r), turn_to(numbers(list(loop.axis)))
        elif loop.joint in _BLOCKS:
            kind, extent, turned = "box", (2 * r, 2 * r, 2 * r), turn_to(numbers(list(loop.axis)))
        solids.append(Solid(body, kind, "loop", extent, at, turned))
    return rods, solids


def contact_marks(
    robot: Robot, index: Mapping[str, int], numbers: Numbers, size: float
) -> list[Solid]:
    """A ball at every contact point; held ones are larger and have a colour of their own."""
    solids: list[Solid] = []
    for contact in robot.contacts:
        held = robot.mode[contact.name] != "open"
        r = MARK * size * (1.1 if held else 0.8)
        role = "held" if held else "contact"
        at = np.asarray(numbers(list(contact.at)))
        solids.append(Solid(index[contact.body], "sphere", role, (r, r, r), at, UPRIGHT))
    return solids
