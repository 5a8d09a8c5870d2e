"""Mobility: redundant equations by name, exactly, and the rank where the loops are closed."""

from dataclasses import replace

import numpy as np
import pytest

import equamo as eq
from equamo.errors import ConstraintError
from equamo.mechanics.equations.closure_digits import rank_holds
from equamo.mechanics.equations.mobility import independent_rows
from loops_examples import bennett, double_parallelogram, four_bar, parallelogram


@pytest.mark.parametrize(
    ("cut", "redundant"),
    [
        ("revolute", ("closure z", "closure rx", "closure ry")),
        ("fixed", ("closure z", "closure rx", "closure ry")),
        ("spherical", ("closure z",)),
        ("cylindrical", ("closure rx", "closure ry")),
        ("universal", ("closure z", "closure r")),
        ("distance", ()),
    ],
)
def test_redundant_rows_of_a_planar_four_bar_in_space(cut: str, redundant: tuple[str, ...]) -> None:
    report = eq.mobility(four_bar(cut))
    assert report.redundant == redundant
    assert report.degrees_of_freedom == 1
    assert report.exact
    assert not report.overconstrained
    assert not report.singular_at_home


def test_lengths_without_values_are_solved_for() -> None:
    bare = dict.fromkeys(("L1", "L2", "L3", "L4"), None)
    report = eq.mobility(four_bar(values=bare))
    assert (report.rank, report.exact) == (2, True)
    assert report.method == "exact, with φ = 0 solved for lengths"
    # With two lengths for four bars no lengths close the loop at a general q.
    report = eq.mobility(parallelogram().with_values(a=None))
    assert (report.rank, report.exact) == (2, True)
    assert report.method == "exact, with φ = 0 solved in closed form"
    report = eq.mobility(bennett().with_values(l=None))
    assert (report.rank, report.exact) == (3, False)
    assert "not checked on φ = 0 (no value for 1 parameter" in report.method


@pytest.mark.parametrize(
    ("robot", "free", "rank", "exact"),
    [(double_parallelogram(), 4, 3, True), (bennett(), 3, 2, False)],
)
def test_overconstrained_by_closure(robot: eq.Robot, free: int, rank: int, exact: bool) -> None:
    report = eq.mobility(robot)
    assert report.exact == exact
    assert report.rank_for_all_q == free
    assert report.rank == rank
    assert report.overconstrained
    assert report.degrees_of_freedom == 1
    assert f"overconstrained by closure: the rank is {free} for general q and {rank}" in str(report)


def test_fifty_digits_tell_a_small_pivot_from_none() -> None:
    """A bar that is longer by 1e-13 stops the linkage, which double precision cannot see."""
    robot = bennett()
    assert eq.mobility(robot).method == "in numbers with 50 digits, at a point of φ = 0"
    q = eq.assemble(robot).q
    rows = independent_rows(robot)
    assert rank_holds(robot, q, rows)
    assert not rank_holds(robot, q, rows[:1])  # the others do not follow from one row
    longer = eq.loop(
        "closure",
        "three",
        "3*l 0 0",
        axis="0 -3/5 4/5",
        to_at="-4*l-1e-13 0 0",
        to_axis="0 4/5 3/5",
    )
    home = {x.name: h for x, h in zip(robot.q, robot.state_space.q.numbers, strict=True)}
    off = eq.Robot("off", robot.bodies, parameters=robot.parameter_info, loops=[longer], home=home)
    assert not rank_holds(off, q, rows)
    assert eq.mobility(off).method.startswith("in numbers, at ")
    assert not rank_holds(robot.with_speeds("dq1", rows=["closure x", "closure y"]), q, rows)
    assert not rank_holds(parallelogram(), np.zeros(3), (0, 1))  # folded: singular


def test_rows_of_a_contact_have_no_position_to_be_solved() -> None:
    leg = eq.Robot(
        "leg",
        [eq.Body("a", eq.revolute("q1", axis="y"), mass=1),
         eq.Body("b", eq.revolute("q2", axis="y", at="1 0 0"), mass=1, parent="a")],
        contacts=[eq.contact("foot", body="b", at="1 0 0")],
        mode={"foot": "stick"},
    )  # fmt: skip
    assert [r.phi for r in leg.rows] == [None] * 3
    assert not rank_holds(leg, np.array([0.3, 0.4]), (0, 2))


def test_equal_lengths_with_different_names_are_special_values() -> None:
    robot = double_parallelogram()
    bodies = [
        eq.Body(
            b.name,
            eq.revolute(b.joint.coordinates[0], at=b.joint.at),
            inertia=b.inertia,
            parent=b.parent,
        )
        for b in robot.bodies
    ]
    loops = [
        eq.loop("one", "coupler", "b1 0 0", to="middle", to_at="a2 0 0"),
        eq.loop("two", "coupler", "c1 0 0", to="right", to_at="a3 0 0"),
    ]
    values = dict(robot.parameter_info) | {"a2": "0.3", "a3": "0.3", "b1": "0.5", "c1": "0.9"}
    home = {x.name: h for x, h in zip(robot.q, robot.state_space.q.numbers, strict=True)}
    report = eq.mobility(eq.Robot("near", bodies, parameters=values, loops=loops, home=home))
    assert report.rank == 3
    assert not report.exact
    assert "for the default values; 4 for general lengths" in report.method


