"""`eq.compare` of robots with more than one quaternion."""

from dataclasses import replace

from equamo.certificate import compare
from equamo.equations import EquationsOfMotion, derive
from equamo.expr.matrix import Matrix
from equamo.model import Body, Robot, spherical
from equamo.robots import load


def test_both_halves_of_a_mass_matrix_are_compared() -> None:
    one, two = derive(load("rr_arm"), by="kane"), derive(load("rr_arm"), by="recursive")
    M = two.mass_matrix
    rows = [[M[0, 0], M[0, 1]], [2 * M[1, 0], M[1, 1]]]
    wrong = replace(two.derivation, mass_matrix=Matrix(rows, M.row_names, M.column_names))
    found = compare(one, EquationsOfMotion(two.robot, "recursive", wrong))
    assert [d.entry for d in found.differences] == [("q2", "q1")]


def two_balls(tail: str) -> Robot:
    return Robot("two balls", [
        Body("a", spherical("p"), mass=1, com="1 0 0", inertia="1 2 3"),
        Body("b", spherical(tail), mass=2, com="0 1 0", inertia="2 2 1", parent="a"),
    ])  # fmt: skip


def test_two_quaternion_joints() -> None:
    """Their unit groups are put in order: expressions have none of their own."""
    comparison = compare(derive(two_balls("r")), derive(two_balls("r"), by="kane"))
    assert comparison, str(comparison)
    assert comparison.compared == 33


def test_quaternions_of_two_robots() -> None:
    """The groups of both are known, each once."""
    comparison = compare(derive(two_balls("r")), derive(two_balls("s")))
    assert not comparison
    assert {d.proof.verdict for d in comparison.differences} == {"refuted"}
