"""Loops and contacts that cannot be, and what edits, files and checks do with those that can."""

import pytest

import equamo as eq
from equamo.errors import FileFormatError
from equamo.robot.formats.toml import parse_robot
from equamo.robot.formats.toml_writer import write_toml
from equamo.robot.formats.urdf_writer import write_urdf
from equamo.robot.model.closure import perpendicular
from equamo.robot.model.loop import ROWS
from equamo.robot.model.rotation import unit_axis
from equamo.robot.model.storage import robot_from_data, robot_to_data
from loops_examples import bennett, four_bar, parallelogram
from renamed_robots import Renaming, renamed

BARS = [eq.Body("a", eq.revolute("q1"), mass=1), eq.Body("b", eq.revolute("q2"), mass=1)]
BAD_LOOPS = {
    "The name of a loop must be non-empty text, got 3": {"name": 3},
    "must join two bodies, got 'b' for both": {"to": "b"},
    "a distance must have a length": {"joint": "distance"},
    "the length of a distance must be greater than 0, got 0;": {"joint": "distance", "length": 0},
    "must be greater than 0, got -1/2;": {"joint": "distance", "length": "-0.5"},
    "only a distance has a length, got joint='revolute' with length L": {"length": "L"},
    "only fixed and prismatic joints have a rotation": {"rotation": "0 0 0"},
    "Loop 'x': An axis must have a direction": {"axis": "0 0 0"},
    "Loop 'x': A rotation must be 3×3": {"joint": "fixed", "rotation": [[1, 0], [0, 1]]},
    "a universal joint must have two perpendicular axes": {"joint": "universal"},
    "Unknown kind of joint 'pin' in loop 'x'": {"joint": "pin"},
}


@pytest.mark.parametrize("message", BAD_LOOPS)
def test_loops_that_cannot_be(message: str) -> None:
    options = {"name": "x", "body": "b", "to": "a"} | BAD_LOOPS[message]
    with pytest.raises((eq.ModelError, eq.UnknownNameError), match=message):
        eq.loop(**options)


def test_contacts_that_cannot_be() -> None:
    with pytest.raises(eq.ModelError, match="The name of a contact must be non-empty text, got ''"):
        eq.contact("", "a")
    with pytest.raises(eq.ModelError, match="Contact 'LF': An axis must have a direction"):
        eq.contact("LF", "a", normal="0 0 0")
    with pytest.raises(eq.ModelError, match="'LF' must be a point of a moving body, got 'world'"):
        eq.Robot("r", BARS, contacts=[eq.contact("LF", "world")])


def test_names_of_bodies_and_rows() -> None:
    pin = eq.loop("pin", "a", to="b")
    with pytest.raises(
        eq.UnknownNameError, match=r"Unknown body 'c' in loop 'x'\. Valid: world, a, b"
    ):
        eq.Robot("r", BARS, loops=[eq.loop("x", "c")])
    with pytest.raises(eq.UnknownNameError, match="Unknown body 'c' in contact 'x'"):
        eq.Robot("r", BARS, contacts=[eq.contact("x", "c")])
    with pytest.raises(eq.ModelError, match="must have different names, got 'pin' twice"):
        eq.Robot("r", BARS, loops=[pin, pin])
    rod = eq.loop("pin x", "a", to="b", joint="distance", length=1)
    with pytest.raises(eq.ModelError, match="must have different names, got 'pin x' twice"):
        eq.Robot("r", BARS, loops=[pin, rod])
    with pytest.raises(eq.ModelError, match="loops of robot 'r' must be a list of Loop, got 'pin'"):
        eq.Robot("r", BARS, loops="pin")  # type: ignore[arg-type]


