"""State: the coordinates, speeds and inputs that a robot has unless others are given."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, final

from ..errors import ModelError, UnknownNameError
from ..wording import brief
from .arguments import Number, number
from .read_only import ReadOnly

if TYPE_CHECKING:
    from .robot import Robot


@final
@dataclass(frozen=True)
class State:
    """Default coordinates, speeds and inputs, by name."""

    q: Mapping[str, Number]
    v: Mapping[str, Number]
    inputs: Mapping[str, Number]

    def __post_init__(self) -> None:
        for part in ("q", "v", "inputs"):
            object.__setattr__(self, part, ReadOnly(getattr(self, part)))


def home_state(robot: Robot, given: Mapping[str, Number]) -> State:
    """The default state of a robot, from what its constructor was given; 0 where that is nothing."""
    if not isinstance(given, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ModelError(f"A default state is {{name: number}}, not {brief(given)}.")
    parts: list[dict[str, Number]] = []
    rest: dict[str, Any] = dict(given)
    unit_first = {g[0].name for g in robot.unit_groups}
    for names in (robot.q, robot.v, robot.inputs):
        part: dict[str, Number] = {}
        for x in names:
            given_or_default = rest.pop(x.name, 1 if x.name in unit_first else 0)
            part[x.name] = number(f"The default of {x.name!r}", given_or_default)
        parts.append(part)
    if rest:
        valid = [x.name for x in (*robot.q, *robot.v, *robot.inputs)]
        raise UnknownNameError("coordinate, speed or input", next(iter(rest)), valid, "home")
    return State(*parts)
