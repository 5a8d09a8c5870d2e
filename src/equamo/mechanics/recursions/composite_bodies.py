"""Composite-rigid-body algorithm: the mass matrix (Walker and Orin 1982; [RBDA] table 6.2).

(1) I_i += X I_j X*           a body with all that it carries, tips to base
(2) F = I_j S_j ,  F = X F    force that accelerates it by S_j, handed on to the base
(3) M_ij = S_iᵀ F
"""

from __future__ import annotations

from typing import Final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.matrix import Matrix, mirrored
from ...robot.model.body import WORLD, Body
from ...robot.model.robot import Robot
from ...robot.spatial.force import Force
from ..kinematics.force_projection import rotor_inertia
from ..kinematics.steps import NO_RECORD, Record, of

_FORCE: Final = "[F, N] = I_j S_j, then A F, A N + P × A F"


def mass_matrix(robot: Robot, record: Record = NO_RECORD) -> Matrix:
    """Joint-space inertia by the composite-rigid-body algorithm ([RBDA] table 6.2).

    M is n×n in tree order [kg m² for revolute, kg for prismatic joints], rotor inertia included.

    >>> from equamo.robot.library import load
    >>> mass_matrix(load("rr_arm"))[1, 1].closed_form()
    I2 + Lc2**2*m2
    """
    n = len(robot.v)
    M: list[list[Expr]] = [[ZERO] * n for _ in range(n)]
    I = {b.name: b.spatial_inertia for b in robot.bodies}
    for b in reversed(robot.bodies):
        I_b = I[b.name]
        moments = (I_b.mass, I_b.first_moment, I_b.tensor)
        record.sum("I_i += moved I_j", of("mc hc Jc", b.name), moments, robot)
        if b.parent != WORLD:
            I[b.parent] = I[b.parent] + robot.joint_pose(b) @ I[b.name]  # (1)
        for S, j in zip(b.subspace, robot.columns(b), strict=True):
            _column(robot, M, b, j, I[b.name] @ S, record)  # (2)
    for i, I_a in enumerate(rotor_inertia(robot)):
        M[i][i] = M[i][i] + I_a
    return mirrored(M)


def _column(robot: Robot, M: list[list[Expr]], b: Body, j: int, F: Force, record: Record) -> None:
    """M_ij for all speeds i from body b down to the base, of the force F on b."""
    by, source = robot.v[j].name, of("mc hc Jc", b.name)
    while True:
        record(_FORCE, of("F N", b.name, by), (F.force, F.moment), source)
        source = of("F N", b.name, by)
        for S, i in zip(b.subspace, robot.columns(b), strict=True):
            if i <= j:
                M[i][j] = S @ F  # (3)
        if b.parent == WORLD:
            return
        F = robot.joint_pose(b) @ F  # (2)
        b = robot.body(b.parent)
