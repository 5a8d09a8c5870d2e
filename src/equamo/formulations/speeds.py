"""Equations in chosen speeds: u = W(q) v for the joint speeds u, u̇ = W v̇ + Ẇ v.

Maggi's equations: whatever formulation gave M, b, g, f in the joint speeds, virtual motions are the
columns of W, so

    M_v = Wᵀ M W      b_v = Wᵀ (b + M Ẇ v)      g_v = Wᵀ g      f_v = Wᵀ f

and C_v = Wᵀ C W + Wᵀ M Ẇ. `kane` does not use this: it takes partial velocities by v directly.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import final

from ..expr import ZERO, Expr
from ..expr.differentiate import directional
from ..expr.matrix import Matrix, identity
from ..expr.substitute import substitute
from ..expr.vector import Vector, dot
from ..model.robot import Robot
from .derivation import Derivation
from .kinematics import Columns


@final
class ChosenSpeeds:
    """W and what follows from it; the unit matrix for a robot in its joint speeds."""

    def __init__(self, robot: Robot) -> None:
        self.robot = robot
        self.trivial = robot.speed_map is None
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
        """u = W v, u̇ = W v̇ + Ẇ v and the dependent coordinates put in."""
        return list(entries) if self.trivial else substitute(entries, self._inserted)

    def by_speed(self, columns: Columns) -> Columns:
        """∂/∂v = Σ ∂/∂u_i W_i"""
        if self.trivial:
            return columns
        out: Columns = {}
        for j in range(len(self.robot.v)):
            parts = {i: self.W[i, j] for i in columns if self.W[i, j] is not ZERO}
            if parts:
                out[j] = Vector([dot((columns[i][c] for i in parts), parts.values()) for c in range(3)])
        return out

    def project(self, f: Vector) -> Vector:
        """Wᵀ f of a generalized force in the joint speeds."""
        return f if self.trivial else self.W.T @ f.map(self.insert)


def project(robot: Robot, D: Derivation) -> Derivation:
    """Maggi's equations from a derivation in the joint speeds."""
    speeds = ChosenSpeeds(robot)
    W = speeds.W
    M = D.mass_matrix.map(speeds.insert)
    bias = W.T @ (D.bias.map(speeds.insert) + M @ speeds.bias)
    forces = {name: speeds.project(f) for name, f in D.forces.items()}
    return Derivation(W.T @ M @ W, bias, speeds.project(D.gravity), forces, M)
