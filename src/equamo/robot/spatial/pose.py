"""Pose: rotation A and position p of a frame in a reference frame; its inverse is never multiplied out.

    X₁ X₂    A = A₁ A₂ ,   p = p₁ + A₁ p₂
    X₁⁻¹ X₂  A = A₁ᵀ A₂ ,  p = A₁ᵀ (p₂ − p₁)

No velocity occurs here: `lagrange` and `projected_newton_euler` differentiate A and p themselves.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, final

from ...algebra.expr.matrix import Matrix, blocks, identity
from ...algebra.expr.vector import ZERO3, Vector
from .frame import Frame, mismatch


@final
class Pose:
    """Pose of `frame` in `reference`; `X @ x` brings x from `frame` to `reference`.

    >>> world, upper, fore = Frame("world"), Frame("upper"), Frame("fore")
    >>> X = Pose(upper, world, identity(3), Vector(["x", 0, 0]))
    >>> Y = Pose(fore, upper, identity(3), Vector([0, "y", 0]))
    >>> X @ Y, (X @ Y).position
    (Pose of 'fore' in 'world', Vector([x, y, 0]))
    """

    __slots__ = ("_inverse", "frame", "position", "reference", "rotation")

    frame: Frame
    reference: Frame

    def __init__(self, frame: Frame, reference: Frame, rotation: Matrix, position: Vector) -> None:
        self.frame, self.reference = frame, reference
        self.rotation: Matrix = rotation  # components in `frame` to components in `reference`
        self.position: Vector = position  # origin of `frame`, components in `reference`
        self._inverse: Inverse | None = None

    @staticmethod
    def identity(frame: Frame, reference: Frame | None = None) -> Pose:
        """Pose of a frame in itself, or in one that coincides with it."""
        return Pose(frame, reference or frame, identity(3), ZERO3)

    @property
    def inverse(self) -> Inverse:
        """X⁻¹: `X.inverse @ x` brings x from `reference` to `frame`."""
        if self._inverse is None:
            self._inverse = Inverse(self)
        return self._inverse

    def __matmul__(self, other: Pose) -> Pose:
        """Pose of `other.frame` in `reference`."""
        if not isinstance(other, Pose):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if other.reference is not self.frame:
            raise mismatch(f"{self} @ {other}", self.frame, other.reference)
        A = self.rotation
        return Pose(
            other.frame, self.reference, A @ other.rotation, self.position + A @ other.position
        )

    def point(self, r: Vector) -> Vector:
        """Position in `reference` of a point with the position r in `frame`."""
        return self.position + self.rotation @ r

    @property
    def is_identity(self) -> bool:
        """Whether both frames literally coincide."""
        return self.position.is_zero and identity(3) == self.rotation

    def homogeneous(self) -> Matrix:
        """The 4×4 matrix T = [[A, p], [0, 1]] (document 000, Tf)."""
        column = Matrix([[x] for x in self.position])
        return blocks([[self.rotation, column], [Matrix([[0, 0, 0]]), Matrix([[1]])]])

    def subs(self, replacements: Mapping[Any, Any]) -> Pose:
        """Pose with symbols replaced."""
        A, p = self.rotation.subs(replacements), self.position.subs(replacements)
        return Pose(self.frame, self.reference, A, p)

    def __repr__(self) -> str:
        return f"Pose of {self.frame.name!r} in {self.reference.name!r}"


@final
class Inverse:
    """Inverse of a pose. Its position −Aᵀ p costs operations, and no transport needs it."""

    __slots__ = ("pose", "rotation")

    pose: Pose
    rotation: Matrix

    def __init__(self, pose: Pose) -> None:
        self.pose, self.rotation = pose, pose.rotation.T

    @property
    def inverse(self) -> Pose:
        """The pose itself."""
        return self.pose

    def __matmul__(self, other: Pose) -> Pose:
        """Pose of `other.frame` in the frame of the inverted pose."""
        if not isinstance(other, Pose):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        X, A = self.pose, self.rotation
        if other.reference is not X.reference:
            raise mismatch(f"{self} @ {other}", X.reference, other.reference)
        return Pose(other.frame, X.frame, A @ other.rotation, A @ (other.position - X.position))

    def multiplied_out(self) -> Pose:
        """The inverse as a pose: rotation Aᵀ and position −Aᵀ p."""
        X = self.pose
        return Pose(X.reference, X.frame, self.rotation, -(self.rotation @ X.position))

    def __repr__(self) -> str:
        return f"inverse of the {self.pose!r}"
