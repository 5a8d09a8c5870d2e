"""External wrench: a force and a torque of the environment **on** the robot."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from ....algebra.expr.vector import Vector, vector3
from ....algebra.expr.walk import symbols
from ....basics.arguments import text_or
from ..arguments import body_name
from ..force import ForceElement, Geometry, Load, PointForce, Torque


@final
@dataclass(frozen=True)
class Wrench(ForceElement):
    """External force at a point, and external torque."""

    body: str
    point: Vector  # in the frame of `body`, or of `point_in`
    force: Vector
    torque: Vector
    expressed_in: str  # frame of the components of force and torque
    symbols: tuple[str, ...]
    point_in: str | None = None

    def loads(self, geometry: Geometry | None = None) -> tuple[Load, ...]:
        return (
            PointForce(self.body, self.point, self.force, self.expressed_in, self.point_in),
            Torque(self.body, self.torque, self.expressed_in),
        )

    def external(self) -> tuple[str, ...]:
        return self.symbols


def wrench(
    body: str, force: Any, torque: Any = "0 0 0", at: Any = "0 0 0", expressed_in: str | None = None,
    name: str = "", point_in: str | None = None,
) -> Wrench:  # fmt: skip
    """Make an external wrench on a body; the symbols in it have the default value 0.

    Args:
        body: Body that the wrench acts on.
        force: Force on the body [N].
        torque: Torque on the body [N m].
        at: Point of action [m].
        expressed_in: Frame of the components of force and torque; by default that of the body.
        name: Name of the element.
        point_in: Frame of the point; by default that of the body.

    Returns:
        The force element.

    >>> wrench("hand", "Fx Fy 0").external()
    ('Fx', 'Fy')
    """
    body = body_name("wrench", body)
    F, T = vector3(force), vector3(torque)
    names = tuple(dict.fromkeys(s.name for x in (*F, *T) for s in symbols([x])))
    label = text_or(name, f"wrench on {body}")
    return Wrench(label, body, vector3(at), F, T, text_or(expressed_in, body), names, point_in)
