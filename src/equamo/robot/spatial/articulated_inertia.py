"""Inertia of an articulated body, a body with all that it carries on joints ([RBDA] section 7.1).

n = J α + H a ,  f = Hᵀ α + M a        J and M symmetric; of a rigid body H = MS~ and M = m 1
X I X*   M' = A M Aᵀ ,  H' = A H Aᵀ + p~ M' ,  J' = A J Aᵀ + p~ (A H Aᵀ)ᵀ − H' p~
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.matrix import Matrix, identity, mirrored, skew
from .accumulate import minus_dot, plus_dot
from .force import Force
from .frame import Frame, mismatch
from .inertia import Inertia
from .motion import Motion
from .pose import Pose
from .tensor_rotation import rotated, rotated_any


@final
class ArticulatedInertia:
    """The blocks J, H and M about the origin, components in `frame`."""

    __slots__ = ("H", "J", "M", "frame")

    frame: Frame

    def __init__(self, frame: Frame, J: Matrix, H: Matrix, M: Matrix) -> None:
        self.frame, self.J, self.H, self.M = frame, J, H, M

    @staticmethod
    def of(I: Inertia) -> ArticulatedInertia:
        """Articulated inertia of a rigid body that carries nothing."""
        return ArticulatedInertia(I.frame, I.tensor, skew(I.first_moment), identity(3) * I.mass)

    def __matmul__(self, a: Motion) -> Force:
        """Force that accelerates the articulated body by a."""
        if not isinstance(a, Motion):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if self.frame is not a.frame:
            raise mismatch(f"{self} @ {a}", self.frame, a.frame)
        w, v = a.angular, a.linear
        return Force(self.frame, self.J @ w + self.H @ v, self.H.T @ w + self.M @ v)

    def __rmatmul__(self, X: Pose) -> ArticulatedInertia:
        """The same articulated body about the origin and in the components of another frame."""
        if not isinstance(X, Pose):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if self.frame is not X.frame:
            raise mismatch(f"{X} @ {self}", X.frame, self.frame)
        A, p = X.rotation, X.position
        J, H, M = rotated(A, self.J), rotated_any(A, self.H), rotated(A, self.M)
        if p.is_zero:
            return ArticulatedInertia(X.reference, J, H, M)
        P, n = skew(p), range(3)
        # H' = H + p~ M ,  J' = J + p~ Hᵀ − H' p~
        shifted = Matrix([[plus_dot(H[r, k], P.rows[r], M.rows[k]) for k in n] for r in n])
        columns = P.T.rows
        J = mirrored([
            [minus_dot(plus_dot(J[r, k], P.rows[r], H.rows[k]), shifted.rows[r], columns[k])
             for k in n] for r in n
        ])  # fmt: skip
        return ArticulatedInertia(X.reference, J, shifted, M)

    def through_joint(
        self, S: Sequence[Motion], U: Sequence[Force], scaled: Sequence[Force], clear: bool
    ) -> ArticulatedInertia:
        """I − U D⁻¹ Uᵀ: the inertia on the other side of a joint that moves freely ([RBDA] 7.2).

        Args:
            S: Columns of the joint's motion subspace.
            U: I S, column by column.
            scaled: Rows of D⁻¹ Uᵀ.
            clear: Write zeros in the rows of axes along which the joint moves. They are zero as
                functions, but not as expressions. With a rotor on the joint they are not zero at all.
        """
        J, H, M = ([list(r) for r in x.rows] for x in (self.J, self.H, self.M))
        for u, s in zip(U, scaled, strict=True):
            for F in (u, s):
                if F.frame is not self.frame:
                    raise mismatch(f"{self} through a joint with {F}", self.frame, F.frame)
            n, f, s_n, s_f = u.moment, u.force, s.moment, s.force
            for r in range(3):
                for k in range(3):
                    H[r][k] = H[r][k] - n[r] * s_f[k]
                    if k >= r:
                        J[r][k] = J[r][k] - n[r] * s_n[k]
                        M[r][k] = M[r][k] - f[r] * s_f[k]
        if clear:
            _clear(S, J, H, M)
        return ArticulatedInertia(self.frame, mirrored(J), Matrix(H), mirrored(M))

    def __add__(self, other: ArticulatedInertia) -> ArticulatedInertia:
        if not isinstance(other, ArticulatedInertia):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if self.frame is not other.frame:
            raise mismatch(f"{self} + {other}", self.frame, other.frame)
        return ArticulatedInertia(self.frame, self.J + other.J, self.H + other.H, self.M + other.M)

    def __repr__(self) -> str:
        return f"ArticulatedInertia in {self.frame.name!r}"


def _clear(
    S: Sequence[Motion], J: list[list[Expr]], H: list[list[Expr]], M: list[list[Expr]]
) -> None:
    """Write zeros in the rows of axes along which the joint moves freely."""
    for s in S:
        w, v = s.angular, s.linear
        if sum(x is not ZERO for x in (*w, *v)) != 1:
            continue
        for r in range(3):
            if w[r].value in (1, -1):
                for k in range(3):
                    J[min(r, k)][max(r, k)] = H[r][k] = ZERO
            if v[r].value in (1, -1):
                for k in range(3):
                    M[min(r, k)][max(r, k)] = H[k][r] = ZERO
