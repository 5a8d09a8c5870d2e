"""Spring between two points: F = −k (l − rest) along the line, energy ½ k (l − rest)²."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from ....algebra.expr import HALF, ONE, Expr, as_expr
from ..force import Geometry, Line
from .coefficient import not_negative
from .two_points import TwoPoints, two_points


@final
@dataclass(frozen=True)
class Spring(TwoPoints):
    """Linear spring with a rest length."""

    stiffness: Expr  # [N/m]
    rest: Expr  # [m]

    def push(self, line: Line) -> Expr:
        # F/l = −k (1 − rest/l): no root if the rest length is 0
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
    """Make a spring between points of two bodies.

    Args:
        body: First body.
        to: Second body, or "world".
        stiffness: Force per length [N/m].
        rest: Rest length [m].
        at: Point of `body`, in its frame [m].
        to_at: Point of `to`, in its frame [m].
        name: Name of the element.

    Returns:
        The force element.

    Raises:
        ModelError: The rest length is negative, or both points are on the same body.

    >>> spring("fore", "world", "k", rest="l0", at="L2 0 0").name
    'spring fore world'
    """
    ends = two_points("spring", name, body, to, at, to_at)
    return Spring(*ends, as_expr(stiffness), not_negative("rest length", rest, ends[0]))
