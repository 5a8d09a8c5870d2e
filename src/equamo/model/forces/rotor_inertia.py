"""Rotor inertia: a motor at the parent that turns N times as fast as its joint (document 001, eq. 18).

    I_a = N² J_m        added to the mass matrix along the joint's speed, with energy ½ I_a u²

The rotor's mass belongs to the parent's inertia; what it turns with the parent is small beside N u
and left out, as in the document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, final

from ...expr import Expr, as_expr
from ..force import ForceElement, Geometry, Load
from ..joint import coordinate_name, speed_name
from .coefficient import not_negative


@final
@dataclass(frozen=True)
class RotorInertia(ForceElement):
    """A rotor and its gear at a joint. It puts no force on a body: it is in the mass matrix."""

    speed: str
    ratio: Expr  # N = motor speed / joint speed; of a prismatic joint [rad/m]
    rotor: Expr  # J_m, of rotor and gear at the motor's speed [kg m²]

    def loads(self, geometry: Geometry | None = None) -> tuple[Load, ...]:
        return ()

    def inertia(self) -> Mapping[str, Expr]:
        return {self.speed: self.ratio**2 * self.rotor}  # (18)


def rotor_inertia(
    coordinate: str | Expr, rotor: Any, ratio: Any = 1, name: str = ""
) -> RotorInertia:
    """The rotor that drives the joint of a coordinate through a gear of this ratio.

    >>> rotor_inertia("q1", "Jm", ratio="N").inertia()
    {'dq1': Jm*N**2}
    """
    q = coordinate_name(coordinate, "rotor_inertia")
    label = name or f"rotor_{q}"
    J = not_negative("inertia", rotor, label)
    return RotorInertia(label, speed_name(q), as_expr(ratio), J)
