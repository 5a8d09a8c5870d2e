"""The matrix B of `coriolis` for velocities relative to the origin of a frame, which may itself move.

With the velocity c of a mass dm relative to the origin, at the position r, and Q = ∫ c rᵀ dm,

    (1) B = [ tr Q 1 − Q   0 ]      of a rigid body Q = ω~ (½ tr J 1 − J) ,  f = ω × MS
            [ −f~          0 ]      f = ∫ c dm
    (2) Q' = A Q Aᵀ + A f pᵀ + u gᵀ ,  f' = A f + m u

about the origin of another frame, in which the first one is at p with the velocity u; g = A MS + m p is
the first moment there.
"""

from __future__ import annotations

from typing import final

from ...algebra.expr import HALF, ZERO
from ...algebra.expr.matrix import Matrix, identity, skew
from ...algebra.expr.vector import ZERO3, Vector
from ...robot.spatial.accumulate import minus_dot, plus_cross, plus_dot
from ...robot.spatial.frame import Frame, mismatch
from ...robot.spatial.inertia import Inertia
from ...robot.spatial.motion import Motion
from ...robot.spatial.pose import Pose
from ...robot.spatial.tensor_rotation import rotated_any


@final
class RelativeCoriolis:
    """B of (1): its block that maps ω to moments, and the momentum f in the other one."""

    __slots__ = ("block", "frame", "momentum")

    block: Matrix
    frame: Frame
    momentum: Vector

    def __init__(self, frame: Frame, block: Matrix, momentum: Vector) -> None:
        self.frame, self.block, self.momentum = frame, block, momentum

    @staticmethod
    def zero(frame: Frame) -> RelativeCoriolis:
        """No mass."""
        return RelativeCoriolis(frame, Matrix([[ZERO] * 3] * 3), ZERO3)

    def plus(self, I: Inertia, w: Vector) -> RelativeCoriolis:
        """Fused sum with (1) of a rigid body that rotates about the origin with ω."""
        if I.frame is not self.frame:
            raise mismatch(f"{self} plus {I}", self.frame, I.frame)
        J = I.tensor
        K = J - identity(3) * (HALF * (J[0, 0] + J[1, 1] + J[2, 2]))
        rows = [
            [plus_dot(x, r, K.column(j)) for j, x in enumerate(own)]
            for r, own in zip(skew(w).rows, self.block.rows, strict=True)
        ]
        momentum = plus_cross(self.momentum, w, I.first_moment)
        return RelativeCoriolis(self.frame, Matrix(rows), momentum)

    def transposed(self, S: Motion) -> Vector:
        """Bᵀ S, a pure moment"""
        if S.frame is not self.frame:
            raise mismatch(f"{self}ᵀ @ {S}", self.frame, S.frame)
        return plus_cross(self.block.T @ S.angular, self.momentum, S.linear)

    def moved(self, X: Pose, u: Vector, I: Inertia) -> RelativeCoriolis:
        """(2), for the velocity u of the origin and the inertia I of the same bodies, in X.reference."""
        if X.frame is not self.frame:
            raise mismatch(f"{X} @ {self}", X.frame, self.frame)
        if I.frame is not X.reference:
            raise mismatch(f"{self} moved with {I}", X.reference, I.frame)
        A, p, g = X.rotation, X.position, I.first_moment
        f = A @ self.momentum
        rows = [list(r) for r in rotated_any(A, self.block).rows]
        for i in range(3):
            for j in range(3):
                if i != j:  # tr Q 1 − Q has no product of an entry with itself on the diagonal
                    rows[i][j] = minus_dot(rows[i][j], (f[i], u[i]), (p[j], g[j]))
                    rows[i][i] = plus_dot(rows[i][i], (f[j], u[j]), (p[j], g[j]))
        return RelativeCoriolis(X.reference, Matrix(rows), f + u * I.mass)

    def __add__(self, other: RelativeCoriolis) -> RelativeCoriolis:
        if other.frame is not self.frame:
            raise mismatch(f"{self} + {other}", self.frame, other.frame)
        return RelativeCoriolis(
            self.frame, self.block + other.block, self.momentum + other.momentum
        )

    def __repr__(self) -> str:
        return f"RelativeCoriolis in {self.frame.name!r}"