def test_the_independent_rows_span_the_others() -> None:
    for robot in (four_bar("fixed"), double_parallelogram(), bennett()):
        kept = independent_rows(robot)
        state = eq.assemble(robot, q={"q1": 0.9})
        A = eq.derive(robot).evaluate("constraint_matrix", q=state.q)
        assert np.linalg.matrix_rank(A, tol=1e-9) == len(kept)
        assert np.linalg.matrix_rank(A[list(kept)], tol=1e-9) == len(kept)


def test_a_folded_parallelogram_is_singular_at_home() -> None:
    folded = parallelogram().with_home(q1=0, q2=0, q3=0)
    report = eq.mobility(folded)
    assert report.singular_at_home
    assert eq.mobility(eq.derive(folded)) is report
    assert report.rank == 2
    assert "the default configuration is singular" in str(report)


def test_contacts_and_velocity_constraints_have_no_closure() -> None:
    feet = [eq.contact(n, "box", at) for n, at in (("a", "1 0 0"), ("b", "0 1 0"), ("c", "-1 0 0"))]
    box = eq.Robot("box", [eq.Body("box", eq.free("p"), mass=1, inertia="1 1 1")], contacts=feet)
    assert eq.mobility(box).degrees_of_freedom == 6
    standing = eq.mobility(box.in_mode(a="stick", b="stick", c="stick"))
    assert (standing.rank, standing.exact, len(standing.redundant)) == (6, True, 3)
    wheel = eq.mobility(eq.load("wheeled_inverted_pendulum"))
    assert wheel.degrees_of_freedom == 3
    assert wheel.redundant == ()


def test_loops_that_cannot_be_assembled_are_reported() -> None:
    report = eq.mobility(four_bar(values={"L3": 3}))
    assert report.method == "exact, with φ = 0 solved for lengths"  # for lengths that do close
    bar = eq.Body("bar", eq.revolute("q"), mass=1, com="1 0 0")
    far = eq.Robot("far", [bar], loops=[eq.loop("rod", "bar", "1 0 0", to_at="0 3 0")])
    assert "not checked on φ = 0 (loop 'rod' of robot 'far' cannot be" in eq.mobility(far).method
    with pytest.raises(eq.ModelError, match="mobility: expected a Robot"):
        eq.mobility("four_bar")  # pyright: ignore


def decimal_axes(count: int) -> eq.Robot:
    """Two-loop chains that hang from the world, each cut by a planar joint, with axes in decimals."""
    random = np.random.default_rng(1)

    def axis() -> str:
        return " ".join(f"{x:.2f}" for x in random.uniform(-1, 1, 3))

    bodies, loops = list[eq.Body](), list[eq.Loop]()
    for k in range(count):
        turn = axis()
        bodies += [
            eq.Body(f"a{k}", eq.revolute(f"q{k}", axis=turn), mass=1, inertia="1 1 1"),
            eq.Body(f"b{k}", eq.prismatic(f"x{k}", axis=axis()), parent=f"a{k}", mass=1),
            eq.Body(f"c{k}", eq.revolute(f"p{k}", axis=axis()), parent=f"b{k}", mass=1),
            eq.Body(f"d{k}", eq.spherical(f"s{k}"), parent=f"c{k}", mass=1, inertia="1 2 3"),
        ]
        cut = axis()
        loops.append(eq.loop(f"l{k}", f"d{k}", joint="planar", axis=cut, to_axis=cut))
    return eq.Robot("decimals", bodies, loops=loops)


@pytest.mark.ci
def test_axes_in_decimals_have_many_square_roots() -> None:
    """Lengths of decimal axes are different square roots; all must exist modulo the prime of a rank."""
    found = eq.mobility(decimal_axes(3))
    assert (found.degrees_of_freedom, found.rank) == (9, 9)
    robot = decimal_axes(2)
    assert len(eq.derive(robot).minimal().v) == 6


@pytest.mark.ci
def test_too_many_square_roots_for_a_proof() -> None:
    robot = decimal_axes(1)
    bodies = list(robot.bodies)
    for k, axis in enumerate(("1 2 5", "1 4 6", "1 5 9", "2 3 8", "1 3 9")):
        body = eq.Body(f"e{k}", eq.revolute(f"r{k}", axis=axis), mass=1, inertia="1 1 1")
        bodies = [body, *(b if b.parent != "world" else replace(b, parent=f"e{k}") for b in bodies)]
    robot = eq.Robot("long", bodies, loops=robot.loops)
    with pytest.raises(
        ConstraintError, match="must be proved to satisfy the constraints, got undecided"
    ):
        robot.with_speeds("auto")
