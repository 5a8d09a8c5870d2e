"""Cylinder (document 002, section 2.2): a linear actuator between two bodies connected by a joint.

Its force F, the input, is positive if the cylinder pushes its two points apart. Its power is F·l̇, so the
generalized force along the coordinate q of the joint is F ∂l/∂q.

For points at the distances a and b from a revolute joint, opposite each other at q = 0, this is

    (2.1) φ = atan2(a sin q, b + a cos q)       (2.2) T = −F b sin φ

in the correct quadrant; the document has tan⁻¹ of the quotient. Its T = +F b sin φ assumes that F is
positive if the cylinder pulls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from ....algebra.expr import Expr, symbol
from ....basics.arguments import text_or
from ..force import Geometry, Line
from ..names import read_name
from .two_points import TwoPoints, two_points


@final
@dataclass(frozen=True)
class Cylinder(TwoPoints):
    """Linear actuator between two points."""

    input: str  # F [N]

    def push(self, line: Line) -> Expr:
        return symbol(self.input) / line.length

    def power(self, geometry: Geometry) -> Expr:
        line = self.line(geometry)
        return symbol(self.input) * (line.stretch / line.length)  # F l̇

    def quantities(self) -> tuple[Expr, ...]:
        return (symbol(self.input),)

    def inputs(self) -> tuple[str, ...]:
        return (self.input,)


def cylinder(
    body: str, to: str, input: str | Expr, at: Any = "0 0 0", to_at: Any = "0 0 0", name: str = ""
) -> Cylinder:
    """Make a cylinder between two bodies.

    Args:
        body: First body.
        to: Second body, or "world".
        input: Name of the force [N], positive if it pushes the points apart.
        at: Point of `body`, in its frame [m].
        to_at: Point of `to`, in its frame [m].
        name: Name of the element; by default the input.

    Returns:
        The force element.

    Raises:
        ModelError: The input is not a name, or both points are on the same body.

    >>> cylinder("fore", "upper", "F", at="a 0 0", to_at="L1-b 0 0").inputs()
    ('F',)
    """
    force = read_name(input, "cylinder: the input")
    return Cylinder(*two_points("cylinder", text_or(name, force), body, to, at, to_at), force)
