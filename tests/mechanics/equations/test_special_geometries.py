"""Geometries in which fewer base parameters remain."""

from __future__ import annotations

import pytest

import equamo as eq
from equamo.algebra.expr import symbol
from equamo.mechanics.equations import special_geometries
from equamo.mechanics.equations.special_geometries import SpecialGeometry
from equamo.robot.model.inertia import NAMES, Inertia
from peer_urdf import file

pytestmark = pytest.mark.needs("pinocchio")


def ten(name: str) -> Inertia:
    return Inertia.about_origin([symbol(f"{n}_{name}") for n in NAMES])


def special(robot: eq.Robot) -> dict[str, int]:
    found = eq.derive(robot).base_parameters.special
    assert all(isinstance(x, SpecialGeometry) for x in found)
    assert all(x.base_parameters.is_minimal for x in found)
    return {x.feature: x.count for x in found}


def test_an_arm_in_a_vertical_plane() -> None:
    assert special(eq.load("rr_arm")) == {"gravity along the axis of q1": 4}


def test_parallel_axes() -> None:
    """The second link then moves in a plane."""
    robot = eq.Robot("skew", gravity="0 -g 0", bodies=[
        eq.Body("a", eq.revolute("q1"), inertia=ten("a")),
        eq.Body("b", eq.revolute("q2", at="L 0 d", rotation="alpha 0 0"), inertia=ten("b"),
                parent="a"),
    ])  # fmt: skip
    assert eq.derive(robot).base_parameters.count == 10
    assert special(robot) == {
        "gravity along the axis of q1": 8,
        "axes of q1 and q2 parallel": 6,
    }


def test_intersecting_axes_are_tried() -> None:
    """The offset along the common normal is taken away; here no parameter is lost by it."""
    robot = eq.Robot("elbow", [
        eq.Body("a", eq.revolute("q1"), inertia=ten("a")),
        eq.Body("b", eq.revolute("q2", at="L e d", rotation="pi/2 0 0"), inertia=ten("b"),
                parent="a"),
    ])  # fmt: skip
    variants = dict(special_geometries._variants(robot))
    elbow = variants["axes of q1 and q2 intersecting"].body("b").joint
    assert elbow.at == eq.Vector([0, symbol("e"), symbol("d")])
    base = eq.derive(robot).base_parameters
    assert [x.feature for x in base.special] == ["axes of q1 and q2 parallel"]
    assert str(base.special[0]).startswith("axes of q1 and q2 parallel: ")
    assert {"L = e", "L = d", "e = d"} <= set(variants)


def test_numbers() -> None:
    """Of a file: the axes of the first two joints of UR5 are perpendicular."""
    found = special(eq.load(file("ur5_robot.urdf")))
    assert found
    assert any("parallel" in feature for feature in found)


def test_chosen_speeds_keep_their_geometry() -> None:
    assert special(eq.load("rolling_disc")) == {}
