"""Damper between two points: F = −d l̇ along the line, power −d l̇²."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

from ....algebra.expr import Expr
from ..force import Geometry, Line
from .coefficient import not_negative
from .two_points import TwoPoints, two_points


@final
@dataclass(frozen=True)
class Damper(TwoPoints):
    """Linear damper."""

    dissipates: ClassVar[bool] = True

    damping: Expr  # [N s/m]

    def push(self, line: Line) -> Expr:
        # F/l = −d l̇/l = −d (r·ṙ)/(r·r): no root is taken
        return -(self.damping * (line.stretch / line.length_squared))

    def power(self, geometry: Geometry) -> Expr:
        line = self.line(geometry)
        return -(self.damping * (line.stretch**2 / line.length_squared))

    def quantities(self) -> tuple[Expr, ...]:
        return (self.damping,)


def damper(
    body: str, to: str, damping: Any, at: Any = "0 0 0", to_at: Any = "0 0 0", name: str = ""
) -> Damper:
    """Make a damper between points of two bodies.

    Args:
        body: First body.
        to: Second body, or "world".
        damping: Force per rate of the distance [N s/m].
        at: Point of `body`, in its frame [m].
        to_at: Point of `to`, in its frame [m].
        name: Name of the element.

    Returns:
        The force element.

    Raises:
        ModelError: The damping is negative, or both points are on the same body.

    >>> damper("fore", "world", "d").name
    'damper fore world'
    """
    ends = two_points("damper", name, body, to, at, to_at)
    return Damper(*ends, not_negative("damping", damping, ends[0]))