def test_modes_that_cannot_be() -> None:
    robot = eq.Robot("r", BARS, contacts=[eq.contact("LF", "a", "1 0 0")])
    with pytest.raises(
        eq.UnknownNameError, match=r"Unknown contact 'RF' in robot 'r'\. .*Valid: LF"
    ):
        robot.in_mode(RF="stick")
    with pytest.raises(eq.UnknownNameError, match="Unknown mode 'held' in contact 'LF'"):
        robot.in_mode(LF="held")
    with pytest.raises(eq.ModelError, match="sliding contacts are not supported yet"):
        robot.in_mode(LF="slide")
    minimal = robot.in_mode({"LF": "stick"}).with_speeds("dq2")
    assert minimal.in_mode(LF="stick").v == minimal.v
    with pytest.raises(eq.ModelError, match="in_mode: robot 'r' must not have chosen speeds"):
        minimal.in_mode(LF="open")


def test_speeds_that_cannot_be() -> None:
    robot = four_bar()
    with pytest.raises(eq.ConstraintError, match="1 speed must be kept, got 2"):
        robot.with_speeds("dq1 dq2")
    with pytest.raises(eq.UnknownNameError, match="Unknown equation 'closure w'"):
        robot.with_speeds("dq1", rows=["closure w"])
    with pytest.raises(eq.ConstraintError, match=r"joint speeds to keep, or formulas, .*got rates"):
        eq.Robot("r", robot.bodies, loops=robot.loops, speeds="w", rates={"dq1": "w"})
    same = eq.constraint("dq1 = dq2", "closure x")
    with pytest.raises(
        eq.ConstraintError, match="must not have the name of a loop or contact, got 'closure x'"
    ):
        eq.Robot("r", robot.bodies, loops=robot.loops, speeds="dq1", constraints=[same])
    other = eq.Robot("r", robot.bodies, speeds="dq1 dq2", constraints=["dq3 = 0"])
    with pytest.raises(eq.ConstraintError, match=r"chosen for its loops .*without 'closure x'"):
        eq.Robot("r", robot.bodies, loops=robot.loops, speeds=other.speed_map)


def test_loops_and_velocity_constraints_together() -> None:
    wheel = eq.Body("wheel", eq.revolute("th"), mass=1, inertia="1 1 1")
    robot = four_bar()
    both = eq.Robot("r", [*robot.bodies, wheel], loops=robot.loops, speeds="auto",
                    constraints=["dth = 3*dq3"], parameters=robot.parameter_info)  # fmt: skip
    assert [r.name for r in both.rows if not r.holonomic] == ["dth - 3*dq3"]
    assert len(both.rows) == 6
    assert [x.name for x in both.v] == ["dq1"]
    with pytest.raises(eq.ConstraintError, match=r"Constraints, rates and .* need speeds"):
        both.with_speeds(None)


def test_eliminated_coordinates_must_close_the_loop() -> None:
    parts = parallelogram()
    options = {"loops": parts.loops, "speeds": "dq1", "parameters": parts.parameter_info}
    closed = eq.Robot("r", parts.bodies, eliminate={"q2": "-q1", "q3": "q1"}, **options)
    assert [x.name for x in closed.q] == ["q1"]
    assert eq.prove_zero([r.phi for r in closed.rows if r.phi is not None])
    with pytest.raises(eq.ConstraintError, match="must close the loops, but 'closure x' is not 0"):
        eq.Robot("r", parts.bodies, eliminate={"q2": "-q1", "q3": "q1 + 1"}, **options)


def test_the_default_state_of_all_joints_follows_from_the_chosen_ones() -> None:
    parts = parallelogram()
    options = {"loops": parts.loops, "speeds": "dq1", "parameters": parts.parameter_info}
    closed = eq.Robot("r", parts.bodies, eliminate={"q2": "-q1", "q3": "q1"},
                      home={"q1": 1, "dq1": 2}, **options)  # fmt: skip
    for robot in (closed.with_speeds(None), closed.tree):
        assert robot.home.q == pytest.approx({"q1": 1, "q2": -1, "q3": 1})
        assert robot.home.v == pytest.approx({"dq1": 2, "dq2": -2, "dq3": 2})
    assert closed.with_speeds("dq3").home.v == pytest.approx({"dq3": 2})


