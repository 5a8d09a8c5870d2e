"""Robots of example-robot-data in other libraries: every difference is explained."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.review.referee.libraries import LIBRARIES
from peer_urdf import file, files
from referee_texts import arm, written

pytestmark = pytest.mark.needs("pinocchio")

INSTALLED = ("pinocchio", "mujoco", "pybullet")
REFUSED = ("falcon.urdf", "ur3.urdf")  # by equamo and by Pinocchio
SAMPLE = ("panda.urdf", "ur5_robot.urdf", "double_pendulum_continuous.urdf", "solo12.urdf")
SOME = [p for p in files() if p.name not in REFUSED] if WHOLE_SWEEPS else [file(n) for n in SAMPLE]


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("path", SOME, ids=lambda p: f"{p.parent.parent.name}/{p.name}")
def test_no_unexplained_difference(path: Path, base: str) -> None:
    robot = eq.load(path, base=base)
    if not robot.v:
        return
    report = eq.compare_with(robot, INSTALLED, states=20 if WHOLE_SWEEPS else 3)
    assert not [x for result in report for x in result.unexplained], report
    assert not report["pinocchio"].refused
    for result in report:
        quantities = {x.quantity for x in result.quantities}
        assert result.refused or {"mass matrix", "inverse dynamics", "Jacobians"} <= quantities


@pytest.mark.parametrize("name", ["rr_arm", "three_link_arm"])
def test_built_in_robots_are_written_as_urdf(name: str) -> None:
    """Their gravity, along any axis, is set in the library; actuators are not compared."""
    report = eq.compare_with(name, "pinocchio", states=3)
    assert report.ok, report
    assert not report["pinocchio"].rules


def test_euler_angles_of_the_base(tmp_path: Path) -> None:
    """Speeds of the libraries are quasi-velocities; ours are rates of the angles."""
    robot = eq.load(written(tmp_path, arm(base=_base())), base="free", rotation="euler")
    report = eq.compare_with(robot, ["pinocchio", "mujoco"], states=4)
    assert report.ok, report
    assert all(x.verdict == "agrees" for result in report for x in result.quantities)


def test_a_floating_joint_is_a_free_base(tmp_path: Path) -> None:
    robot = eq.load(written(tmp_path, arm(base=_base())), base="free")
    built = eq.Robot("again", robot.bodies, gravity="0 0 -9.81", forces=robot.forces)
    report = eq.compare_with(built, ["pinocchio", "mujoco"], states=3)  # world → floating → base
    assert report.ok, report
    assert len(report.robot.v) == 8


def _base() -> str:
    return (
        '<link name="base"><inertial><mass value="3"/><origin xyz="0.1 0 0"/><inertia ixx="1" ixy="0.1" '
        'ixz="0" iyy="1.2" iyz="0" izz="1.3"/></inertial></link>'
    )


def test_symbolic_parameters_have_the_values_of_the_file(tmp_path: Path) -> None:
    robot = eq.load(written(tmp_path, arm()), parameters="symbolic")
    assert eq.compare_with(robot, "pinocchio", states=3).ok


def test_a_link_named_world(tmp_path: Path) -> None:
    text = arm().replace('"base"', '"world"')
    report = eq.compare_with(written(tmp_path, text), INSTALLED, states=3)
    assert report.ok, report


def test_one_degree_of_freedom(tmp_path: Path) -> None:
    text = arm().replace('name="elbow" type="revolute"', 'name="elbow" type="fixed"')
    report = eq.compare_with(written(tmp_path, text), INSTALLED, states=3)
    assert len(report.robot.v) == 1
    assert report.ok, report


def test_states_depend_on_the_seed_only(tmp_path: Path) -> None:
    path = written(tmp_path, arm())
    a, b = (eq.compare_with(path, "pinocchio", states=3, seed=5) for _ in range(2))
    c = eq.compare_with(path, "pinocchio", states=3, seed=6)
    assert a.to_data() == b.to_data()
    assert a.to_data()["libraries"] != c.to_data()["libraries"]


def test_a_robot_that_urdf_cannot_represent_is_refused() -> None:
    """A spring between two bodies: the other libraries would read another robot."""
    arm = eq.load("rr_arm").with_values(m1=1, m2=1, L1=1, Lc1=0.5, Lc2=0.5, I1=0.1, I2=0.1)
    first, second = (b.name for b in arm.bodies)
    robot = arm.with_forces(eq.spring(first, second, 3, name="band"))
    with pytest.raises(eq.ModelError, match=r"need the robot as URDF.*force element band"):
        eq.compare_with(robot, "pinocchio", states=3)


# -- the report ----------------------------------------------------------------------------------------
def test_report(tmp_path: Path) -> None:
    path = written(tmp_path, arm(dynamics='<dynamics damping="0.5"/>'))
    report = eq.compare_with(path, ["pinocchio", "mujoco"], states=3)
    text = str(report)
    assert "quantity          pinocchio" in text
    assert "damping: equamo includes the damping of the file (1 joint: shoulder)" in text
    assert text.endswith("0 unexplained differences above 1e-09.")
    assert bool(report) is True
    assert repr(report).startswith("<comparison of arm: 0 unexplained")
    data = report.to_data()
    assert data["ok"] is True
    assert [x["library"] for x in data["libraries"]] == ["pinocchio", "mujoco"]
    inverse = data["libraries"][0]["quantities"][4]
    assert inverse["verdict"] == "explained"
    assert inverse["rules"] == ["damping"]
    assert inverse["difference"] > 1e-3 > 1e-12 > inverse["remainder"]
    report.save(tmp_path / "report.json")
    assert json.loads((tmp_path / "report.json").read_text("utf-8")) == data
    with pytest.raises(eq.UnknownNameError, match="Unknown library 'drake'"):
        report["drake"]
    with pytest.raises(eq.UnknownNameError, match=r"Unknown quantity 'mass'.*Valid: mass matrix, "):
        report["pinocchio"]["mass"]


def test_a_library_that_refuses_the_robot(tmp_path: Path) -> None:
    """A planar body (no moments about x and y) is not one that MuJoCo accepts."""
    report = eq.compare_with("rr_arm", ["pinocchio", "mujoco"], states=3)
    assert not report.ok
    assert "inertia" in report["mujoco"].refused
    assert "not compared: mujoco" in str(report)
    with pytest.raises(eq.UnknownNameError, match="Unknown quantity 'mass' in the comparison with"):
        _ = report["mujoco"]["mass"]
    alone = eq.compare_with("rr_arm", "mujoco", states=3)
    assert "nothing was compared" in str(alone)


# -- errors --------------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"libraries": "pinochio"}, "Unknown library 'pinochio' in compare_with. Did you mean"),
        ({"libraries": []}, "must name at least one library"),
        ({"libraries": 3}, "libraries must be one or several of pinocchio.*got 3"),
        ({"states": 0}, "states must be an integer from 1 to 100000, got 0"),
        ({"states": 1.5}, "states must be an integer"),
        ({"seed": -1}, "seed must be an integer from 0"),
        ({"tolerance": 0}, "tolerance must be a number greater than 0, got 0"),
        ({"tolerance": "small"}, "tolerance must be a number"),
        ({"libraries": 5}, "libraries must be one or several of pinocchio, .*, got 5"),
        ({"libraries": [["mujoco"]]}, r"a library must be given by name, got \['mujoco'\]"),
        ({"states": True}, "states must be an integer from 1 to 100000, got True"),
        ({"robot": 3}, "compare_with: expected a Robot, got 3"),
        ({"robot": "four_bar"}, "without loops and contacts, got 'four_bar'"),
        ({"robot": "krang"}, "need the robot as URDF. URDF cannot represent the Custom joint"),
        ({"robot": "wheeled_inverted_pendulum"}, "need the robot as URDF. URDF cannot represent"),
    ],
)  # fmt: skip
def test_errors(arguments: dict[str, Any], message: str) -> None:
    given = {"robot": "rr_arm", "libraries": "pinocchio"} | arguments
    robot, libraries = given.pop("robot"), given.pop("libraries")
    with pytest.raises(eq.EquamoError, match=message):
        eq.compare_with(robot, libraries, **given)


def test_a_library_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(LIBRARIES["drake"], "module", "no_such_module")
    with pytest.raises(eq.MissingLibraryError, match=r"needs drake, .*; run pip install drake"):
        eq.compare_with("rr_arm", ["pinocchio", "drake"])


def test_a_file_that_changed(tmp_path: Path) -> None:
    robot = eq.load(written(tmp_path, arm()))
    written(tmp_path, arm(dynamics='<dynamics damping="0.5"/>'))
    with pytest.raises(eq.FileFormatError, match="must be unchanged since the robot was read"):
        eq.compare_with(robot, "pinocchio")


def test_a_planar_joint_is_not_compared(tmp_path: Path) -> None:
    text = arm().replace('name="elbow" type="revolute"', 'name="elbow" type="planar"')
    report = eq.compare_with(written(tmp_path, text), "pinocchio", states=2)
    assert "joints are not compared" in report["pinocchio"].refused


def test_a_floating_joint_inside_the_tree_is_not_compared(tmp_path: Path) -> None:
    text = arm().replace('name="elbow" type="revolute"', 'name="elbow" type="floating"')
    report = eq.compare_with(written(tmp_path, text), ["pinocchio", "mujoco"], states=2)
    assert "floating joints are not compared" in report["pinocchio"].refused
    assert "free joint can only be used on top level" in report["mujoco"].refused  # its own words


def test_a_robot_that_was_changed_is_written_anew(tmp_path: Path) -> None:
    """Without one of the links of its file; another mass alone is a difference from the file."""
    robot = eq.load(written(tmp_path, arm()))
    short = eq.Robot(
        "short", robot.bodies[:2], gravity="0 0 -9.81", import_report=robot.import_report
    )
    assert eq.compare_with(short, "pinocchio", states=2).ok
    heavy = eq.Robot(
        "heavy", [*robot.bodies[:2], eq.Body("hand", robot.bodies[2].joint, mass=5, parent="upper")],
        gravity="0 0 -9.81", import_report=robot.import_report,
    )  # fmt: skip
    result = eq.compare_with(heavy, "pinocchio", states=2)["pinocchio"]
    assert result["mass matrix"].rules == ("changed inertia",)
