"""Generated JavaScript function for the poses of all bodies, 16 numbers per body."""

from __future__ import annotations

from ...code.codegen.targets.javascript import JavaScript
from ...code.codegen.targets.package import Package, Routine
from ...robot.model.robot import Robot
from ..picture.transforms import poses_function


def poses_module(robot: Robot) -> str:
    """ES module with the function `poses(q, parameters, T)`; without parameters `poses(q, T)`.

    Names from the robot's file occur only in identifiers, so that the module is safe in a page.

    >>> from equamo.robot.library import load
    >>> "export function poses(q, parameters, T = " in poses_module(load("rr_arm"))
    True
    """
    program = poses_function(robot).program(fused=False)
    return JavaScript().module(Package("page", (Routine(program.name, program),), {}, ()))
