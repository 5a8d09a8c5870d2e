"""Torque actuator (proNEu's 'rot'): a torque on one body and its reaction on another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from ....algebra.expr.vector import Vector, vector3
from ....algebra.expr.walk import symbols
from ....basics.arguments import text_or
from ....basics.wording import brief
from ..force import ForceElement, Geometry, Load, Torque
from .coefficient import check_linear


@final
@dataclass(frozen=True)
class TorqueActuator(ForceElement):
    """Torque on one body and its reaction on another."""

    body: str
    reaction_on: str
    torque: Vector  # on `body`, components in its frame

    def __post_init__(self) -> None:
        check_linear("torque", self.torque, f"torque_actuator {brief(self.name)}")

    def loads(self, geometry: Geometry | None = None) -> tuple[Load, ...]:
        return (
            Torque(self.body, self.torque, self.body),
            Torque(self.reaction_on, -self.torque, self.body),
        )

    def inputs(self) -> tuple[str, ...]:
        return tuple(s.name for s in symbols(self.torque))


def torque_actuator(body: str, reaction_on: str, torque: Any, name: str = "") -> TorqueActuator:
    """Make an actuator that exerts a torque on a body and its reaction on another.

    Args:
        body: Body that the torque acts on.
        reaction_on: Body that the reaction acts on, or "world".
        torque: Torque on `body`, in its frame, such as "0 0 T1" [N m]; its symbols are the inputs.
        name: Name of the element; by default its inputs.

    Returns:
        The force element.

    Raises:
        ModelError: The torque is not linear in its inputs.

    >>> torque_actuator("arm", "world", "0 0 T1").inputs()
    ('T1',)
    """
    vector = vector3(torque)
    return TorqueActuator(
        text_or(name, " ".join(s.name for s in symbols(vector))), body, reaction_on, vector
    )
