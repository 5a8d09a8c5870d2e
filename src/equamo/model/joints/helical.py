"""Helical: a screw, rotation by q about an axis and translation by pitch·q along it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from ...expr import ZERO, Expr, as_expr
from ...expr.matrix import Matrix, from_columns
from ...expr.vector import ZERO3, Vector, vector3
from ..joint import Joint, coordinate_name, speed_name
from ..rotation import about, as_rotation, unit_axis


@final
@dataclass(frozen=True)
class Helical(Joint):
    """One angle, with travel in proportion."""

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
    """A screw with `pitch` metres of travel per radian of `q`."""
    n = coordinate_name(q, "helical")
    return Helical(
        (n,), (speed_name(n),), vector3(at), as_rotation(rotation), name,
        axis=unit_axis(axis), pitch=as_expr(pitch),
    )  # fmt: skip
