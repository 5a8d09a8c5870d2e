"""Loads on one body: of the force elements, and its weight (proNEu's `dyn`: B_F, B_T, I_F_grav)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, final

from ..expr import ZERO, Expr
from ..expr.vector import ZERO3, Vector
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.force_projection import BodyGeometry, body_point
from ..kinematics.poses import transform
from ..model.body import Body
from ..model.force import Load, PointForce, SpeedForce, Torque
from ..model.robot import Robot
from .replaced import replace_in


@final
@dataclass(frozen=True, slots=True)
class BodyLoads:
    """Force and torque of all force elements on a body, and its weight.

    `force` (B_F) and `torque` (B_T) are in the frame of the body, the torque about its origin.
    `weight` (I_F_grav) is m g in the world frame; it acts at the centre of mass. Rotors put no load on
    a body here. `left_out` names elements along a speed of a joint with several degrees of freedom, or
    of a screw: how such a joint shares its force is not determined by its power.
    """

    body: str
    force: Vector
    torque: Vector
    weight: Vector
    left_out: tuple[str, ...] = ()

    def replaced(self, steps: tuple[Mapping[Any, Any], ...]) -> BodyLoads:
        """Copy with symbols replaced, step after step."""
        F, T, W = (replace_in(x, steps) for x in (self.force, self.torque, self.weight))
        return BodyLoads(self.body, F, T, W, self.left_out)


def body_loads(robot: Robot, name: str) -> BodyLoads:
    """Loads on a body, actuators included.

    A force along the speed of a revolute or prismatic joint is a torque about, or a force along, its
    axis on the body, with the reaction on the parent.

    >>> from equamo.robots import load
    >>> loads = body_loads(load("rr_arm"), "upper")
    >>> loads.torque, loads.weight
    (Vector([0, 0, tau1 - tau2]), Vector([0, -g*m1, 0]))
    """
    body = robot.body(name)
    tree, geometry = robot.tree, BodyGeometry(robot)
    force, torque = ZERO3, ZERO3
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
        F, T = _wrench(tree, name, loads)
        force, torque = force + F, torque + T
    insert = ChosenSpeeds(robot).insert
    weight = robot.gravity * body.inertia.mass
    return BodyLoads(name, force.map(insert), torque.map(insert), weight, tuple(left_out))


def _wrench(tree: Robot, name: str, loads: Iterable[Load]) -> tuple[Vector, Vector]:
    """Force and torque about the origin of a body, in its frame, of the loads that act on it."""
    force, torque = ZERO3, ZERO3
    for load in loads:
        if isinstance(load, SpeedForce) or load.body != name:
            continue
        A, _ = transform(tree, load.expressed_in, name)
        if isinstance(load, PointForce):
            F = A @ load.force
            force, torque = force + F, torque + body_point(tree, load).cross(F)
        else:
            torque = torque + A @ load.torque
    return force, torque


def _owner(robot: Robot, speed: str) -> Body:
    return next(b for b in robot.bodies if speed in b.joint.speeds)


def _touches(robot: Robot, speed: str, body: Body) -> bool:
    owner = _owner(robot, speed)
    return body.name in (owner.name, owner.parent)


def _at_joint(robot: Robot, load: SpeedForce) -> tuple[Load, Load] | None:
    """A force along a joint speed as action on the body and reaction on its parent, where unique."""
    b = _owner(robot, load.speed)
    S_w, S_v = b.joint.angular(), b.joint.linear()
    if len(b.joint.speeds) != 1 or not (_is_zero(S_w.entries) or _is_zero(S_v.entries)):
        return None
    if _is_zero(S_v.entries):
        # Power n·ω_rel = f u with ω_rel = e u
        n = S_w.column(0) * load.force
        return Torque(b.name, n, b.name), Torque(b.parent, -n, b.name)
    F = S_v.column(0) * load.force
    return (
        PointForce(b.name, ZERO3, F, b.name),
        PointForce(b.parent, ZERO3, -F, b.name, point_in=b.name),
    )


def _is_zero(entries: Iterable[Expr]) -> bool:
    return all(x is ZERO for x in entries)
