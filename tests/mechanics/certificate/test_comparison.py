"""`eq.compare`: what is compared, and robots with more than one quaternion."""

from dataclasses import replace

import pytest

from equamo.algebra.expr.matrix import Matrix
from equamo.mechanics.certificate import compare
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.robot.library import load
from equamo.robot.model import Body, Contact, Robot, contact, loop, prismatic, revolute, spherical


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


LOOP = {"body": "b", "at": "l 0 0", "to_at": "c 0 0", "joint": "distance", "length": "d"}


def pair(contacts: tuple[Contact, ...] = (), **changes: str) -> EquationsOfMotion:
    bodies = [
        Body("a", revolute("q1"), mass="m"),
        Body("b", revolute("q2", at="l 0 0"), mass="m", com="l/2 0 0", parent="a"),
    ]
    loops = [loop("rod", **{**LOOP, **changes})] if changes != {"loop": "none"} else []
    mode = {c.name: "stick" for c in contacts}
    return derive(Robot("pair", bodies, loops=loops, contacts=contacts, mode=mode))


@pytest.mark.parametrize(
    ("changes", "entry"),
    [
        ({"loop": "none"}, ("rod", "dq1")),
        ({"at": "2*l 0 0"}, ("rod", "dq1")),
        ({"length": "2*d"}, ("rod", "φ")),
        ({}, ("foot x", "dq1")),
    ],
)
def test_equations_with_other_constraints_are_not_equal(
    changes: dict[str, str], entry: tuple[str, ...]
) -> None:
    """M, C v, g and the forces are those of the tree."""
    assert compare(pair(), pair())
    other = pair(() if changes else (contact("foot", "b", at="l 0 0"),), **changes)
    for first, second in ((pair(), other), (other, pair())):
        found = compare(first, second)
        assert entry in [d.entry for d in found.differences]
        assert {d.quantity for d in found.differences} == {"constraint_matrix"}


def test_rows_with_other_names_are_not_compared_in_silence() -> None:
    def slide(first: str, second: str, axes: str) -> EquationsOfMotion:
        tail = Body("b", prismatic(second, axis=axes[1]), mass="m", parent="a")
        bodies = [Body("a", prismatic(first, axis=axes[0]), mass=0), tail]
        return derive(Robot("slide", bodies, forces=[]))

    found = compare(slide("x", "y", "xy"), slide("y", "x", "yx"))
    assert [str(d) for d in found.differences] == [
        f"{kind}[{a}]: refuted: the second equations have {b!r} here"
        for kind, a, b in (("q", "x", "y"), ("q", "y", "x"), ("v", "dx", "dy"), ("v", "dy", "dx"))
    ]


def test_other_rates_of_the_coordinates() -> None:
    def turn(rate: str) -> EquationsOfMotion:
        body = Body("a", revolute("q1"), mass="m", inertia="0 0 0")
        return derive(Robot("turn", [body], forces=[], speeds=["u"], rates={"dq1": rate}))

    found = compare(turn("u"), turn("2*u"))
    assert [(d.quantity, d.entry) for d in found.differences] == [("kinematic_map", ("q1", "u"))]


def test_quaternions_of_two_robots() -> None:
    """The groups of both are known, each once."""
    comparison = compare(derive(two_balls("r")), derive(two_balls("s")))
    assert not comparison
    assert {d.proof.verdict for d in comparison.differences} == {"refuted"}
