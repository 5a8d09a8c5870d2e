"""Torque actuator (proNEu's 'rot'): a torque on one body and its reaction on another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from ...expr.vector import Vector, vector3
from ...expr.walk import symbols
from ..force import ForceElement, Geometry, Load, Torque
from .coefficient import check_linear


@final
@dataclass(frozen=True)
class TorqueActuator(ForceElement):
    """A torque on one body and its reaction on another."""

    body: str
    reaction_on: str
    torque: Vector  # on `body`, components in its frame

    def __post_init__(self) -> None:
        check_linear("torque", self.torque, f"torque_actuator {self.name!r}")

    def loads(self, geometry: Geometry | None = None) -> tuple[Load, ...]:
        return (
            Torque(self.body, self.torque, self.body),
            Torque(self.reaction_on, -self.torque, self.body),
        )

    def inputs(self) -> tuple[str, ...]:
        return tuple(s.name for s in symbols(self.torque))


def torque_actuator(body: str, reaction_on: str, torque: Any, name: str = "") -> TorqueActuator:
    """`torque` such as "0 0 T1" in the frame of `body`; its symbols are the inputs."""
    vector = vector3(torque)
    return TorqueActuator(
        name or " ".join(s.name for s in symbols(vector)), body, reaction_on, vector
    )
