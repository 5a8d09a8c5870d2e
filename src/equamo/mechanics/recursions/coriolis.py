"""Christoffel's Coriolis matrix without differentiation (Echeandia and Wensing 2021, algorithm 1).

With the spatial inertia I, the velocity V = (ω, v) of a body and its linear momentum f = m v + ω × MS,

    (1) B = ½ [(V×*) I + (I V)×̄* − I (V×)]  =  [ ω~ (J − ½ tr J 1) − MS~ v~   0 ]
                                                [ −f~                         0 ]

(their eq. 20, multiplied out in blocks about the body's origin: two of the four vanish). B is summed
over the bodies that a joint carries, as the inertia is; then

    (2) Φ̇ = Φ° + V × Φ        Φ° the change of Φ in the body's own frame
    (3) C_ij = Φ_iᵀ (I Φ̇_j + B Φ_j)      C_ji = Φ̇_iᵀ I Φ_j + Φ_iᵀ Bᵀ Φ_j      if i carries j
"""

from __future__ import annotations

from typing import final

from ...algebra.expr import HALF, ZERO, Expr
from ...algebra.expr.matrix import Matrix, identity, skew
from ...algebra.expr.vector import ZERO3, Vector
from ...robot.model.body import WORLD, Body
from ...robot.model.robot import Robot
from ...robot.spatial.force import Force
from ...robot.spatial.frame import Frame, mismatch
from ...robot.spatial.inertia import Inertia
from ...robot.spatial.motion import Motion
from ...robot.spatial.pose import Pose
from ..kinematics.velocities import velocities


@final
class BodyCoriolis:
    """B of (1): its block that maps ω to moments, and the momentum f in the other one."""

    __slots__ = ("block", "frame", "momentum")

    block: Matrix
    frame: Frame
    momentum: Vector

    def __init__(self, frame: Frame, block: Matrix, momentum: Vector) -> None:
        self.frame, self.block, self.momentum = frame, block, momentum

    @staticmethod
    def of(I: Inertia, V: Motion) -> BodyCoriolis:
        """(1) of a rigid body."""
        if I.frame is not V.frame:
            raise mismatch(f"B of {I} and {V}", I.frame, V.frame)
        J, h, w, v = I.tensor, I.first_moment, V.angular, V.linear
        half_trace = HALF * (J[0, 0] + J[1, 1] + J[2, 2])
        block = skew(w) @ (J - identity(3) * half_trace) - skew(h) @ skew(v)  # (1)
        return BodyCoriolis(I.frame, block, v * I.mass + w.cross(h))

    def __matmul__(self, S: Motion) -> Force:
        """B Φ"""
        if self.frame is not S.frame:
            raise mismatch(f"{self} @ {S}", self.frame, S.frame)
        return Force(self.frame, self.block @ S.angular, -(self.momentum.cross(S.angular)))

    def transposed(self, S: Motion) -> Force:
        """Bᵀ Φ, a pure moment"""
        if self.frame is not S.frame:
            raise mismatch(f"{self}ᵀ @ {S}", self.frame, S.frame)
        n = self.block.T @ S.angular + self.momentum.cross(S.linear)
        return Force(self.frame, n, ZERO3)

    def __rmatmul__(self, X: Pose) -> BodyCoriolis:
        """About the origin and in the components of another frame."""
        if self.frame is not X.frame:
            raise mismatch(f"{X} @ {self}", X.frame, self.frame)
        A, f = X.rotation, X.rotation @ self.momentum
        block = A @ self.block @ A.T - skew(X.position) @ skew(f)
        return BodyCoriolis(X.reference, block, f)

    def __add__(self, other: BodyCoriolis) -> BodyCoriolis:
        if self.frame is not other.frame:
            raise mismatch(f"{self} + {other}", self.frame, other.frame)
        return BodyCoriolis(self.frame, self.block + other.block, self.momentum + other.momentum)

    def __repr__(self) -> str:
        return f"BodyCoriolis in {self.frame.name!r}"


def coriolis_matrix(robot: Robot) -> Matrix:
    """C, n×n, of a tree in its joint speeds; Ṁ − 2C is skew.

    >>> from equamo.robot.library import load
    >>> coriolis_matrix(load("rr_arm"))[1, 0].closed_form()
    dq1*L1*Lc2*m2*sin(q2)
    """
    V = velocities(robot, still_base=True)
    I = {b.name: b.spatial_inertia for b in robot.bodies}
    B = {j: BodyCoriolis.of(I[j], V[j]) for j in I}
    rates = {b.name: _rates(b, V[b.name]) for b in robot.bodies}
    n = len(robot.v)
    C: list[list[Expr]] = [[ZERO] * n for _ in range(n)]
    for b in reversed(robot.bodies):  # tips to base
        i, j = b.parent, b.name
        _columns(robot, C, b, I[j], B[j], rates)
        if i != WORLD:
            X = robot.joint_pose(b)
            I[i] = I[i] + X @ I[j]
            B[i] = B[i] + X @ B[j]
    return Matrix(C)


def _rates(b: Body, V: Motion) -> list[Motion]:
    """(2) of each column"""
    pairs = zip(b.subspace_rate, b.subspace, strict=True)
    return [own + V.cross(S) for own, S in pairs]  # (2)


def _columns(
    robot: Robot,
    C: list[list[Expr]],
    b: Body,
    I: Inertia,
    B: BodyCoriolis,
    rates: dict[str, list[Motion]],
) -> None:
    """(3) for the speeds j of body b and all speeds i from there down to the base."""
    for S, rate, j in zip(b.subspace, rates[b.name], robot.columns(b), strict=True):
        F1, F2, F3 = I @ rate + B @ S, I @ S, B.transposed(S)
        carrier = b
        while True:
            columns = zip(
                carrier.subspace, rates[carrier.name], robot.columns(carrier), strict=True
            )
            for S_i, rate_i, i in columns:
                C[i][j] = S_i @ F1  # (3)
                if carrier is not b:
                    C[j][i] = rate_i @ F2 + S_i.angular @ F3.moment
            if carrier.parent == WORLD:
                break
            X = robot.joint_pose(carrier)
            F1, F2, F3 = X @ F1, X @ F2, X @ F3
            carrier = robot.body(carrier.parent)
