"""Kinetic energy by the velocity recursion, without the mass matrix."""

from __future__ import annotations

from ...algebra.expr import HALF, ZERO, Expr
from ...robot.model.robot import Robot
from ..kinematics.force_projection import rotor_inertia
from ..kinematics.velocities import velocities


def kinetic_energy(robot: Robot) -> Expr:
    """T = ½ v·M v of a tree in its joint speeds, rotors included [J].

    >>> from equamo.robot.library import load
    >>> kinetic_energy(load("rr_arm")).diff("dq2").diff("dq2").closed_form()
    I2 + Lc2**2*m2
    """
    V, twice = velocities(robot, still_base=True), ZERO
    for b in robot.bodies:
        # 2 T = Σ ω·J ω + v·(m v + 2 ω × MS)
        twice = b.spatial_inertia.twice_kinetic_energy(V[b.name], twice)
    for I_a, x in zip(rotor_inertia(robot), robot.v, strict=True):
        twice = twice + I_a * (x * x)
    return HALF * twice
