"""Motion: angular and linear velocity of a frame's origin (a twist), or a partial velocity.

X⁻¹ V    ω' = Aᵀ ω ,  v' = Aᵀ (v + ω × p)        ([RBDA] section 2.8)
X V      ω' = A ω ,   v' = A v + p × ω'
V₁ × V₂  (ω₁ × ω₂ , v₁ × ω₂ + ω₁ × v₂)           ([RBDA] section 2.9)
V ×* F   (ω × n + v × f , ω × f)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, final

from ...algebra.expr.vector import ZERO3, Vector
from .accumulate import plus_cross
from .force import Force
from .frame import Frame, mismatch
from .pose import Inverse, Pose

if TYPE_CHECKING:
    from ...algebra.expr import Expr


@final
class Motion:
    """ω and v, the velocity of the origin, components in `frame`.

    >>> w, v = Vector([0, 0, "w"]), Vector(["v", 0, 0])
    >>> Motion(Frame("fore"), w, v).at(Vector([0, "l", 0]))
    Vector([v - l*w, 0, 0])
    """

    __slots__ = ("angular", "frame", "linear")

    angular: Vector
    frame: Frame
    linear: Vector

    def __init__(self, frame: Frame, angular: Vector, linear: Vector) -> None:
        self.frame, self.angular, self.linear = frame, angular, linear

    @staticmethod
    def zero(frame: Frame) -> Motion:
        """Rest."""
        return Motion(frame, ZERO3, ZERO3)

    def __rmatmul__(self, X: Pose | Inverse) -> Motion:
        """The same motion of the same body, at the origin and in the components of another frame."""
        if isinstance(X, Inverse):
            pose, A = X.pose, X.rotation
            if self.frame is not pose.reference:
                raise mismatch(f"{X} @ {self}", pose.reference, self.frame)
            return Motion(
                pose.frame,
                A @ self.angular,
                A @ plus_cross(self.linear, self.angular, pose.position),
            )
        if not isinstance(X, Pose):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if self.frame is not X.frame:
            raise mismatch(f"{X} @ {self}", X.frame, self.frame)
        w = X.rotation @ self.angular
        return Motion(X.reference, w, X.rotation @ self.linear + X.position.cross(w))

    def at(self, point: Vector) -> Vector:
        """v + ω × r, the velocity of a point of the frame."""
        return self.linear + self.angular.cross(point)

    def cross(self, other: Motion) -> Motion:
        """V₁ × V₂: rate of change of V₂ if it is fixed to a frame that moves with V₁."""
        if self.frame is not other.frame:
            raise mismatch(f"{self} × {other}", self.frame, other.frame)
        w, v, u = self.angular, self.linear, other.angular
        return Motion(self.frame, w.cross(u), v.cross(u) + w.cross(other.linear))

    def cross_force(self, force: Force) -> Force:
        """V ×* F: rate of change of F if it is fixed to a frame that moves with V."""
        if self.frame is not force.frame:
            raise mismatch(f"{self} ×* {force}", self.frame, force.frame)
        w, f = self.angular, force.force
        return Force(self.frame, w.cross(force.moment) + self.linear.cross(f), w.cross(f))

    def __matmul__(self, force: Force) -> Expr:
        """Power ω·n + v·f."""
        if self.frame is not force.frame:
            raise mismatch(f"{self} @ {force}", self.frame, force.frame)
        return self.angular @ force.moment + self.linear @ force.force

    def __add__(self, other: Motion) -> Motion:
        if not isinstance(other, Motion):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if self.frame is not other.frame:
            raise mismatch(f"{self} + {other}", self.frame, other.frame)
        return Motion(self.frame, self.angular + other.angular, self.linear + other.linear)

    def __sub__(self, other: Motion) -> Motion:
        if not isinstance(other, Motion):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if self.frame is not other.frame:
            raise mismatch(f"{self} - {other}", self.frame, other.frame)
        return Motion(self.frame, self.angular - other.angular, self.linear - other.linear)

    def __mul__(self, c: Any) -> Motion:
        return Motion(self.frame, self.angular * c, self.linear * c)

    @property
    def is_zero(self) -> bool:
        """Whether every component is literally 0."""
        return self.angular.is_zero and self.linear.is_zero

    def __repr__(self) -> str:
        return f"Motion in {self.frame.name!r}"
