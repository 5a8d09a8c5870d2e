"""Christoffel's Coriolis matrix without differentiation (Echeandia and Wensing 2021, algorithm 1).

With the spatial inertia I, the velocity (ω, v) of a body and its momentum f = m v + ω × MS,

    B = ½ [(v×*) I + (I v)×̄* − I (v×)]  =  [ ω~ (J − ½ tr J 1) − MS~ v~   0 ]
                                            [ −f~                         0 ]

(their eq. 20, multiplied out in blocks about the body's origin: two of the four vanish). B is summed
over the bodies that a joint carries, as the inertia is; then

    C_ij = Φ_iᵀ (I Φ̇_j + B Φ_j)      C_ji = Φ̇_iᵀ I Φ_j + Φ_iᵀ Bᵀ Φ_j      for i above j
"""

from __future__ import annotations

from ..expr import HALF, ZERO, Expr
from ..expr.matrix import Matrix, identity, skew
from ..expr.vector import Vector
from ..kinematics.velocities import velocities
from ..model.body import WORLD, Body
from ..model.inertia import Inertia
from ..model.robot import Robot
from .symmetric import moved

Six = tuple[Vector, Vector]  # angular, linear


def coriolis_matrix(robot: Robot) -> Matrix:
    """C, n×n, of a tree in its joint speeds; Ṁ − 2C is skew.

    >>> from equamo.robots import load
    >>> coriolis_matrix(load("rr_arm"))[1, 0].closed_form()
    dq1*L1*Lc2*m2*sin(q2)
    """
    motion = velocities(robot, still_base=True)
    inertia: dict[str, Inertia] = {}
    B: dict[str, Matrix] = {}
    f: dict[str, Vector] = {}
    rates: dict[str, list[Six]] = {}
    for b in robot.bodies:
        j = b.name
        w, v = motion.w[j], motion.v[j]
        I = inertia[j] = b.inertia
        J, h = I.tensor, I.first_moment
        # B = ω~ (J − ½ tr J 1) − MS~ v~ ,  f = m v + ω × MS
        half_trace = HALF * (J[0, 0] + J[1, 1] + J[2, 2])
        B[j] = skew(w) @ (J - identity(3) * half_trace) - skew(h) @ skew(v)
        f[j] = v * I.mass + w.cross(h)
        rates[j] = _rates(b, w, v)
    n = len(robot.v)
    C: list[list[Expr]] = [[ZERO] * n for _ in range(n)]
    for b in reversed(robot.bodies):  # tips to base
        _columns(robot, C, b, inertia[b.name], B[b.name], f[b.name], rates)
        if b.parent != WORLD:
            A, P, i = b.joint.rotation, b.joint.position, b.parent
            inertia[i] = inertia[i] + moved(inertia[b.name], A, P)
            momentum = A @ f[b.name]
            B[i] = B[i] + A @ B[b.name] @ A.T - skew(P) @ skew(momentum)
            f[i] = f[i] + momentum
    return Matrix(C)


def _rates(b: Body, w: Vector, v: Vector) -> list[Six]:
    """Φ̇ = Φ° + (ω, v) × Φ of each column, with Φ° its change in the body's own frame."""
    joint = b.joint
    own_w, own_v = joint.column_rates
    return [
        (own_w.column(k) + w.cross(s_w), own_v.column(k) + v.cross(s_w) + w.cross(s_v))
        for k, (s_w, s_v) in enumerate(joint.columns)
    ]


def _columns(
    robot: Robot,
    C: list[list[Expr]],
    b: Body,
    I: Inertia,
    B: Matrix,
    f: Vector,
    rates: dict[str, list[Six]],
) -> None:
    """C_ij and C_ji of the speeds j of body b and all speeds i from there up to the base."""
    for k, j in enumerate(robot.columns(b)):
        (s_w, s_v), (r_w, r_v) = b.joint.columns[k], rates[b.name][k]
        n2, f2 = _momentum(I, s_w, s_v)
        n1, f1 = _momentum(I, r_w, r_v)
        # F1 = I Φ̇ + B Φ ,  F2 = I Φ ,  F3 = Bᵀ Φ
        n1, f1 = n1 + B @ s_w, f1 - f.cross(s_w)
        n3 = B.T @ s_w + f.cross(s_v)
        at = b
        while True:
            for (t_w, t_v), (d_w, d_v), i in zip(
                at.joint.columns, rates[at.name], robot.columns(at), strict=True
            ):
                C[i][j] = t_w @ n1 + t_v @ f1
                if at is not b:
                    C[j][i] = d_w @ n2 + d_v @ f2 + t_w @ n3
            if at.parent == WORLD:
                break
            A, P = at.joint.rotation, at.joint.position
            f1, f2 = A @ f1, A @ f2
            n1, n2, n3 = A @ n1 + P.cross(f1), A @ n2 + P.cross(f2), A @ n3
            at = robot.body(at.parent)


def _momentum(I: Inertia, w: Vector, v: Vector) -> Six:
    """(J ω + MS × v, m v + ω × MS)"""
    h = I.first_moment
    return I.tensor @ w + h.cross(v), v * I.mass + w.cross(h)
