"""Time derivative τ̇ of inverse dynamics by a differentiated Newton-Euler recursion.

In the spatial notation of Featherstone 2008 (section 2.10 and table 5.1), every quantity of body j in
its own frame. X moves from the parent, s = S v is the velocity relative to it, and ° differentiates
components in the body frame, so that s° = S v̇ + S° v and s°° come from the joint alone. Then, with
d/dt m = m° + V × m for a motion and d/dt F = F° + V ×* F for a force,

    (1) V_j = X V_i + s
    (2) A_j = X A_i + s° + V × s
    (3) Y_j = X Y_i + s°° + 2 V × s° + A × s + V × (V × s)              the jerk, Y = d/dt A
    (4) F = I G + V ×* I V                                             G = A − gravity
    (5) d/dt F = I Y + V ×* I G − I (V × G) + A ×* I V + V ×* (I A + V ×* I V)
    (6) F_i += X F_j,  d/dt F_i += X d/dt F_j                            passed to the parent
    (7) τ̇ = Sᵀ d/dt F + (S° + V × S)ᵀ F

Gravity is constant in the world, so d/dt G = Y. The recursion shares no code with `newton_euler`,
which works with classical accelerations.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.differentiate import directional
from ...algebra.expr.vector import ZERO3, Vector
from ...robot.model.body import WORLD, Body
from ...robot.model.robot import Robot
from ...robot.spatial.force import Force
from ...robot.spatial.frame import WORLD_FRAME
from ...robot.spatial.motion import Motion
from ..kinematics.force_projection import rotor_inertia


def inverse_dynamics_rate(robot: Robot, vddot: Sequence[Expr], gravity: Vector) -> Vector:
    """τ̇ of a tree with a fixed base, without force elements.

    Args:
        robot: The robot, in its joint speeds; q, v and v̇ are its symbols.
        vddot: Second derivatives of the joint speeds.
        gravity: Gravity in the world frame.

    Returns:
        τ̇, one entry per joint speed.

    >>> from equamo.algebra.expr import symbol
    >>> from equamo.robot.library import load
    >>> arm = load("rr_arm")
    >>> rate = inverse_dynamics_rate(arm, [ZERO, symbol("j2")], ZERO3)
    >>> rate[1].subs({"dq1": 0, "dq2": 0}).closed_form()
    j2*(I2 + Lc2**2*m2)
    """
    still = Motion.zero(WORLD_FRAME)
    V, A, Y = {WORLD: still}, {WORLD: still}, {WORLD: still}
    field = {WORLD: Motion(WORLD_FRAME, ZERO3, gravity)}  # relative to each body
    F: dict[str, Force] = {}
    F_dot: dict[str, Force] = {}
    for b in robot.bodies:
        i, j, X = b.parent, b.name, robot.joint_pose(b).inverse
        s, s1, s2 = _relative(robot, b, vddot)
        V[j] = X @ V[i] + s  # (1)
        w = V[j].cross(s)
        A[j] = X @ A[i] + s1 + w  # (2)
        Y[j] = X @ Y[i] + s2 + V[j].cross(s1) * 2 + A[j].cross(s) + V[j].cross(w)  # (3)
        field[j] = X @ field[i]
        I, G = b.spatial_inertia, A[j] - field[j]
        momentum = I @ V[j]
        F[j] = I @ G + V[j].cross_force(momentum)  # (4)
        rate = I @ A[j] + V[j].cross_force(momentum)
        F_dot[j] = (
            I @ (Y[j] - V[j].cross(G)) + V[j].cross_force(I @ G + rate) + A[j].cross_force(momentum)
        )  # (5)
    tau: list[Expr] = [ZERO] * len(robot.v)
    for b in reversed(robot.bodies):
        i, j, X = b.parent, b.name, robot.joint_pose(b)
        for S, own, k in zip(b.subspace, b.subspace_rate, robot.columns(b), strict=True):
            tau[k] = S @ F_dot[j] + (own + V[j].cross(S)) @ F[j]  # (7)
        if i != WORLD:
            F[i], F_dot[i] = F[i] + X @ F[j], F_dot[i] + X @ F_dot[j]  # (6)
    rotors = rotor_inertia(robot)
    return Vector(x + I * a for x, I, a in zip(tau, rotors, vddot, strict=True))


def _relative(robot: Robot, b: Body, vddot: Sequence[Expr]) -> tuple[Motion, Motion, Motion]:
    """s = S v, s° and s°° of a joint, by differentiating the components of S v"""
    joint = b.joint
    rates = dict(zip(joint.q, joint.q_dot, strict=True))
    rates |= zip(joint.v, joint.vdot, strict=True)
    rates |= zip(joint.vdot, (vddot[k] for k in robot.columns(b)), strict=True)
    s = b.relative_velocity
    first = directional([*s.angular, *s.linear], rates)
    second = directional(first, rates)
    s1, s2 = (Motion(b.frame, Vector(x[:3]), Vector(x[3:])) for x in (first, second))
    return s, s1, s2
