"""Centre of mass and momentum of the whole robot, with their Jacobians, in the world frame.

(1) c = Σ (m r + A MS) / Σ m
(2) [L, p] = Σ X I V        X the pose of a body in a frame at c with the axes of the world
"""

from __future__ import annotations

from collections.abc import Mapping

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import ZERO3, Vector
from ...errors import ModelError
from ...robot.model.robot import Robot
from ...robot.spatial.force import Force
from ...robot.spatial.frame import Frame
from ...robot.spatial.motion import Motion
from ...robot.spatial.pose import Pose
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.poses import poses
from ..kinematics.velocities import partial_velocities, velocities


def total_mass(robot: Robot) -> Expr:
    """Mass of all bodies, Σ m.

    Raises:
        ModelError: If no body has a mass.
    """
    m = ZERO
    for b in robot.bodies:
        m = m + b.inertia.mass
    if m is ZERO:
        raise ModelError(
            f"Robot {robot.name!r} has no mass; its centre of mass needs at least one body with mass=…"
        )
    return m


def _center_of_mass(robot: Robot, X: Mapping[str, Pose]) -> Vector:
    """(1), in the joint coordinates"""
    total = ZERO3
    for b in robot.bodies:
        r, A = X[b.name].position, X[b.name].rotation
        total = total + r * b.inertia.mass + A @ b.inertia.first_moment
    return total / total_mass(robot)


def center_of_mass(robot: Robot) -> Vector:
    """Centre of mass of the robot, Σ m r / Σ m."""
    return _center_of_mass(robot, poses(robot)).map(ChosenSpeeds(robot).insert)


def momentum(robot: Robot) -> Vector:
    """Angular momentum about the centre of mass, then linear momentum."""
    h = _momentum(robot, _poses_at_center(robot), velocities(robot.tree))
    return Vector([*h.moment, *h.force]).map(ChosenSpeeds(robot).insert)


def momentum_jacobian(robot: Robot) -> Matrix:
    """Angular momentum about the centre of mass and linear momentum, per unit speed; 6×n."""
    columns = [Vector([*h.moment, *h.force]) for h in _momentum_columns(robot)]
    return _by_speed(robot, columns, 6)


def center_of_mass_jacobian(robot: Robot) -> Matrix:
    """∂(velocity of the centre of mass)/∂v: linear momentum divided by mass; 3×n."""
    m = total_mass(robot)
    return _by_speed(robot, [h.force / m for h in _momentum_columns(robot)], 3)


def _momentum_columns(robot: Robot) -> list[Force]:
    """(2) per unit of each joint speed"""
    X, V = _poses_at_center(robot), partial_velocities(robot.tree)
    n = range(len(robot.tree.v))
    return [_momentum(robot, X, {k: x[j] for k, x in V.items() if j in x}) for j in n]


def _momentum(robot: Robot, X: Mapping[str, Pose], V: Mapping[str, Motion]) -> Force:
    """(2) at velocities of the bodies, each in its own frame; absent: at rest."""
    h = Force.zero(next(iter(X.values())).reference)
    for b in robot.bodies:
        if b.name in V:
            h = h.plus(X[b.name], b.spatial_inertia @ V[b.name])
    return h


def _poses_at_center(robot: Robot) -> dict[str, Pose]:
    """Poses of the bodies in a frame at the centre of mass, with the axes of the world."""
    X, center = poses(robot), Frame("centre of mass")
    c = _center_of_mass(robot, X)
    in_world = {b.name: X[b.name] for b in robot.bodies}
    return {n: Pose(x.frame, center, x.rotation, x.position - c) for n, x in in_world.items()}


def _by_speed(robot: Robot, columns: list[Vector], rows: int) -> Matrix:
    """Jacobian in the robot's speeds from its columns in the joint speeds."""
    speeds = ChosenSpeeds(robot)
    J = Matrix([[c[i] for c in columns] for i in range(rows)]).map(speeds.insert)
    if not speeds.trivial:
        J = J @ speeds.W
    return Matrix(J.rows, None, [x.name for x in robot.v])
