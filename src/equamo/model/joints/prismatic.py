"""Prismatic: translation by q along an axis."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from ...expr import Expr
from ...expr.matrix import Matrix, from_columns, identity
from ...expr.vector import ZERO3, Vector, vector3
from ..joint import Joint, coordinate_name, speed_name
from ..rotation import as_rotation, unit_axis


@final
@dataclass(frozen=True)
class Prismatic(Joint):
    """One length along an axis."""

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
    """Translation by the coordinate `q` [m] along `axis`, from the point `at` of the parent."""
    n = coordinate_name(q, "prismatic")
    return Prismatic(
        (n,), (speed_name(n),), vector3(at), as_rotation(rotation), name, axis=unit_axis(axis)
    )
