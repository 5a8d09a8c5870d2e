"""Columns of regressors: times the parameters they give what the recursions and formulations give."""

from __future__ import annotations

import pytest

from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import ZERO, Expr, symbol
from equamo.algebra.expr.vector import ZERO3, Vector
from equamo.algebra.identity import prove_equal
from equamo.mechanics.equations import derive
from equamo.mechanics.recursions.coriolis import BodyCoriolis, coriolis_matrix
from equamo.mechanics.recursions.newton_euler import inverse_dynamics
from equamo.mechanics.recursions.regressor import (
    Column,
    ReferenceMotion,
    body_forces,
    inverse_dynamics_columns,
    reference_columns,
)
from equamo.robot.model import BaseMotion, Robot
from equamo.robot.model.edits import copy_with
from equamo.robot.model.inertia import NAMES, Inertia
from equamo.robot.spatial.frame import Frame
from equamo.robot.spatial.motion import Motion
from random_trees import random_tree

SEEDS = range(0, 200, 4 if WHOLE_SWEEPS else 20)


def combined(robot: Robot, columns: dict[str, list[Column]]) -> Vector:
    """Σ parameter · column"""
    total: list[Expr] = [ZERO] * len(robot.v)
    for b in robot.bodies:
        for x, column in zip(b.inertia.ten, columns[b.name], strict=True):
            for j, y in column.items():
                total[j] = total[j] + x * y
    return Vector(total)


@pytest.mark.parametrize("seed", SEEDS)
def test_columns_times_parameters_are_inverse_dynamics(seed: int) -> None:
    robot = random_tree(seed, speeds=16, forces=False).robot()
    tau = inverse_dynamics(robot, robot.v, robot.vdot, robot.gravity)
    ours = combined(robot, inverse_dynamics_columns(robot))
    assert prove_equal(ours, tau, unit=robot.unit_groups, seed=1)


def test_a_moving_base() -> None:
    base = BaseMotion(w="w1 w2 w3", v="v1 v2 v3", alpha="e1 e2 e3", a="a1 a2 a3")
    robot = random_tree(5, bodies=4, forces=False).robot(base=base)
    eom = derive(robot, by="kane")
    assert eom.regressor.proof
    # Slotine and Li's, energy and momentum are those of a base at rest, as M, C, g and T are.
    assert eom.regressor.slotine_li.proof
    assert eom.regressor.momentum.proof
    assert eom.regressor.energy.proof


@pytest.mark.parametrize("seed", SEEDS)
def test_reference_columns_have_the_coriolis_matrix(seed: int) -> None:
    """At v̇_r = 0 and without gravity they are C v_r; linear in v_r and v̇_r."""
    robot = copy_with(random_tree(seed, speeds=12, forces=False).robot(), gravity=ZERO3)
    v_r = [symbol(f"r{k}") for k in range(len(robot.v))]
    ours = combined(robot, reference_columns(robot, v_r, [ZERO] * len(v_r)))
    theirs = coriolis_matrix(robot) @ Vector(v_r)
    assert prove_equal(ours, theirs, unit=robot.unit_groups, seed=1)


def test_forces_of_one_body_are_those_of_echeandia_and_wensing() -> None:
    """I A_r + B V_r with a_r = A_r + ω_r × v, for ten symbols."""
    w, v, w_r, v_r, alpha, a = (
        Vector([symbol(f"{n}{k}") for k in "xyz"]) for n in ("w", "v", "wr", "vr", "e", "a")
    )
    frame = Frame("body")
    ten = Inertia.about_origin([symbol(n) for n in NAMES])
    I = ten.in_frame(frame)
    wanted = I @ Motion(frame, alpha, a) + BodyCoriolis.of(I, Motion(frame, w, v)) @ Motion(
        frame, w_r, v_r
    )
    columns = body_forces(frame, ReferenceMotion(w, w_r, alpha, a + w_r.cross(v)))
    n, f = ZERO3, ZERO3
    for x, F in zip(ten.ten, columns, strict=True):
        n, f = n + F.moment * x, f + F.force * x
    assert prove_equal([n, f], [wanted.moment, wanted.force], seed=1)
