"""Kinetic energy by the velocity recursion: no mass matrix is built."""

from __future__ import annotations

from ..expr import HALF, ZERO, Expr
from ..kinematics.force_projection import rotor_inertia
from ..kinematics.velocities import velocities
from ..model.robot import Robot


def kinetic_energy(robot: Robot) -> Expr:
    """T = ½ v·M v of a tree in its joint speeds, rotors included [J].

    >>> from equamo.robots import load
    >>> kinetic_energy(load("rr_arm")).diff("dq2").diff("dq2").closed_form()
    I2 + Lc2**2*m2
    """
    motion, twice = velocities(robot, still_base=True), ZERO
    for b in robot.bodies:
        # 2 T = ω·J ω + v·(m v + 2 ω × MS)
        I, w, v = b.inertia, motion.w[b.name], motion.v[b.name]
        twice = twice + w @ (I.tensor @ w)
        twice = twice + v @ (v * I.mass + w.cross(I.first_moment) * 2)
    for I_a, x in zip(rotor_inertia(robot), robot.v, strict=True):
        twice = twice + I_a * (x * x)
    return HALF * twice
