"""Poses of frames as functions of q, by products along the tree. No velocities.

The rotation of `transform(robot, a, b)` is A_ba of document 000's Rot: components in frame a to
components in frame b.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from ...algebra.expr import Expr, internal
from ...algebra.expr.differentiate import directional, jacobian
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...robot.model.body import WORLD
from ...robot.model.relative_pose import transform as transform
from ...robot.model.robot import Robot
from ...robot.spatial.frame import WORLD_FRAME
from ...robot.spatial.pose import Pose
from .steps import NO_RECORD, Record, Recorder, of


def poses(robot: Robot, record: Record = NO_RECORD) -> dict[str, Pose]:
    """Pose of every body in the world, base to tips, and of the world itself.

    Args:
        robot: The robot.
        record: Takes the steps A_0j and r_j of every body.

    Returns:
        Poses by the name of the body.

    >>> from equamo.robot.library import load
    >>> poses(load("rr_arm"))["fore"].position[0]
    L1*cos(q1)
    """
    X = {WORLD: Pose.identity(WORLD_FRAME)}
    for b in robot.bodies:
        i, j = b.parent, b.name
        record.aside(_record_joint, j, robot.joint_pose(b))
        # A_0j = A_0i A_ij ,  r_j = r_i + A_0i P
        X[j] = X[i] @ robot.joint_pose(b)
        T = of("T_joint", j)
        record("A_0j = A_0i A_ij", of("A", j), X[j].rotation, T, of("A", i))
        record("r_j = r_i + A_0i P", of("r", j), X[j].position, T, of("A r", i))
    return X


def _record_joint(record: Recorder, body: str, X: Pose) -> None:
    """Record T = [A P; 0 1] of the pose of a joint."""
    record("T_ij", of("T_joint", body), X.homogeneous())


@final
@dataclass(frozen=True, slots=True)
class PoseDerivative:
    """Derivatives of the rotation and the position of a body, entry by entry; not a pose."""

    rotation: Matrix
    position: Vector


def _entries(X: Pose) -> list[Expr]:
    return [*X.rotation.entries, *X.position]


def _read(entries: Sequence[Expr]) -> PoseDerivative:
    """Matrix and vector from a flat list in the order of `_entries`."""
    return PoseDerivative(Matrix([entries[i : i + 3] for i in (0, 3, 6)]), Vector(entries[9:]))


def coordinate_derivatives(X: Pose, q: Sequence[Expr]) -> dict[Expr, PoseDerivative]:
    """{q: (∂A/∂q, ∂r/∂q)} of a pose, by differentiating rotation and position."""
    D = jacobian(_entries(X), q)
    return {x: _read([row[j] for row in D]) for j, x in enumerate(q)}


def time_derivatives(
    robot: Robot, X: Mapping[str, Pose], rates: Mapping[Expr, Expr]
) -> dict[str, PoseDerivative]:
    """Ȧ and ṙ of every body at the rates {q: q̇}."""
    names = [b.name for b in robot.bodies]
    D = directional([e for k in names for e in _entries(X[k])], rates)
    return {k: _read(D[12 * i : 12 * i + 12]) for i, k in enumerate(names)}


def coordinate_rates(robot: Robot) -> tuple[Expr, ...]:
    """Symbols of q̇, to differentiate by: the speeds if q̇ = v, else symbols of their own."""
    return robot.v if robot.has_unit_map else tuple(internal("rate", x.name) for x in robot.q)
