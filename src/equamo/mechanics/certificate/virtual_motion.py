"""Virtual motion of a robot by differentiating poses, sharing no code with the formulations.

Virtual joint speeds w move the coordinates by δq = N w, a point of a body by δr = ∂r/∂q N w, and rotate
the body by δθ with δA = δθ × A; all in the world frame. The symbols of the joint accelerations serve
as w, since poses and forces do not contain them. The same along the joint speeds u gives velocities.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, final

from ...algebra.expr import Expr, symbol
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix, identity, unskew
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import ZERO3, Vector
from ...robot.model import Robot
from ...robot.model.body import WORLD

Speeds = tuple[Expr, ...]


class Displacement(NamedTuple):
    """Rotation vector of a body and displacement of its origin, in the world frame."""

    angular: Vector
    linear: Vector


@final
class VirtualMotion:
    """Poses of a robot's bodies, and their displacements along u or w, in its joint speeds."""

    u: tuple[Expr, ...]
    w: tuple[Expr, ...]

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.u, self.w = robot.joint_speeds, robot.joint_accelerations
        self._poses: dict[str, tuple[Matrix, Vector]] = {WORLD: (identity(3), ZERO3)}
        self._displacements: dict[tuple[str, Speeds], Displacement] = {}

    def along(self, speed: str) -> Expr:
        """Virtual speed of a joint."""
        return self.w[self.u.index(symbol(speed))]

    def pose(self, body: str) -> tuple[Matrix, Vector]:
        """Rotation and origin of a body in the world frame."""
        if body not in self._poses:
            b = self.robot.body(body)
            A, p = self.pose(b.parent)
            self._poses[body] = A @ b.joint.rotation, p + A @ b.joint.position
        return self._poses[body]

    def point(self, body: str, point: Vector) -> Vector:
        """World position of a point given in the frame of a body."""
        A, p = self.pose(body)
        return p + A @ point

    def displacement(self, body: str, speeds: Speeds) -> Displacement:
        """Displacement of a body along the given joint speeds: δθ from δA Aᵀ, and δp."""
        if (body, speeds) not in self._displacements:
            A, p = self.pose(body)
            changed = directional([*A.entries, *p], self.rates(speeds))
            dA = Matrix([changed[0:3], changed[3:6], changed[6:9]])
            found = Displacement(unskew(dA @ A.T), Vector(changed[9:]))
            self._displacements[body, speeds] = found
        return self._displacements[body, speeds]

    def rates(self, speeds: Speeds) -> dict[Expr, Expr]:
        """Rates {q: q̇} for joint speeds, joint by joint: q̇ = N u."""
        rates: dict[Expr, Expr] = {}
        for b in self.robot.bodies:
            own = Vector([speeds[k] for k in self.robot.columns(b)])
            rates |= zip(b.joint.q, b.joint.map() @ own, strict=True)
        return rates

    def point_displacement(self, body: str, place: Vector, speeds: Speeds) -> Vector:
        """Displacement of the body-fixed point at the world position `place`."""
        d = self.displacement(body, speeds)
        return d.linear + d.angular.cross(place - self.pose(body)[1])

    @cached_property
    def _chosen(self) -> dict[Expr, Expr]:
        """Joint speeds and dependent coordinates in those of the robot: u = W v and w = W v̇."""
        chosen, robot = self.robot.speed_map, self.robot
        if chosen is None:
            return {}
        new = dict(zip(self.u, chosen.W @ Vector(robot.v), strict=True))
        new |= zip(self.w, chosen.W @ Vector(robot.vdot), strict=True)
        new |= {symbol(n): e for n, e in chosen.dependent}
        return {x: e for x, e in new.items() if x is not e}

    def insert(self, entries: Sequence[Expr]) -> list[Expr]:
        """Express the entries in the speeds v and the virtual speeds v̇ of the robot."""
        return substitute(entries, self._chosen) if self._chosen else list(entries)
