"""Rotor inertia: a motor on the parent that rotates N times as fast as its joint (document 001, eq. 18).

    I_a = N² J_m        added to the mass matrix along the joint speed, with energy ½ I_a u²

The mass of the rotor belongs to the inertia of the parent. The rotation of the parent is small compared
with N u and neglected, as in the document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from ....algebra.expr import Expr, as_expr
from ....basics.arguments import text_or
from ..force import ForceElement, Geometry, Load
from ..joint import coordinate_name, speed_name
from .coefficient import not_negative


@final
@dataclass(frozen=True)
class RotorInertia(ForceElement):
    """Rotor and gear at a joint; it enters the mass matrix and exerts no force."""

    speed: str
    ratio: Expr  # N = motor speed / joint speed; for a prismatic joint [rad/m]
    rotor: Expr  # J_m of rotor and gear, referred to the motor [kg m²]

    def loads(self, geometry: Geometry | None = None) -> tuple[Load, ...]:
        return ()

    def inertia(self) -> Mapping[str, Expr]:
        return {self.speed: self.ratio**2 * self.rotor}  # (18)


def rotor_inertia(
    coordinate: str | Expr, rotor: Any, ratio: Any = 1, name: str = ""
) -> RotorInertia:
    """Make the rotor of the motor that drives the joint of a coordinate.

    Args:
        coordinate: Name of the coordinate.
        rotor: Inertia of rotor and gear, referred to the motor [kg m²].
        ratio: Motor speed per joint speed; for a prismatic joint [rad/m].
        name: Name of the element; by default `rotor_<coordinate>`.

    Returns:
        The force element.

    Raises:
        ModelError: The coordinate is not a name, or the inertia is negative.

    >>> rotor_inertia("q1", "Jm", ratio="N").inertia()
    {'dq1': Jm*N**2}
    """
    q = coordinate_name(coordinate, "rotor_inertia")
    label = text_or(name, f"rotor_{q}")
    J = not_negative("inertia", rotor, label)
    return RotorInertia(label, speed_name(q), as_expr(ratio), J)
