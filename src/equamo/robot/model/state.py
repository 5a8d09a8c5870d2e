"""Default state of a robot: coordinates, speeds and inputs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from ...errors import UnknownNameError
from .arguments import Number, number
from .read_only import ReadOnly
from .unit_quaternions import normalised

if TYPE_CHECKING:
    from .robot import Robot


@final
@dataclass(frozen=True)
class State:
    """Coordinates, speeds and inputs by name.

    Attributes:
        q: Coordinates.
        v: Speeds.
        inputs: Inputs of the actuators.
    """

    q: Mapping[str, Number]
    v: Mapping[str, Number]
    inputs: Mapping[str, Number]

    def __post_init__(self) -> None:
        for part in ("q", "v", "inputs"):
            object.__setattr__(self, part, ReadOnly(getattr(self, part)))


def home_state(robot: Robot, home: Mapping[str, Number]) -> State:
    """Default state from the argument of Robot; missing numbers are 0, quaternions 1 0 0 0."""
    parts: list[dict[str, Number]] = []
    rest: dict[str, Any] = dict(home)
    groups = [tuple(x.name for x in g) for g in robot.unit_groups]
    unit_first = {g[0] for g in groups}
    for names in (robot.q, robot.v, robot.inputs):
        part: dict[str, Number] = {}
        for x in names:
            value = rest.pop(x.name, 1 if x.name in unit_first else 0)
            part[x.name] = number(f"The default of {x.name!r}", value)
        parts.append(part)
    if rest:
        valid = [x.name for x in (*robot.q, *robot.v, *robot.inputs)]
        raise UnknownNameError("coordinate, speed or input", next(iter(rest)), valid, "home")
    parts[0] = normalised(f"The default state of robot {robot.name!r}", parts[0], groups)
    return State(*parts)
