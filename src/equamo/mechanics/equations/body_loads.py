"""Loads on one body: of the force elements, and its weight (proNEu's `dyn`: B_F, B_T, I_F_grav)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, final

from ...algebra.expr.vector import ZERO3, Vector
from ...robot.model.body import Body
from ...robot.model.force import Load, PointForce, SpeedForce, Torque
from ...robot.model.robot import Robot
from ...robot.spatial.force import Force
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.element_forces import spatial_force
from ..kinematics.force_projection import BodyGeometry
from .replaced import replace_in


@final
@dataclass(frozen=True, slots=True)
class BodyLoads:
    """Total force and torque of all force elements on a body, and its weight.

    Attributes:
        body: Name of the body.
        force: B_F, in the frame of the body.
        torque: B_T about the origin of the body, in its frame.
        weight: I_F_grav = m g in the world frame; it acts at the centre of mass.
        left_out: Elements that are not included because they act along a speed of a joint with several
            degrees of freedom, or of a screw: the power of such a force does not determine how the joint
            divides it. Rotors do not load a body here.
    """

    body: str
    force: Vector
    torque: Vector
    weight: Vector
    left_out: tuple[str, ...] = ()

    def replaced(self, steps: tuple[Mapping[Any, Any], ...]) -> BodyLoads:
        """Copy with symbols replaced, one mapping after the other."""
        F, T, W = (replace_in(x, steps) for x in (self.force, self.torque, self.weight))
        return BodyLoads(self.body, F, T, W, self.left_out)


def body_loads(robot: Robot, name: str) -> BodyLoads:
    """Loads on a body, actuators included.

    A force along the speed of a revolute or prismatic joint is a torque about its axis, or a force along
    it, on the body, with the reaction on the parent.

    Args:
        robot: The robot.
        name: Name of the body.

    Returns:
        The loads.

    Raises:
        UnknownNameError: If the robot has no such body.

    >>> from equamo.robot.library import load
    >>> loads = body_loads(load("rr_arm"), "upper")
    >>> loads.torque, loads.weight
    (Vector([0, 0, tau1 - tau2]), Vector([0, -g*m1, 0]))
    """
    body = robot.body(name)
    tree, geometry = robot.tree, BodyGeometry(robot)
    total = Force.zero(body.frame)
    left_out: list[str] = []
    for element in robot.forces:
        loads: list[Load] = []
        for load in element.loads(geometry):
            if isinstance(load, SpeedForce):
                pair = _at_joint(robot, load)
                if pair is None and _touches(robot, load.speed, body):
                    left_out.append(element.name)
                loads += pair or ()
            else:
                loads.append(load)
        total = total + _on_body(tree, body, loads)
    insert = ChosenSpeeds(robot).insert
    weight = robot.gravity * body.inertia.mass
    force, torque = total.force.map(insert), total.moment.map(insert)
    return BodyLoads(name, force, torque, weight, tuple(left_out))


def _on_body(tree: Robot, body: Body, loads: Iterable[Load]) -> Force:
    """Sum of those loads that act on the body, in its frame."""
    total = Force.zero(body.frame)
    for load in loads:
        if not isinstance(load, SpeedForce) and load.body == body.name:
            total = total + spatial_force(tree, load)
    return total


def _owner(robot: Robot, speed: str) -> Body:
    return next(b for b in robot.bodies if speed in b.joint.speeds)


def _touches(robot: Robot, speed: str, body: Body) -> bool:
    owner = _owner(robot, speed)
    return body.name in (owner.name, owner.parent)


def _at_joint(robot: Robot, load: SpeedForce) -> tuple[Load, Load] | None:
    """A force along a joint speed as action on the body and reaction on its parent, if unique."""
    b = _owner(robot, load.speed)
    if len(b.subspace) != 1:
        return None
    (S,) = b.subspace
    if not (S.angular.is_zero or S.linear.is_zero):
        return None
    if S.linear.is_zero:
        # Power n·ω_rel = f u with ω_rel = e u
        n = S.angular * load.force
        return Torque(b.name, n, b.name), Torque(b.parent, -n, b.name)
    F = S.linear * load.force
    return (
        PointForce(b.name, ZERO3, F, b.name),
        PointForce(b.parent, ZERO3, -F, b.name, point_in=b.name),
    )
