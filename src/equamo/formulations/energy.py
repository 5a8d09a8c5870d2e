"""Kinetic energy by the velocity recursion: no mass matrix is built."""

from __future__ import annotations

from ..expr import HALF, ZERO, Expr
from ..expr.vector import ZERO3, Vector
from ..model.body import WORLD
from ..model.robot import Robot
from .projection import rotor_inertia


def kinetic_energy(robot: Robot) -> Expr:
    """T = ½ v·M v of a tree in its joint speeds, rotors included [J].

    >>> from equamo.robots import load
    >>> kinetic_energy(load("rr_arm")).diff("dq2").diff("dq2").closed_form()
    I2 + Lc2**2*m2
    """
    w, v = {WORLD: ZERO3}, {WORLD: ZERO3}
    twice = ZERO
    for b in robot.bodies:  # base to tips
        joint, i, j = b.joint, b.parent, b.name
        A, P = joint.rotation.T, joint.position
        speed = Vector(robot.v[k] for k in robot.columns(b))
        # (ω, v)_j = X (ω, v)_i + S v
        w[j] = A @ w[i] + joint.angular() @ speed
        v[j] = A @ (v[i] + w[i].cross(P)) + joint.linear() @ speed
        # 2 T = ω·J ω + v·(m v + 2 ω × MS)
        I = b.inertia
        twice = twice + w[j] @ (I.tensor @ w[j])
        twice = twice + v[j] @ (v[j] * I.mass + w[j].cross(I.first_moment) * 2)
    for I_a, x in zip(rotor_inertia(robot), robot.v, strict=True):
        twice = twice + I_a * (x * x)
    return HALF * twice
