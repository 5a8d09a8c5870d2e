"""Joint spring: −k (q − rest) along a coordinate, energy ½ k (q − rest)²."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from ....algebra.expr import HALF, Expr, as_expr, symbol
from ....basics.arguments import text_or
from ..force import ForceElement, Geometry, Load, SpeedForce
from ..joint import coordinate_name, speed_name


@final
@dataclass(frozen=True)
class JointSpring(ForceElement):
    """Linear spring at a joint."""

    coordinate: str
    speed: str
    stiffness: Expr  # [N m/rad], for a prismatic joint [N/m]
    rest: Expr  # coordinate without a force [rad] or [m]

    def _stretch(self) -> Expr:
        return symbol(self.coordinate) - self.rest

    def loads(self, geometry: Geometry | None = None) -> tuple[Load, ...]:
        return (SpeedForce(self.speed, -(self.stiffness * self._stretch())),)

    def energy(self, geometry: Geometry) -> Expr | None:
        if not geometry.is_constant(self.stiffness, self.rest):
            return None  # v·f is not the rate of ½ k (q − rest)²
        return HALF * self.stiffness * self._stretch() ** 2

    def rates(self) -> Mapping[str, str]:
        return {self.coordinate: self.speed}


def joint_spring(
    coordinate: str | Expr, stiffness: Any, rest: Any = 0, name: str = ""
) -> JointSpring:
    """Make a spring at the joint of a coordinate.

    Args:
        coordinate: Name of the coordinate.
        stiffness: Torque per angle [N m/rad], for a prismatic joint [N/m].
        rest: Coordinate at which the force is 0 [rad] or [m].
        name: Name of the element; by default `spring_<coordinate>`.

    Returns:
        The force element.

    Raises:
        ModelError: The coordinate is not a name.

    >>> joint_spring("q1", "k", rest="pi/2").loads()[0].force
    k*(pi/2 - q1)
    """
    q = coordinate_name(coordinate, "joint_spring")
    label = text_or(name, f"spring_{q}")
    return JointSpring(label, q, speed_name(q), as_expr(stiffness), as_expr(rest))
