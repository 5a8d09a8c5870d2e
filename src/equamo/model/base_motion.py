"""A moving base: the motion of frame 0 that is given, not solved for (document 000, kanesLHS).

Components in frame 0 of its angular velocity w, the velocity v of its origin, and their derivatives:
ẇ = alpha, and a is the acceleration of the origin, so that v̇ = a − w × v. Gravity is constant in
frame 0.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, final

from ..expr import Expr, internal
from ..expr.vector import ZERO3, Vector, vector3


@final
@dataclass(frozen=True, init=False)
class BaseMotion:
    """w, v, alpha, a of frame 0, components in frame 0."""

    w: Vector = field(default=ZERO3)
    v: Vector = field(default=ZERO3)
    alpha: Vector = field(default=ZERO3)
    a: Vector = field(default=ZERO3)

    def __init__(
        self, w: Any = "0 0 0", v: Any = "0 0 0", alpha: Any = "0 0 0", a: Any = "0 0 0"
    ) -> None:
        for name, given in (("w", w), ("v", v), ("alpha", alpha), ("a", a)):
            object.__setattr__(self, name, vector3(given))

    @property
    def is_zero(self) -> bool:
        return all(x.is_zero for x in (self.w, self.v, self.alpha, self.a))

    def in_symbols(self) -> tuple[BaseMotion, dict[Expr, Expr]]:
        """A base whose components are symbols of their own, and what they stand for here."""
        parts = [
            Vector(internal("base", f"{n}.{c}") for c in "xyz") for n in ("w", "v", "alpha", "a")
        ]
        own = [x for part in parts for x in part]
        return BaseMotion(*parts), dict(zip(own, self.expressions(), strict=True))

    def rates(self) -> dict[Expr, Expr]:
        """{w: ẇ, v: v̇} of components that are symbols of their own, for differentiation in time."""
        v_dot = self.a - self.w.cross(self.v)
        return {
            x: dx
            for x, dx in zip((*self.w, *self.v), (*self.alpha, *v_dot), strict=True)
            if x.is_symbol
        }

    def expressions(self) -> tuple[Expr, ...]:
        return (*self.w, *self.v, *self.alpha, *self.a)
