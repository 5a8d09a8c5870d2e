"""Explicit forms: both assemblies of planar loops, proved closed, with the accelerations of the loop."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.mechanics.equations.closed_form_loops import closed_forms
from loops_examples import double_parallelogram, four_bar, four_bar_home, mechanism, parallelogram


def on_the_loop(
    robot: eq.Robot, small: eq.EquationsOfMotion, q: list[float], v: list[float]
) -> Any:
    """All coordinates and joint speeds of the explicit form, and the gap."""
    speed_map = small.robot.speed_map
    assert speed_map is not None
    formulas = dict(speed_map.dependent)
    all_q = [small.evaluate(formulas.get(x.name, x), q=q) for x in robot.joint_coordinates]
    u = small.evaluate(speed_map.W, q=q) @ v
    return all_q, u, np.abs(eq.derive(robot).evaluate("closure", q=all_q)).max()


def compare(
    robot: eq.Robot, small: eq.EquationsOfMotion, q: list[float], v: list[float]
) -> list[float]:
    all_q, u, gap = on_the_loop(robot, small, q, v)
    assert gap < 1e-14
    inputs = np.linspace(1, 2, len(robot.inputs))
    eom = eq.derive(robot)
    vdot = eom.evaluate("state_derivative", q=all_q, v=u, inputs=inputs)[len(robot.q) :]
    own = small.evaluate("state_derivative", q=q, v=v, inputs=inputs)[len(q) :]
    names = [x.name for x in robot.v]
    assert own == pytest.approx([vdot[names.index(x.name)] for x in small.v], rel=1e-9)
    return all_q


@pytest.mark.parametrize("assembly", ["open", "crossed"])
def test_both_assemblies_of_a_four_bar(assembly: str) -> None:
    robot = four_bar()
    small = eq.derive(robot).explicit(assembly)
    assert [x.name for x in small.q] == ["q1"]
    q = compare(robot, small, [1.1], [1.5])
    known = four_bar_home(1.1, 1 if assembly == "open" else -1)
    turns = (np.array(q) - [known[f"q{k}"] for k in (1, 2, 3)]) / (2 * np.pi)
    assert turns == pytest.approx(np.round(turns), abs=1e-12)


def crossed_gap(robot: eq.Robot, independent: str, q: float) -> tuple[list[float], float]:
    """Coordinates of the crossed assembly, and the gap there."""
    formulas = closed_forms(robot, [independent], {x.name: "crossed" for x in robot.loops})
    eom, at = eq.derive(robot), {independent: q}
    all_q = [eom.evaluate(formulas.get(x.name, x), q=at) for x in robot.q]
    return all_q, np.abs(eom.evaluate("closure", q=all_q)).max()


@pytest.mark.parametrize("assembly", ["open", "crossed"])
def test_both_assemblies_of_a_rod(assembly: str) -> None:
    robot = four_bar("distance")
    q = compare(robot, eq.derive(robot).explicit(assembly), [0.8], [-1.2])
    known = four_bar_home(0.8, 1 if assembly == "open" else -1)["q3"]
    assert np.sin(q[1] - known) == pytest.approx(0, abs=1e-12)


def test_a_parallelogram_needs_no_root() -> None:
    robot = parallelogram()
    small = eq.derive(robot).explicit()
    assert small.robot.speed_map is not None
    assert dict(small.robot.speed_map.dependent) == {"q2": eq.parse("-q1"), "q3": eq.parse("q1")}
    compare(robot, small, [0.8], [-1.2])
    q, gap = crossed_gap(robot, "q1", 0.8)
    assert gap < 1e-15
    assert abs(q[2] - 0.8) > 0.5


def test_loops_are_solved_one_after_the_other() -> None:
    robot = double_parallelogram()
    small = eq.derive(robot).explicit({"one": "open", "two": "open"})
    assert small.robot.speed_map is not None
    formulas = {"q2": eq.parse("-q1"), "q3": eq.parse("q1"), "q4": eq.parse("q1")}
    assert dict(small.robot.speed_map.dependent) == formulas
    assert compare(robot, small, [0.7], [1.0]) == pytest.approx([0.7, -0.7, 0.7, 0.7])
    with pytest.raises(
        eq.ConstraintError, match=r"loops one, two must be closed by .* but they are not"
    ):
        crossed_gap(robot, "q1", 0.7)


def two_arms(end: str, home: float) -> eq.Robot:
    """Two arms about one axis with a pin between them, and a slider on each, pinned too."""
    bodies = [
        eq.Body("a", eq.revolute("q1"), mass=1),
        eq.Body("b", eq.revolute("q2"), mass=1),
        eq.Body("s", eq.prismatic("s1"), mass=1, parent="a"),
        eq.Body("t", eq.prismatic("s2"), mass=1, parent="b"),
    ]
    loops = [eq.loop("arms", "a", "l 0 0", to="b", to_at=end), eq.loop("sliders", "s", to="t")]
    start = {"q1": 0.5, "q2": home}
    return eq.Robot("arms", bodies, loops=loops, parameters={"l": 1}, home=start)


@pytest.mark.parametrize(
    ("end", "home", "angle", "slide"),
    [
        ("l 0 0", 0.5, "q1", "s1"),
        ("l 0 0", 7, "q1 + 2*pi", "s1"),  # whole turns, to be near home
        ("-l 0 0", 0.5, "q1 + pi", "-s1"),
        ("-l 0 0", -3, "q1 - pi", "-s1"),
    ],
)
def test_one_unknown_in_the_direction_of_one_term_needs_no_arctangent(
    end: str, home: float, angle: str, slide: str
) -> None:
    formulas = closed_forms(two_arms(end, home), ["q1", "s1"], {})
    found = {name: e.closed_form() for name, e in formulas.items()}
    assert found == {"q2": eq.parse(angle), "s2": eq.parse(slide)}


def test_one_unknown_in_the_direction_of_several_terms() -> None:
    """A second rocker like the first: parallel to the crank, or crossed, where it is not."""
    one = parallelogram()
    bodies = [*one.bodies, eq.Body("double", eq.revolute("q4", at="b 0 0"), mass=1)]
    again = eq.loop("again", "coupler", "b 0 0", to="double", to_at="a 0 0")
    robot = eq.Robot("twice", bodies, loops=[*one.loops, again], parameters={"a": "0.3", "b": "0.5"},
                     home={"q1": 1, "q2": -1, "q3": 1, "q4": 1})  # fmt: skip
    expected = {"q2": eq.parse("-q1"), "q3": eq.parse("q1"), "q4": eq.parse("q1")}
    assert closed_forms(robot, ["q1"], {}) == expected
    formulas = closed_forms(robot, ["q1"], {"closure": "crossed"})
    eom = eq.derive(robot)
    q = {name: float(eom.evaluate(e, q={"q1": 0.8})) for name, e in formulas.items()}
    assert np.exp(1j * q["q4"]) == pytest.approx(np.exp(1j * q["q3"]), abs=1e-14)
    assert abs(q["q3"] - 0.8) > 0.5


def test_what_could_not_be_proved_is_not_called_wrong() -> None:
    with pytest.raises(
        eq.ConstraintError, match="but this could not be proved: undecided: more than"
    ):
        eq.derive(mechanism("watt")).explicit()


def slider_crank() -> eq.Robot:
    bars = [
        eq.Body("crank", eq.revolute("q"), mass=1, com="l/2 0 0", inertia="0 0 1"),
        eq.Body(
            "rod",
            eq.revolute("p", axis="-z", at="l 0 0"),
            mass=1,
            com="L/2 0 0",
            inertia="0 0 1",
            parent="crank",
        ),
        eq.Body("slider", eq.prismatic("s", at="0 h 0"), mass=2),
    ]
    return eq.Robot("slider_crank", bars, gravity="0 -g 0", forces=[eq.joint_actuator("q", "tau")],
                    parameters={"l": "0.3", "L": 1, "h": "0.1"}, home={"q": 1, "p": 1, "s": 1},
                    loops=[eq.loop("pin", "slider", to="rod", to_at="L 0 0",)])  # fmt: skip


def cylinder() -> eq.Robot:
    bars = [
        eq.Body("boom", eq.revolute("q"), mass=3, com="l/2 0 0", inertia="0 0 1"),
        eq.Body("barrel", eq.revolute("p", at="d -h 0"), mass=1, com="0.1 0 0", inertia="0 0 1"),
        eq.Body(
            "piston", eq.prismatic("s"), mass=1, com="-0.1 0 0", inertia="0 0 1", parent="barrel"
        ),
    ]
    return eq.Robot("cylinder", bars, gravity="0 -g 0", forces=[eq.joint_actuator("q", "tau")],
                    parameters={"l": 1, "d": "0.2", "h": "0.3"}, home={"q": "1/2", "p": 1, "s": 1},
                    loops=[eq.loop("pin", "piston", to="boom", to_at="l 0 0")])  # fmt: skip


@pytest.mark.parametrize("robot", [slider_crank(), cylinder()], ids=str)
def test_triangles_with_a_sliding_side(robot: eq.Robot) -> None:
    small = eq.derive(robot).explicit(speeds="dq")
    assert compare(robot, small, [0.4], [1.3])[2] > 0.6  # the larger of both values
    q, gap = crossed_gap(robot, "q", 0.4)
    assert q[2] < 0
    assert gap < 1e-15


def serial() -> eq.Robot:
    """Four-bar that is cut at the ground, in the plane y-z, with a reversed axis."""
    bars = [
        eq.Body("a", eq.revolute("q1", axis="-x"), mass=1),
        eq.Body("b", eq.revolute("q2", axis="x", at="0 l1 0"), mass=1, parent="a"),
        eq.Body("c", eq.revolute("q3", axis="x", at="0 l2 0"), mass=1, parent="b"),
    ]
    end = eq.loop("closure", "c", "0 l3 0", axis="x", to_at="0 l4 0")
    values = {"l1": "0.2", "l2": "0.5", "l3": "0.4", "l4": "0.45"}
    return eq.Robot("serial", bars, parameters=values, loops=[end], home={"q1": -1})


def oblique() -> eq.Robot:
    """Four-bar whose pins are not on the axes of its bars."""
    bars = [
        eq.Body("a", eq.revolute("q1"), mass=1),
        eq.Body("b", eq.revolute("q2", at="l1 h 0"), mass=1, parent="a"),
        eq.Body("c", eq.revolute("q3", at="l4 e 0"), mass=1),
    ]
    pin = eq.loop("closure", "b", "l2 k 0", to="c", to_at="l3 k 0")
    values = {
        "l1": "0.2",
        "l2": "0.5",
        "l3": "0.4",
        "l4": "0.45",
        "h": "0.05",
        "e": "-0.03",
        "k": "0.07",
    }
    return eq.Robot("oblique", bars, parameters=values, loops=[pin], home={"q1": 1})


@pytest.mark.parametrize(
    ("robot", "independent", "at"),
    [
        (four_bar("spherical"), "q2", -0.6),
        (four_bar("spherical"), "q3", 1.3),
        (four_bar("fixed"), "q1", 1.1),
        (serial(), "q1", -1.1),
        (oblique(), "q1", 1.1),
    ],
)
def test_any_cut_and_any_independent_coordinate(
    robot: eq.Robot, independent: str, at: float
) -> None:
    """`closed_forms` proves φ = 0 itself, for both assemblies, which differ."""
    eom, found = eq.derive(robot), []
    for word in ("open", "crossed"):
        formulas = closed_forms(robot, [independent], {"closure": word})
        q = [eom.evaluate(formulas.get(x.name, x), q={independent: at}) for x in robot.q]
        assert np.abs(eom.evaluate("closure", q=q)).max() < 1e-15
        found.append(np.array(q))
    assert np.abs(np.sin(found[0] - found[1])).max() > 0.1


def test_a_serial_cut_has_the_same_assemblies() -> None:
    for assembly, sign in (("open", 1), ("crossed", -1)):
        formulas = closed_forms(serial(), ["q1"], {"closure": assembly})
        coupler = eq.derive(serial()).evaluate(formulas["q2"], q={"q1": -1.1})
        assert np.sin(coupler - four_bar_home(1.1, sign)["q2"]) == pytest.approx(0, abs=1e-12)


def test_the_way_back_has_an_assembled_default_state() -> None:
    crossed = eq.derive(four_bar("distance")).explicit("crossed")
    for other in (crossed.augmented(), crossed.minimal("dq3")):
        assert eq.assemble(other).start_gap < 1e-15
        assert other.robot.home.q["q3"] != pytest.approx(four_bar_home()["q3"])
    assert crossed.explicit("open").q == crossed.q
    # Without a value of a length the dependent coordinates have none either.
    bare = eq.derive(four_bar("distance", values={"L2": None})).explicit("crossed")
    assert bare.augmented().robot.home.q["q3"] == 0


def test_explicit_equations_can_be_stored_and_compiled(tmp_path: Path) -> None:
    small = eq.derive(four_bar("distance")).explicit()
    small.save(tmp_path / "bar.eom")
    again = eq.EquationsOfMotion.load(tmp_path / "bar.eom")
    assert again.q == small.q
    expected = small.evaluate("state_derivative", q=[1.1], v=[1.5], inputs=[1, 2])
    assert eq.compile(again).state_derivative([1.1], [1.5], [1.0, 2.0]) == pytest.approx(expected)


def test_the_second_assembly_can_be_chosen_by_loop() -> None:
    robot = four_bar("distance")
    a, b = (
        eq.derive(robot).explicit(x).robot.speed_map for x in ({"closure": "crossed"}, "crossed")
    )
    assert a is not None
    assert b is not None
    assert a.dependent == b.dependent


def no_form(*loops: eq.Loop, bodies: list[eq.Body], independent: str, match: str) -> None:
    robot = eq.Robot("r", bodies, loops=loops)
    with pytest.raises(eq.ConstraintError, match=match):
        closed_forms(robot, independent.split(), {})


def test_other_loops_have_no_closed_form() -> None:
    turns = eq.Body("a", eq.revolute("q1"), mass=1)
    rod = eq.loop("l", "a", "1 0 0", to="b", to_at="2 0 0", joint="distance", length=1)

    def with_b(joint: eq.Joint, match: str, **other: Any) -> None:
        b = eq.Body("b", joint, mass=1, **other)
        no_form(rod, bodies=[turns, b], independent="q1", match=match)

    table = eq.loop("l", "a", joint="planar", axis="y", at="0 1 0")
    no_form(table, bodies=[turns], independent="", match="but its joint is planar")
    with_b(eq.revolute("q2", axis="x"), "turn about different axes")
    with_b(eq.revolute("q2", axis="0 3 4"), "turns about an oblique axis")
    with_b(eq.prismatic("s", axis="z"), "'s' slides out of its plane")
    with_b(eq.universal("u v"), "'b' neither turns nor slides")
    slides = [eq.Body(n, eq.prismatic(f"s{n}"), mass=1) for n in "ab"]
    no_form(rod, bodies=slides, independent="sa", match="no joint in it turns")


def test_loops_with_more_unknowns_have_no_closed_form() -> None:
    chain = [
        eq.Body("a", eq.revolute("q1"), mass=1),
        eq.Body("b", eq.revolute("q2", at="1 0 0"), mass=1, parent="a"),
        eq.Body("c", eq.revolute("q3", at="1 0 0"), mass=1, parent="b"),
    ]
    pin = eq.loop("l", "c", "1 0 0", to_at="1 0 0")
    no_form(pin, bodies=chain, independent="", match="at most two unknown coordinates")
    elbow = [
        eq.Body("a", eq.revolute("q1"), mass=1),
        eq.Body("b", eq.revolute("q2"), mass=1, parent="a"),  # about the same axis
    ]
    end = eq.loop("l", "b", "1 0 0", to_at="0 1 0")
    no_form(end, bodies=elbow, independent="", match="at most two unknown coordinates")
    sliding = [
        eq.Body("x", eq.prismatic("x"), mass=1),
        eq.Body("y", eq.prismatic("y", axis="y"), mass=1, parent="x"),
        eq.Body("a", eq.revolute("q1"), mass=1),
    ]
    cross = eq.loop("l", "y", to="a", to_at="1 0 0")
    no_form(cross, bodies=sliding, independent="q1", match="at most two unknown coordinates")


def test_assemblies_have_names() -> None:
    eom = eq.derive(four_bar("distance"))
    with pytest.raises(eq.UnknownNameError, match="Unknown assembly 'left' in loop 'closure'"):
        eom.explicit("left")
    with pytest.raises(eq.UnknownNameError, match="Unknown loop 'one'"):
        eom.explicit({"one": "open"})
    with pytest.raises(
        eq.ConstraintError, match="assembly must be 'open', 'crossed' or one of them by"
    ):
        eom.explicit(3)  # pyright: ignore


def test_the_plane_of_a_loop_may_be_turned_twice() -> None:
    """By the joint of a mount, and in it by that of a bar; the two rotations do not commute."""
    one = parallelogram()
    lying, across = [[1, 0, 0], [0, 0, -1], [0, 1, 0]], [[0, -1, 0], [1, 0, 0], [0, 0, 1]]
    bodies = [eq.Body(f"mount{k}", eq.fixed(rotation=lying)) for k in (1, 2)]
    for b, at, mount in (("crank", "0 0 0", "mount1"), ("rocker", "0 b 0", "mount2")):
        joint = eq.revolute(one.body(b).joint.coordinates[0], at=at, rotation=across)
        bodies.append(eq.Body(b, joint, mass=1, parent=mount))
    bodies.append(one.body("coupler"))
    robot = eq.Robot("turned", bodies, loops=one.loops, parameters={"a": "0.3", "b": "0.5"},
                     home={"q1": 1, "q2": -1, "q3": 1})  # fmt: skip
    assert closed_forms(robot, ["q1"], {}) == {"q2": eq.parse("-q1"), "q3": eq.parse("q1")}


def test_a_coupler_that_is_welded_in_the_middle() -> None:
    """All three unknown angles turn a part of the loop; one of them follows from the weld."""
    one = parallelogram()
    bodies = [
        one.body("crank"), eq.Body("half", eq.revolute("q2", at="a 0 0"), mass=1, parent="crank"),
        one.body("rocker"), eq.Body("other", eq.revolute("q4", at="a 0 0"), mass=1, parent="rocker"),
    ]  # fmt: skip
    weld = eq.loop("weld", "half", "b/2 0 0", to="other", to_at="-b/2 0 0", joint="fixed")
    robot = eq.Robot("welded", bodies, loops=[weld], parameters={"a": "0.3", "b": "0.5"},
                     home={"q1": 1, "q2": -1, "q3": 1, "q4": -1})  # fmt: skip
    expected = {"q2": eq.parse("-q1"), "q3": eq.parse("q1"), "q4": eq.parse("-q1")}
    assert closed_forms(robot, ["q1"], {}) == expected
    assert crossed_gap(robot, "q1", 0.8)[1] < 1e-14
