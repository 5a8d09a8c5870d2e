"""Equations of loops and contacts: A u = φ̇, redundant rows, speeds that satisfy them."""

import pytest

import equamo as eq
from equamo.algebra.expr.differentiate import directional
from equamo.algebra.expr.matrix import Matrix, identity
from equamo.algebra.expr.vector import Vector, dot
from equamo.algebra.identity.rank import rank
from equamo.mechanics.recursions.base_parameters import regrouped
from equamo.mechanics.recursions.body_frames import factored, reframed
from equamo.robot.model.edits import copy_with
from loops_examples import bennett, four_bar, parallelogram
from random_trees import random_tree


def rates_differ(robot: eq.Robot) -> list[eq.Expr]:
    """φ̇ − A u of all rows, with q̇ = N u by the kinematic map of the tree."""
    tree = robot.tree
    q_dot = tree.kinematic_map @ Vector(tree.v)
    seeds = dict(zip(tree.q, q_dot, strict=True))
    positions = [r.position for r in robot.closure_rows if r.position is not None]
    rate = directional(positions, seeds)
    rows = [dot(r.A, tree.v) for r in robot.closure_rows]
    return [x - y for x, y in zip(rate, rows, strict=True)]


@pytest.mark.parametrize(
    ("cut", "rows", "redundant"),
    [("revolute", 5, 3), ("fixed", 6, 3), ("spherical", 3, 1), ("distance", 1, 0)],
)
def test_a_planar_four_bar_in_space_has_redundant_rows(cut: str, rows: int, redundant: int) -> None:
    robot = four_bar(cut, speeds="dq1")
    assert robot.speed_map is not None
    assert len(robot.rows) == rows
    assert len(robot.speed_map.redundant) == redundant
    assert len(robot.v) == 1


def test_loops_leave_the_joint_speeds_unless_others_are_chosen() -> None:
    robot = four_bar()
    assert robot.v == robot.joint_speeds
    assert robot.with_speeds("auto").v == (eq.parse("dq1"),)
    assert robot.with_speeds("auto").with_speeds(None).v == robot.joint_speeds
    assert not robot.tree.loops


def test_the_speeds_of_a_parallelogram_satisfy_its_loop() -> None:
    robot = parallelogram(speeds="dq1")
    assert robot.speed_map is not None
    u = robot.speed_map.W @ Vector(robot.v)
    assert eq.prove_zero([dot(r.A, u) for r in robot.rows])


def test_an_overconstrained_linkage_takes_the_rows_to_use() -> None:
    with pytest.raises(eq.ConstraintError, match=r"no degree of freedom; .*rows="):
        bennett(speeds="dq1")
    robot = bennett().with_speeds("dq1", rows=["closure x", "closure y"])
    assert robot.speed_map is not None
    assert robot.speed_map.redundant == ("closure z", "closure rx", "closure ry")


def test_contacts_hold_points_in_their_mode() -> None:
    feet = [eq.contact("LF", "leg", "0 0 -l"), eq.contact("RF", "leg", "l 0 0", normal="3 0 4")]
    robot = eq.Robot("leg", [eq.Body("leg", eq.free("b"), mass="m")], contacts=feet)
    assert dict(robot.mode) == {"LF": "open", "RF": "open"}
    assert robot.rows == ()
    held = robot.in_mode(LF="stick", RF="stick")
    assert [r.name for r in held.rows] == ["LF x", "LF y", "LF z", "RF t1", "RF t2", "RF n"]
    assert all(r.phi is None and r.holonomic for r in held.rows)
    assert eq.prove_zero(rates_differ(held), unit=held.unit_groups)
    assert held.in_mode().rows == ()


@pytest.mark.parametrize("seed", [0, 1, 3, 5, 7, 10])
def test_automatic_speeds_of_random_trees_satisfy_the_loop(seed: int) -> None:
    """A W = 0, and W has the speeds that were kept as unit rows."""
    tree = random_tree(seed, bodies=4, speeds=8, forces=False).robot()
    joint = ("spherical", "distance", "cylindrical")[seed % 3]
    options = {"length": "l"} if joint == "distance" else {}
    place = {"at": [1, "a", "1/3"], "axis": "2 -1 2", "to_at": "1 2 b", "joint": joint}
    loop = eq.loop("x", tree.bodies[-1].name, **place, **options)
    robot = copy_with(tree, loops=[loop]).with_speeds("auto")
    assert robot.speed_map is not None
    W = robot.speed_map.W
    A = Matrix([r.A for r in robot.rows])
    assert len(robot.v) == len(robot.joint_speeds) - rank(A, robot.unit_groups)
    assert eq.prove_zero((A @ W).entries, unit=robot.unit_groups)
    assert Matrix([W.row(x.name) for x in robot.v]) == identity(len(robot.v))


def test_a_closed_loop_is_reported_as_integrable() -> None:
    report = eq.constraint_report(four_bar())
    assert report.holonomic
    assert report.degrees_of_freedom == 1
    assert report.redundant == ("closure z", "closure rx", "closure ry")


def test_automatic_speeds_keep_actuated_joints() -> None:
    robot = four_bar(forces=[eq.joint_actuator("q3")])
    assert robot.with_speeds("auto").v == (eq.parse("dq3"),)
    # At q1 = q2 = q3 = 0 all bars lie on one line, where no choice is regular.
    folded = four_bar(speeds="auto", home={})
    assert len(folded.v) == 1


def test_reframed_robots_keep_their_rows() -> None:
    """Programs may move the frames of bodies; points and axes of loops stay where they were."""
    tree = random_tree(3, kinds=("revolute",), bodies=4, forces=False).robot()
    pin = eq.loop("x", "b4", [1, "a", "1/3"], axis="2 -1 2", to="b2", to_at="1 2 b")
    robot = copy_with(
        tree, loops=[pin], contacts=[eq.contact("c", "b3", "0 0 l")], mode={"c": "stick"}
    )
    for other in (reframed(robot), factored(robot), regrouped(robot)):
        for a, b in zip(robot.rows, other.rows, strict=True):
            assert a.name == b.name
            assert eq.prove_zero([x - y for x, y in zip(a.A, b.A, strict=True)])
