"""Damper between two points: F = −d l̇ along the line, power −d l̇²."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, final

from ...expr import Expr
from ..force import Geometry, Line
from .coefficient import not_negative
from .two_points import TwoPoints, two_points


@final
@dataclass(frozen=True)
class Damper(TwoPoints):
    """A linear damper."""

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
    """A damper from the point `at` of `body` to the point `to_at` of the body `to`, or of the world.

    >>> damper("fore", "world", "d").name
    'damper fore world'
    """
    ends = two_points("damper", name, body, to, at, to_at)
    return Damper(*ends, not_negative("damping", damping, ends[0]))
