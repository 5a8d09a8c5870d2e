"""Cylindrical: rotation about an axis and, independently, translation along it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from ...expr.matrix import Matrix, from_columns
from ...expr.vector import ZERO3, Vector, vector3
from ..joint import Joint, names_of, speed_name
from ..names import Names, label
from ..rotation import about, as_rotation, unit_axis


@final
@dataclass(frozen=True)
class Cylindrical(Joint):
    """An angle and a length, one axis."""

    axis: Vector = field(default=ZERO3, kw_only=True)

    def turn(self) -> Matrix:
        return about(self.axis, self.q[0])

    def slide(self) -> Vector:
        return self.axis * self.q[1]

    def angular(self) -> Matrix:
        return from_columns([self.axis, ZERO3])

    def linear(self) -> Matrix:
        return from_columns([ZERO3, self.axis])


def cylindrical(
    q: Names, axis: Any = "z", at: Any = "0 0 0", rotation: Any = None, name: str = ""
) -> Cylindrical:
    """Coordinates: the angle [rad] and the travel [m] (suffixes `angle`, `travel`)."""
    names = names_of(q, ("angle", "travel"), "cylindrical")
    return Cylindrical(
        names, tuple(map(speed_name, names)), vector3(at), as_rotation(rotation), name or label(q),
        axis=unit_axis(axis),
    )  # fmt: skip
