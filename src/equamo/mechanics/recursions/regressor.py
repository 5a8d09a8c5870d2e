"""Regressors of a tree: factors of the inertial parameters in generalized forces.

The force required by a body is linear in its ten inertial parameters. With its angular velocity ω, a
reference velocity (ω_r, v_r) of the body and its reference acceleration (α_r, a_r), the column of

    m                 f = a_r                                  n = 0
    MS along e        f = α_r × e + ω_r × (ω × e)              n = e × a_r                       (1)
    J = E             f = 0                                    n = E α_r + ω × E ω_r − ½ tr E ω × ω_r

which is I A_r + B V_r with Christoffel's B of `coriolis` (Echeandia and Wensing 2021, eq. 20), so that
the sum over the bodies is M v̇_r + C v_r. At v_r = v it is the force of Newton and Euler, at ω = ω_r = 0
and with a velocity instead of an acceleration it is momentum. A column of the regressor is

    (2) Y_j = (V_b)_j · (n, f)        with the partial velocities (V_b)_j of the body
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from ...algebra.expr import HALF, ONE, ZERO, Expr
from ...algebra.expr.matrix import Matrix, identity, mirrored
from ...algebra.expr.vector import ZERO3, Vector
from ...robot.model.body import WORLD
from ...robot.model.inertia import NAMES
from ...robot.model.robot import Robot
from ...robot.spatial.force import Force
from ...robot.spatial.frame import Frame
from ...robot.spatial.motion import Motion
from ..kinematics.poses import poses
from ..kinematics.velocities import accelerations, partial_velocities, velocities

Column = dict[int, Expr]  # position of a joint speed -> entry; absent: zero


@final
@dataclass(frozen=True, slots=True)
class ReferenceMotion:
    """ω of a body, and ω_r, α_r and a_r of its reference motion, components in its frame."""

    w: Vector
    w_r: Vector
    alpha_r: Vector
    a_r: Vector


def _unit_tensors() -> tuple[Matrix, ...]:
    """∂J/∂(XX, XY, XZ, YY, YZ, ZZ)"""
    n = range(3)
    places = [(i, j) for i in n for j in range(i, 3)]
    return tuple(
        mirrored([[ONE if (i, j) == place else ZERO for j in n] for i in n]) for place in places
    )


TENSORS: Final = _unit_tensors()
AXES: Final = tuple(identity(3))


def body_forces(frame: Frame, motion: ReferenceMotion) -> list[Force]:
    """(1): the force per unit of each of the ten parameters, in the order of `Inertia.NAMES`.

    >>> from equamo.algebra.expr import symbols
    >>> rest = ReferenceMotion(ZERO3, ZERO3, ZERO3, Vector(symbols("a b c")))
    >>> body_forces(Frame("body"), rest)[0].force
    Vector([a, b, c])
    """
    w, w_r, alpha, a = motion.w, motion.w_r, motion.alpha_r, motion.a_r
    columns = [Force(frame, ZERO3, a)]
    for e in AXES:
        columns.append(Force(frame, e.cross(a), alpha.cross(e) + w_r.cross(w.cross(e))))
    turning = w.cross(w_r) * HALF
    for E in TENSORS:
        n = E @ alpha + w.cross(E @ w_r)
        if any(E[k, k] is not ZERO for k in range(3)):  # tr E = 1
            n = n - turning
        columns.append(Force(frame, n, ZERO3))
    return columns


def inverse_dynamics_columns(robot: Robot) -> dict[str, list[Column]]:
    """Columns of M v̇ + C v + g in the joint speeds, ten per body, a moving base included.

    >>> from equamo.robot.library import load
    >>> inverse_dynamics_columns(load("rr_arm"))["fore"][9]
    {0: ddq1 + ddq2, 1: ddq1 + ddq2}
    """
    motions = accelerations(robot, robot.vdot, gravity=robot.gravity)
    found: dict[str, ReferenceMotion] = {}
    for b in robot.bodies:
        w, A = motions.velocity[b.name].angular, motions.acceleration[b.name]
        found[b.name] = ReferenceMotion(w, w, A.angular, A.linear)
    return _projected(robot, found)


def reference_columns(
    robot: Robot, v_r: Sequence[Expr], vdot_r: Sequence[Expr]
) -> dict[str, list[Column]]:
    """Columns of M v̇_r + C v_r + g with Christoffel's C (Slotine and Li 1987), base at rest."""
    V = velocities(robot, still_base=True)
    V_r = {WORLD: Motion(V[WORLD].frame, ZERO3, ZERO3)}
    A_r = {WORLD: Motion(V[WORLD].frame, ZERO3, -robot.gravity)}
    found: dict[str, ReferenceMotion] = {}
    for b in robot.bodies:
        i, j, own = b.parent, b.name, robot.columns(b)
        X = robot.joint_pose(b).inverse
        relative = b.motion([v_r[k] for k in own])
        V_r[j] = X @ V_r[i] + relative
        # A_r = X⁻¹ A_r + S v̇_r + Ṡ v_r, with Ṡ = S° + V × S as in (2) of `coriolis`
        A = X @ A_r[i] + b.motion([vdot_r[k] for k in own]) + V[j].cross(relative)
        for S, k in zip(b.subspace_rate, own, strict=True):
            A = A + S * v_r[k]
        A_r[j] = A
        w, w_r = V[j].angular, V_r[j].angular
        found[j] = ReferenceMotion(w, w_r, A.angular, A.linear + w_r.cross(V[j].linear))
    return _projected(robot, found)


def momentum_columns(robot: Robot) -> dict[str, list[Column]]:
    """Columns of M v in the joint speeds, base at rest."""
    V = velocities(robot, still_base=True)
    found = {
        b.name: ReferenceMotion(ZERO3, ZERO3, V[b.name].angular, V[b.name].linear)
        for b in robot.bodies
    }
    return _projected(robot, found)


def kinetic_energy_columns(robot: Robot) -> dict[str, list[Expr]]:
    """Kinetic energy per unit of each parameter: ½ v·v, (v × ω)·e, ½ ω·E ω."""
    V = velocities(robot, still_base=True)
    columns: dict[str, list[Expr]] = {}
    for b in robot.bodies:
        w, v = V[b.name].angular, V[b.name].linear
        tensors = [HALF * (w @ (E @ w)) for E in TENSORS]
        columns[b.name] = [HALF * (v @ v), *v.cross(w), *tensors]
    return columns


def potential_energy_columns(robot: Robot) -> dict[str, list[Expr]]:
    """Potential energy of gravity per unit of each parameter: −g·r, −Aᵀ g, 0."""
    X, g = poses(robot), robot.gravity
    columns: dict[str, list[Expr]] = {}
    for b in robot.bodies:
        A, r = X[b.name].rotation, X[b.name].position
        columns[b.name] = [-(g @ r), *(-(A.T @ g)), *[ZERO] * 6]
    return columns


def _projected(robot: Robot, motions: dict[str, ReferenceMotion]) -> dict[str, list[Column]]:
    """(2) for every body and each of its ten parameters"""
    V = partial_velocities(robot)
    columns: dict[str, list[Column]] = {}
    for b in robot.bodies:
        forces = body_forces(b.frame, motions[b.name])
        columns[b.name] = [{j: S @ F for j, S in V[b.name].items()} for F in forces]
        assert len(columns[b.name]) == len(NAMES)
    return columns
