"""Chosen speeds v: u = W(q) v for the joint speeds u, u̇ = W v̇ + Ẇ v. Virtual motions are columns of W.

A generalized force f in the joint speeds is Wᵀ f in the chosen ones, a mass matrix M is Wᵀ M W.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector, dot
from ...robot.model.robot import Robot
from ...robot.spatial.frame import Frame
from ...robot.spatial.motion import Motion
from .velocities import PartialVelocities


@final
class ChosenSpeeds:
    """Map from chosen speeds to joint speeds; W is the unit matrix if none were chosen."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.trivial: bool = robot.speed_map is None
        self.W = identity(len(robot.v)) if robot.speed_map is None else robot.speed_map.W

    @cached_property
    def W_dot(self) -> Matrix:
        """Ẇ along q̇ = N v"""
        q_dot = self.robot.kinematic_map @ Vector(self.robot.v)
        rates = dict(zip(self.robot.q, q_dot, strict=True))
        return self.W.map(lambda e: directional(e, rates))

    @cached_property
    def bias(self) -> Vector:
        """Ẇ v, the joint accelerations at v̇ = 0"""
        return self.W_dot @ Vector(self.robot.v)

    @cached_property
    def _inserted(self) -> dict[Expr, Expr]:
        robot = self.robot
        assert robot.speed_map is not None
        u = self.W @ Vector(robot.v)
        u_dot = self.W @ Vector(robot.vdot) + self.bias
        new: dict[Expr, Expr] = dict(zip(robot.joint_speeds, u, strict=True))
        new |= dict(zip(robot.joint_accelerations, u_dot, strict=True))
        q = {x.name: x for x in robot.joint_coordinates}
        new |= {q[name]: e for name, e in robot.speed_map.dependent}
        # A speed that keeps its joint's name stands for itself.
        return {x: e for x, e in new.items() if x is not e}

    def insert(self, entries: Iterable[Expr]) -> list[Expr]:
        """Substitute u = W v, u̇ = W v̇ + Ẇ v and the dependent coordinates."""
        return list(entries) if self.trivial else substitute(entries, self._inserted)

    @cached_property
    def _columns(self) -> list[list[tuple[int, Expr]]]:
        """Nonzero entries of W, column by column: most joints keep their own speed."""
        rows = list(enumerate(self.W.rows))
        return [[(i, r[j]) for i, r in rows if r[j] is not ZERO] for j in range(len(self.robot.v))]

    def combine(self, x: Sequence[Expr]) -> list[Expr]:
        """Wᵀ x"""
        return [dot((x[i] for i, _ in c), (w for _, w in c)) for c in self._columns]

    def by_speed(self, partial: PartialVelocities, frame: Frame) -> PartialVelocities:
        """∂V/∂v_j = Σ ∂V/∂u_i W_ij of a body with this frame."""
        if self.trivial:
            return partial
        new: PartialVelocities = {}
        for j, column in enumerate(self._columns):
            w = [w for i, w in column if i in partial]
            parts = [partial[i] for i, _ in column if i in partial]
            if parts:
                angular, linear = (
                    Vector([dot((x[c] for x in vectors), w) for c in range(3)])
                    for vectors in ([V.angular for V in parts], [V.linear for V in parts])
                )
                new[j] = Motion(frame, angular, linear)
        return new

    def project(self, f: Vector) -> Vector:
        """Wᵀ f of a generalized force f in the joint speeds."""
        return f if self.trivial else Vector(self.combine(self.insert(f)))

    def project_matrix(self, M: Matrix) -> Matrix:
        """Wᵀ M W of a symmetric M"""
        MW = list(zip(*(self.combine(r) for r in M.rows), strict=True))  # its columns
        upper = [self.combine(c) for c in MW]  # column j of Wᵀ M W
        n = range(len(upper))
        return Matrix([[upper[max(i, j)][min(i, j)] for j in n] for i in n])
