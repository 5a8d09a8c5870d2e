"""Loads of force elements as spatial forces on bodies, each in the frame of its body.

For algorithms that pass forces from body to body. `force_projection` does not use this: the formulations
that project loads with their own Jacobians stay independent of how a force is moved.
"""

from __future__ import annotations

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.vector import ZERO3
from ...robot.model.body import WORLD
from ...robot.model.force import ForceElement, PointForce, SpeedForce, Torque
from ...robot.model.robot import Robot
from ...robot.spatial.force import Force
from .force_projection import BodyGeometry, body_point
from .poses import transform

BodyForces = dict[str, Force]  # body -> force on it, in its frame; absent: none


def spatial_force(robot: Robot, load: PointForce | Torque) -> Force:
    """Load on a body as a spatial force in the frame of the body."""
    frame = robot.spatial_frame(load.body)
    A = transform(robot, load.expressed_in, load.body).rotation
    if isinstance(load, PointForce):
        return Force.at(frame, body_point(robot, load), A @ load.force)
    return Force(frame, A @ load.torque, ZERO3)


def element_forces(robot: Robot, element: ForceElement) -> tuple[list[Expr], BodyForces]:
    """(forces along the joint speeds, forces on bodies) of one element."""
    names = [x.name for x in robot.v]
    along: list[Expr] = [ZERO] * len(names)
    on_bodies: BodyForces = {}
    for load in element.loads(BodyGeometry(robot)):
        if isinstance(load, SpeedForce):
            k = names.index(load.speed)
            along[k] = along[k] + load.force
        elif load.body != WORLD:
            F = on_bodies.get(load.body, Force.zero(robot.spatial_frame(load.body)))
            on_bodies[load.body] = F + spatial_force(robot, load)
    return along, on_bodies
