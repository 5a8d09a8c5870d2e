"""Robots that are saved load back equal, with every field of every class of the model.

The fields are those that the dataclasses declare: a new one that no robot of the zoo has, or that a
writer forgets, fails here.
"""

from __future__ import annotations

import json
from collections import defaultdict
from dataclasses import fields
from typing import Any

import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.errors import FileFormatError
from equamo.mechanics.equations import derive
from equamo.robot.formats.toml import parse_robot
from equamo.robot.formats.toml_writer import write_toml
from equamo.robot.model import Body, Robot
from equamo.robot.model.edits import copy_with
from equamo.robot.model.mesh_file import MeshFile
from equamo.robot.model.read_only import ReadOnly
from equamo.robot.model.state import State
from equamo.robot.model.storage import robot_from_data, robot_to_data
from equamo.robot.model.stored_value import _CLASSES  # pyright: ignore[reportPrivateUsage]
from saved_robots import ROBOTS, adorned

# What files do not hold, and why.
NOT_STORED = {
    "import_report": "about the file that the robot was read from",
    "meshes": "places of files on one machine; TOML lists them, URDF has their names",
}
CONSTANT = {("Fixed", "coordinates"), ("Fixed", "speeds")}  # always empty
# Fields of a robot that are stored, by their key in `robot_to_data`.
KEYS = {"parameter_info": "parameters", "speed_map": "speeds"}
CHUNKS = [range(first, first + 50) for first in range(0, 400, 50)] if WHOLE_SWEEPS else [range(4)]


def stored(robot: Robot) -> dict[str, Any]:
    """All that is stored of a robot; W, but not how the speeds were chosen (see toml_writer)."""
    data = json.loads(json.dumps(robot_to_data(robot)))
    if data["speeds"] is not None:
        data["speeds"] = {n: data["speeds"][n] for n in ("names", "W", "dependent")}
    return data


def robot_of(name: str) -> Robot:
    made: Any = ROBOTS[name]()
    return made


# -- every field ---------------------------------------------------------------------------------------
def seen(robots: list[Robot]) -> dict[tuple[str, str], set[str]]:
    """{(class, field): values} of all objects in these robots, as plain data."""
    found: dict[tuple[str, str], set[str]] = defaultdict(set)
    tables = (_CLASSES, {"Body": Body, "Robot": Robot, "State": State})
    classes = {c: name for table in tables for name, c in table.items()}

    def visit(x: Any) -> None:
        if type(x) in classes:
            for f in fields(x):
                value = getattr(x, f.name)
                found[classes[type(x)], f.name].add(repr(value)[:400])
                visit(value)
        elif isinstance(x, (tuple, list)):
            for e in x:  # pyright: ignore[reportUnknownVariableType]
                visit(e)
        elif isinstance(x, ReadOnly) or (hasattr(x, "values") and hasattr(x, "keys")):
            for e in x.values():
                visit(e)

    for robot in robots:
        visit(robot)
    return found


@pytest.mark.ci
def test_the_zoo_has_two_values_of_every_field() -> None:
    robots = [robot_of(n) for n in ROBOTS if n not in ("krang", "krang_on_wheels", "closed")]
    robots += [adorned(seed) for seed in range(16)]
    found = seen(robots)
    declared = {(name, f.name) for name, c in _CLASSES.items() for f in fields(c)}
    declared |= {(c.__name__, f.name) for c in (Body, Robot, State) for f in fields(c)}
    few = [x for x in sorted(declared - CONSTANT) if len(found[x]) < 2 and x[1] not in NOT_STORED]
    assert not few, "\n".join(map(str, few))


def test_all_fields_of_a_robot_are_stored_or_exempt() -> None:
    kept = {KEYS.get(f.name, f.name) for f in fields(Robot)} - NOT_STORED.keys()
    assert set(robot_to_data(adorned(2))) | {"shapes", "loops", "contacts", "mode"} == kept


# -- files and plain data ------------------------------------------------------------------------------
def check_stored(robot: Robot) -> None:
    """The robot comes back from plain data and from TOML, exactly."""
    data = json.loads(json.dumps(robot_to_data(robot)))
    assert robot_to_data(robot_from_data(data)) == data
    assert stored(parse_robot(write_toml(robot, lossy=bool(robot.meshes)))) == stored(robot)


@pytest.mark.sweep(3)
@pytest.mark.parametrize("name", [n for n in ROBOTS if n != "closed"])
def test_named_robots_come_back(name: str) -> None:
    check_stored(robot_of(name))


@pytest.mark.ci
@pytest.mark.parametrize("seeds", CHUNKS, ids=str)
def test_random_robots_come_back(seeds: range) -> None:
    for seed in seeds:
        check_stored(adorned(seed))


@pytest.mark.ci
@pytest.mark.needs("pinocchio")
@pytest.mark.parametrize("part", range(8) if WHOLE_SWEEPS else [0])
def test_files_of_example_robot_data_come_back(part: int) -> None:
    from peer_urdf import files

    read = 0
    for path in files()[part::8] if WHOLE_SWEEPS else files()[::25]:
        for options in ({}, {"base": "free", "mimic": "follow", "parameters": "symbolic"}):
            try:
                robot = eq.load(path, **options)
            except FileFormatError:
                continue  # a file with an error
            if robot.eliminated and robot.unit_groups:  # no constructor makes it
                with pytest.raises(
                    FileFormatError, match=r"speeds .* cannot be written: Coordinates"
                ):
                    write_toml(robot, lossy=True)
                continue
            check_stored(robot)
            read += 1
    assert read > 4


@pytest.mark.ci
def test_the_same_nodes_are_derived_from_a_robot_that_was_loaded() -> None:
    """M, bias, gravity, B and every force are the same nodes of the graph."""
    for seed in (0, 1, 3):  # a moving base, chosen speeds, a contact
        robot = adorned(seed, most=2)
        one, two = derive(robot), derive(parse_robot(write_toml(robot)))
        for what in ("mass_matrix", "bias", "gravity", "input_matrix", "kinematic_map"):
            assert getattr(one, what) == getattr(two, what)
        assert list(one.forces) == list(two.forces)
        for x, y in zip(one.derivation.entries, two.derivation.entries, strict=True):
            assert x is y


def test_meshes_are_an_error_or_listed() -> None:
    robot = copy_with(
        adorned(0), meshes={"b1": [MeshFile("arm.stl", "/nowhere/arm.stl", "/nowhere")]}
    )
    with pytest.raises(
        FileFormatError, match=r"cannot hold these parts .*: the meshes of b1; pass lossy"
    ):
        write_toml(robot)
    text = write_toml(robot, lossy=True)
    assert text.startswith("# not in this file: the meshes of b1\nequamo = 1\n")
    assert stored(parse_robot(text)) == stored(robot)


def test_a_field_that_a_writer_forgets_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the parts do not check, the whole does."""
    monkeypatch.setattr("equamo.robot.formats.toml_writer._home", lambda robot: {})
    with pytest.raises(FileFormatError, match="home would not read back exactly"):
        write_toml(adorned(0))
    monkeypatch.setattr("equamo.robot.formats.toml_writer._home", lambda robot: {"zz": 1})
    with pytest.raises(FileFormatError, match=r"it does not read back: .*zz"):
        write_toml(adorned(0))
