"""Recursive formulation: Newton-Euler and composite rigid bodies, in few operations."""

from __future__ import annotations

from typing import Final

from ..expr import ZERO
from ..expr.vector import ZERO3
from ..kinematics.quantity_name import QuantityName
from ..kinematics.steps import Inputs, Recorder, matrix_entry, of
from ..model.robot import Robot
from ..recursions.composite_bodies import mass_matrix
from ..recursions.newton_euler import generalized_force, inverse_dynamics
from .derivation import Derivation, record_entries

_RULE: Final = "S_ωᵀ N + S_vᵀ F"


def recursive(robot: Robot, record: Recorder | None = None) -> Derivation:
    """M, bias, gravity and generalized forces by recursion over the tree.

    Args:
        robot: The robot, in its joint speeds.
        record: Takes the steps.

    >>> from equamo.robots import load
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
    if record is not None:
        inputs = _inputs(record, robot)
        names = [x.name for x in robot.v]
        record_entries(record, _RULE, names, D, lambda x: inputs.get(x, ()))
    return D


def _inputs(record: Recorder, robot: Robot) -> Inputs:
    """Inputs of each entry: force and moment on the body whose joint they are projected on."""
    names, inputs = [x.name for x in robot.v], Inputs()
    for b in robot.bodies:
        for i in robot.columns(b):
            for j in range(i, len(names)):  # speeds closer to the tips, if b carries their joints
                parts = record.known(of("FN", b.name, (names[j],)))
                inputs[matrix_entry("M", names[i], names[j])] = parts
            for case in ("bias", "gravity"):
                inputs[QuantityName(case, by=(names[i],))] = of("FN", b.name, case=case)
            for f in robot.forces:
                parts = record.known(of("FN", b.name, (f.name,), case="load"))
                inputs[QuantityName("Q", by=(f.name, names[i]))] = parts
    return inputs
