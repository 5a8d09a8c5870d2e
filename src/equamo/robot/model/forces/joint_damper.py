"""Joint damper: −d u along a joint speed, power −d u²."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

from ....algebra.expr import Expr, symbol
from ....basics.arguments import text_or
from ..force import ForceElement, Geometry, Load, SpeedForce
from ..joint import coordinate_name, speed_name
from .coefficient import not_negative


@final
@dataclass(frozen=True)
class JointDamper(ForceElement):
    """Linear damper at a joint."""

    dissipates: ClassVar[bool] = True

    speed: str
    damping: Expr  # [N m s/rad], for a prismatic joint [N s/m]

    def loads(self, geometry: Geometry | None = None) -> tuple[Load, ...]:
        return (SpeedForce(self.speed, -(self.damping * symbol(self.speed))),)

    def power(self, geometry: Geometry) -> Expr:
        return -(self.damping * symbol(self.speed) ** 2)


def joint_damper(coordinate: str | Expr, damping: Any, name: str = "") -> JointDamper:
    """Make a damper at the joint of a coordinate.

    Args:
        coordinate: Name of the coordinate.
        damping: Torque per speed [N m s/rad], for a prismatic joint [N s/m].
        name: Name of the element; by default `damper_<coordinate>`.

    Returns:
        The force element.

    Raises:
        ModelError: The coordinate is not a name, or the damping is negative.

    >>> joint_damper("q1", "d").loads()[0].force
    -d*dq1
    """
    q = coordinate_name(coordinate, "joint_damper")
    label = text_or(name, f"damper_{q}")
    return JointDamper(label, speed_name(q), not_negative("damping", damping, label))
