"""`check`: what a model cannot be, and what it remarks about gravity."""

from typing import Any

import pytest

import equamo as eq
from equamo.errors import ModelError, UnknownNameError


def remarks(*joints: Any, **changes: Any) -> list[str]:
    parents = ["world", *(f"b{k}" for k in range(len(joints)))]
    bodies = [
        eq.Body(f"b{k}", joint, mass=1, com="1 0 0", inertia="1 1 1", parent=parents[k])
        for k, joint in enumerate(joints)
    ]
    report = eq.check(eq.Robot("r", bodies, **changes))
    assert report.ok
    return [str(x) for x in report.remarks]


TILT = "0.3 0.2 0"
FLAT = {
    "a pendulum about z": [eq.revolute("q1")],
    "a puck": [eq.planar("x y a")],
    "a chain": [eq.revolute("q1"), eq.revolute("q2", at="1 0 0"), eq.prismatic("q3", axis="1 2 0")],
    "a base that is fixed": [eq.fixed(rotation="pi 0 0"), eq.revolute("q1")],
    "turned there and back": [eq.fixed(rotation="pi/2 0 0"), eq.revolute("q1", axis="y")],
}
NOT_FLAT = {
    "a pendulum about y": [eq.revolute("q1", axis="y")],
    "a puck in the x-z plane": [eq.planar("x z a", plane="xz")],
    "a slide, which does not turn": [eq.prismatic("q1", axis="x")],
    "an arm on a turntable": [eq.revolute("q1"), eq.revolute("q2", axis="y")],
    "a lift": [eq.revolute("q1"), eq.prismatic("q2", axis="z")],
    "a slope": [eq.fixed(rotation=TILT), eq.planar("x y a")],
    "a screw": [eq.helical("q1", "1/10")],
    "a free body": [eq.free("b")],
    "a ball": [eq.spherical("b")],
    "nothing that moves": [eq.fixed()],
    "a wheel about its centre of mass": [eq.revolute("q1", at="1 0 0"), eq.fixed(at="-2 0 0")],
}


@pytest.mark.parametrize("case", FLAT)
def test_gravity_perpendicular_to_a_planar_robot_is_remarked(case: str) -> None:
    (text,) = remarks(*FLAT[case])
    assert text.startswith("r: gravity: is perpendicular to the plane in which all masses move")
    assert eq.derive(eq.Robot("r", [eq.Body("b", FLAT[case][0], mass=1)])).gravity.is_zero


@pytest.mark.parametrize("case", NOT_FLAT)
def test_any_other_robot_is_not(case: str) -> None:
    assert remarks(*NOT_FLAT[case]) == []


def test_nor_is_one_without_gravity_or_with_gravity_in_its_plane() -> None:
    assert remarks(eq.revolute("q1"), gravity="0 0 0") == []
    assert remarks(eq.revolute("q1"), gravity="0 -g 0") == []
    assert remarks(eq.planar("x y a"), gravity="0 -g/10 -g") == []
    assert len(remarks(eq.planar("y z a", plane="yz"), gravity="-g 0 0")) == 1


def test_it_is_a_remark_only() -> None:
    robot = eq.Robot("r", [eq.Body("b", eq.revolute("q1"), mass=1, com="1 0 0", inertia="1 1 1")])
    report = eq.check(robot)
    assert report
    assert "remark: r: gravity" in str(report)


def test_a_reflection_is_not_a_rotation() -> None:
    """Orthonormal unit vectors that are left-handed: only the determinant tells."""
    mirror = eq.unit_vectors("q", x="cos(q) sin(q) 0", y="sin(q) -cos(q) 0", z="0 0 1")
    robot = eq.Robot("mirror", [eq.Body("a", mirror, mass=1, inertia="1 1 1")])
    found = {f.entry: f.problem for f in eq.check(robot).findings}
    assert "the determinant must be +1" in found["det A"]
    assert not [entry for entry in found if entry.startswith("A Aᵀ")]


def test_an_inertia_is_a_sequence() -> None:
    with pytest.raises(ModelError, match="text or a sequence of quantities, got 5"):
        eq.Body("a", eq.revolute("q"), mass=1, inertia=5)


def test_limits_by_name() -> None:
    body = eq.Body("a", eq.revolute("q"), mass=1)
    limits = eq.Robot("arm", [body], limits={"q": {"upper": 1, "speed": 2}}).limits["q"]
    assert (limits.lower, limits.upper, limits.speed, limits.effort) == (None, 1, 2, None)
    with pytest.raises(UnknownNameError, match=r"Unknown limit 'lowr'.*Did you mean 'lower'"):
        eq.Robot("arm", [body], limits={"q": {"lowr": 1}})
