"""Planar loops as sums of rotating vectors: Σ R(θ_k) d_k = 0, each θ_k a sum of coordinates.

The joints of the loop rotate about parallel axes, or slide across them, and one coordinate axis of the
frame of the nearest common ancestor is parallel to them. Vectors are pairs of expressions.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final, final

from ...algebra.expr import ONE, ZERO, Expr, cos, sin, symbol
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.vector import Vector
from ...errors import ConstraintError
from ...robot.model.body import Body
from ...robot.model.joints.fixed import Fixed
from ...robot.model.joints.prismatic import Prismatic
from ...robot.model.joints.revolute import Revolute
from ...robot.model.loop import Loop
from ...robot.model.robot import Robot

PINS: Final = ("revolute", "spherical", "cylindrical")
Vector2 = tuple[Expr, Expr]


@final
@dataclass(frozen=True)
class Term:
    """Vector R(angle) · vector, times a sliding coordinate if there is one."""

    angle: Expr
    vector: Vector2
    slide: Expr | None = None

    def value(self) -> Vector2:
        """Its components in the plane."""
        c, s = cos(self.angle), sin(self.angle)
        x, y = self.vector
        if self.slide is not None:
            x, y = x * self.slide, y * self.slide
        return c * x - s * y, s * x + c * y


@final
@dataclass(frozen=True)
class PlanarLoop:
    """A loop in the plane: the pins of `body` and `to` coincide, or are at a given distance.

    Attributes:
        name: Name of the loop.
        body: Terms from the common ancestor to the pin of `body`.
        to: Terms to the pin of `to`.
        angles: (angle of `body`, angle of `to`)
        length: Distance of the pins; None if they coincide.
        welded: Whether both bodies also have the same angle.
    """

    name: str
    body: tuple[Term, ...]
    to: tuple[Term, ...]
    angles: tuple[Expr, Expr]
    length: Expr | None
    welded: bool


def planar_loop(robot: Robot, loop: Loop) -> PlanarLoop:
    """Loop of a robot in its plane.

    Raises:
        ConstraintError: The loop is not planar, or its joint has no closed form.
    """
    if loop.joint not in (*PINS, "fixed", "distance"):
        raise _no_closed_form(loop, f"its joint is {loop.joint}")
    one, other = robot.path(loop.body), robot.path(loop.to)
    common = 0
    while common < min(len(one), len(other)) and one[common] is other[common]:
        common += 1
    axes = list(_axes(loop, one[common:])) + list(_axes(loop, other[common:]))
    if not axes:
        raise _no_closed_form(loop, "no joint in it turns")
    normal = axes[0]
    body, angle = _terms(loop, one[common:], loop.at, normal)
    to, to_angle = _terms(loop, other[common:], loop.to_at, normal)
    return PlanarLoop(loop.name, body, to, (angle, to_angle), loop.length, loop.joint == "fixed")


def _axes(loop: Loop, bodies: tuple[Body, ...]) -> Iterator[int]:
    """Coordinate axis of the common ancestor about which each revolute joint rotates."""
    R = identity(3)
    for b in bodies:
        R = R @ b.joint.turned
        if isinstance(b.joint, Revolute):
            yield _direction(loop, R @ b.joint.axis)[0]


def _direction(loop: Loop, axis: Vector) -> tuple[int, int]:
    """(k, ±1) of an axis that is a coordinate axis."""
    numbers = [x.value for x in axis]
    for k in range(3):
        if numbers[k] in (1, -1) and all(numbers[i] == 0 for i in range(3) if i != k):
            return k, 1 if numbers[k] == 1 else -1
    raise _no_closed_form(loop, "a joint turns about an oblique axis")


def _terms(
    loop: Loop, bodies: tuple[Body, ...], at: Vector, normal: int
) -> tuple[tuple[Term, ...], Expr]:
    """Terms from the common ancestor to a point of the last body, and the angle of this body."""
    R, angle = identity(3), ZERO
    terms: list[Term] = []

    def add(v: Vector, slide: Expr | None = None) -> None:
        w = _in_plane(R, v, normal)
        if w != (ZERO, ZERO):
            terms.append(Term(angle, w, slide))

    for b in bodies:
        joint = b.joint
        add(joint.at)
        R = R @ joint.turned
        if isinstance(joint, Revolute):
            k, sign = _direction(loop, R @ joint.axis)
            if k != normal:
                raise _no_closed_form(loop, "its joints turn about different axes")
            q = symbol(joint.coordinates[0])
            angle = angle + q if sign > 0 else angle - q
        elif isinstance(joint, Prismatic):
            along = (R @ joint.axis)[normal]
            if along is not ZERO:
                raise _no_closed_form(loop, f"{joint.coordinates[0]!r} slides out of its plane")
            add(joint.axis, symbol(joint.coordinates[0]))
        elif not isinstance(joint, Fixed):
            raise _no_closed_form(loop, f"the joint of body {b.name!r} neither turns nor slides")
    add(at)
    return tuple(terms), angle


def _in_plane(R: Matrix, v: Vector, normal: int) -> Vector2:
    """Components of R v across the normal."""
    w = R @ v
    return w[(normal + 1) % 3], w[(normal + 2) % 3]


def _no_closed_form(loop: Loop, reason: str) -> ConstraintError:
    return ConstraintError(
        f"Loop {loop.name!r} must be a planar triangle, parallelogram or four-bar to be solved in "
        f"closed form, but {reason}; use the minimal form, eom.minimal()."
    )


def dot2(a: Vector2, b: Vector2) -> Expr:
    """a·b"""
    return a[0] * b[0] + a[1] * b[1]


def cross2(a: Vector2, b: Vector2) -> Expr:
    """a×b, along the normal"""
    return a[0] * b[1] - a[1] * b[0]


def sum2(vectors: Iterable[Vector2]) -> Vector2:
    """Sum of vectors."""
    x, y = ZERO, ZERO
    for a, b in vectors:
        x, y = x + a, y + b
    return x, y


def scale2(a: Vector2, factor: Expr) -> Vector2:
    """Vector times a factor."""
    return a[0] * factor, a[1] * factor


def size2(a: Vector2) -> Expr:
    """Signed length of a vector along an axis, by which it can be divided exactly; otherwise 1"""
    if a[1] is ZERO:
        return a[0]
    return a[1] if a[0] is ZERO else ONE
