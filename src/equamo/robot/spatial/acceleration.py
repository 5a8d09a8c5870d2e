"""Acceleration: angular acceleration, and acceleration of the point at a frame's origin.

The linear part is that of a material point, not the linear part of V̇ as a spatial vector; a point of a
rotating body has a centripetal acceleration, so its transport needs the angular velocity:

    X⁻¹, V   α' = Aᵀ α ,  a' = Aᵀ (a + α × p + ω × (ω × p))
    X, V     α' = A α ,   a' = A a − α' × p − ω' × (ω' × p)  with ω' = A ω
"""

from __future__ import annotations

from typing import final

from ...algebra.expr.vector import ZERO3, Vector
from .frame import Frame, mismatch
from .motion import Motion
from .pose import Inverse, Pose


@final
class Acceleration:
    """α and a, the acceleration of the point at the origin, components in `frame`.

    >>> fore = Frame("fore")
    >>> spinning = Motion(fore, Vector([0, 0, "w"]), ZERO3)
    >>> Acceleration.zero(fore).at(Vector(["l", 0, 0]), spinning).closed_form()
    Vector([-l*w**2, 0, 0])
    """

    __slots__ = ("angular", "frame", "linear")

    angular: Vector
    frame: Frame
    linear: Vector

    def __init__(self, frame: Frame, angular: Vector, linear: Vector) -> None:
        self.frame, self.angular, self.linear = frame, angular, linear

    @staticmethod
    def zero(frame: Frame) -> Acceleration:
        """Acceleration of a frame at rest or in uniform motion."""
        return Acceleration(frame, ZERO3, ZERO3)

    @staticmethod
    def coriolis(velocity: Motion, relative: Motion) -> Acceleration:
        """Terms of a motion relative to a moving carrier: (ω × ω_rel , 2 ω × v_rel − ω_rel × v_rel).

        Args:
            velocity: Velocity of the frame.
            relative: Part of it that is relative to the carrier; the carrier has ω − ω_rel.
        """
        if velocity.frame is not relative.frame:
            raise mismatch(f"Coriolis of {velocity} and {relative}", velocity.frame, relative.frame)
        w, w_rel, v_rel = velocity.angular, relative.angular, relative.linear
        a = ZERO3 if v_rel.is_zero else w.cross(v_rel) * 2 - w_rel.cross(v_rel)
        return Acceleration(velocity.frame, w.cross(w_rel), a)

    def moved(self, X: Pose | Inverse, velocity: Motion) -> Acceleration:
        """The same body's acceleration at the origin and in the components of another frame.

        Args:
            X: Pose of this frame in the other, or the inverse of a pose of the other frame in this.
            velocity: Velocity of the body, in the frame of this acceleration.
        """
        if velocity.frame is not self.frame:
            raise mismatch(f"{self} with {velocity}", self.frame, velocity.frame)
        w, A = velocity.angular, X.rotation
        if isinstance(X, Inverse):
            pose = X.pose
            if self.frame is not pose.reference:
                raise mismatch(f"{X} of {self}", pose.reference, self.frame)
            return Acceleration(pose.frame, A @ self.angular, A @ self._at(pose.position, w))
        if self.frame is not X.frame:
            raise mismatch(f"{X} of {self}", X.frame, self.frame)
        w, alpha, p = A @ w, A @ self.angular, X.position
        a = A @ self.linear - alpha.cross(p) - w.cross(w.cross(p))
        return Acceleration(X.reference, alpha, a)

    def at(self, point: Vector, velocity: Motion) -> Vector:
        """a + α × r + ω × (ω × r), the acceleration of a point of the frame."""
        if velocity.frame is not self.frame:
            raise mismatch(f"{self} with {velocity}", self.frame, velocity.frame)
        return self._at(point, velocity.angular)

    def _at(self, r: Vector, w: Vector) -> Vector:
        return self.linear + self.angular.cross(r) + w.cross(w.cross(r))

    def __add__(self, other: Acceleration) -> Acceleration:
        if not isinstance(other, Acceleration):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if self.frame is not other.frame:
            raise mismatch(f"{self} + {other}", self.frame, other.frame)
        return Acceleration(self.frame, self.angular + other.angular, self.linear + other.linear)

    def __sub__(self, other: Acceleration) -> Acceleration:
        if not isinstance(other, Acceleration):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if self.frame is not other.frame:
            raise mismatch(f"{self} - {other}", self.frame, other.frame)
        return Acceleration(self.frame, self.angular - other.angular, self.linear - other.linear)

    def __repr__(self) -> str:
        return f"Acceleration in {self.frame.name!r}"
