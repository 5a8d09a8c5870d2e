"""Inertia of a rigid body about a frame's origin: mass m, first moment MS = m c and tensor J.

    X I X*   m ,  g = h + m p ,  J' = A J Aᵀ + (p·(h + g)) 1 − (p hᵀ + g pᵀ)   with h = A MS
    I V      n = J ω + MS × v ,  f = m v + ω × MS                            ([RBDA] section 2.13)

The transport contains the parallel axis theorem twice (away from one origin, towards the other) and
needs no division by the mass.
"""

from __future__ import annotations

from typing import final

from ...algebra.expr import HALF, ZERO, Expr
from ...algebra.expr.matrix import Matrix, diagonal, mirrored
from ...algebra.expr.vector import ZERO3, Vector
from .accumulate import plus_dot
from .force import Force
from .frame import Frame, mismatch
from .motion import Motion
from .pose import Inverse, Pose
from .tensor_rotation import rotated


@final
class Inertia:
    """m, MS and J about the origin, components in `frame`.

    >>> from equamo.algebra.expr import symbol
    >>> body, new = Frame("body"), Frame("new")
    >>> ball = Inertia(body, symbol("m"), ZERO3, diagonal(["I"] * 3))
    >>> X = Pose(body, new, diagonal([1, 1, 1]), Vector(["l", 0, 0]))
    >>> (X @ ball).tensor[2, 2].closed_form()
    I + l**2*m
    """

    __slots__ = ("first_moment", "frame", "mass", "tensor")

    first_moment: Vector
    frame: Frame
    mass: Expr
    tensor: Matrix

    def __init__(self, frame: Frame, mass: Expr, first_moment: Vector, tensor: Matrix) -> None:
        self.frame, self.mass = frame, mass
        self.first_moment, self.tensor = first_moment, tensor

    @staticmethod
    def zero(frame: Frame) -> Inertia:
        """Inertia of a massless body."""
        return Inertia(frame, ZERO, ZERO3, diagonal([0, 0, 0]))

    def __rmatmul__(self, X: Pose | Inverse) -> Inertia:
        """The same body about the origin and in the components of another frame."""
        if isinstance(X, Inverse):
            X = X.multiplied_out()
        if not isinstance(X, Pose):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if self.frame is not X.frame:
            raise mismatch(f"{X} @ {self}", X.frame, self.frame)
        A, p = X.rotation, X.position
        h = A @ self.first_moment
        J = rotated(A, self.tensor)
        if p.is_zero:
            return Inertia(X.reference, self.mass, h, J)
        g = h + p * self.mass
        rows = [list(r) for r in J.rows]
        for i in range(3):
            others = [k for k in range(3) if k != i]
            rows[i][i] = plus_dot(J[i, i], [p[k] for k in others], [h[k] + g[k] for k in others])
            for j in range(i + 1, 3):
                rows[i][j] = J[i, j] - p[i] * h[j] - g[i] * p[j]
        return Inertia(X.reference, self.mass, g, mirrored(rows))

    def __matmul__(self, V: Motion) -> Force:
        """Momentum at velocity V; also the force that gives a body at rest the acceleration V."""
        if not isinstance(V, Motion):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if self.frame is not V.frame:
            raise mismatch(f"{self} @ {V}", self.frame, V.frame)
        w, v, h = V.angular, V.linear, self.first_moment
        return Force(self.frame, self.tensor @ w + h.cross(v), v * self.mass + w.cross(h))

    def kinetic_energy(self, V: Motion) -> Expr:
        """T = ½ ω·J ω + ½ v·(m v + 2 ω × MS)"""
        return HALF * self.twice_kinetic_energy(V)

    def twice_kinetic_energy(self, V: Motion, total: Expr = ZERO) -> Expr:
        """total + 2 T, so that a sum over bodies is halved once."""
        if self.frame is not V.frame:
            raise mismatch(f"kinetic energy of {self} at {V}", self.frame, V.frame)
        w, v = V.angular, V.linear
        total = total + w @ (self.tensor @ w)
        return total + v @ (v * self.mass + w.cross(self.first_moment) * 2)

    def __add__(self, other: Inertia) -> Inertia:
        """Two bodies fixed to each other."""
        if not isinstance(other, Inertia):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        if self.frame is not other.frame:
            raise mismatch(f"{self} + {other}", self.frame, other.frame)
        return Inertia(
            self.frame,
            self.mass + other.mass,
            self.first_moment + other.first_moment,
            self.tensor + other.tensor,
        )

    def __repr__(self) -> str:
        return f"Inertia in {self.frame.name!r}"
