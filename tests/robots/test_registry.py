"""Built-in robots by name."""

import pkgutil
import subprocess
import sys
from pathlib import Path

import pytest

import equamo.robots
from equamo.errors import EquamoError, ModelError, UnknownNameError
from equamo.model import Robot
from equamo.robots import load, names, robots
from equamo.robots.registry import is_file


def test_every_module_is_a_robot_of_the_registry() -> None:
    modules = {m.name for m in pkgutil.iter_modules(equamo.robots.__path__)} - {"registry"}
    assert modules == set(names())


@pytest.mark.parametrize("name", names())
def test_load_by_name(name: str) -> None:
    robot = load(name)
    assert isinstance(robot, Robot)
    assert robot.name == name


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
        "import sys, equamo.robots as r; r.load('rr_arm');"
        "print(*sorted(m for m in sys.modules if m.startswith('equamo.robots.')))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["equamo.robots.registry", "equamo.robots.rr_arm"]
