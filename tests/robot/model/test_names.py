"""Names that a user types: a formula is refused with what to write, odd names go in backquotes."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import equamo as eq
from equamo.algebra.expr import parse, symbol
from equamo.errors import ConstraintError, EquamoError, FileFormatError, ModelError
from equamo.robot.formats.dh import Row, dh_robot
from equamo.robot.formats.toml import parse_robot
from equamo.robot.formats.toml_writer import write_toml
from equamo.robot.model.names import read_name, read_names, written

FORMULAS = (
    "q 1",
    "2q",
    "q-1",
    "K*i",
    "sin(q)",
    "q**2",
    "3",
    "pi",
    "sin",
    "",
    " ",
    "q`1",
    "``",
    "a/b",
)

CONSTRUCTORS: dict[str, Callable[[Any], Any]] = {
    "revolute": eq.revolute,
    "prismatic": eq.prismatic,
    "helical": lambda q: eq.helical(q, 1),
    "joint_actuator": eq.joint_actuator,
    "joint_actuator input": lambda q: eq.joint_actuator("q", q or " "),
    "joint_damper": lambda q: eq.joint_damper(q, 1),
    "joint_friction": lambda q: eq.joint_friction(q, 1),
    "joint_spring": lambda q: eq.joint_spring(q, 1),
    "rotor_inertia": lambda q: eq.rotor_inertia(q, 1),
    "cylinder": lambda q: eq.cylinder("a", "b", q),
    "custom": lambda q: eq.custom([q]),
    "planar": lambda q: eq.planar(["x", "y", q]),
    "universal": lambda q: eq.universal(["x", q]),
    "cylindrical": lambda q: eq.cylindrical([q]),
    "spherical": lambda q: eq.spherical([q]),
    "free": lambda q: eq.free([q], rotation="euler"),
}


@pytest.mark.parametrize("text", FORMULAS)
@pytest.mark.parametrize("kind", CONSTRUCTORS)
def test_a_formula_is_not_a_name(kind: str, text: str) -> None:
    with pytest.raises(ModelError, match=r"must be a name"):
        CONSTRUCTORS[kind](text)


@pytest.mark.parametrize("given", [None, 5, 1.5, parse("2*q"), b"q", ["q"]])
@pytest.mark.parametrize("kind", ["revolute", "joint_damper", "cylinder"])
def test_only_text_and_symbols_are_names(kind: str, given: Any) -> None:
    with pytest.raises(ModelError, match=r"must be a name"):
        CONSTRUCTORS[kind](given)


@pytest.mark.parametrize("name", ["q1", "θ_R", "q̇", "left hip-1", "2q", "a,b", "</td>", "sin"])
@pytest.mark.parametrize("kind", CONSTRUCTORS)
def test_odd_names_go_in_backquotes_or_come_as_symbols(kind: str, name: str) -> None:
    quoted, verbatim = CONSTRUCTORS[kind](f"`{name}`"), CONSTRUCTORS[kind](symbol(name))
    assert quoted == verbatim
    assert name in repr(quoted)


@pytest.mark.parametrize(
    ("text", "advice"),
    [("q 1", "write 'q_1', or '`q 1`'"), ("2q", "write 'q2', or '`2q`'"),
     ("q-1", "the formula 'q-1'; write 'q_1', or '`q-1`'"), ("3", "the number '3'"),
     ("sin", "the function 'sin'; write '`sin`'")],
)  # fmt: skip
def test_the_error_says_what_to_write(text: str, advice: str) -> None:
    with pytest.raises(ModelError) as error:
        eq.revolute(text)
    assert str(error.value).startswith("revolute: the coordinate must be a name, got ")
    assert advice in str(error.value)


@pytest.mark.parametrize(
    ("given", "gear", "input", "whole_gear"),
    [("K*i", 1, "i", "K"), ("-2*u/3", "N", "u", "-2*N/3"), ("`a b`*K", 1, "K", "`a b`")],
)
def test_an_input_with_a_factor_is_an_input_with_a_gear(
    given: str, gear: Any, input: str, whole_gear: str
) -> None:
    with pytest.raises(ModelError) as error:
        eq.joint_actuator("theta1", given, gear=gear)
    call = f"joint_actuator('theta1', {input!r}, gear={whole_gear!r})"
    assert str(error.value).endswith(f"write {call}.")
    advised = eq.joint_actuator("theta1", input, gear=whole_gear)
    assert advised.loads()[0].force == parse(given) * parse(str(gear))


def test_an_input_that_is_a_sum_gets_no_gear() -> None:
    with pytest.raises(ModelError, match="the formula 'a\\+b'; write 'a_b'"):
        eq.joint_actuator("q", "a+b")


def test_names_in_one_text() -> None:
    assert read_names("x, `a, b` `c d`\tz", "q") == ("x", "a, b", "c d", "z")
    assert eq.planar("x `left y` a").coordinates == ("x", "left y", "a")
    assert eq.spherical("`left hip`").speeds == ("left hip_wx", "left hip_wy", "left hip_wz")
    assert eq.free(symbol("left hip")).coordinates[0] == "left hip_x"


@pytest.mark.parametrize("name", ["q1", "q 1", "a,b", "1", "sin", "π", "ü", "q·1"])
def test_what_is_written_is_read(name: str) -> None:
    assert read_name(written(name), "name") == name
    assert read_names(f"x {written(name)} y", "name") == ("x", name, "y")


# -- chosen speeds ---------------------------------------------------------------------------------
def skater(**speeds: Any) -> eq.Robot:
    return eq.Robot("s", [eq.Body("b", eq.planar("x y a"), mass=1, inertia="0 0 1")], **speeds)


def test_a_chosen_speed_has_a_name() -> None:
    rates = {"dx": "`u-1`*cos(a)", "dy": "`u-1`*sin(a)", "da": "w"}
    with pytest.raises(ModelError, match="speeds: a speed must be a name, got the formula 'u-1'"):
        skater(speeds="u-1 w", rates=rates)
    assert [x.name for x in skater(speeds="`u-1` w", rates=rates).v] == ["u-1", "w"]
    keep = {"u*2": "dx*cos(a) + dy*sin(a)", "w": "da"}
    with pytest.raises((ModelError, ConstraintError), match="must be a name"):
        skater(speeds=keep, constraints=["dx*sin(a) - dy*cos(a)"])
    keep = {f"`{n}`": e for n, e in keep.items()}
    robot = skater(speeds=keep, constraints=["dx*sin(a) - dy*cos(a)"])
    assert [x.name for x in robot.v] == ["u*2", "w"]
    again = parse_robot(write_toml(robot))
    assert again.speed_map == robot.speed_map


# -- files -----------------------------------------------------------------------------------------
def toml(joint: str, force: str = 'kind = "joint_actuator"\ncoordinate = "q"') -> str:
    return f'equamo = 1\nname = "r"\n[[bodies]]\nname = "b"\njoint = {joint}\n[[forces]]\n{force}\n'


@pytest.mark.parametrize(
    "text",
    [
        toml('{ kind = "revolute", q = "q-1" }'),
        toml('{ kind = "revolute", q = ["q-1"] }'),
        toml('{ kind = "revolute", q = "q", speeds = ["2u"] }'),
        toml('{ kind = "revolute", q = "q" }', 'kind = "joint_damper"\ncoordinate = "2*q"\ndamping = 1'),
        toml('{ kind = "revolute", q = "q" }',
             'kind = "joint_actuator"\ncoordinate = "q"\ninput = "K*i"'),
        toml('{ kind = "revolute", q = "q" }',
             'kind = "joint_damper"\nspeed = "d q"\ncoordinate = "q"\ndamping = 1'),
    ],
)  # fmt: skip
def test_formulas_in_model_files_are_refused_with_their_place(text: str) -> None:
    with pytest.raises(FileFormatError, match=r"line \d+.*must be a name"):
        parse_robot(text)


def test_a_gear_in_a_model_file() -> None:
    force = 'kind = "joint_actuator"\ncoordinate = "q"\ninput = "i"\ngear = "K"'
    robot = parse_robot(toml('{ kind = "revolute", q = "q" }', force))
    assert robot.forces[0].loads()[0].force == parse("K*i")  # type: ignore[union-attr]
    assert parse_robot(write_toml(robot)).forces == robot.forces


def test_names_of_other_formats_are_taken_as_they_are(tmp_path: Path) -> None:
    file = tmp_path / "arm.urdf"
    file.write_text(
        '<robot name="r"><link name="a"/><link name="b"><inertial><mass value="1"/>'
        '<inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>'
        '<joint name="left hip-1" type="revolute"><parent link="a"/><child link="b"/>'
        '<limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics damping="2" friction="3"/>'
        "</joint></robot>"
    )
    robot = eq.load(str(file))
    assert [x.name for x in robot.q] == ["left hip-1"]
    assert [x.name for x in robot.inputs] == ["tau_left hip-1"]
    again = parse_robot(write_toml(robot))
    assert (again.q, again.inputs, again.forces) == (robot.q, robot.inputs, robot.forces)


def test_names_of_dh_tables() -> None:
    with pytest.raises(ModelError, match=r"Row 1.*the joint variable must be a name"):
        dh_robot("r", [Row("`q-1`", q="q-1", mass=1)])
    robot = dh_robot("r", [Row("`q-1`", q="`q-1`", mass=1, Jm="J", B="b", limits=(-1, 1))])
    assert [x.name for x in robot.q] == ["q-1"]
    assert list(robot.limits) == ["q-1"]


def test_default_actuators_of_odd_names() -> None:
    robot = eq.Robot("r", [eq.Body("b", eq.revolute("`q 1`"), mass=1)])
    assert [x.name for x in robot.inputs] == ["tau 1"]
    with pytest.raises(EquamoError):
        robot.lock(q1=0)