def test_a_formula_with_the_right_rate_may_leave_the_loop_open() -> None:
    slide = [eq.Body("a", eq.prismatic("x", axis="x"), mass=1),
             eq.Body("b", eq.prismatic("y", axis="x"), mass=1)]  # fmt: skip
    weld = [eq.loop("weld", "b", to="a", to_at="l 0 0", joint="fixed")]
    assert eq.Robot("r", slide, loops=weld, speeds="dx", eliminate={"y": "x + l"}).q
    with pytest.raises(eq.ConstraintError, match="must close the loops, but 'weld x' is not 0"):
        eq.Robot("r", slide, loops=weld, speeds="dx", eliminate={"y": "x"})


def test_loops_survive_files() -> None:
    feet = [eq.contact("LF", "crank", "L1 0 0"), eq.contact("RF", "rocker", normal="1 2 2")]
    robots = [*map(four_bar, ROWS), four_bar(speeds="dq1"), bennett()]
    robots.append(four_bar(contacts=feet, mode={"RF": "stick"}))
    for robot in robots:
        for again in (parse_robot(write_toml(robot)), robot_from_data(robot_to_data(robot))):
            assert again.loops == robot.loops
            assert again.contacts == robot.contacts
            assert again.mode == robot.mode
            assert again.speed_map == robot.speed_map
            assert again.rows == robot.rows


def test_files_that_lose_loops_say_so() -> None:
    with pytest.raises(eq.ModelError, match="the loop closure"):
        write_urdf(four_bar())
    chosen = bennett().with_speeds("dq1", rows=["closure x", "closure y"])
    with pytest.raises(FileFormatError, match="speeds of robot 'bennett' cannot be written"):
        write_toml(chosen)
    assert robot_from_data(robot_to_data(chosen)).speed_map == chosen.speed_map
    with pytest.raises(
        FileFormatError, match=r"line 4, loops\[1\]: Loop 'x': a distance must have"
    ):
        parse_robot('equamo = 1\nname = "r"\nbodies = []\nloops = [{ name = "x", body = "a", '
                    'joint = "distance" }]')  # fmt: skip


def test_loops_that_a_file_would_change_are_not_written() -> None:
    """Axes that were not normalised, because the class was called instead of `eq.loop`."""
    long, zero = eq.Vector([0, 0, 2]), eq.Vector([0, 0, 0])
    pin = eq.Loop("pin", "a", zero, long, "b", zero, long, "revolute")
    with pytest.raises(
        FileFormatError, match="Loop 'pin' cannot be written: it does not read back"
    ):
        write_toml(eq.Robot("r", BARS, loops=[pin]))
    foot = eq.Contact("foot", "a", zero, long)
    with pytest.raises(FileFormatError, match="Contact 'foot' cannot be written: it does not read"):
        write_toml(eq.Robot("r", BARS, contacts=[foot]))


def test_edits_keep_loops() -> None:
    arm = eq.Robot("arm", [eq.Body("base", eq.revolute("q0"), mass="mb")])
    tool = four_bar(contacts=[eq.contact("tip", "coupler", "L2 0 0")])
    tool = eq.Robot("tool", tool.bodies, loops=[*tool.loops, eq.loop("slot", "rocker")],
                    contacts=tool.contacts, forces=[])  # fmt: skip
    both = arm.attach(tool, to="base", prefix="left ")
    assert [(x.name, x.body, x.to) for x in both.loops] == [
        ("left closure", "left coupler", "left rocker"), ("left slot", "left rocker", "base"),
    ]  # fmt: skip
    assert dict(both.mode) == {"left tip": "open"}
    assert both.lock(q0=0).loops == both.loops
    assert both.tree.loops == both.tree.contacts == ()
    locked = four_bar("fixed").lock(q1=1)
    assert [len(r.A) for r in locked.rows] == [3] * 6


