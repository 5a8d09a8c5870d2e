"""Equations of loops and contacts: A u = φ̇, redundant rows, speeds that satisfy them."""

import pytest

import equamo as eq
from equamo.expr.differentiate import directional
from equamo.expr.vector import Vector, dot
from loops_examples import bennett, four_bar, parallelogram


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
    with pytest.raises(eq.ConstraintError, match="no degree of freedom"):
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
