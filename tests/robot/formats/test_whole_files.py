"""Whole files: the robot that is read, as a TOML text worked out by hand, and all of the report.

Each file in the folder `whole` has what its format offers, once or more. Half and quarter turns and
3-4-5 triangles keep the numbers of the texts beside it short, so that all can be checked on paper.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import equamo as eq
from equamo.algebra.expr import as_expr, symbol
from equamo.algebra.expr.substitute import substitute
from equamo.robot.formats.sdf import robot_of_sdf
from equamo.robot.formats.toml_writer import write_toml
from equamo.robot.formats.urdf import robot_of_urdf

FOLDER = Path(__file__).parent / "whole"
OPTIONS: dict[str, dict[str, Any]] = {
    "crane.sdf": {}, "rover.urdf": {"mimic": "follow", "rotation": "euler"}, "odd.xml": {},
}  # fmt: skip
FILES = [pytest.param(x, marks=pytest.mark.needs("mujoco") if "xml" in x else ()) for x in OPTIONS]
WHOLE = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
ABOUT_X, ABOUT_Z = ((1, 0, 0), (0, 0, -1), (0, 1, 0)), ((0, -1, 0), (1, 0, 0), (0, 0, 1))
SHAPES = {
    "crane.sdf": [
        ("base", "cylinder", [0.25, 2], [0, 0, 2], ABOUT_X),
        ("trolley", "box", [1, 2, 3], [0, 0, 0], WHOLE),
        ("plate", "capsule", [0.5, 4], [0, 1, 0], ABOUT_Z),
        ("plate", "sphere", [0.75], [0, 0, 0], WHOLE),
    ],
    "rover.urdf": [
        ("base", "cylinder", [0.5, 2], [1, 0, 0], ABOUT_X),
        ("lamp", "sphere", [0.125], [0, 0, 0], WHOLE),
    ],
    "odd.xml": [
        ("body2", "box", [2, 4, 6], [0, 0, 4], ABOUT_X),  # MuJoCo has half the sides
        ("body2_", "capsule", [0.25, 2], [0, 0, 0], WHOLE),
    ],
}


@pytest.fixture(scope="module")
def read() -> Any:
    """Robots of the files, each read once."""
    robots: dict[str, eq.Robot] = {}

    def robot(name: str) -> eq.Robot:
        if name not in robots:
            robots[name] = eq.load(FOLDER / name, **OPTIONS[name])
        return robots[name]

    return robot


@pytest.mark.parametrize("name", FILES)
def test_the_robot_is_the_one_written_by_hand(read: Any, name: str) -> None:
    expected = (FOLDER / name).with_suffix(".toml").read_text(encoding="utf-8")
    assert write_toml(read(name), lossy=True) == expected  # of the meshes, their bodies


@pytest.mark.parametrize("name", FILES)
def test_every_line_of_the_report(read: Any, name: str) -> None:
    lines = [f"{e.line}: {e.kind}: {e.text}" for e in read(name).import_report]
    assert lines == (FOLDER / name).with_suffix(".txt").read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("name", FILES)
def test_every_shape_is_where_the_file_has_it(read: Any, name: str) -> None:
    shapes = [
        (body, s.kind, [float(x) for x in s.size], [float(x) for x in s.at], s.turned.rows)
        for body, each in read(name).shapes.items()
        for s in each
    ]
    assert shapes == SHAPES[name]


def test_meshes(read: Any) -> None:
    """One that is not there, and MuJoCo's ellipsoid with its radii and the colour it can have."""
    ((body, (mesh,)),) = read("rover.urdf").meshes.items()
    assert (body, mesh.name, mesh.surfaces) == ("mast", "package://rover/mast.stl", ())
    assert mesh.problem.startswith("not found")


@pytest.mark.needs("mujoco")
def test_an_ellipsoid_is_a_mesh(read: Any) -> None:
    ((body, (mesh,)),) = read("odd.xml").meshes.items()
    (surface,) = mesh.surfaces
    assert (body, mesh.color) == ("body2_", (1, 0.25, 0))
    assert surface.points.max(axis=0) == pytest.approx([1, 2, 3])
    assert surface.points.min(axis=0) == pytest.approx([-1, -2, -3])
    assert ((surface.points / [1, 2, 3]) ** 2).sum(axis=1) == pytest.approx(1)


# Read in part for pictures, or reported as ignored as a whole.
OTHERS = {
    "visual",
    "collision",
    "material",
    "calibration",
    "type",
    "gazebo",
    "light",
    "self_collide",
}


@pytest.mark.parametrize("name", ["crane.sdf", "rover.urdf"])
def test_whatever_is_added_to_any_element_is_in_the_report(name: str) -> None:
    """An unknown attribute and an unknown element in every element: nothing is lost silently."""
    tree = ElementTree.parse(FOLDER / name)
    expected: list[str] = []

    def add(e: ElementTree.Element) -> None:
        for child in list(e):
            if child.tag not in OTHERS:
                add(child)
        k = len(expected)
        expected.append(f"{e.tag} {k}")
        e.set(f"odd{k}", "1")
        ElementTree.SubElement(e, f"new{k}")

    add(tree.getroot())
    text = ElementTree.tostring(tree.getroot(), encoding="unicode")
    robot = (robot_of_sdf if "sdf" in name else robot_of_urdf)(text)
    ignored = "\n".join(e.text for e in robot.import_report["ignored"]) + "\n"
    attributes = re.findall(r"attribute odd(\d+) of (?:\w+/)*(\w+)\n", ignored)
    elements = re.findall(r"(?:\w+/)*(\w+)/new(\d+)\n", ignored)
    assert sorted(f"{tag} {k}" for k, tag in attributes) == sorted(expected)
    assert sorted(f"{tag} {k}" for tag, k in elements) == sorted(expected)


UNITS = {"m": "kg", "MX": "kg m", "MY": "kg m", "MZ": "kg m", "x": "m", "y": "m", "z": "m",
         "damping": "N m s/rad", "friction": "N m", "g": "m/s²"}  # fmt: skip


@pytest.mark.parametrize("name", ["crane.sdf", "rover.urdf"])
def test_symbols_stand_for_the_numbers_of_the_file(read: Any, name: str) -> None:
    """With their values, inertias, places and resistances are those read as numbers."""
    numeric = read(name)
    robot = eq.load(FOLDER / name, parameters="symbolic", **OPTIONS[name])
    values = {symbol(n): as_expr(p.value) for n, p in robot.parameter_info.items()}
    for ours, theirs in zip(robot.bodies, numeric.bodies, strict=True):
        assert ours.name == theirs.name
        pairs = (
            (b.inertia.ten, b.joint.position, b.joint.rotation.entries) for b in (ours, theirs)
        )
        for a, b in zip(*pairs, strict=True):
            assert substitute(list(a), values) == list(b), ours.name
    names = ("damping", "coulomb", "stiffness", "rest", "rotor", "gear")
    for f, g in zip(robot.forces, numeric.forces, strict=True):
        assert (type(f), f.name) == (type(g), g.name)
        for n in names:
            if hasattr(f, n):
                assert substitute([getattr(f, n)], values) == [getattr(g, n)], f.name
    for n, p in robot.parameter_info.items():
        kind, _, owner = n.partition("_")
        along = owner in ("run", "tie", "end")  # the prismatic joints
        unit = UNITS.get(kind, "kg m²" if len(kind) == 2 else "?")
        unit = {"N m s/rad": "N s/m", "N m": "N"}.get(unit, unit) if along else unit
        assert p.unit == unit, n
        assert p.description.endswith(owner or "gravity"), n
