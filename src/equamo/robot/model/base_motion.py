"""Prescribed motion of the base, frame 0 (document 000, kanesLHS).

All vectors have components in frame 0: its angular velocity w, the velocity v of its origin, the angular
acceleration ẇ = alpha and the acceleration a of its origin, so v̇ = a − w × v. Gravity is constant in
frame 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from ...algebra.expr import Expr, internal
from ...algebra.expr.vector import ZERO3, Vector, vector3


@final
@dataclass(frozen=True, init=False)
class BaseMotion:
    """Prescribed motion of frame 0, with components in frame 0.

    Components may be functions of the time t; then alpha and a must be those of w and v, as above. A
    plain symbol is the value of a moment, and its derivative may be anything.

    Args:
        w: Angular velocity [rad/s].
        v: Velocity of the origin [m/s].
        alpha: Angular acceleration [rad/s²].
        a: Acceleration of the origin [m/s²].

    >>> BaseMotion(w="0 0 w0").is_zero
    False
    """

    w: Vector = field(default=ZERO3)
    v: Vector = field(default=ZERO3)
    alpha: Vector = field(default=ZERO3)
    a: Vector = field(default=ZERO3)

    def __init__(
        self, w: Any = "0 0 0", v: Any = "0 0 0", alpha: Any = "0 0 0", a: Any = "0 0 0"
    ) -> None:
        for name, vector in (("w", w), ("v", v), ("alpha", alpha), ("a", a)):
            object.__setattr__(self, name, vector3(vector))

    @property
    def is_zero(self) -> bool:
        """Whether the base does not move."""
        return all(x.is_zero for x in (self.w, self.v, self.alpha, self.a))

    def in_symbols(self) -> tuple[BaseMotion, dict[Expr, Expr]]:
        """Base motion with internal symbols as components, and the values of these symbols."""
        parts = [
            Vector(internal("base", f"{n}.{c}") for c in "xyz") for n in ("w", "v", "alpha", "a")
        ]
        components = [x for part in parts for x in part]
        return BaseMotion(*parts), dict(zip(components, self.expressions(), strict=True))

    def rates(self) -> dict[Expr, Expr]:
        """Time derivatives {w: ẇ, v: v̇} of the components that are symbols."""
        v_dot = self.a - self.w.cross(self.v)
        return {
            x: dx
            for x, dx in zip((*self.w, *self.v), (*self.alpha, *v_dot), strict=True)
            if x.is_symbol
        }

    def expressions(self) -> tuple[Expr, ...]:
        """All expressions of the motion."""
        return (*self.w, *self.v, *self.alpha, *self.a)
