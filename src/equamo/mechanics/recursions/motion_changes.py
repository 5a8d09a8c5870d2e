"""Change of a body's motion for a small change of a joint's position or speed.

In components that move with the body, joint j changes the angular velocity
by ψ and the accelerations by (γ, δ):

    (1) by q   ψ = ω_c × S_ω + s_ω
               γ = U_c S_ω + σ_ω + (ω_c + ω_j) × s_ω
               δ = a_c × S_ω + U_c S_v + σ_v + (2 ω_c × S_ω + s_ω) × v_rel + (ω_c + ω_j) × s_v
    (2) by v   ψ = S_ω
               γ = ∂(Ṡ_ω v)/∂v + (ω_c + ω_j) × S_ω
               δ = ∂(Ṡ_v v)/∂v + S_ω × v_rel + (ω_c + ω_j) × S_v

Here ω_c = A ω_i, U_c = A U_i Aᵀ and a_c = A (a_i + U_i P) are the motion of the parent in components of
the body, and s and σ the derivatives of the components of S v and of S v̇ + Ṡ v, which are 0 for axes
that are fixed to the body. For a revolute joint ψ = ω × e, γ = U e and δ = a × e: nothing is computed.

Body j and everything it carries move alike: a point at r from the origin of j, with the velocity c
relative to that origin, is accelerated by

    (3) δ + γ × r + 2 ψ × c

more. Because c is relative to the origin, no linear velocity of a body occurs. (ψ, γ, δ) play the role
of Ψ̇ and Ψ̈ in Singh, Russell and Wensing 2022.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.differentiate import derivative, directional
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...robot.model.body import Body
from ...robot.model.robot import Robot
from ...robot.spatial.accumulate import plus_dot, plus_product
from ...robot.spatial.force import Force
from ...robot.spatial.frame import mismatch
from ...robot.spatial.motion import Motion
from .newton_euler import BodyMotion, acceleration_tensor


@final
class Change(NamedTuple):
    """ψ, and the accelerations (γ, δ)."""

    psi: Vector
    acceleration: Motion

    def power(self, F: Force, n: Vector) -> Expr:
        """(γ, δ)·F + ψ·n"""
        a = self.acceleration
        if a.frame is not F.frame:
            raise mismatch(f"power of {a} and {F}", a.frame, F.frame)
        return plus_dot(
            plus_dot(plus_dot(ZERO, self.psi, n), a.angular, F.moment), a.linear, F.force
        )


def changes_by_q(robot: Robot, b: Body, motions: Mapping[str, BodyMotion]) -> list[Change]:
    """(1) of each speed of the joint of a body: the joint moves along it."""
    X, parent, own = robot.joint_pose(b), motions[b.parent], motions[b.name]
    A = X.inverse.rotation
    a_c = A @ plus_product(parent.a.linear, parent.U, X.position)
    U_c = own.U if _has_one_axis(b) else acceleration_tensor(own.carried, A @ parent.a.angular)
    relative, bias = b.relative_velocity, b.bias_acceleration
    added = b.motion(b.joint.vdot)
    accelerations = Motion(b.frame, added.angular + bias.angular, added.linear + bias.linear)
    both = own.carried + own.w
    found: list[Change] = []
    for k, S in enumerate(b.subspace):
        s, sigma = motion_slope(b, k, relative), motion_slope(b, k, accelerations)
        turned = own.carried.cross(S.angular)
        gamma = U_c @ S.angular + sigma.angular + both.cross(s.angular)
        delta = a_c.cross(S.angular) + U_c @ S.linear + sigma.linear + both.cross(s.linear)
        delta = delta + (turned * 2 + s.angular).cross(relative.linear)
        found.append(Change(turned + s.angular, Motion(b.frame, gamma, delta)))
    return found


def changes_by_v(b: Body, motion: BodyMotion) -> list[Change]:
    """(2) of each speed of the joint of a body."""
    both, v_rel, bias = motion.carried + motion.w, b.relative_velocity.linear, b.bias_acceleration
    found: list[Change] = []
    for S, v in zip(b.subspace, b.joint.v, strict=True):
        bias_w, bias_v = (Vector(derivative(x, v)) for x in (bias.angular, bias.linear))
        gamma = bias_w + both.cross(S.angular)
        delta = bias_v + S.angular.cross(v_rel) + both.cross(S.linear)
        found.append(Change(S.angular, Motion(b.frame, gamma, delta)))
    return found


def motion_slope(b: Body, k: int, V: Motion) -> Motion:
    """Derivative of the components of V if the joint of body b moves along its speed k."""
    seeds = joint_direction(b, k)
    parts = (Vector(directional(x, seeds)) for x in (V.angular, V.linear))
    return Motion(b.frame, *parts)


def joint_direction(b: Body, k: int) -> dict[Expr, Expr]:
    """Rates of the coordinates of a joint if it moves along its speed k: column k of N."""
    N: Matrix = b.joint.map()
    return dict(zip(b.joint.q, N.column(k), strict=True))


def _has_one_axis(b: Body) -> bool:
    """Whether U_c S = U S: the joint translates the body, or rotates and moves it along one axis."""
    S = b.subspace
    if all(s.angular.is_zero for s in S):
        return True
    axes = {k for s in S for x in (s.angular, s.linear) for k in range(3) if x[k] is not ZERO}
    return len(axes) == 1
