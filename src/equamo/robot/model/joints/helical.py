"""Helical joint: rotation by q about an axis and translation by pitch·q along it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from ....algebra.expr import ZERO, Expr, as_expr
from ....algebra.expr.matrix import Matrix, from_columns
from ....algebra.expr.vector import ZERO3, Vector, vector3
from ..joint import Joint, coordinate_name, speed_name
from ..rotation import about, as_rotation, unit_axis


@final
@dataclass(frozen=True)
class Helical(Joint):
    """Angle about an axis, with proportional travel."""

    axis: Vector = field(default=ZERO3, kw_only=True)
    pitch: Expr = field(default=ZERO, kw_only=True)  # [m/rad]

    def turn(self) -> Matrix:
        return about(self.axis, self.q[0])

    def slide(self) -> Vector:
        return self.axis * (self.pitch * self.q[0])

    def angular(self) -> Matrix:
        return from_columns([self.axis])

    def linear(self) -> Matrix:
        return from_columns([self.axis * self.pitch])


def helical(
    q: str | Expr,
    pitch: Any,
    axis: Any = "z",
    at: Any = "0 0 0",
    rotation: Any = None,
    name: str = "",
) -> Helical:
    """Make a helical joint (a screw).

    Args:
        q: Name of the coordinate, an angle [rad].
        pitch: Travel per angle [m/rad].
        axis: Axis in the joint frame: "x", "-z" … or three quantities.
        at: Origin of the joint frame in the parent [m].
        rotation: Rotation of the joint frame in the parent: a 3×3 matrix, or the angles "α β γ" of
            Rx(α) Ry(β) Rz(γ).
        name: Name of the joint; by default the coordinate.

    Returns:
        The joint.

    Raises:
        ModelError: A name, the axis or the rotation is not valid.

    >>> helical("q", pitch="h").position
    Vector([0, 0, h*q])
    """
    n = coordinate_name(q, "helical")
    return Helical(
        (n,), (speed_name(n),), vector3(at), as_rotation(rotation), name,
        axis=unit_axis(axis), pitch=as_expr(pitch),
    )  # fmt: skip
