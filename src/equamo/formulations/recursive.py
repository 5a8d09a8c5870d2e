"""The recursive formulation: Newton-Euler and composite rigid bodies, the fast path."""

from __future__ import annotations

from ..expr import ZERO
from ..expr.vector import ZERO3
from ..model.robot import Robot
from ..recursions.composite_bodies import mass_matrix
from ..recursions.newton_euler import generalized_force, inverse_dynamics
from .derivation import Derivation


def recursive(robot: Robot) -> Derivation:
    """M, bias, gravity and generalized forces by recursion over the tree."""
    nothing = [ZERO] * len(robot.v)
    return Derivation(
        mass_matrix(robot),
        inverse_dynamics(robot, robot.v, nothing, ZERO3),
        inverse_dynamics(robot, nothing, nothing, robot.gravity, still_base=True),
        {f.name: generalized_force(robot, f) for f in robot.forces},
    )
