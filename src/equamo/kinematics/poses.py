"""Poses of frames as functions of q, by products along the tree. No velocities.

The rotation of `transform(robot, a, b)` is A_ba of document 000's Rot: components in frame a to
components in frame b.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import final

from ..expr import Expr, internal
from ..expr.differentiate import directional, jacobian
from ..expr.matrix import Matrix
from ..expr.vector import Vector
from ..model.body import WORLD
from ..model.relative_pose import transform as transform
from ..model.robot import Robot
from ..spatial.frame import WORLD_FRAME
from ..spatial.pose import Pose
from .quantity_name import QuantityName
from .steps import Recorder, of


def poses(robot: Robot, record: Recorder | None = None) -> dict[str, Pose]:
    """Pose of every body in the world, base to tips, and of the world itself.

    Args:
        robot: The robot.
        record: Takes the steps A_0j and r_j of every body.

    Returns:
        Poses by the name of the body.

    >>> from equamo.robots import load
    >>> poses(load("rr_arm"))["fore"].position[0]
    L1*cos(q1)
    """
    X = {WORLD: Pose.identity(WORLD_FRAME)}
    for b in robot.bodies:
        # A_0j = A_0i A_ij ,  r_j = r_i + A_0i P
        X[b.name] = X[b.parent] @ robot.joint_pose(b)
        if record is not None:
            inputs = of(("A", "r"), b.parent)
            record("A_0j = A_0i A_ij", QuantityName("A", b.name), X[b.name].rotation, inputs[:1])
            record("r_j = r_i + A_0i P", QuantityName("r", b.name), X[b.name].position, inputs)
    return X


@final
@dataclass
class PoseDerivatives:
    """Derivatives of the rotation and the position of every body, entry by entry: not poses."""

    rotation: dict[str, Matrix] = field(default_factory=dict[str, Matrix])
    position: dict[str, Vector] = field(default_factory=dict[str, Vector])


def _entries(robot: Robot, X: Mapping[str, Pose]) -> list[Expr]:
    poses = [X[b.name] for b in robot.bodies]
    return [e for pose in poses for e in (*pose.rotation.entries, *pose.position)]


def _read(robot: Robot, entries: Iterator[Expr]) -> PoseDerivatives:
    """Matrices and vectors from a flat list in the order of `_entries`."""
    D = PoseDerivatives()
    for b in robot.bodies:
        D.rotation[b.name] = Matrix([[next(entries) for _ in range(3)] for _ in range(3)])
        D.position[b.name] = Vector([next(entries) for _ in range(3)])
    return D


def coordinate_derivatives(robot: Robot, X: Mapping[str, Pose]) -> dict[Expr, PoseDerivatives]:
    """{q: (∂A/∂q, ∂r/∂q) of every body}, by differentiating rotations and positions."""
    D = jacobian(_entries(robot, X), robot.q)
    return {q: _read(robot, iter([row[j] for row in D])) for j, q in enumerate(robot.q)}


def time_derivatives(
    robot: Robot, X: Mapping[str, Pose], rates: Mapping[Expr, Expr]
) -> PoseDerivatives:
    """Ȧ and ṙ of every body at the rates {q: q̇}."""
    return _read(robot, iter(directional(_entries(robot, X), rates)))


def coordinate_rates(robot: Robot) -> tuple[Expr, ...]:
    """Symbols of q̇, to differentiate by: the speeds if q̇ = v, else symbols of their own."""
    return robot.v if robot.has_unit_map else tuple(internal("rate", x.name) for x in robot.q)
