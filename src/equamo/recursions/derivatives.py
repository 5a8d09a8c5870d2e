"""Derivatives of inverse dynamics by q and v, without differentiating the recursion.

After Carpentier and Mansard 2018 and Singh, Russell and Wensing 2022, in the form of our Newton-Euler
recursion: velocities are relative to the origin of the body they are expressed in, so that no linear
velocity of a body occurs. If joint j moves a little, or its speed changes a little, the motion of body j
changes, seen from itself, by

    (1) by q   ψ = ω_c × S_ω + s_ω
               γ = U_c S_ω + σ_ω + (ω_c + ω_j) × s_ω
               δ = a_c × S_ω + U_c S_v + σ_v + (2 ω_c × S_ω + s_ω) × v_rel + (ω_c + ω_j) × s_v
    (2) by v   ψ = S_ω
               γ = ∂(Ṡ_ω v)/∂v + (ω_c + ω_j) × S_ω
               δ = ∂(Ṡ_v v)/∂v + S_ω × v_rel + (ω_c + ω_j) × S_v

with the motion of the parent ω_c = A ω_i, U_c = A U_i Aᵀ, a_c = A (a_i + U_i P), and with s and σ, the
derivatives of the components of S v and of S v̇ + Ṡ v (0 for an axis that is fixed to the body). A point
at r that moves at c relative to the origin, of body j or of any body that j carries, is then accelerated
by δ + γ × r + 2 ψ × c more. With the inertia I, the force F and the matrix B (see `coriolis`, here of the
velocities c) summed over the bodies that j carries,

    (3) dF = I (γ, δ) + 2 B ψ
    (4) ∂τ_j = Sᵀ dF  (by q also ∂Sᵀ F)                of the joint itself
    (5) ∂τ_i = S_iᵀ X (dF + S ×* F)                    of the joints i that carry j; by v without S ×* F
    (6) ∂τ_j = (I S)·(γ_i, δ_i) + (2 Bᵀ S)·ψ_i         of joint j by those of i, both brought to i
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, final

from ..expr import HALF, ZERO, Expr
from ..expr.differentiate import derivative, directional
from ..expr.matrix import Matrix, identity, skew
from ..expr.vector import ZERO3, Vector
from ..model.body import WORLD, Body
from ..model.force import ForceElement
from ..model.robot import Robot
from ..spatial.accumulate import minus_dot, plus_cross, plus_dot, plus_product
from ..spatial.force import Force
from ..spatial.motion import Motion
from .coriolis import BodyCoriolis
from .newton_euler import (
    BodyMotion,
    acceleration_tensor,
    body_motions,
    generalized_force,
    required_forces,
)


@final
class Change(NamedTuple):
    """Change of a body's motion, seen from the body: ψ, and the accelerations (γ, δ)."""

    psi: Vector
    acceleration: Motion


@final
class Derivatives(NamedTuple):
    """Derivatives of τ, n×n: by q along the joint speeds (on the tangent space), and by v."""

    by_q: Matrix
    by_v: Matrix


