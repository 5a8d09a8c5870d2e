"""Centre of mass and momentum of the whole robot, with their Jacobians; world frame."""

from __future__ import annotations

from ..errors import ModelError
from ..expr import ZERO, Expr
from ..expr.matrix import Matrix
from ..expr.vector import ZERO3, Vector
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.poses import Poses, poses
from ..kinematics.velocities import Columns, column_or_zero, partial_velocities, velocities
from ..model.robot import Robot


def total_mass(robot: Robot) -> Expr:
    """Σ m"""
    m = ZERO
    for b in robot.bodies:
        m = m + b.inertia.mass
    if m is ZERO:
        raise ModelError(f"Robot {robot.name!r} has no mass, so it has no centre of mass.")
    return m


def _first_moment(robot: Robot, pose: Poses) -> Vector:
    total = ZERO3
    for b in robot.bodies:
        r, A = pose.position[b.name], pose.rotation[b.name]
        total = total + r * b.inertia.mass + A @ b.inertia.first_moment
    return total


def center_of_mass(robot: Robot) -> Vector:
    """Σ m r / Σ m"""
    c = _first_moment(robot, poses(robot)) / total_mass(robot)
    return c.map(ChosenSpeeds(robot).insert)


def momentum_jacobian(robot: Robot) -> Matrix:
    """Angular momentum about the centre of mass and linear momentum, per unit speed; 6×n."""
    w, v = partial_velocities(robot.tree)
    columns = [_momentum(robot, _column(w, j), _column(v, j)) for j in range(len(robot.tree.v))]
    return _by_speed(robot, columns, 6)


def _by_speed(robot: Robot, columns: list[Vector], rows: int) -> Matrix:
    """A Jacobian in the robot's speeds from its columns in the joint speeds."""
    speeds = ChosenSpeeds(robot)
    J = Matrix([[c[i] for c in columns] for i in range(rows)]).map(speeds.insert)
    if not speeds.trivial:
        J = J @ speeds.W
    return Matrix(J.rows, None, [x.name for x in robot.v])


def _column(columns: dict[str, Columns], j: int) -> dict[str, Vector]:
    return {name: column_or_zero(c, j) for name, c in columns.items()}


def momentum(robot: Robot) -> Vector:
    """Angular momentum about the centre of mass, then linear momentum."""
    m = velocities(robot.tree)
    return _momentum(robot, m.w, m.v).map(ChosenSpeeds(robot).insert)


def _momentum(robot: Robot, w: dict[str, Vector], v: dict[str, Vector]) -> Vector:
    """Of given body velocities (each in its own frame)."""
    pose = poses(robot)
    c = _first_moment(robot, pose) / total_mass(robot)
    L = p = ZERO3
    for b in robot.bodies:
        I, A, r = b.inertia, pose.rotation[b.name], pose.position[b.name]
        w_b, v_b = w[b.name], v[b.name]
        p_b = A @ (v_b * I.mass + w_b.cross(I.first_moment))
        L_b = A @ (I.tensor @ w_b + I.first_moment.cross(v_b))  # about the body's origin
        p = p + p_b
        L = L + L_b + (r - c).cross(p_b)
    return Vector([*L, *p])


def center_of_mass_jacobian(robot: Robot) -> Matrix:
    """∂(velocity of the centre of mass)/∂v: linear momentum over mass; 3×n."""
    w, v = partial_velocities(robot.tree)
    pose, m = poses(robot), total_mass(robot)
    columns: list[Vector] = []
    for j in range(len(robot.tree.v)):
        p = ZERO3
        for b in robot.bodies:
            w_b, v_b = column_or_zero(w[b.name], j), column_or_zero(v[b.name], j)
            p = p + pose.rotation[b.name] @ (
                v_b * b.inertia.mass + w_b.cross(b.inertia.first_moment)
            )
        columns.append(p / m)
    return _by_speed(robot, columns, 3)
