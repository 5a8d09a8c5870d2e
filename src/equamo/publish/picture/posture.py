"""Transforms of the bodies at given coordinates, as numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, final

from ...algebra.arrays import NDArray, np
from ...algebra.expr import Expr
from ...algebra.expr.evaluate import FLOATS, Tape
from ...mechanics.equations.assembly import assemble
from ...mechanics.equations.state_reader import Reader, no_value
from ...robot.model import Robot
from .transforms import transforms

Array = NDArray[np.float64]
Values = Mapping[str, Any]

PLACE: Final = "picture"  # in messages


def parameter_values(robot: Robot, values: Values | None = None) -> dict[Expr, float]:
    """Numbers of all parameters: `values`, else the defaults."""
    reader = Reader(PLACE, robot.state_space.values, exact=True)
    chosen = reader.read_given(values)
    missing = robot.state_space.missing(chosen)
    if missing:
        raise no_value(PLACE, robot.name, missing, "use robot.with_values(**{})")
    defaults: list[float] = reader.default().tolist()
    pairs = zip(reader.part.symbols, defaults, strict=True)
    return {s: chosen.get(s.name, x) for s, x in pairs}


def coordinates(robot: Robot, q: Any = None, values: Values | None = None) -> Array:
    """Read coordinates: a sequence, {name: number} with the others at home, or None for home.

    Loops are closed starting from these; an AssemblyError is raised if that is not possible.

    >>> from equamo.robot.library import load
    >>> coordinates(load("rr_arm"), {"q2": 0.5})
    array([0. , 0.5])
    """
    start = Reader(PLACE, robot.state_space.q, exact=True).read_state(q)
    return assemble(robot, q, values=values).q if robot.loops else start


@final
class Posture:
    """Transforms of all bodies at any coordinates, (n, 4, 4)."""

    def __init__(self, robot: Robot, values: Values | None = None) -> None:
        self._q = robot.q
        self._known: dict[Expr, Any] = {**parameter_values(robot, values)}
        self._tape = Tape([e for T in transforms(robot) for e in T.entries])

    def __call__(self, q: Sequence[float] | Array) -> Array:
        at = {s: float(x) for s, x in zip(self._q, q, strict=True)}
        numbers = self._tape.run(FLOATS, self._known | at)
        return np.array(numbers, dtype=np.float64).reshape(-1, 4, 4)
