"""Revolute joint: rotation by q about an axis."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from ....algebra.expr import Expr
from ....algebra.expr.matrix import Matrix, from_columns
from ....algebra.expr.vector import ZERO3, Vector, vector3
from ..joint import Joint, coordinate_name, speed_name
from ..rotation import about, as_rotation, unit_axis


@final
@dataclass(frozen=True)
class Revolute(Joint):
    """Angle about an axis."""

    axis: Vector = field(default=ZERO3, kw_only=True)

    def turn(self) -> Matrix:
        return about(self.axis, self.q[0])

    def slide(self) -> Vector:
        return ZERO3

    def angular(self) -> Matrix:
        return from_columns([self.axis])  # the axis is the same in both frames

    def linear(self) -> Matrix:
        return from_columns([ZERO3])


def revolute(
    q: str | Expr, axis: Any = "z", at: Any = "0 0 0", rotation: Any = None, name: str = ""
) -> Revolute:
    """Make a revolute joint.

    Args:
        q: Name of the coordinate, an angle [rad].
        axis: Axis in the joint frame: "x", "-z" … or three quantities.
        at: Origin of the joint frame in the parent [m].
        rotation: Rotation of the joint frame in the parent: a 3×3 matrix, or the angles "α β γ" of
            Rx(α) Ry(β) Rz(γ).
        name: Name of the joint; by default the coordinate.

    Returns:
        The joint.

    Raises:
        ModelError: A name, the axis or the rotation is not valid.

    >>> revolute("q1", axis="z", at="L1 0 0").rotation[0, 0]
    cos(q1)
    """
    n = coordinate_name(q, "revolute")
    return Revolute(
        (n,), (speed_name(n),), vector3(at), as_rotation(rotation), name, axis=unit_axis(axis)
    )
