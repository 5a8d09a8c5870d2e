"""Force: moment about a frame's origin and force (a wrench); also momentum.

X F      f' = A f ,   n' = A n + p × f'          ([RBDA] section 2.8)
X⁻¹ F    f' = Aᵀ f ,  n' = Aᵀ (n − p × f)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from ...algebra.expr.vector import ZERO3, Vector
from .accumulate import minus_dot, plus_cross, plus_product
from .frame import Frame, mismatch
from .pose import Inverse, Pose

if TYPE_CHECKING:
    from ...algebra.expr import Expr
    from .motion import Motion


@final
class Force:
    """n about the origin, and f, components in `frame`.

    >>> Force.at(Frame("fore"), Vector(["l", 0, 0]), Vector([0, "f", 0])).moment
    Vector([0, 0, f*l])
    """

    __slots__ = ("force", "frame", "moment")

    force: Vector
    frame: Frame
    moment: Vector

    def __init__(self, frame: Frame, moment: Vector, force: Vector) -> None:
        self.frame, self.moment, self.force = frame, moment, force

    @staticmethod
    def zero(frame: Frame) -> Force:
        """No force."""
        return Force(frame, ZERO3, ZERO3)

    @staticmethod
    def at(frame: Frame, point: Vector, force: Vector) -> Force:
        """A force at a point: its moment about the origin is r × f."""
        return Force(frame, point.cross(force), force)

    def __rmatmul__(self, X: Pose | Inverse) -> Force:
        """The same force about the origin and in the components of another frame."""
        if isinstance(X, Pose):
            if self.frame is not X.frame:
                raise mismatch(f"{X} @ {self}", X.frame, self.frame)
            f = X.rotation @ self.force
            return Force(X.reference, plus_cross(X.rotation @ self.moment, X.position, f), f)
        if not isinstance(X, Inverse):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        pose, A = X.pose, X.rotation
        if self.frame is not pose.reference:
            raise mismatch(f"{X} @ {self}", pose.reference, self.frame)
        n = plus_cross(self.moment, self.force, pose.position)
        return Force(pose.frame, A @ n, A @ self.force)

    def plus(self, X: Pose, other: Force) -> Force:
        """Fused self + X @ other: products are added one by one, one instruction per product."""
        if other.frame is not X.frame:
            raise mismatch(f"{self} plus {X} @ {other}", X.frame, other.frame)
        if self.frame is not X.reference:
            raise mismatch(f"{self} plus {X} @ {other}", X.reference, self.frame)
        A, p = X.rotation, X.position
        n = plus_product(self.moment, A, other.moment)
        if p.is_zero:
            return Force(self.frame, n, plus_product(self.force, A, other.force))
        f = A @ other.force  # the moment needs it too
        return Force(self.frame, plus_cross(n, p, f), self.force + f)

    def minus_power(self, b: Expr, velocity: Motion) -> Expr:
        """Fused b − V @ self."""
        if self.frame is not velocity.frame:
            raise mismatch(f"{velocity} @ {self}", velocity.frame, self.frame)
        return minus_dot(minus_dot(b, self.moment, velocity.angular), self.force, velocity.linear)

    def __add__(self, other: Force) -> Force:
        if not isinstance(other, Force):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if self.frame is not other.frame:
            raise mismatch(f"{self} + {other}", self.frame, other.frame)
        return Force(self.frame, self.moment + other.moment, self.force + other.force)

    def __sub__(self, other: Force) -> Force:
        if not isinstance(other, Force):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if self.frame is not other.frame:
            raise mismatch(f"{self} - {other}", self.frame, other.frame)
        return Force(self.frame, self.moment - other.moment, self.force - other.force)

    def __mul__(self, c: Any) -> Force:
        return Force(self.frame, self.moment * c, self.force * c)

    def __neg__(self) -> Force:
        return Force(self.frame, -self.moment, -self.force)

    def __repr__(self) -> str:
        return f"Force in {self.frame.name!r}"
