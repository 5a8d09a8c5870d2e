"""`equamo new`: templates that load, check and derive."""

from pathlib import Path

import pytest

from command_line import equamo
from equamo.errors import ModelError
from equamo.mechanics.certificate import prove
from equamo.mechanics.equations import derive
from equamo.robot.formats.template import LETTERS, MAX_JOINTS, template
from equamo.robot.formats.toml import parse_robot, read_toml
from equamo.robot.model import check

SPEEDS = {"r": 1, "p": 1, "h": 1, "c": 2, "u": 2, "s": 3, "l": 3, "f": 6, "x": 0}


@pytest.mark.parametrize("joints", [*LETTERS, "rrp", "RRR", "frrp", "".join(LETTERS)])
def test_a_template_loads_checks_and_derives(joints: str) -> None:
    robot = parse_robot(template(joints))
    report = check(robot)
    assert report.ok, str(report)
    assert not report.remarks, str(report)
    assert len(derive(robot).v) == sum(SPEEDS[j] for j in joints.lower())
    assert all(p.value is not None and p.description for p in robot.parameter_info.values())


def test_a_template_is_proved() -> None:
    assert prove(parse_robot(template("rrpsc"))).ok


def test_comments_in_the_template_are_valid_when_taken_in() -> None:
    text = template("rr")
    head, tail = text.split("# other forces, list all of them, for example:\n")
    robot = parse_robot(
        head + "\n".join(x.removeprefix("# ").rstrip("#") for x in tail.splitlines())
    )
    assert len(robot.forces) == 2
    assert robot.limits
    assert robot.home.q["q1"]


@pytest.mark.parametrize(("joints", "message"), [
    ("rqp", "Unknown joint letter 'q' at position 2 of 'rqp'. Valid: r revolute, p prismatic"),
    ("", "must have one letter per joint, got ''. Valid: r revolute"),
    ("r" * 201, "must have at most 200 joints, got 201"),
])  # fmt: skip
def test_bad_letters_name_the_valid_ones(joints: str, message: str) -> None:
    with pytest.raises(ModelError, match=message):
        template(joints)


def test_the_command_writes_a_file(tmp_path: Path) -> None:
    out = tmp_path / 'my "arm.toml'
    assert equamo("new", "rrp", "--out", str(out)).returncode == 0
    assert read_toml(out).name == "my _arm"
    again = equamo("new", "rrp", "--out", str(out))
    assert again.returncode == 2
    assert "--force" in again.stderr
    assert equamo("new", "rp").stdout == template("rp")
    bad = equamo("new", "rz")
    assert bad.returncode == 2
    assert "Valid: r revolute" in bad.stderr


def test_a_name_that_no_text_in_toml_could_be_is_made_one() -> None:
    robot = parse_robot(template("r", 'my "arm"\\1'))
    assert robot.name == "my _arm__1"


def test_as_many_joints_as_a_template_may_have() -> None:
    assert template("r" * MAX_JOINTS).count("[[bodies]]") == MAX_JOINTS == 200


def test_text_of_each_joint() -> None:
    lines = template(" RPCRPLHX ", "arm").splitlines()
    assert 'description = "a chain with 8 joints: rpcrplhx"' in lines
    assert [line for line in lines if line.startswith("joint")] == [
        'joint = { kind = "revolute", q = "q1", axis = "z" }  # angle about the axis [rad]',
        'joint = { kind = "prismatic", q = "q2", axis = "z", at = "0 0 L1" }  '
        "# travel along the axis [m]",
        'joint = { kind = "cylindrical", q = "q3", axis = "y", at = "0 0 L2" }  '
        "# angle about the axis [rad] and travel along it [m]",
        'joint = { kind = "revolute", q = "q4", axis = "z", at = "0 0 L3" }  '
        "# angle about the axis [rad]",
        'joint = { kind = "prismatic", q = "q5", axis = "x", at = "0 0 L4" }  '
        "# travel along the axis [m]",
        'joint = { kind = "planar", q = "q6", plane = "xz", at = "0 0 L5" }  '
        "# x, z [m] and angle about y [rad]",
        'joint = { kind = "helical", q = "q7", axis = "y", pitch = "pitch7", at = "0 0 L6" }  '
        "# angle about the axis [rad]; pitch is metres per radian",
        'joint = { kind = "fixed", at = "0 0 L7" }  # does not move',
    ]
    assert [line.split(" ")[0] for line in lines if " value = " in line] == [
        *(f"{name}{i}" for i in range(1, 8) for name in ("L", "Lc", "m", "Ix", "Iy", "Iz")),
        "pitch7",
        *("Lc8", "m8", "Ix8", "Iy8", "Iz8", "g"),
    ]


def test_text_of_a_pendulum() -> None:
    text = template("r")
    assert 'description = "a chain with 1 joint: r"' in text
    assert text.split("[[bodies]]\n")[1].split("\n\n")[0].splitlines() == [
        'name = "link1"',
        'joint = { kind = "revolute", q = "q1", axis = "y" }  # angle about the axis [rad]',
        'mass = "m1"',
        'com = "0 0 Lc1"                     # centre of mass, in the frame of the body',
        'inertia = "Ix1 Iy1 Iz1"             # about the centre of mass; or XX XY XZ YY YZ ZZ',
    ]
    assert 'axis = "y"' in template("xrx")
    second = template("rr").split("[[bodies]]\n")[2].split("\n\n")[0]
    assert second.splitlines() == [
        'name = "link2"',
        'parent = "link1"',
        'joint = { kind = "revolute", q = "q2", axis = "y", at = "0 0 L1" }  '
        "# angle about the axis [rad]",
        'mass = "m2"',
        'com = "0 0 Lc2"',
        'inertia = "Ix2 Iy2 Iz2"',
    ]
