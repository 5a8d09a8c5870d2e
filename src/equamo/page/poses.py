"""The poses of all bodies as a function in the page: generated JavaScript, 16 numbers a body."""

from __future__ import annotations

from ..codegen.targets.javascript import JavaScript
from ..codegen.targets.package import Package, Routine
from ..model.robot import Robot
from ..picture.posture import poses_function


def poses_module(robot: Robot) -> str:
    """An ES module with the function `poses(q, parameters, T)`; without parameters `poses(q, T)`.

    It carries no names of the robot's file outside identifiers, so that it may stand in a page.

    >>> from equamo.robots import load
    >>> "export function poses(q, parameters, T = " in poses_module(load("rr_arm"))
    True
    """
    program = poses_function(robot).program(fused=False)
    return JavaScript().module(Package("page", (Routine(program.name, program),), {}, ()))
