"""TOML model files: exact round trips, errors that name the place, mutated files."""

import random
import time
import tomllib
from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from equamo.algebra.expr import parse, symbol
from equamo.errors import EquamoError, FileFormatError, UnknownNameError
from equamo.robot.formats import toml_table
from equamo.robot.formats.toml import FORCES, JOINTS, parse_robot, read_toml, robot_of
from equamo.robot.formats.toml_table import Table
from equamo.robot.formats.toml_writer import write_toml
from equamo.robot.library import load, names
from equamo.robot.model import (
    BaseMotion,
    Body,
    Inertia,
    Parameter,
    Robot,
    cylinder,
    damper,
    fixed,
    force_actuator,
    forces as kinds_of_force,
    free,
    joint_actuator,
    joint_damper,
    joint_friction,
    joint_spring,
    joints as kinds_of_joint,
    planar,
    prismatic,
    revolute,
    rotor_inertia,
    spring,
    torque_actuator,
    wrench,
)
from equamo.robot.model.force import ForceElement
from equamo.robot.model.forces import JointActuator
from equamo.robot.model.joint import Joint
from equamo.robot.model.storage import robot_to_data
from mutated_text import mutated_text, mutated_tree
from random_trees import WHOLE_SWEEPS, random_tree

PENDULUM = """\
equamo = 1
name = "pendulum"
gravity = "0 0 -g"

[parameters]
m = { value = 2, unit = "kg", description = "mass" }
L = 0.1

[[bodies]]
name = "bob"
joint = { kind = "revolute", q = "q1", axis = "y" }
mass = "m"
com = "0 0 -L"
"""


def assert_same(robot: Robot) -> None:
    text = write_toml(robot)
    again = parse_robot(text)
    assert robot_to_data(again) == robot_to_data(robot), text
    assert write_toml(again) == text


# -- round trips -----------------------------------------------------------------------------------
@pytest.mark.sweep(8)
@pytest.mark.parametrize("name", names())
def test_every_built_in_robot_round_trips(name: str) -> None:
    assert_same(load(name))


def test_drives_of_krang_round_trip() -> None:
    assert_same(load("krang", friction=True, rotors=True))


@pytest.mark.parametrize("seed", range(200 if WHOLE_SWEEPS else 36))
def test_random_trees_round_trip(seed: int) -> None:
    assert_same(random_tree(seed).robot())


def test_every_kind_of_joint_and_force_can_be_written() -> None:
    def kinds(module: Any, base: type) -> set[str]:
        made = {n for n, c in vars(module).items() if isinstance(c, type) and issubclass(c, base)}
        return {"".join(f"_{c}" if c.isupper() else c for c in n).lower()[1:] for n in made}

    assert kinds(kinds_of_force, ForceElement) == set(FORCES)
    joints = {k.replace("_euler", "") for k in kinds(kinds_of_joint, Joint)}
    assert joints == set(JOINTS)


def one_of_each() -> Robot:
    return Robot(
        'one "of" each\\',
        [
            Body("base", free("b", rotation="euler", at="h 0 0", orientation="0 pi/2 a")),
            Body("a b", prismatic("`slide-1`", axis="1 2 2"), "m", "c 0 0", "1 0 0.1 2 0 I-1", "base"),
            Body("ü", revolute("q1", axis="a1 a2 0", name="elbow"), parent="a b",
                 inertia=Inertia.about_origin("m2 1 2 3 4 5 6 7 8 Z")),
            Body("tip", fixed(at=["x + y", 0, "atan2(y, x)"], name="weld"), parent="ü"),
        ],
        gravity=["g*sin(slope)", 0, "-g*cos(slope)"],
        forces=[
            joint_actuator("q1", input="u"),
            joint_actuator("`slide-1`", name="motor"),
            joint_damper("q1", "d"),
            joint_friction("q1", "Fc", "Fv", smoothing="w", name="stick"),
            joint_friction("`slide-1`", viscous=3),
            joint_spring("q1", "k", rest="pi/3"),
            rotor_inertia("q1", "Jm", ratio=80),
            rotor_inertia("`slide-1`", "Jm2", name="rotor 2"),
            torque_actuator("ü", "a b", "0 T/2 0", name="twist"),
            force_actuator("ü", "world", "F 0 0", at="1 0 0", to_at="0 0 r", name="push"),
            wrench("tip", "Wx 0 1/3", "0 0 Wt", at="e 0 0", expressed_in="world", point_in="base"),
            wrench("ü", "Vx 0 0"),
            spring("ü", "world", "k2", rest="l0", at="0 0 1/2"),
            spring("tip", "base", 100, name="soft"),
            damper("ü", "base", "d2", to_at="1 1 1"),
            cylinder("ü", "base", "P", at="0 s 0"),
        ],
        parameters=[
            Parameter("m", Fraction(1, 3), "kg", 'mass of "a b"\nand more', nonnegative=True),
            Parameter("h", None, "m"), Parameter("I-1", 10**20), Parameter("Z", Fraction("-0.125")),
        ],
        base=BaseMotion(w="0 0 Omega", a="0 ay 0"),
        home={"q1": 0.3, "b_x": Fraction(1, 7), "u": -2},
        notation={"q1": r"\theta_1", "m": "m_{ab}"},
        limits={"q1": ("-pi/2", 2), "slide-1": {"upper": "L", "speed": 3, "effort": "E"}},
        description="line one\nline two\ttab \x07",
    )  # fmt: skip


