"""Articulated-body algorithm: forward dynamics in O(n) (Featherstone 1983; [RBDA] table 7.1).

    (1) p_A = force for the motion at v̇ = 0, minus the loads of force elements
    (2) U = I_A S ,  D = Sᵀ U (plus rotors) ,  u = τ − Sᵀ p_A
    (3) I_a = I_A − U D⁻¹ Uᵀ ,  p_a = p_A + U D⁻¹ u
    (4) I_A += X I_a X* ,  p_A += X p_a               handed to the parent
    (5) a' = X⁻¹ a ,  v̇ = D⁻¹ (u − Uᵀ a') ,  a = a' + S v̇

a is what v̇ adds to the accelerations that the bodies have at v̇ = 0 under gravity; it is linear in v̇ and
so a Motion. Velocities enter p_A alone, which the Newton-Euler recursion gives.
"""

from __future__ import annotations

from collections.abc import Sequence

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...robot.model.body import WORLD
from ...robot.model.force import ForceElement
from ...robot.model.robot import Robot
from ...robot.spatial.articulated_inertia import ArticulatedInertia
from ...robot.spatial.force import Force
from ...robot.spatial.frame import WORLD_FRAME, Frame
from ...robot.spatial.motion import Motion
from ..kinematics.force_projection import rotor_inertia
from .factorisation import Factors, ltdl
from .newton_euler import required_forces, total_forces


def forward_dynamics(
    robot: Robot,
    v: Sequence[Expr],
    tau: Sequence[Expr],
    gravity: Vector,
    elements: Sequence[ForceElement] = (),
) -> Vector:
    """Derivatives of the joint speeds, by the articulated-body algorithm.

    Args:
        robot: The robot, in its joint speeds.
        v: Joint speeds.
        tau: Generalized forces.
        gravity: Gravity in the world frame.
        elements: Force elements that act as well.

    Returns:
        v̇, one entry per joint speed.

    Raises:
        ExpressionError: If nothing with inertia moves along a speed.

    >>> from equamo.robot.library import load
    >>> arm = load("rr_arm").lock(q1=0)
    >>> forward_dynamics(arm, arm.v, arm.inputs, Vector([0, 0, 0]))[0].closed_form()
    tau2/(I2 + Lc2**2*m2)
    """
    along, on_bodies = total_forces(robot, elements)
    rest: list[Expr] = [ZERO] * len(robot.v)
    IA = {b.name: ArticulatedInertia.of(b.spatial_inertia) for b in robot.bodies}
    pA = required_forces(robot, v, rest, gravity)  # (1)
    for j, F in on_bodies.items():
        pA[j] = pA[j] - F
    rotors = rotor_inertia(robot)
    rows: dict[str, list[Force]] = {}  # of D⁻¹ Uᵀ
    x: dict[str, list[Expr]] = {}  # D⁻¹ u
    for b in reversed(robot.bodies):  # tips to base
        j, own = b.name, robot.columns(b)
        U = [IA[j] @ S for S in b.subspace]  # (2)
        D = [[S @ U_k for U_k in U] for S in b.subspace]
        for r, k in enumerate(own):
            D[r][r] = D[r][r] + rotors[k]
        factors = ltdl(Matrix(D)) if D else Factors({}, (), ())
        u = [tau[k] + along[k] - S @ pA[j] for S, k in zip(b.subspace, own, strict=True)]
        x[j], rows[j] = factors.solve(u), _solve_rows(factors, U, b.frame)
        if b.parent != WORLD:
            X, i = robot.joint_pose(b), b.parent
            free = all(rotors[k] is ZERO for k in own)
            Ia = IA[j].through_joint(b.subspace, U, rows[j], clear=free)  # (3)
            pa = pA[j]
            for row, y in zip(rows[j], u, strict=True):
                pa = pa + row * y
            IA[i] = IA[i] + X @ Ia  # (4)
            pA[i] = pA[i] + X @ pa
    a = {WORLD: Motion.zero(WORLD_FRAME)}
    vdot = list(rest)
    for b in robot.bodies:  # base to tips
        j = b.name
        a[j] = robot.joint_pose(b).inverse @ a[b.parent]  # (5)
        own = [row.minus_power(y, a[j]) for y, row in zip(x[j], rows[j], strict=True)]
        for k, S, y in zip(robot.columns(b), b.subspace, own, strict=True):
            vdot[k] = y
            a[j] = a[j] + S * y
    return Vector(vdot)


def _solve_rows(factors: Factors, U: list[Force], frame: Frame) -> list[Force]:
    """D⁻¹ Uᵀ, row by row."""
    entries = [(*F.moment, *F.force) for F in U]
    solved = [factors.solve(column) for column in zip(*entries, strict=True)] if U else []
    rows = zip(*solved, strict=True)
    return [Force(frame, Vector(row[:3]), Vector(row[3:])) for row in rows]
