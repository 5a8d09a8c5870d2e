"""Prismatic joint: translation by q along an axis."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from ....algebra.expr import Expr
from ....algebra.expr.matrix import Matrix, from_columns, identity
from ....algebra.expr.vector import ZERO3, Vector, vector3
from ..joint import Joint, coordinate_name, speed_name
from ..rotation import as_rotation, unit_axis


@final
@dataclass(frozen=True)
class Prismatic(Joint):
    """Travel along an axis."""

    axis: Vector = field(default=ZERO3, kw_only=True)

    def turn(self) -> Matrix:
        return identity(3)

    def slide(self) -> Vector:
        return self.axis * self.q[0]

    def angular(self) -> Matrix:
        return from_columns([ZERO3])

    def linear(self) -> Matrix:
        return from_columns([self.axis])


def prismatic(
    q: str | Expr, axis: Any = "x", at: Any = "0 0 0", rotation: Any = None, name: str = ""
) -> Prismatic:
    """Make a prismatic joint.

    Args:
        q: Name of the coordinate, a length [m].
        axis: Axis in the joint frame: "x", "-z" … or three quantities.
        at: Origin of the joint frame in the parent [m].
        rotation: Rotation of the joint frame in the parent: a 3×3 matrix, or the angles "α β γ" of
            Rx(α) Ry(β) Rz(γ).
        name: Name of the joint; by default the coordinate.

    Returns:
        The joint.

    Raises:
        ModelError: A name, the axis or the rotation is not valid.

    >>> prismatic("d", axis="x", at="0 0 h").position
    Vector([d, 0, h])
    """
    n = coordinate_name(q, "prismatic")
    return Prismatic(
        (n,), (speed_name(n),), vector3(at), as_rotation(rotation), name, axis=unit_axis(axis)
    )
