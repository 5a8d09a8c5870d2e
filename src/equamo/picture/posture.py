"""Where the bodies are at a pose: numbers for pictures, and the function that a page has them from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from ..equations.state_reader import Reader, no_value
from ..expr import Expr
from ..expr.evaluate import FLOATS, Tape
from ..expr.matrix import Matrix
from ..ir.functions import Function
from ..ir.program import Argument
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.poses import poses
from ..model import Robot

Array = NDArray[np.float64]
Values = Mapping[str, Any]

NAME: Final = "poses"
PLACE: Final = "picture"  # in errors


def transforms(robot: Robot) -> list[Matrix]:
    """T_0B of every body, 4×4, in the coordinates of the robot."""
    found, speeds = poses(robot.tree), ChosenSpeeds(robot)
    names = [b.name for b in robot.bodies]
    parts = [found[n].homogeneous() for n in names]
    entries = iter(speeds.insert([e for T in parts for e in T.entries]))
    return [Matrix([[next(entries) for _ in range(4)] for _ in range(4)]) for _ in parts]


def poses_function(robot: Robot) -> Function:
    """All bodies' transforms as one function of q: 16 numbers a body, column by column, world ← body.

    >>> from equamo.robots import load
    >>> f = poses_function(load("rr_arm"))
    >>> [a.name for a in f.arguments], f.shape
    (['q', 'parameters'], (2, 16))
    """
    arguments = (Argument("q", robot.q), Argument("parameters", robot.parameters))
    shape = (len(robot.bodies), 16)

    def way() -> Matrix:
        return Matrix([list(T.T.entries) for T in transforms(robot)])

    return Function(NAME, tuple(a for a in arguments if len(a)), "T", shape, (way,), dict)


def parameter_values(robot: Robot, values: Values | None = None) -> dict[Expr, float]:
    """Numbers of all parameters: the defaults, and `values` over them."""
    reader = Reader(PLACE, robot.state_space.values, exact=True)
    given = reader.read_given(values)
    missing = robot.state_space.missing(given)
    if missing:
        raise no_value(PLACE, robot.name, missing, "use robot.with_values(**{})")
    defaults: list[float] = reader.default().tolist()
    pairs = zip(reader.part.symbols, defaults, strict=True)
    return {s: given.get(s.name, x) for s, x in pairs}


def coordinates(robot: Robot, q: Any = None) -> Array:
    """A pose as numbers in order: a sequence, or {name: number} with the rest at home; home itself.

    >>> from equamo.robots import load
    >>> coordinates(load("rr_arm"), {"q2": 0.5})
    array([0. , 0.5])
    """
    return Reader(PLACE, robot.state_space.q, exact=True).read_state(q)


@final
class Posture:
    """Transforms of all bodies at any pose, (n, 4, 4)."""

    def __init__(self, robot: Robot, values: Values | None = None) -> None:
        self._q = robot.q
        self._known: dict[Expr, Any] = {**parameter_values(robot, values)}
        self._tape = Tape([e for T in transforms(robot) for e in T.entries])

    def __call__(self, q: Sequence[float] | Array) -> Array:
        at = {s: float(x) for s, x in zip(self._q, q, strict=True)}
        numbers = self._tape.run(FLOATS, self._known | at)
        return np.array(numbers, dtype=np.float64).reshape(-1, 4, 4)
