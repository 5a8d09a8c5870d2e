"""Transforms of the bodies as expressions, and as a function for pages; needs no NumPy."""

from __future__ import annotations

from typing import Final

from ...algebra.expr.matrix import Matrix
from ...code.ir.function import Function, Result
from ...code.ir.program import Argument
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ...mechanics.kinematics.poses import poses
from ...robot.model import Robot

NAME: Final = "poses"


def transforms(robot: Robot) -> list[Matrix]:
    """Transforms T_0B of all bodies, 4×4, in the coordinates of the robot."""
    frames, speeds = poses(robot.tree), ChosenSpeeds(robot)
    names = [b.name for b in robot.bodies]
    parts = [frames[n].homogeneous() for n in names]
    entries = iter(speeds.insert([e for T in parts for e in T.entries]))
    return [Matrix([[next(entries) for _ in range(4)] for _ in range(4)]) for _ in parts]


def poses_function(robot: Robot) -> Function:
    """Transforms of all bodies as one function of q: 16 numbers per body, column by column.

    >>> from equamo.robot.library import load
    >>> f = poses_function(load("rr_arm"))
    >>> [a.name for a in f.arguments], [str(y) for y in f.results]
    (['q', 'parameters'], ['T (2, 16)'])
    """
    arguments = (Argument("q", robot.q), Argument("parameters", robot.parameters))
    result = Result("T", (len(robot.bodies), 16))

    def way() -> Matrix:
        return Matrix([list(T.T.entries) for T in transforms(robot)])

    return Function(NAME, tuple(a for a in arguments if len(a)), (result,), (way,), dict)
