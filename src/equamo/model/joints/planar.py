"""Planar: translation in the x-y plane of the joint frame and rotation about its z."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from ...expr import ZERO, cos, sin
from ...expr.matrix import Matrix, from_columns
from ...expr.vector import ZERO3, Vector, vector3
from ..joint import Joint, names_of, speed_name
from ..names import Names, label
from ..rotation import as_rotation, rotation_z


@final
@dataclass(frozen=True)
class Planar(Joint):
    """Two lengths and an angle."""

    def turn(self) -> Matrix:
        return rotation_z(self.q[2])

    def slide(self) -> Vector:
        return Vector([self.q[0], self.q[1], ZERO])

    def angular(self) -> Matrix:
        return from_columns([ZERO3, ZERO3, Vector([0, 0, 1])])

    def linear(self) -> Matrix:
        # ẋ and ẏ are along the joint frame's axes; the body frame is turned by the angle.
        c, s = cos(self.q[2]), sin(self.q[2])
        return from_columns([Vector([c, -s, ZERO]), Vector([s, c, ZERO]), ZERO3])


def planar(q: Names, at: Any = "0 0 0", rotation: Any = None, name: str = "") -> Planar:
    """Coordinates x, y [m] and the angle about z [rad] (suffixes `x`, `y`, `angle`); v = q̇."""
    names = names_of(q, ("x", "y", "angle"), "planar")
    return Planar(
        names, tuple(map(speed_name, names)), vector3(at), as_rotation(rotation), name or label(q)
    )
