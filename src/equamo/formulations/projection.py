"""Generalized forces of force elements by virtual power: f = Σ J_vᵀ F + J_ωᵀ T.

Each formulation hands in its own Jacobians: `angular(body)` and `linear(body, point)` as columns of
∂ω/∂v and ∂v_point/∂v in some frame, and `turn(frame)` that brings components to that frame.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

from ..expr import ONE, ZERO, Expr
from ..expr.differentiate import linear_coefficients
from ..expr.matrix import Matrix
from ..expr.vector import Vector
from ..model.force import ForceElement, PointForce, SpeedForce
from ..model.robot import Robot
from .kinematics import Columns
from .transforms import transform


class Jacobians(ABC):
    """Abstract: a formulation's own partial velocities."""

    @abstractmethod
    def angular(self, body: str) -> Columns:
        """∂ω/∂v of a body, in the frame of `components`."""

    @abstractmethod
    def linear(self, body: str, point: Vector) -> Columns:
        """∂v/∂v of a point given in the body frame, in the frame of `components`."""

    def joint_speed(self, i: int) -> dict[int, Expr]:
        """∂u_i/∂v of a joint speed; v is u unless said otherwise."""
        return {i: ONE}

    @abstractmethod
    def components(self, vector: Vector, frame: str, body: str) -> Vector:
        """Components in `frame`, brought to the frame in which the Jacobians of `body` are."""


def generalized_force(robot: Robot, element: ForceElement, J: Jacobians) -> Vector:
    """The element's force on the right-hand side; its power into the robot is v·f."""
    joint_speeds = [x.name for x in robot.joint_speeds]
    names = [x.name for x in robot.v]
    f: list[Expr] = [ZERO] * len(names)
    for load in element.loads():
        if isinstance(load, SpeedForce):
            for j, x in J.joint_speed(joint_speeds.index(load.speed)).items():
                f[j] = f[j] + x * load.force
            continue
        if isinstance(load, PointForce):
            columns, vector = J.linear(load.body, body_point(robot, load)), load.force
        else:
            columns, vector = J.angular(load.body), load.torque
        if vector.is_zero:
            continue
        F = J.components(vector, load.expressed_in, load.body)
        for j, column in columns.items():
            f[j] = f[j] + column @ F
    return Vector(f, names)


def body_point(robot: Robot, load: PointForce) -> Vector:
    """The point of a force in the frame of its body."""
    if load.point_in is None:
        return load.point
    A, p = transform(robot, load.point_in, load.body)
    return p + A @ load.point


def input_matrix(robot: Robot, forces: dict[str, Vector]) -> Matrix:
    """B with Σ actuator forces = B · inputs."""
    names = [x.name for x in robot.v]
    total = Vector([ZERO] * len(names), names)
    for element in robot.forces:
        if element.inputs():
            total = total + forces[element.name]
    if not robot.inputs:
        return Matrix([[] for _ in names], names, [])
    B, _ = linear_coefficients(total, robot.inputs)
    return Matrix(B, names, [x.name for x in robot.inputs])
