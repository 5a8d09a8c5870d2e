"""Cylindrical joint: rotation about an axis and, independently, translation along it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from ....algebra.expr.matrix import Matrix, from_columns
from ....algebra.expr.vector import ZERO3, Vector, vector3
from ....basics.arguments import text_or
from ..joint import Joint, names_of, speed_name
from ..names import Names, label
from ..rotation import about, as_rotation, unit_axis


@final
@dataclass(frozen=True)
class Cylindrical(Joint):
    """Angle about and travel along one axis."""

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
    """Make a cylindrical joint.

    Args:
        q: Names of the angle [rad] and the travel [m], or a prefix for the suffixes `angle`, `travel`.
        axis: Axis in the joint frame: "x", "-z" … or three quantities.
        at: Origin of the joint frame in the parent [m].
        rotation: Rotation of the joint frame in the parent: a 3×3 matrix, or the angles "α β γ" of
            Rx(α) Ry(β) Rz(γ).
        name: Name of the joint.

    Returns:
        The joint.

    Raises:
        ModelError: A name, the axis or the rotation is not valid.

    >>> cylindrical("pin").coordinates
    ('pin_angle', 'pin_travel')
    """
    names = names_of(q, ("angle", "travel"), "cylindrical")
    return Cylindrical(
        names, tuple(map(speed_name, names)), vector3(at), as_rotation(rotation),
        text_or(name, label(q)),
        axis=unit_axis(axis),
    )  # fmt: skip
