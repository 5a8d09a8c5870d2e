"""Steps of Lagrange's method that readers expect, but the computation does not need.

The method works at the origin of each frame; readers expect centres of mass. With r_G = r + A s,

    v_G = ṙ_G      T_trans = ½ m v_G·v_G      T_rot = ½ ω·I_G ω      J_v = ∂v_G/∂q̇      J_ω = ∂ω/∂q̇

Then the derivatives of L = E − U, of which M, C q̇ and Q are parts. Everything is computed from the
same rotations, positions and momenta as the derivation itself, and only if steps are recorded.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...algebra.expr import HALF, Expr
from ...algebra.expr.differentiate import directional, jacobian
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...robot.model.body import Body
from ...robot.model.robot import Robot
from ...robot.spatial.pose import Pose
from ..kinematics.steps import Recorder, of


def record_center(
    record: Recorder, robot: Robot, b: Body, X: Pose, w: Vector, q_dot: Sequence[Expr]
) -> None:
    """Record r_G, v_G, the two parts of the energy, and the Jacobians of one body.

    Only if q̇ = v, the base is at rest, and the model has the centre of mass.

    Args:
        record: Takes the steps; those of A, r and ω of the body are recorded.
        robot: The robot.
        b: The body.
        X: Its pose in the world.
        w: Its angular velocity in its own frame.
        q_dot: q̇.
    """
    if not (robot.base.is_zero and robot.has_unit_map) or b.inertia.com is None:
        return
    k, m, I_G = b.name, b.inertia.mass, b.inertia.tensor_at_center
    rates = dict(zip(robot.q, q_dot, strict=True))
    r_G = X.point(b.inertia.center)
    v_G = r_G.map(lambda entries: directional(entries, rates))
    J_v, J_w = Matrix(jacobian(list(v_G), q_dot)), Matrix(jacobian(list(w), q_dot))
    record("r_G = r + A s", of("r_G", k), r_G, of("A r", k))
    record("v_G = ṙ_G", of("v_G", k), v_G, of("r_G", k))
    record("½ m v_G·v_G", of("E_trans", k), HALF * m * (v_G @ v_G), of("v_G", k))
    record("½ ω·I_G ω", of("E_rot", k), HALF * (w @ (I_G @ w)), of("w", k))
    record("J_v = ∂v_G/∂q̇", of("J_v", k), J_v, of("v_G", k))
    record("J_ω = ∂ω/∂q̇", of("J_w", k), J_w, of("w", k))
    record("J_vᵀ J_v", of("JJ_v", k), J_v.T @ J_v, of("J_v", k))
    record("J_ωᵀ I_G J_ω", of("JJ_w", k), J_w.T @ (I_G @ J_w), of("J_w", k))


def record_lagrangian(
    record: Recorder,
    robot: Robot,
    E: Expr,
    U: Expr,
    p: Sequence[Expr],
    p_dot: Sequence[Expr],
    A: Matrix,
    E_q: Sequence[Expr],
    Q: Sequence[Expr],
) -> None:
    """Record L, and ∂L/∂q̇_i, d/dt ∂L/∂q̇_i and ∂L/∂q_i of every coordinate.

    Args:
        record: Takes the steps; those of E and U are recorded.
        robot: The robot, with q̇ = v.
        E: Kinetic energy.
        U: Potential energy.
        p: ∂E/∂q̇.
        p_dot: Its time derivative at q̈ = 0.
        A: ∂²E/∂q̇².
        E_q: ∂E/∂q.
        Q: ∂U/∂q.
    """
    rate = A @ Vector(robot.vdot) + Vector(p_dot)  # with q̈
    slope = Vector(E_q) - Vector(Q)
    record("L = E − U", of("L"), E - U, of("E U"))
    for i, v in enumerate(x.name for x in robot.v):
        record("∂L/∂q̇", of("dL_dv", "", v), p[i], of("L"))
        record("d/dt ∂L/∂q̇", of("dL_dv_dot", "", v), rate[i], of("dL_dv", "", v))
        record("∂L/∂q", of("dL_dq", "", v), slope[i], of("L"))
