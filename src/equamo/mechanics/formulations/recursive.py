"""Recursive formulation: Newton-Euler and composite rigid bodies, in few operations."""

from __future__ import annotations

from typing import Final

from ...algebra.expr import ZERO
from ...algebra.expr.vector import ZERO3
from ...robot.model.robot import Robot
from ..kinematics.steps import NO_RECORD, Record, Recorder, of
from ..recursions.composite_bodies import mass_matrix
from ..recursions.newton_euler import generalized_force, inverse_dynamics
from .derivation import Derivation
from .entries import bodies_by_speed, joint_speeds, record_sums

_RULE: Final = "S_ωᵀ N + S_vᵀ F"


def recursive(robot: Robot, record: Record = NO_RECORD) -> Derivation:
    """M, bias, gravity and generalized forces by recursion over the tree.

    Args:
        robot: The robot, in its joint speeds.
        record: Takes the steps.

    >>> from equamo.robot.library import load
    >>> recursive(load("rr_arm")).mass_matrix[1, 1].closed_form()
    I2 + Lc2**2*m2
    """
    rest = [ZERO] * len(robot.v)
    M = mass_matrix(robot, record)
    bias = inverse_dynamics(robot, robot.v, rest, ZERO3, record=record, case="bias")
    gravity = inverse_dynamics(
        robot, rest, rest, robot.gravity, still_base=True, record=record, case="gravity"
    )
    forces = {f.name: generalized_force(robot, f, record) for f in robot.forces}
    D = Derivation(M, bias, gravity, forces)
    record.aside(_record_result, robot, D)
    return D


def _record_result(record: Recorder, robot: Robot, D: Derivation) -> None:
    """Record the entries: force and moment on the body whose joint they are projected on."""
    own, bodies = bodies_by_speed(robot), joint_speeds(robot)
    record_sums(
        record, _RULE, list(own), D, robot, bodies,
        M=lambda k, j, i: [of("F N", k, i)],
        bias=lambda k, j: [of("F N", k, "", "bias")],
        gravity=lambda k, j: [of("F N", k, "", "gravity")],
        Q=lambda f, j: of("F N", own[j], f.name, "load"),
        others=dict.fromkeys(bodies, range(len(own))),
    )  # fmt: skip