def test_a_locked_joint_leaves_the_speeds_of_other_loops() -> None:
    robot = four_bar()
    robot = eq.Robot("r", [*robot.bodies, eq.Body("c", eq.revolute("q9"), mass=1)], speeds="dq1 dq9",
                     loops=robot.loops, parameters=robot.parameter_info)  # fmt: skip
    locked = robot.lock(q9=0)
    assert locked.v == (eq.parse("dq1"),)
    assert len(locked.rows) == 5


def test_hostile_names() -> None:
    robot = four_bar(speeds="auto", contacts=[eq.contact("LF", "crank", "L1 0 0")])
    symbols = {"q1": "d q", "q2": "λ", "q3": "closure x", "dq1": "dd q", "dq2": "dλ",
               "dq3": "dclosure x", "L1": "A", "L2": "phi"}  # fmt: skip
    names = Renaming(symbols, {"crank": "world 2", "coupler": "x", "rocker": "closure"})
    other = renamed(robot, names)
    assert [x.body for x in other.loops] == ["x"]
    for old, new in zip(robot.rows, other.rows, strict=True):
        assert [names.again(a) for a in old.A] == list(new.A)
    chosen = other.with_speeds(None).with_speeds("auto")
    assert chosen.speed_map is not None
    assert chosen.speed_map.names == ("dd q",)
    assert parse_robot(write_toml(chosen)).rows == chosen.rows


def test_quantities_of_a_loop_are_constant() -> None:
    with pytest.raises(eq.ModelError, match="to_at of loop 'x' must not depend on 'q1'"):
        eq.Robot("r", BARS, loops=[eq.loop("x", "a", to="b", to_at="q1 0 0")])
    with pytest.raises(eq.ModelError, match="normal of contact 'x' must not depend on 'dq1'"):
        eq.Robot("r", BARS, contacts=[eq.contact("x", "a", normal="dq1 0 0")])


def test_check_proves_axes_and_rotations() -> None:
    turned = eq.loop(
        "weld", "a", to="b", joint="fixed", rotation=[[1, 0, 0], [0, "c", 0], [0, 0, 1]]
    )
    pin = eq.loop("pin", "a", axis="0 n m", to="b", to_axis="0 sin(h) cos(h)")
    report = eq.check(eq.Robot("r", BARS, loops=[turned, pin], contacts=[eq.contact("c", "a")]))
    assert [(f.body, f.entry) for f in report.findings] == [("weld", "rotation"), ("pin", "axis")]


def test_check_remarks_on_a_default_state_that_is_open() -> None:
    robot = four_bar()
    assert not eq.check(robot).remarks
    (remark,) = eq.check(robot.with_home(q1=1.1)).remarks
    assert "does not close the loop (largest |φ| = 0.0" in str(remark)
    flipped = eq.loop("pin", "a", axis="z", to="b", to_axis="-z")
    (remark,) = eq.check(eq.Robot("r", BARS, loops=[flipped], gravity="0 0 0")).remarks
    assert "antiparallel axes" in str(remark)


def test_perpendicular_vectors() -> None:
    for text in ("x", "-y", "z", "3 0 4", "1 1 1", "2 -1 -2", "0 sin(h) cos(h)"):
        z = unit_axis(text)
        x, y = perpendicular(z)
        zero = [x @ y, x @ z, x @ x - 1, *(x.cross(y) - z)]
        assert eq.prove_zero(zero)


def test_a_robot_says_that_it_has_loops() -> None:
    assert str(four_bar()).startswith("Robot four_bar_revolute: 3 bodies, 3 joint speeds, 12 param")
    assert str(four_bar()).endswith("3 inputs, 1 loop")
    assert "1 degree of freedom" in str(four_bar(speeds="dq1"))