def inverse_dynamics_derivatives(
    robot: Robot,
    vdot: Sequence[Expr] | None = None,
    elements: Sequence[ForceElement] = (),
) -> Derivatives:
    """Derivatives of inverse dynamics with gravity and the motion of the base.

    Args:
        robot: The robot, in its joint speeds.
        vdot: Derivatives of the joint speeds; by default their symbols.
        elements: Force elements that act as well; their generalized forces are differentiated.

    Returns:
        ∂τ/∂q, one column per joint speed, and ∂τ/∂v. The third one, ∂τ/∂v̇, is the mass matrix.

    >>> from equamo.robots import load
    >>> by_q, by_v = inverse_dynamics_derivatives(load("rr_arm"))
    >>> by_v[1, 0].closed_form()
    2*dq1*L1*Lc2*m2*sin(q2)
    """
    vdot = robot.vdot if vdot is None else vdot
    n = len(robot.v)
    by_q: list[list[Expr]] = [[ZERO] * n for _ in range(n)]
    by_v: list[list[Expr]] = [[ZERO] * n for _ in range(n)]
    motions = body_motions(robot, robot.v, vdot, robot.gravity)
    F = required_forces(robot, robot.v, vdot, robot.gravity)
    I = {b.name: b.spatial_inertia for b in robot.bodies}
    # 2 B is B at twice the velocities.
    B = {b.name: BodyCoriolis(b.frame, Matrix([[ZERO] * 3] * 3), ZERO3) for b in robot.bodies}
    rates = {b.name: _origin_rate(robot, b, motions) for b in robot.bodies}
    changes = {b.name: _changes(robot, b, vdot, motions) for b in robot.bodies}
    for b in reversed(robot.bodies):  # tips to base
        i, j = b.parent, b.name
        B[j] = _plus(B[j], b.spatial_inertia, Motion(b.frame, motions[j].w * 2, ZERO3))
        for k, S, by_position, by_speed in zip(
            robot.columns(b), b.subspace, *changes[j], strict=True
        ):
            dF_q, dF_v = (_force(I[j], B[j], x) for x in (by_position, by_speed))  # (3)
            slopes = _subspace_slopes(b, k - robot.columns(b)[0])
            for S_l, slope, l in zip(b.subspace, slopes, robot.columns(b), strict=True):
                by_q[l][k] = S_l @ dF_q + slope @ F[j]  # (4)
                by_v[l][k] = S_l @ dF_v
            dF_q = dF_q + _turned(S, F[j])
            momentum, moment = I[j] @ S, B[j].transposed(S).moment
            carrier = b
            while carrier.parent != WORLD:
                X = robot.joint_pose(carrier)
                dF_q, dF_v, momentum = X @ dF_q, X @ dF_v, X @ momentum
                moment = plus_cross(X.rotation @ moment, rates[carrier.name], momentum.force)
                carrier = robot.body(carrier.parent)
                for l, S_l, x_q, x_v in zip(
                    robot.columns(carrier), carrier.subspace, *changes[carrier.name], strict=True
                ):
                    by_q[l][k] = S_l @ dF_q  # (5)
                    by_v[l][k] = S_l @ dF_v
                    by_q[k][l] = _power(x_q, momentum, moment)  # (6)
                    by_v[k][l] = _power(x_v, momentum, moment)
        if i != WORLD:
            X = robot.joint_pose(b)
            moved = X @ I[j]
            B[i] = B[i] + _moved(X, B[j], rates[j], moved.first_moment, moved.mass)
            I[i] = I[i] + moved
            F[i] = F[i].plus(X, F[j])
    return _with_elements(robot, elements, Derivatives(Matrix(by_q), Matrix(by_v)))


def _force(I, B, change: Change) -> Force:
    F, psi = I @ change.acceleration, change.psi
    return Force(
        F.frame, plus_product(F.moment, B.block, psi), plus_cross(F.force, psi, B.momentum)
    )


def _power(x: Change, F: Force, n: Vector) -> Expr:
    a = x.acceleration
    return plus_dot(plus_dot(plus_dot(ZERO, x.psi, n), a.angular, F.moment), a.linear, F.force)


def _turned(S: Motion, F: Force) -> Force:
    """S ×* F, by which the force on a body changes if the body moves along S."""
    w, v = S.angular, S.linear
    return Force(F.frame, w.cross(F.moment) + v.cross(F.force), w.cross(F.force))


def _origin_rate(robot: Robot, b: Body, motions: dict[str, BodyMotion]) -> Vector:
    """Twice the velocity of the body's origin relative to the parent's origin, in the parent's frame."""
    X = robot.joint_pose(b)
    return (
        plus_product(motions[b.parent].w.cross(X.position), X.rotation, b.relative_velocity.linear)
        * 2
    )


def _plus(B, I, V):
    J, h, w, v = I.tensor, I.first_moment, V.angular, V.linear
    half = HALF * (J[0, 0] + J[1, 1] + J[2, 2])
    J = J - identity(3) * half
    W = skew(w).rows
    rows = [[plus_dot(B.block[i, j], W[i], J.column(j)) for j in range(3)] for i in range(3)]
    for i in range(3):
        for j in range(3):
            if i != j:
                rows[i][j] = rows[i][j] - v[i] * h[j]
                rows[i][i] = rows[i][i] + v[j] * h[j]
    return BodyCoriolis(B.frame, Matrix(rows), plus_cross(B.momentum + v * I.mass, w, h))


