"""Force elements between points of two bodies: a force F along the line, with the power F·l̇.

F is positive if it pushes the points apart.
"""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any, ClassVar

from ....algebra.expr import Expr
from ....algebra.expr.vector import Vector, vector3
from ....basics.arguments import text_or
from ....errors import ModelError
from ..arguments import body_name
from ..force import ForceElement, Geometry, Line, Load, PointForce


@dataclass(frozen=True)
class TwoPoints(ForceElement):
    """Abstract element between two points; if they coincide, l = 0, the line has no direction."""

    internal: ClassVar[bool] = True

    body: str
    point: Vector  # in the frame of `body`
    other: str  # a body, or the world
    other_point: Vector  # in the frame of `other`

    def __post_init__(self) -> None:
        if self.body == self.other:
            raise ModelError(f"The points of force element {self.name!r} must be on two bodies, got "
                             f"both on {self.body!r}.")  # fmt: skip

    @abstractmethod
    def push(self, line: Line) -> Expr:
        """F/l, positive if it pushes the points apart."""

    @abstractmethod
    def quantities(self) -> tuple[Expr, ...]:
        """Coefficients of the element."""

    def line(self, geometry: Geometry) -> Line:
        """Line from the point of `other` to the point of `body`."""
        return geometry.line(self.other, self.other_point, self.body, self.point)

    def loads(self, geometry: Geometry | None = None) -> tuple[Load, ...]:
        if geometry is None:
            raise ModelError(
                f"The force of {self.name!r} depends on the poses of the bodies; call loads(geometry)."
            )
        line = self.line(geometry)
        F = line.r * self.push(line)
        return (
            PointForce(self.body, self.point, F, self.other),
            PointForce(self.other, self.other_point, -F, self.other),
        )

    def speeds(self) -> tuple[str, ...]:
        return ()

    def bodies(self) -> tuple[str, ...]:
        return (self.body, self.other)

    def expressions(self) -> tuple[Expr, ...]:
        return (*self.point, *self.other_point, *self.quantities())


def two_points(
    kind: str, name: str, body: str, to: str, at: Any, to_at: Any
) -> tuple[str, str, Vector, str, Vector]:
    """Arguments (name, body, point, other, other point) of the constructors of these elements."""
    body, to = body_name(kind, body), body_name(kind, to)
    return text_or(name, f"{kind} {body} {to}"), body, vector3(at), to, vector3(to_at)
