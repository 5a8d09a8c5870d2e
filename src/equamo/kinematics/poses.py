"""Rotations and positions of frames as functions of q, by products along the tree. No velocities.

`rotation(robot, a, b)` is A_ba of document 000's Rot: components in frame a to components in frame b.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import final

from ..expr import Expr, internal
from ..expr.differentiate import directional, jacobian
from ..expr.matrix import Matrix, blocks, identity
from ..expr.vector import ZERO3, Vector
from ..model.body import WORLD, Body
from ..model.robot import Robot
from .quantity_name import QuantityName
from .steps import Recorder, of


@final
@dataclass
class Poses:
    """A_0B and 0_r_0B of every body."""

    rotation: dict[str, Matrix] = field(default_factory=dict[str, Matrix])
    position: dict[str, Vector] = field(default_factory=dict[str, Vector])


def poses(robot: Robot, record: Recorder | None = None) -> Poses:
    """World rotation and position of every body, base to tips."""
    p = Poses({WORLD: identity(3)}, {WORLD: ZERO3})
    for b in robot.bodies:
        A = p.rotation[b.parent]
        p.rotation[b.name] = A @ b.joint.rotation
        p.position[b.name] = p.position[b.parent] + A @ b.joint.position
        if record is not None:
            upwards = of(("A", "r"), b.parent)
            record("A_0j = A_0i A_ij", QuantityName("A", b.name), p.rotation[b.name], upwards[:1])
            record("r_j = r_i + A_0i P", QuantityName("r", b.name), p.position[b.name], upwards)
    return p


def coordinate_derivatives(robot: Robot, p: Poses) -> dict[Expr, Poses]:
    """{q: (∂A/∂q, ∂r/∂q) of every body that q moves}, by differentiating rotations and positions."""
    names = [b.name for b in robot.bodies]
    entries = [e for n in names for e in (*p.rotation[n].entries, *p.position[n])]
    D = jacobian(entries, robot.q)
    out: dict[Expr, Poses] = {}
    for column, q in enumerate(robot.q):
        flat = iter([row[column] for row in D])
        out[q] = Poses()
        for n in names:
            out[q].rotation[n] = Matrix([[next(flat) for _ in range(3)] for _ in range(3)])
            out[q].position[n] = Vector([next(flat) for _ in range(3)])
    return out


def time_derivatives(robot: Robot, p: Poses, rates: Mapping[Expr, Expr]) -> Poses:
    """Ȧ and ṙ of every body, given {q: q̇}."""
    names = [b.name for b in robot.bodies]
    entries = [e for n in names for e in (*p.rotation[n].entries, *p.position[n])]
    flat = iter(directional(entries, rates))
    out = Poses()
    for n in names:
        out.rotation[n] = Matrix([[next(flat) for _ in range(3)] for _ in range(3)])
        out.position[n] = Vector([next(flat) for _ in range(3)])
    return out


def transform(robot: Robot, frame: str, seen_from: str = WORLD) -> tuple[Matrix, Vector]:
    """(A, p): rotation and origin of `frame` in `seen_from`, through their nearest common ancestor."""
    up, down = robot.path(seen_from), robot.path(frame)
    common = 0
    while common < min(len(up), len(down)) and up[common] is down[common]:
        common += 1
    A1, p1 = _chain(down[common:])
    A2, p2 = _chain(up[common:])
    return A2.T @ A1, A2.T @ (p1 - p2)


def _chain(bodies: tuple[Body, ...]) -> tuple[Matrix, Vector]:
    A, p = identity(3), ZERO3
    for b in bodies:
        joint = b.joint
        p = p + A @ joint.position
        A = A @ joint.rotation
    return A, p


def homogeneous(A: Matrix, p: Vector) -> Matrix:
    """The 4×4 matrix T = [[A, p], [0, 1]] (document 000, Tf)."""
    column = Matrix([[x] for x in p])
    return blocks([[A, column], [Matrix([[0, 0, 0]]), Matrix([[1]])]])


def coordinate_rates(robot: Robot) -> tuple[Expr, ...]:
    """Symbols of q̇, to differentiate by: the speeds if q̇ = v, else symbols of their own."""
    return robot.v if robot.has_unit_map else tuple(internal("rate", x.name) for x in robot.q)
