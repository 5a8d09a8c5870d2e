"""Linear force actuator (proNEu's 'lin'): a force on a point of one body, its reaction on another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from ....algebra.expr.vector import Vector, vector3
from ....algebra.expr.walk import symbols
from ....basics.arguments import text_or
from ....basics.renamed import renamed
from ....basics.wording import brief
from ....errors import ModelError
from ..force import ForceElement, Geometry, Load, PointForce
from .coefficient import check_linear


@final
@dataclass(frozen=True)
class ForceActuator(ForceElement):
    """Force on one body and its reaction on another."""

    body: str
    point: Vector  # of action, in the frame of `body`
    reaction_on: str
    reaction_point: Vector  # in the frame of `reaction_on`
    force: Vector  # on `body`, components in its frame

    def __post_init__(self) -> None:
        check_linear("force", self.force, f"force_actuator {brief(self.name)}")

    def loads(self, geometry: Geometry | None = None) -> tuple[Load, ...]:
        return (
            PointForce(self.body, self.point, self.force, self.body),
            PointForce(self.reaction_on, self.reaction_point, -self.force, self.body),
        )

    def inputs(self) -> tuple[str, ...]:
        return tuple(s.name for s in symbols(self.force))


@renamed(reaction_at="to_at")
def force_actuator(
    body: str, reaction_on: str = "world", force: Any = None, at: Any = "0 0 0",
    to_at: Any = "0 0 0", name: str = "",
) -> ForceActuator:  # fmt: skip
    """Make an actuator that exerts a force on a body and its reaction on another.

    Args:
        body: Body that the force acts on.
        reaction_on: Body that the reaction acts on; by default the world.
        force: Force on `body`, in its frame, such as "F1 0 0" [N]; its symbols are the inputs.
        at: Point of action, in the frame of `body` [m].
        to_at: Point of the reaction, in the frame of `reaction_on` [m].
        name: Name of the element; by default its inputs.

    Returns:
        The force element.

    Raises:
        ModelError: The force is missing, or is not linear in its inputs.

    >>> force_actuator("hand", force="F 0 0").reaction_on
    'world'
    """
    if force is None:
        raise ModelError(f"force_actuator on {body!r}: the force is missing; pass force=\"F1 0 0\" or "
                         "another vector of inputs.")  # fmt: skip
    vector = vector3(force)
    label = text_or(name, " ".join(s.name for s in symbols(vector)))
    return ForceActuator(label, body, vector3(at), reaction_on, vector3(to_at), vector)