def _moved(X, B: BodyCoriolis, u: Vector, g: Vector, mass: Expr) -> BodyCoriolis:
    from ..spatial.tensor_rotation import rotated_any

    A, p = X.rotation, X.position
    f = A @ B.momentum
    rows = [list(r) for r in rotated_any(A, B.block).rows]
    for i in range(3):
        for j in range(3):
            if i != j:
                rows[i][j] = minus_dot(rows[i][j], (f[i], u[i]), (p[j], g[j]))
                rows[i][i] = plus_dot(rows[i][i], (f[j], u[j]), (p[j], g[j]))
    block = Matrix(rows)
    return BodyCoriolis(X.reference, block, f + u * mass)


def _subspace_slopes(b: Body, k: int) -> list[Motion]:
    seeds = _seeds(b, k)
    return [
        Motion(b.frame, Vector(directional(S.angular, seeds)), Vector(directional(S.linear, seeds)))
        for S in b.subspace
    ]


def _seeds(b: Body, k: int) -> dict[Expr, Expr]:
    return dict(zip(b.joint.q, b.joint.map().column(k), strict=True))


def _changes(
    robot: Robot, b: Body, vdot: Sequence[Expr], motions: dict[str, BodyMotion]
) -> tuple[list[Change], list[Change]]:
    """(1) and (2) of each speed of the joint."""
    own = robot.columns(b)
    X = robot.joint_pose(b)
    A = X.inverse.rotation
    parent = motions[b.parent]
    w_c, w, _, U = motions[b.name]
    a_c = A @ plus_product(parent.a.linear, parent.U, X.position)
    relative, added = b.relative_velocity, b.motion([vdot[k] for k in own])
    w_rel, v_rel = relative.angular, relative.linear
    bias = b.bias_acceleration
    sigma_w, sigma_v = added.angular + bias.angular, added.linear + bias.linear
    U_c = U if _one_axis(b) else acceleration_tensor(w_c, A @ parent.a.angular)
    both = w_c + w
    by_q, by_v = [], []
    for k, S in enumerate(b.subspace):
        seeds = _seeds(b, k)
        s_w, s_v, d_w, d_v = (
            Vector(directional(x, seeds)) for x in (w_rel, v_rel, sigma_w, sigma_v)
        )
        S_w, S_v = S.angular, S.linear
        carried = w_c.cross(S_w)
        psi = carried + s_w
        gamma = U_c @ S_w + d_w + both.cross(s_w)
        delta = (
            a_c.cross(S_w) + U_c @ S_v + d_v + (carried * 2 + s_w).cross(v_rel) + both.cross(s_v)
        )
        by_q.append(Change(psi, Motion(b.frame, gamma, delta)))
        b_w, b_v = (Vector(derivative(x, b.joint.v[k])) for x in (bias.angular, bias.linear))
        gamma = b_w + both.cross(S_w)
        delta = b_v + S_w.cross(v_rel) + both.cross(S_v)
        by_v.append(Change(S_w, Motion(b.frame, gamma, delta)))
    return by_q, by_v


def _one_axis(b: Body) -> bool:
    """Whether U_c S = U S: the joint does not rotate the body, or rotates and moves it along one axis."""
    S = b.subspace
    if all(s.angular.is_zero for s in S):
        return True
    axis = [
        k for k in range(3) if any(s.angular[k] is not ZERO or s.linear[k] is not ZERO for s in S)
    ]
    return len(axis) == 1


def _with_elements(robot: Robot, elements: Sequence[ForceElement], d: Derivatives) -> Derivatives:
    if not elements:
        return d
    f = [ZERO] * len(robot.v)
    for e in elements:
        f = [x + y for x, y in zip(f, generalized_force(robot, e), strict=True)]
    by_q = [[x for x in row] for row in d.by_q.rows]
    by_v = [[x for x in row] for row in d.by_v.rows]
    for b in robot.bodies:
        for k, c in enumerate(robot.columns(b)):
            for i, x in enumerate(directional(f, _seeds(b, k))):
                by_q[i][c] = by_q[i][c] - x
    for c, v in enumerate(robot.v):
        for i, x in enumerate(derivative(f, v)):
            by_v[i][c] = by_v[i][c] - x
    return Derivatives(Matrix(by_q), Matrix(by_v))
