"""Derivatives by recursion are those of the graph, for every kind of joint and force."""

import pytest

from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import ONE
from equamo.algebra.expr.count import count
from equamo.algebra.expr.differentiate import directional
from equamo.algebra.expr.matrix import Matrix, identity
from equamo.algebra.expr.vector import ZERO3, Vector
from equamo.algebra.identity.prove import prove_equal
from equamo.errors import FrameError
from equamo.mechanics.recursions.base_parameters import customised
from equamo.mechanics.recursions.composite_bodies import mass_matrix
from equamo.mechanics.recursions.derivatives import Derivatives, inverse_dynamics_derivatives
from equamo.mechanics.recursions.motion_changes import Change
from equamo.mechanics.recursions.newton_euler import inverse_dynamics
from equamo.mechanics.recursions.relative_coriolis import RelativeCoriolis
from equamo.robot.catalog import load
from equamo.robot.model import Robot
from equamo.robot.model.base_motion import BaseMotion
from equamo.robot.spatial.force import Force
from equamo.robot.spatial.frame import Frame
from equamo.robot.spatial.inertia import Inertia
from equamo.robot.spatial.motion import Motion
from equamo.robot.spatial.pose import Pose
from random_trees import KINDS, random_tree


def by_graph(robot: Robot) -> Derivatives:
    """The Newton-Euler recursion, differentiated column by column."""
    elements = [f for f in robot.forces if not f.inputs()]
    tau = inverse_dynamics(robot, robot.v, robot.vdot, robot.gravity, elements=elements)
    N = robot.kinematic_map
    directions = [dict(zip(robot.q, N.column(k), strict=True)) for k in range(len(robot.v))]
    by_q = [directional(tau, seeds) for seeds in directions]
    by_v = [directional(tau, {x: ONE}) for x in robot.v]
    return Derivatives(Matrix(by_q).T, Matrix(by_v).T)


def by_recursion(robot: Robot) -> Derivatives:
    return inverse_dynamics_derivatives(robot, elements=[f for f in robot.forces if not f.inputs()])


def check(robot: Robot) -> None:
    for ours, graph in zip(by_recursion(robot), by_graph(robot), strict=True):
        assert prove_equal(ours, graph, unit=robot.unit_groups, seed=1)


@pytest.mark.sweep(5)
@pytest.mark.parametrize("seed", range(200 if WHOLE_SWEEPS else len(KINDS)))
def test_equal_on_random_trees(seed: int) -> None:
    check(random_tree(seed, most=6).robot())


@pytest.mark.parametrize("kind", ["revolute", "universal", "planar", "free quaternion"])
def test_equal_on_a_moving_base(kind: str) -> None:
    base = BaseMotion(
        v=Vector(["vx", "vy", "vz"]), w=Vector(["wx", "wy", "wz"]),
        a=Vector(["ax", "ay", "az"]), alpha=Vector(["ex", "ey", "ez"]),
    )  # fmt: skip
    check(random_tree(3, bodies=[kind, "revolute", "prismatic"]).robot(base=base))


def test_equal_in_customised_frames() -> None:
    robot = load("puma560")
    check(customised(robot))
    for ours, plain in zip(by_recursion(customised(robot)), by_recursion(robot), strict=True):
        assert prove_equal(ours, plain, seed=1)


def test_branches_do_not_see_each_other() -> None:
    by_q, by_v = by_recursion(load("krang"))
    M = mass_matrix(load("krang"))
    n = range(len(M.rows))
    apart = [(i, j) for i in n for j in n if M[i, j].value == 0]
    assert apart
    assert all(x[i, j].value == 0 for x in (by_q, by_v) for i, j in apart)


@pytest.mark.sweep(2)
@pytest.mark.parametrize("name", ["puma560", "iiwa", "starleth"])
def test_fewer_operations_than_the_graph(name: str) -> None:
    robot = customised(load(name))
    ours, graph = (
        count([x for part in d for x in part.entries]).instructions
        for d in (by_recursion(robot), by_graph(robot))
    )
    assert ours < graph


def test_frames_are_checked() -> None:
    here, there = Frame("here"), Frame("there")
    B, X = RelativeCoriolis.zero(here), Pose(here, there, identity(3), ZERO3)
    with pytest.raises(FrameError):
        B.plus(Inertia.zero(there), ZERO3)
    with pytest.raises(FrameError):
        B.transposed(Motion.zero(there))
    with pytest.raises(FrameError):
        B.moved(X, ZERO3, Inertia.zero(here))
    with pytest.raises(FrameError):
        RelativeCoriolis.zero(there).moved(X, ZERO3, Inertia.zero(there))
    with pytest.raises(FrameError):
        _ = B + RelativeCoriolis.zero(there)
    with pytest.raises(FrameError):
        Change(ZERO3, Motion.zero(here)).power(Force.zero(there), ZERO3)
    assert repr(B) == "RelativeCoriolis in 'here'"
