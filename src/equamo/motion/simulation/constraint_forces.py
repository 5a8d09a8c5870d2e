"""Constraint forces λ along a motion, from the accelerations at its samples.

The residual of the equations of the tree, in the joint speeds u, is the constraint force:

    (1) r = M u̇ + C u + g − Σ forces = Aᵀ λ
    (2) |Aᵀ λ − r| → min      for independent rows A; the minimum is 0
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr
from ...errors import ConstraintError
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.mobility import independent_rows
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ...mechanics.recursions.newton_euler import inverse_dynamics as newton_euler
from ...robot.model.read_only import ReadOnly
from .columns import columns

Floats = NDArray[np.float64]


def constraint_forces(
    eom: EquationsOfMotion, vdot: Floats, known: Mapping[Expr, Any], count: int
) -> Mapping[str, Floats]:
    """{row: λ (T,)} of independent rows, from known values of all symbols."""
    robot = eom.robot
    if not robot.rows:
        raise ConstraintError(
            f"Robot {robot.name!r} has no loops, sticking contacts or constraints, so its motion has no "
            "constraint forces; eom.in_mode(…) holds contacts."
        )
    tree = robot.tree
    residual = newton_euler(tree, tree.v, tree.vdot, tree.gravity, elements=tree.forces)  # (1)
    numbers = {**known, **{x: vdot[:, k] for k, x in enumerate(eom.vdot)}}
    r = columns(ChosenSpeeds(robot).insert(residual), numbers, count)
    names, A = _independent(eom, known, count)
    return ReadOnly(dict(zip(names, _solved(A, r).T, strict=True)))


def constraint_torque(
    eom: EquationsOfMotion, unbalanced: Floats, known: Mapping[Expr, Any], count: int
) -> Floats:
    """Aᵀ λ (T, n) nearest to the unbalanced force (1); 0 for a tree and with chosen speeds."""
    if eom.robot.speed_map is not None or not eom.robot.rows:
        return np.zeros_like(unbalanced)
    _, A = _independent(eom, known, count)
    return np.einsum("tji,tj->ti", A, _solved(A, unbalanced))


def _independent(
    eom: EquationsOfMotion, known: Mapping[Expr, Any], count: int
) -> tuple[list[str], Floats]:
    """Names of independent rows, and A (T, rows, n)."""
    rows = [eom.robot.rows[k] for k in independent_rows(eom.robot)]
    A = columns([a for r in rows for a in r.A], known, count)
    return [r.name for r in rows], A.reshape(count, len(rows), len(eom.robot.joint_speeds))


def _solved(A: Floats, force: Floats) -> Floats:
    """(2); at a singular configuration the smallest solution."""
    result = np.empty(A.shape[:2])
    for k, (a, f) in enumerate(zip(A, force, strict=True)):
        result[k] = np.asarray(np.linalg.lstsq(a.T, f, rcond=None)[0], dtype=np.float64)
    return result
