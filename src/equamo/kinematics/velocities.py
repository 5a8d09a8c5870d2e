"""Velocities and accelerations by recursion from the joint axes, base to tips (document 000, 3–6).

All vectors of body j are in frame j: ω_j, α_j of the body and V_j, a_j of the origin of its frame.
With A = ʲA_i, P the origin of j in its parent i, and ω_rel = S_ω v, v_rel = S_v v of the joint,

    (3) ω_j = A ω_i + ω_rel
    (4) α_j = A α_i + S_ω v̇ + Ṡ_ω v + ω_j × ω_rel
    (5) V_j = A (V_i + ω_i × P) + v_rel
    (6) a_j = A (a_i + α_i × P + ω_i × (ω_i × P)) + S_v v̇ + Ṡ_v v + 2 (A ω_i) × v_rel + ω_rel × v_rel

For revolute joints S_v = 0 and Ṡ = 0: the document's equations. What they miss for sliding joints is
in v_rel.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import final

from ..expr import ZERO, Expr
from ..expr.vector import ZERO3, Vector
from ..model.base_motion import BaseMotion
from ..model.body import WORLD
from ..model.robot import Robot
from .quantity_name import QuantityName
from .steps import Recorder, of

Columns = dict[int, Vector]  # position of a speed in v -> vector; absent: zero


@final
@dataclass
class Motion:
    """ω, V, α, a of every body, and of the world's frame 0."""

    w: dict[str, Vector] = field(default_factory=dict[str, Vector])
    v: dict[str, Vector] = field(default_factory=dict[str, Vector])
    alpha: dict[str, Vector] = field(default_factory=dict[str, Vector])
    a: dict[str, Vector] = field(default_factory=dict[str, Vector])


def velocities(robot: Robot, still_base: bool = False, record: Recorder | None = None) -> Motion:
    """ω and V of every body, in its own frame."""
    base = BaseMotion() if still_base else robot.base
    m = Motion({WORLD: base.w}, {WORLD: base.v})
    for b in robot.bodies:
        joint, i, j = b.joint, b.parent, b.name
        A, P = joint.rotation.T, joint.position
        w_rel, v_rel = joint.relative_velocity
        # (3) ω_j = A ω_i + ω_rel
        m.w[j] = A @ m.w[i] + w_rel
        # (5) V_j = A (V_i + ω_i × P) + v_rel
        m.v[j] = A @ (m.v[i] + m.w[i].cross(P)) + v_rel
        if record is not None:
            record("(3)", QuantityName("w", j), m.w[j], of("w", i))
            record("(5)", QuantityName("V", j), m.v[j], of("Vw", i))
    return m


def accelerations(
    robot: Robot, vdot: Sequence[Expr], record: Recorder | None = None, case: str = ""
) -> Motion:
    """ω, V, α and a of every body, in its own frame, for given v̇ (zeros: the bias).

    `case` is that of the recorded names of α and a.
    """
    m = velocities(robot, record=record)
    m.alpha[WORLD], m.a[WORLD] = robot.base.alpha, robot.base.a
    for b in robot.bodies:
        joint, i, j = b.joint, b.parent, b.name
        A, P = joint.rotation.T, joint.position
        v_dot = Vector([vdot[k] for k in robot.columns(b)])
        S_w, S_v = joint.angular(), joint.linear()
        w_rel, v_rel = joint.relative_velocity
        # (4) α_j = A α_i + S_ω v̇ + Ṡ_ω v + ω_j × ω_rel
        m.alpha[j] = A @ m.alpha[i] + S_w @ v_dot + joint.angular_bias + m.w[j].cross(w_rel)
        # (6) a_j = A (a_i + α_i × P + ω_i × (ω_i × P)) + …
        carried = m.a[i] + m.alpha[i].cross(P) + m.w[i].cross(m.w[i].cross(P))
        sliding = S_v @ v_dot + joint.linear_bias
        if not v_rel.is_zero:
            sliding = sliding + (A @ m.w[i]).cross(v_rel) * 2 + w_rel.cross(v_rel)
        m.a[j] = A @ carried + sliding
        if record is not None:
            known = of("w", j) + of("w", i) + of(("alpha",), i, case=case)
            record("(4)", QuantityName("alpha", j, case=case), m.alpha[j], known)
            record("(6)", QuantityName("a", j, case=case), m.a[j], known + of("a", i, case=case))
    return m


def partial_velocities(
    robot: Robot, record: Recorder | None = None
) -> tuple[dict[str, Columns], dict[str, Columns]]:
    """((ω_k)_j, (V_k)_j): (3) and (5) differentiated by the speeds; only ancestors' speeds occur."""
    w: dict[str, Columns] = {WORLD: {}}
    v: dict[str, Columns] = {WORLD: {}}
    for b in robot.bodies:
        joint, i, k = b.joint, b.parent, b.name
        A, P = joint.rotation.T, joint.position
        # ∂(3): (ω_k)_j = A (ω_i)_j ;  ∂(5): (V_k)_j = A ((V_i)_j + (ω_i)_j × P)
        w[k] = {j: A @ x for j, x in w[i].items()}
        v[k] = {j: A @ (v[i][j] + x.cross(P)) for j, x in w[i].items()}
        for (s_w, s_v), j in zip(joint.columns, robot.columns(b), strict=True):
            w[k][j], v[k][j] = s_w, s_v
        if record is not None:
            for j in w[k]:
                by = (robot.v[j].name,)
                known = of("wV", i, by) if j in w[i] else []
                record("∂(3)", QuantityName("w", k, by=by), w[k][j], known[:1])
                record("∂(5)", QuantityName("V", k, by=by), v[k][j], known)
    return w, v


def zeros(robot: Robot) -> list[Expr]:
    """v̇ = 0"""
    return [ZERO] * len(robot.v)


def column_or_zero(columns: Columns, j: int) -> Vector:
    """The column of a speed, zero where it does not move the body."""
    return columns.get(j, ZERO3)
