"""Spring between two points: F = −k (l − rest) along the line, energy ½ k (l − rest)²."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from ...expr import HALF, ONE, Expr, as_expr
from ..force import Geometry, Line
from .coefficient import not_negative
from .two_points import TwoPoints, two_points


@final
@dataclass(frozen=True)
class Spring(TwoPoints):
    """A linear spring with a rest length."""

    stiffness: Expr  # [N/m]
    rest: Expr  # [m]

    def push(self, line: Line) -> Expr:
        # F/l = −k (1 − rest/l): without a rest length no root is taken
        return -(self.stiffness * (ONE - self.rest / line.length))

    def energy(self, geometry: Geometry) -> Expr | None:
        if not geometry.is_constant(self.stiffness, self.rest):
            return None  # v·f is not the rate of ½ k (l − rest)²
        line = self.line(geometry)
        if self.rest.value == 0:
            return HALF * self.stiffness * line.length_squared
        return HALF * self.stiffness * (line.length - self.rest) ** 2

    def quantities(self) -> tuple[Expr, ...]:
        return self.stiffness, self.rest


def spring(
    body: str, to: str, stiffness: Any, rest: Any = 0, at: Any = "0 0 0", to_at: Any = "0 0 0",
    name: str = "",
) -> Spring:  # fmt: skip
    """A spring from the point `at` of `body` to the point `to_at` of the body `to`, or of the world.

    >>> spring("fore", "world", "k", rest="l0", at="L2 0 0").name
    'spring fore world'
    """
    ends = two_points("spring", name, body, to, at, to_at)
    return Spring(*ends, as_expr(stiffness), not_negative("rest length", rest, ends[0]))
