"""Velocities and accelerations by recursion from the joint axes, base to tips (document 000, 3–6).

Quantities of body j are in frame j: ω_j, α_j of the body and V_j, a_j of the origin of its frame. With
A = ʲA_i, P the origin of j in its parent i, and ω_rel = S_ω v, v_rel = S_v v of the joint,

    (3) ω_j = A ω_i + ω_rel
    (4) α_j = A α_i + S_ω v̇ + Ṡ_ω v + ω_j × ω_rel
    (5) V_j = A (V_i + ω_i × P) + v_rel
    (6) a_j = A (a_i + α_i × P + ω_i × (ω_i × P)) + S_v v̇ + Ṡ_v v + 2 ω_j × v_rel − ω_rel × v_rel

For revolute joints S_v = 0 and Ṡ = 0: the document's equations. The terms with v_rel, which it lacks,
are those of sliding joints.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.vector import ZERO3, Vector
from ...robot.model.base_motion import BaseMotion
from ...robot.model.body import WORLD
from ...robot.model.robot import Robot
from ...robot.spatial.acceleration import Acceleration
from ...robot.spatial.frame import WORLD_FRAME
from ...robot.spatial.motion import Motion
from .steps import NO_RECORD, Record, of

Columns = dict[int, Vector]  # position of a speed in v -> vector; absent: zero
PartialVelocities = dict[int, Motion]  # position of a speed in v -> ∂V/∂v_j; absent: zero


@final
@dataclass(frozen=True)
class BodyMotions:
    """Velocity and acceleration of every body in its own frame, and of the world."""

    velocity: dict[str, Motion]
    acceleration: dict[str, Acceleration]


def velocities(
    robot: Robot, still_base: bool = False, record: Record = NO_RECORD
) -> dict[str, Motion]:
    """Velocity of every body, in its own frame, and of the world.

    Args:
        robot: The robot.
        still_base: Leave out the motion of a moving base.
        record: Takes the steps (3) and (5) of every body.
    """
    base = BaseMotion() if still_base else robot.base
    V = {WORLD: Motion(WORLD_FRAME, base.w, base.v)}
    for b in robot.bodies:
        i, j = b.parent, b.name
        # (3), (5) V_j = X⁻¹ V_i + S v
        V[j] = robot.joint_pose(b).inverse @ V[i] + b.relative_velocity
        record("(3)", of("w", j), V[j].angular, of("w", i))
        record("(5)", of("V", j), V[j].linear, of("V w", i))
    return V


def accelerations(
    robot: Robot,
    vdot: Sequence[Expr],
    record: Record = NO_RECORD,
    case: str = "",
    gravity: Vector = ZERO3,
) -> BodyMotions:
    """Velocity and acceleration of every body, in its own frame.

    Args:
        robot: The robot.
        vdot: Derivatives of the joint speeds; zeros for the bias.
        record: Takes the steps (3) to (6) of every body.
        case: Case of the recorded names of α and a, such as "bias".
        gravity: Subtracted from the acceleration of the world, which replaces the weight of all bodies.
    """
    V = velocities(robot, record=record)
    a = {WORLD: Acceleration(WORLD_FRAME, robot.base.alpha, robot.base.a - gravity)}
    for b in robot.bodies:
        i, j = b.parent, b.name
        X = robot.joint_pose(b).inverse
        added = b.motion([vdot[k] for k in robot.columns(b)])  # S v̇
        relative = Acceleration(b.frame, added.angular, added.linear) + b.bias_acceleration
        # (4), (6) a_j = X⁻¹ a_i + S v̇ + Ṡ v + Coriolis terms, with ω_i in X⁻¹ a_i
        relative = relative + Acceleration.coriolis(V[j], b.relative_velocity)
        a[j] = a[i].moved(X, V[i]) + relative
        w_ji = of("w", (j, i))
        record("(4)", of("alpha", j, "", case), a[j].angular, w_ji, of("alpha", i, "", case))
        record("(6)", of("a", j, "", case), a[j].linear, w_ji, of("alpha a", i, "", case))
    return BodyMotions(V, a)


def partial_velocities(robot: Robot, record: Record = NO_RECORD) -> dict[str, PartialVelocities]:
    """(V_k)_j = ∂V_k/∂v_j of every body k: (3) and (5) differentiated by the speeds.

    Only speeds of the joints between a body and the world occur.

    >>> from equamo.robot.library import load
    >>> partial_velocities(load("rr_arm"))["fore"][0].linear
    Vector([L1*sin(q2), L1*cos(q2), 0])
    """
    v = [x.name for x in robot.v]
    V: dict[str, PartialVelocities] = {WORLD: {}}
    for b in robot.bodies:
        i, k = b.parent, b.name
        X = robot.joint_pose(b).inverse
        # ∂(3), ∂(5): (V_k)_j = X⁻¹ (V_i)_j ; of the joint's own speeds the columns of S
        V[k] = {j: X @ x for j, x in V[i].items()}
        V[k] |= zip(robot.columns(b), b.subspace, strict=True)
        for j, x in V[k].items():
            by, parent = v[j], i if j in V[i] else WORLD
            record("∂(3)", of("w", k, by), x.angular, of("w", parent, by))
            record("∂(5)", of("V", k, by), x.linear, of("w V", parent, by))
    return V


def zeros(robot: Robot) -> list[Expr]:
    """v̇ = 0"""
    return [ZERO] * len(robot.v)
