"""Built-in robots by name."""

import pkgutil
import subprocess
import sys
from math import pi
from pathlib import Path

import pytest

import equamo.robot.library
from equamo.errors import EquamoError, ModelError, UnknownNameError
from equamo.robot.library import load, names, robots
from equamo.robot.library.registry import is_file
from equamo.robot.model import Robot


def test_every_module_is_a_robot_of_the_registry() -> None:
    modules = {m.name for m in pkgutil.iter_modules(equamo.robot.library.__path__)} - {"registry"}
    assert modules == set(names())


@pytest.mark.parametrize("name", names())
def test_load_by_name(name: str) -> None:
    robot = load(name)
    assert isinstance(robot, Robot)
    assert robot.name == name


HOMES = {  # what is not 0 at home; of closed loops, what others follow from
    "rp_arm": {"q2": 0.5},
    "three_link_arm": {"q1": pi / 4, "q2": pi / 4, "q3": pi / 4, "T1": 1, "T2": 2, "T3": 3},
    "three_link_prismatic_arm": {"q1": pi / 4, "q2": pi / 4, "x": 0.2, "T1": 1, "T2": 2, "F1": 3},
    "starleth": {
        "qZ": 0.40013424596387137,
        **{f"q{leg}_HFE": 0.6 if leg[1] == "F" else -0.6 for leg in ("LF", "RF", "LH", "RH")},
        **{f"q{leg}_KFE": -1.2 if leg[1] == "F" else 1.2 for leg in ("LF", "RF", "LH", "RH")},
    },
    "rolling_disc": {"u2": 10},
    "four_bar": {"q1": 1.0},
    "five_bar": {"q1": 1.8472594687358428, "q3": 1.2943331848539505},
    "delta": {"platform_z": -0.849941174435031, "platform_qw": 1},
    "stewart": {"platform_x": -1.5, "platform_z": 1.0, "platform_qw": 1},
    "cassie_leg": {"hip_roll": 0.0045, "hip_pitch": 0.4973, "knee": -1.1997, "foot": -1.5968},
}


@pytest.mark.parametrize("name", names())
def test_home(name: str) -> None:
    robot = load(name)
    home = {**robot.home.q, **robot.home.v, **robot.home.inputs}
    expected = HOMES.get(name, {})
    if robot.loops:
        home = {n: x for n, x in home.items() if n in expected}
    assert {n: x for n, x in home.items() if x} == pytest.approx(expected, rel=1e-12)


def test_robots_are_listed_with_one_line_each() -> None:
    listed = robots()
    assert [entry.name for entry in listed] == list(names())
    assert [dof for _, _, dof in listed] == [
        2,
        2,
        3,
        3,
        18,
        17,
        3,
        3,
        19,
        6,
        6,
        6,
        7,
        1,
        2,
        3,
        6,
        8,
    ]
    for _, description, _ in listed:
        assert 20 < len(description) < 90
        assert "\n" not in description


def test_an_unknown_robot_lists_the_choices() -> None:
    with pytest.raises(UnknownNameError, match="Did you mean 'rr_arm'") as error:
        load("rr_arms")
    assert error.value.valid == list(names())


def test_an_unknown_option_lists_the_choices() -> None:
    with pytest.raises(UnknownNameError, match=r"Unknown option 'frame'.*Valid: frames"):
        load("krang", frame=3)
    with pytest.raises(UnknownNameError, match="Valid: none"):
        load("rr_arm", frames=3)


def test_options_go_to_the_robot() -> None:
    assert len(load("krang", frames=5).q) == 5
    with pytest.raises(ModelError, match="frames must be from 1 to 17, got"):
        load("krang", frames=18)


@pytest.mark.parametrize(
    "path", ["arm.urdf", "arm.URDF", "arm.toml", "arm.xml", "dir/arm", Path("krang")]
)
def test_files_are_for_the_catalog(path: str | Path) -> None:
    assert is_file(path)
    with pytest.raises(
        EquamoError, match=r"must not be a file.*use eq\.load to read files\. Valid: rr_arm"
    ):
        load(path)


def test_each_robot_is_a_new_object_of_the_same_expressions() -> None:
    first, second = load("krang"), load("krang")
    assert first is not second
    assert first.expressions() == second.expressions()


def test_robots_are_imported_when_asked_for() -> None:
    code = (
        "import sys, equamo.robot.library as r; r.load('rr_arm');"
        "print(*sorted(m for m in sys.modules if m.startswith('equamo.robot.library.')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["equamo.robot.library.registry", "equamo.robot.library.rr_arm"]
