"""Derivatives of inverse dynamics with respect to q and v by a separate recursion.

After Carpentier and Mansard 2018 and Singh, Russell and Wensing 2022, with velocities relative to the
origin of the body they are expressed in. `motion_changes` has the change (ψ, γ, δ) of body j, and of
everything it carries, along each speed of its joint. With the inertia I and the force F of body j with
everything it carries, and with the matrix B of `coriolis`, for velocities relative to the origin of j,

    (1) I_i += X I ,  F_i += X F ,  B_i += X B        passed to the parent, tips to base
    (2) dF = I (γ, δ) + 2 B ψ                         change of the force, relative to body j
    (3) ∂τ_j = Sᵀ dF ,  by q also + ∂Sᵀ F             joint j, along its own speeds
    (4) dF = X dF ,  by q first dF += S ×* F          passed on to the base, in fixed components
    (5) ∂τ_i = S_iᵀ dF                                joints i that carry j, along the speeds of j
    (6) P = I S ,  L = 2 Bᵀ S ;  P = X P ,  L = A L + 2 u × P_f      u: velocity of j's origin in i
    (7) ∂τ_j = P·(γ_i, δ_i) + L·ψ_i                   joint j, along the speeds of those that carry it

Only joints on one path to the base occur together; all other entries stay 0. P is also the column of
the mass matrix (`composite_bodies`), which is therefore shared with it, as I is, and F with the
recursion for τ.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.differentiate import derivative, directional
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...robot.model.body import WORLD, Body
from ...robot.model.force import ForceElement
from ...robot.model.robot import Robot
from ...robot.spatial.accumulate import plus_cross, plus_product
from ...robot.spatial.force import Force
from ...robot.spatial.inertia import Inertia
from ...robot.spatial.motion import Motion
from .motion_changes import Change, changes_by_q, changes_by_v, joint_direction, motion_slope
from .newton_euler import BodyMotion, body_motions, generalized_force, required_forces
from .relative_coriolis import RelativeCoriolis

Entries = list[list[Expr]]


@final
class Derivatives(NamedTuple):
    """Derivatives of τ, n×n: by q along the joint speeds (on the tangent space), and by v."""

    by_q: Matrix
    by_v: Matrix


def inverse_dynamics_derivatives(
    robot: Robot, elements: Sequence[ForceElement] = ()
) -> Derivatives:
    """Derivatives of inverse dynamics with gravity and the motion of the base.

    Args:
        robot: The robot, in its joint speeds.
        elements: Force elements that act as well; their generalized forces are differentiated.

    Returns:
        ∂τ/∂q, one column per joint speed, and ∂τ/∂v. The third derivative, ∂τ/∂v̇, is the mass matrix.

    >>> from equamo.robot.library import load
    >>> by_q, by_v = inverse_dynamics_derivatives(load("rr_arm"))
    >>> by_v[1, 0].closed_form()
    2*dq1*L1*Lc2*m2*sin(q2)
    """
    motions = body_motions(robot, robot.v, robot.vdot, robot.gravity)
    changes = {
        b.name: (changes_by_q(robot, b, motions), changes_by_v(b, motions[b.name]))
        for b in robot.bodies
    }
    F = required_forces(robot, robot.v, robot.vdot, robot.gravity)
    I = {b.name: b.spatial_inertia for b in robot.bodies}
    B = {b.name: RelativeCoriolis.zero(b.frame) for b in robot.bodies}
    twice_u = {b.name: _origin_velocity(robot, b, motions) * 2 for b in robot.bodies}
    n = range(len(robot.v))
    by_q: Entries = [[ZERO] * len(n) for _ in n]
    by_v: Entries = [[ZERO] * len(n) for _ in n]
    for b in reversed(robot.bodies):  # tips to base
        j = b.name
        B[j] = B[j].plus(b.spatial_inertia, motions[j].w * 2)  # 2 B is B at twice the velocities
        for k, S, x_q, x_v in zip(robot.columns(b), b.subspace, *changes[j], strict=True):
            dF_q, dF_v = _force(I[j], B[j], x_q), _force(I[j], B[j], x_v)  # (2)
            for l, S_l in zip(robot.columns(b), b.subspace, strict=True):
                slope = motion_slope(b, k - robot.columns(b)[0], S_l)
                by_q[l][k] = S_l @ dF_q + slope @ F[j]  # (3)
                by_v[l][k] = S_l @ dF_v
            dF_q = dF_q + _moved_along(S, F[j])  # (4)
            P, L = I[j] @ S, B[j].transposed(S)  # (6)
            for carrier in reversed(robot.path(j)[1:]):
                X = robot.joint_pose(carrier)
                dF_q, dF_v, P = X @ dF_q, X @ dF_v, X @ P  # (4), (6)
                L = plus_cross(X.rotation @ L, twice_u[carrier.name], P.force)
                i = carrier.parent
                own = robot.columns(robot.body(i))
                for l, S_l, y_q, y_v in zip(own, robot.body(i).subspace, *changes[i], strict=True):
                    by_q[l][k], by_v[l][k] = S_l @ dF_q, S_l @ dF_v  # (5)
                    by_q[k][l], by_v[k][l] = y_q.power(P, L), y_v.power(P, L)  # (7)
        if b.parent != WORLD:
            X, i = robot.joint_pose(b), b.parent
            moved = X @ I[j]
            B[i] = B[i] + B[j].moved(X, twice_u[j], moved)  # (1)
            I[i] = I[i] + moved
            F[i] = F[i].plus(X, F[j])
    _subtract_elements(robot, elements, by_q, by_v)
    return Derivatives(Matrix(by_q), Matrix(by_v))


def _origin_velocity(robot: Robot, b: Body, motions: dict[str, BodyMotion]) -> Vector:
    """Velocity of the body's origin relative to the parent's origin, in components of the parent."""
    X, v_rel = robot.joint_pose(b), b.relative_velocity.linear
    return plus_product(motions[b.parent].w.cross(X.position), X.rotation, v_rel)


def _force(I: Inertia, B: RelativeCoriolis, x: Change) -> Force:
    """I (γ, δ) + B ψ, fused."""
    F = I @ x.acceleration
    n, f = plus_product(F.moment, B.block, x.psi), plus_cross(F.force, x.psi, B.momentum)
    return Force(F.frame, n, f)


def _moved_along(S: Motion, F: Force) -> Force:
    """S ×* F: change of a force that is fixed to a body that moves along S."""
    w, v = S.angular, S.linear
    return Force(F.frame, w.cross(F.moment) + v.cross(F.force), w.cross(F.force))


def _subtract_elements(
    robot: Robot, elements: Sequence[ForceElement], by_q: Entries, by_v: Entries
) -> None:
    """Subtract the derivatives of the generalized forces of elements."""
    if not elements:
        return
    forces = [generalized_force(robot, element) for element in elements]
    total = [sum(parts, ZERO) for parts in zip(*forces, strict=True)]
    for b in robot.bodies:
        for k, column in enumerate(robot.columns(b)):
            for i, x in enumerate(directional(total, joint_direction(b, k))):
                by_q[i][column] = by_q[i][column] - x
    for column, v in enumerate(robot.v):
        for i, x in enumerate(derivative(total, v)):
            by_v[i][column] = by_v[i][column] - x