def test_one_of_each_round_trips() -> None:
    assert_same(one_of_each())


def test_chosen_speeds_round_trip() -> None:
    bodies = [Body("car", planar("x y yaw"), mass="m", inertia="0 0 I")]
    rates = {"dx": "u1*cos(yaw)", "dy": "u1*sin(yaw)", "dyaw": "u2"}
    assert_same(Robot("car", bodies, speeds="u1 u2", rates=rates))


def test_speeds_of_a_locked_robot_are_written_as_a_map() -> None:
    """Locking drops the constraints and keeps W: that is what the file says."""
    robot = load("krang_on_wheels", frames=4).lock(q_torso=0)
    again = parse_robot(write_toml(robot))
    old, new = robot.speed_map, again.speed_map
    assert old is not None
    assert new is not None
    assert (new.names, new.W, new.dependent) == (old.names, old.W, old.dependent)
    a, b = robot_to_data(robot), robot_to_data(again)
    assert {**a, "speeds": None} == {**b, "speeds": None}


def test_a_speed_that_is_no_rate_round_trips() -> None:
    drone = Robot("drone", [Body("hull", free("b"), mass=1, inertia="1 1 1")],
                  forces=[JointActuator("spin", "b_wz", "T")])  # fmt: skip
    assert_same(drone)
    assert 'speed = "b_wz"' in write_toml(drone)


