"""One state in the coordinates and speeds of another library.

A library has its own coordinates y = φ(q) and speeds u = T(q) v. With its M_p, its bias b_p and its
gravity g_p, ours must be

    M = Tᵀ M_p T ,   bias = Tᵀ (b_p + M_p Ṫ v) ,   g = Tᵀ g_p ,   τ = Tᵀ τ_p at u̇ = T v̇ + Ṫ v      (1)

The speeds of a free joint are ν = S v: the linear, then the angular velocity of the body in its own
frame. A library has u = X(A) ν instead, with A the rotation of the body:

    T = X S ,   Ṫ v = X Ṡ v + Ẋ ν                                                                  (2)
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import as_expr
from ...algebra.expr.evaluate import evaluate_floats
from ...algebra.expr.matrix import identity
from ...algebra.expr.vector import ZERO3
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.model.body import WORLD, Body
from ...robot.model.joint import Joint
from ...robot.model.joints import Free, FreeEuler, Prismatic, Revolute
from ...robot.model.robot import Robot
from .rotations import cross_matrix
from .states import States, parameter_values

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True)
class Placed:
    """One state in the conventions of a library."""

    y: Floats  # coordinates
    u: Floats  # speeds
    u_dot: Floats
    tau: Floats  # generalized forces
    T: Floats  # u = T v
    T_dot_v: Floats


@final
@dataclass(frozen=True)
class FreeState:
    """Pose of a free body in the world, and ν = S v; at one state, or with the states first."""

    A: Floats
    p: Floats
    S: Floats
    S_dot_v: Floats

    def at(self, k: int) -> FreeState:
        return FreeState(self.A[k], self.p[k], self.S[k], self.S_dot_v[k])


@final
@dataclass(frozen=True)
class JointState:
    """State of one joint at one of our states."""

    name: str
    q: Floats
    v: Floats
    free: FreeState | None = None  # of a free joint


@final
@dataclass(frozen=True)
class FreeSpeeds:
    """Speeds u = X ν of a free joint in a library, and Ẋ ν."""

    X: Floats
    X_dot_nu: Floats


def body_speeds(A: Floats, nu: Floats) -> FreeSpeeds:
    """Speeds in the body frame, linear first (Pinocchio, equamo)."""
    return FreeSpeeds(np.eye(6), np.zeros(6))


def mixed_speeds(A: Floats, nu: Floats) -> FreeSpeeds:
    """Linear velocity in world axes, then angular velocity in body axes (MuJoCo)."""
    X = np.block([[A, np.zeros((3, 3))], [np.zeros((3, 3)), np.eye(3)]])
    return FreeSpeeds(X, np.concatenate([A @ np.cross(nu[3:], nu[:3]), np.zeros(3)]))


def world_speeds(A: Floats, nu: Floats) -> FreeSpeeds:
    """Angular, then linear velocity, both in world axes (Drake); Ȧ ω = A (ω × ω) = 0."""
    X = np.block([[np.zeros((3, 3)), A], [A, np.zeros((3, 3))]])
    return FreeSpeeds(X, np.concatenate([np.zeros(3), A @ cross_matrix(nu[3:]) @ nu[:3]]))


@final
class Joints:
    """Joints of a robot at given states, and u = W v of its joint speeds."""

    def __init__(self, eom: EquationsOfMotion, states: States) -> None:
        robot = eom.robot
        self.bodies: tuple[Body, ...] = robot.bodies
        self.moving: list[Joint] = [b.joint for b in robot.bodies if b.joint.speeds]

        self.W = speed_map(robot)
        gone = robot.eliminated
        coordinates = [gone.get(x.name, x) for x in robot.joint_coordinates]
        self.q: Any = eom.evaluate(coordinates, q=states.q)
        self.u: Floats = states.v @ self.W.T
        self.motions: dict[str, FreeState] = {j.name: _free_motion(eom, j, states) for j in self.moving
                        if isinstance(j, (Free, FreeEuler))}  # fmt: skip

    def at(self, k: int) -> list[JointState]:
        """States of all joints at state k, in the order of the joint speeds."""
        found: list[JointState] = []
        i = j = 0
        for joint in self.moving:
            n, m = len(joint.coordinates), len(joint.speeds)
            own = self.q[k, i : i + n], self.u[k, j : j + m]
            free = self.motions.get(joint.name)
            found.append(JointState(joint.name, *own, None if free is None else free.at(k)))
            i, j = i + n, j + m
        return found

    def unsupported(self) -> str:
        """Kind of the first joint that cannot be compared; empty if there is none."""
        for body in self.bodies:
            joint = body.joint
            if isinstance(joint, (Free, FreeEuler)):
                if body.parent != WORLD or not _is_origin(joint):
                    return "floating"
            elif joint.speeds and not isinstance(joint, (Revolute, Prismatic)):
                return type(joint).__name__.lower()
        return ""


def _free_motion(eom: EquationsOfMotion, joint: Any, states: States) -> FreeState:
    """Pose and ν = S v of a free joint; linear first, so the blocks of S change places."""
    S_w, S_v = joint.subspace
    a_w, a_v = joint.bias_acceleration
    state = {"q": states.q, "v": states.v}
    A = eom.evaluate(joint.rotation, **state)
    p = eom.evaluate(list(joint.position), **state)
    blocks = [eom.evaluate(x, **state) for x in (S_v, S_w)]
    rates = [eom.evaluate(list(x), **state) for x in (a_v, a_w)]
    return FreeState(A, p, np.concatenate(blocks, axis=1), np.concatenate(rates, axis=1))


def _is_origin(joint: Joint) -> bool:
    """Whether the joint frame is the frame of the parent."""
    return joint.at == ZERO3 and joint.turned == identity(3)


def speed_map(robot: Robot) -> Floats:
    """W with u = W v; the chosen speeds of mimic joints make it constant."""
    chosen = robot.speed_map
    if chosen is None:
        return np.eye(len(robot.v))
    entries = [as_expr(e) for e in chosen.W.entries]
    return np.array(evaluate_floats(entries, parameter_values(robot)), dtype=np.float64).reshape(
        chosen.W.shape
    )