def test_a_file_is_read(tmp_path: Path) -> None:
    path = tmp_path / "arm.toml"
    path.write_text(write_toml(load("rr_arm")), encoding="utf-8")
    assert robot_to_data(read_toml(path)) == robot_to_data(load("rr_arm"))
    with pytest.raises(FileFormatError, match=r"none\.toml: cannot be read"):
        read_toml(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes(b"name = '\xff'")
    with pytest.raises(FileFormatError, match="must be text in UTF-8, got byte 0xff"):
        read_toml(tmp_path / "latin.toml")


def test_numbers_are_exact() -> None:
    robot = parse_robot(PENDULUM.replace('com = "0 0 -L"', "com = [0.1, 1e-3, '1/3']"))
    assert robot.values["L"] == Fraction(1, 10)
    assert list(robot.bodies[0].inertia.center) == [parse("1/10"), parse("1/1000"), parse("1/3")]


def test_home_may_be_an_angle() -> None:
    robot = parse_robot(PENDULUM + '[home]\nq1 = "pi/2"\n')
    assert robot.home.q["q1"] == pytest.approx(1.5707963267948966, abs=0)


def test_without_forces_the_joints_are_driven() -> None:
    assert parse_robot(PENDULUM).inputs == (symbol("tau1"),)
    assert parse_robot("forces = []\n" + PENDULUM).inputs == ()


# -- errors ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(("old", "new", "message"), [
    ("equamo = 1\n", "", r"f\.toml: a model file must have the line 'equamo = 1'"),
    ("equamo = 1", "equamo = 2", r"f\.toml, line 1, equamo: the version .* must be 1, got 2"),
    ("equamo = 1", "equamo = true", "must be 1, got True"),
    ("equamo = 1", "equamo = 1\nequamo = 1", "not valid TOML"),
    ("mass =", "mas =", r"Unknown key 'mas' in f\.toml, line 9, bodies\[1\]\. Did you mean 'mass'"),
    ("gravity", "gravitation", r"Unknown key 'gravitation' in f\.toml\. Did you mean 'gravity'"),
    ("axis =", "axes =", r"Unknown key 'axes' in f\.toml, line 11, bodies\[1\]\.joint.*'axis'"),
    ('"revolute"', '"revolut"', r"Unknown kind of joint 'revolut'.*Did you mean 'revolute'"),
    ('name = "bob"\n', "", r"line 9, bodies\[1\]: key 'name' is missing"),
    ('name = "pendulum"', "name = 3", r"line 2, name: expected text in quotes, got 3"),
    ('mass = "m"', 'mass = "m +"', r"line 12, bodies\[1\]\.mass: Column 4: expected a number"),
    ('mass = "m"', "mass = true", r"line 12, bodies\[1\]\.mass: expected a number.*got a boolean"),
    ('mass = "m"', "mass = inf", "not valid TOML: numbers must be finite, got inf"),
    ('mass = "m"', "mass = 1e99999999", "numbers must have at most 4300 digits"),
    ('"0 0 -L"', '"0 0"', r"line 13, bodies\[1\]\.com: expected 3 quantities, got 2"),
    ('"0 0 -L"', '"0 sin( 0"', r"bodies\[1\]\.com\[2\]: Column"),
    ("value = 2", 'value = "m2"', r"^f\.toml, line 6, parameters\.m\.value: expected a number"),
    ("value = 2", 'value = "m2 +"', r"^f\.toml, line 6, parameters\.m\.value: Column 5: expected"),
    ("L = 0.1", 'L = "a +"', r"^f\.toml, line 7, parameters\.L: Column"),
    ("value = 2", f"value = {'7' * 400}", r"line 6, parameters\.m: .*below 1\.8e308.*about 10\^400"),
    ("value = 2", "value = -1e309", r"line 6, parameters\.m: .*below 1\.8e308.*about -10\^309"),
    ("[[bodies]]", f"[home]\nq1 = {'7' * 400}\n[[bodies]]", r"f\.toml: The default of 'q1'.*1\.8e308"),
    ("[[bodies]]", f"[limits]\nq1 = {{ upper = {'7' * 400} }}\n[[bodies]]",
     r"f\.toml: The limits of 'q1'.*1\.8e308"),
    ("value = 2", "nonnegative = true, value = -2", r"line 6, parameters\.m: .*must be ≥ 0, got -2"),
    ("unit =", "units =", r"Unknown key 'units' in f\.toml, line 6, parameters\.m"),
    ('q = "q1"', 'q = ""', r"line 11, bodies\[1\]\.joint\.q: expected at least one coordinate name"),
    ('q = "q1"', 'q = ["a", "b"]', r"a revolute joint must have 1 coordinate, got 2"),
    ('q = "q1"', 'q = "q1", speeds = "a b"', r"a revolute joint must have 1 speed, got 2"),
    ('q = "q1"', "q = 3", r"joint\.q: expected names in quotes, or an array of them, got 3"),
    ('axis = "y"', 'axis = "w"', r"joint\.axis: an axis must be 'x', .* or three quantities, got 'w'\."),
    ('axis = "y"', 'axis = "0 0 0"', r"bodies\[1\]\.joint: An axis must have a direction"),
    ('axis = "y"', 'rotation = [[1, 0], [0, 1]]', "three rows of three"),
    ('mass = "m"', 'ten = "1 2 3"\nmass = 1', r"'ten' already defines.*remove 'mass'"),
    ("value = 2", "nonnegative = 1", r"parameters\.m\.nonnegative: expected true or false, got 1"),
    ("[[bodies]]", "[home]\nq1 = 'q2'\n[[bodies]]", r"home\.q1: expected a number, got 'q2'"),
    ('mass = "m"', 'parent = "bov"', r"f\.toml: Unknown parent 'bov'"),
    ("[[bodies]]", "[[forces]]\nkind = 'joint_dampr'\n[[bodies]]", "Did you mean 'joint_damper'"),
    ("[[bodies]]", "[[forces]]\nkind = 'spring'\n[[bodies]]", r"line 9, forces\[1\]: key 'body' is"),
    ("[[bodies]]", "[limits]\nq1 = { upper = 'sqrt(-1)' }\n[[bodies]]",
     r"f\.toml: a quantity could not be computed: "),
    ("[[bodies]]", "[limits]\nq1 = { lowr = 1 }\n[[bodies]]", "Unknown key 'lowr'.*'lower'"),
    ("[[bodies]]", "[home]\nq2 = 1\n[[bodies]]", r"f\.toml: Unknown coordinate"),
    ("[[bodies]]", "[speeds]\nu = 'dq2'\n[[bodies]]", r"f\.toml: Unknown joint speed 'dq2'"),
    ("[[bodies]]", "[[constraints]]\nequation = 'dq1 = ='\n[[bodies]]", r"line 10, constraints\[1\]"),
])  # fmt: skip
def test_errors_name_the_place(old: str, new: str, message: str) -> None:
    assert old in PENDULUM
    with pytest.raises((FileFormatError, UnknownNameError), match=message):
        parse_robot(PENDULUM.replace(old, new, 1), "f.toml")


GEAR = """\
equamo = 1
name = "gear"
speeds = "dq1"

[parameters]
n = 2

[[bodies]]
name = "a"
joint = { kind = "revolute", q = "q1" }

[[bodies]]
name = "b"
joint = { kind = "revolute", q = "q2" }
mass = 1

[[constraints]]
"""


@pytest.mark.parametrize("equation", ["n*dq1 = dq2", "n*dq1 - dq2"])
@pytest.mark.parametrize(("more", "name"), [("", "dq1*n - dq2"), ("name = 'teeth'", "teeth")])
def test_constraints(equation: str, more: str, name: str) -> None:
    """An equation or its residual; the name is the residual if it is not given."""
    speed_map = parse_robot(f"{GEAR}equation = {equation!r}\n{more}\n").speed_map
    assert speed_map is not None
    (found,) = speed_map.constraints
    assert (found.equation, found.name) == (parse("n*dq1 - dq2"), name)


def test_deep_nesting_is_refused() -> None:
    with pytest.raises(FileFormatError, match=r"f\.toml: .*must not be nested this deeply"):
        parse_robot("a = " + "[" * 100_000, "f.toml")


def test_size_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(toml_table, "MAX_ENTRIES", 5)
    with pytest.raises(FileFormatError, match=r"f\.toml: .* at most 5 values"):
        parse_robot(PENDULUM, "f.toml")
    monkeypatch.setattr(toml_table, "MAX_LENGTH", 10)
    with pytest.raises(FileFormatError, match=r"f\.toml: .* at most 10 characters, got \d+"):
        parse_robot(PENDULUM, "f.toml")


def test_an_old_key_beside_the_new_one_is_refused() -> None:
    friction = "[[forces]]\nkind = 'joint_friction'\ncoordinate = 'q1'\nwidth = 1\nsmoothing = 1\n"
    with pytest.raises(FileFormatError, match="'width' is the old name of 'smoothing', got both"):
        parse_robot(f"{PENDULUM}\n{friction}", "f.toml")


# -- mutated files ---------------------------------------------------------------------------------
def _texts() -> list[str]:
    built_in = ("rr_arm", "wheeled_inverted_pendulum", "rolling_disc", "puma560")
    robots = [load(n) for n in built_in] + [random_tree(s).robot() for s in range(6)]
    return [write_toml(r) for r in (*robots, one_of_each())]


def _refusal(read: Callable[[], object]) -> str:
    """The message of the error; empty if it was read."""
    try:
        read()
    except EquamoError as error:
        return str(error)
    return ""


def _mutated(text: str, r: random.Random, structure: bool) -> Callable[[], Robot]:
    if not structure:
        changed = mutated_text(text, r)
        return lambda: parse_robot(changed, "f.toml")
    data = tomllib.loads(text, parse_float=Fraction)
    mutated_tree(data, r)
    return lambda: robot_of(Table(data, "f.toml", {}))


@pytest.mark.parametrize("structure", [False, True])
def test_mutated_files_are_read_or_refused(structure: bool) -> None:
    """Half of the mutations are edits of the parsed tree: they stay well-formed."""
    texts = _texts()
    outcome: Counter[str] = Counter()
    for seed in range(2500 if WHOLE_SWEEPS else 150):
        r = random.Random(seed)
        start = time.perf_counter()
        message = _refusal(_mutated(r.choice(texts), r, structure))
        assert not message or "f.toml" in message, (seed, message)
        assert time.perf_counter() - start < 10, seed
        outcome["refused" if message else "read"] += 1
    assert min(outcome["read"], outcome["refused"]) > 5, outcome


def test_a_force_actuator_reacts_on_the_world_by_default() -> None:
    text = """
equamo = 1
name = "sled"
[[bodies]]
name = "runner"
joint = { kind = "prismatic", q = "x", axis = "x" }
mass = 1
[[forces]]
kind = "force_actuator"
body = "runner"
force = "F 0 0"
"""
    assert parse_robot(text).forces == (force_actuator("runner", "world", "F 0 0"),)


@pytest.mark.parametrize(
    ("kind", "names"), [("revolute", ["knee"]), ("planar", ["a", "b", "c"]), ("revolute", "knee")]
)
def test_a_joint_without_a_name_has_that_of_its_first_coordinate(kind: str, names: Any) -> None:
    body = f'name = "b"\nmass = 1\njoint = {{ kind = "{kind}", q = {names} }}'
    if isinstance(names, str):
        body = body.replace("q = knee", 'q = "knee"')
    joint = parse_robot(f'equamo = 1\nname = "r"\n[[bodies]]\n{body}\n').bodies[0].joint
    assert joint.coordinates == ((names,) if isinstance(names, str) else tuple(names))
    assert joint.name == joint.coordinates[0]
