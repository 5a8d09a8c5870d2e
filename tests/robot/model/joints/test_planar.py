"""Planar joints: in which plane they lie."""

from pathlib import Path
from typing import Any

import pytest

import equamo as eq
from equamo.algebra.expr import parse
from equamo.algebra.identity import prove_zero
from equamo.errors import EquamoError, ModelError
from equamo.robot.formats.toml import parse_robot
from equamo.robot.formats.toml_writer import write_toml
from equamo.robot.formats.urdf_writer import write_urdf
from equamo.robot.model.joints.planar import PLANES
from equamo.robot.model.storage import robot_from_data, robot_to_data

NORMAL = {"xy": "z", "yx": "z", "yz": "x", "zy": "x", "xz": "y", "zx": "y"}


def puck(plane: str = "xy", **changes: Any) -> eq.Robot:
    joint = eq.planar("a b c", at="0.1 0.2 0.3", rotation="0.4 0.5 0.6", plane=plane)
    body = eq.Body("puck", joint, mass="m", com="c1 c2 c3", inertia="1 0.1 0.2 2 0.3 2.5")
    return eq.Robot("puck", [body], **changes)


@pytest.mark.parametrize("plane", PLANES)
def test_lengths_along_the_axes_and_the_angle_about_the_normal(plane: str) -> None:
    joint = eq.planar("a b c", plane=plane)
    at = dict(zip(plane, ("a", "b"), strict=True))
    assert joint.position == eq.Vector([at.get(x, 0) for x in "xyz"])
    assert joint.rotation == eq.revolute("c", axis=NORMAL[plane]).rotation
    # The motion subspace, which is not found by differentiation, is that of the pose.
    assert prove_zero(joint.linear() - joint.rotation.T @ _columns(joint))
    assert eq.check(puck(plane)).ok


def _columns(joint: Any) -> Any:
    return eq.Matrix([[x.diff(q) for q in joint.q] for x in joint.position])


@pytest.mark.parametrize("plane", ["xz", "yz", "zx"])
def test_the_formulations_agree(plane: str) -> None:
    assert eq.prove(puck(plane), seed=1).ok


def test_gravity_in_the_plane() -> None:
    """In the x-y plane gravity along −z does nothing; in the x-z plane it pulls along z."""
    flat = eq.Robot("r", [eq.Body("b", eq.planar("x y a"), mass="m", com="l 0 0")])
    upright = eq.Robot("r", [eq.Body("b", eq.planar("x z a", plane="xz"), mass="m", com="l 0 0")])
    assert eq.derive(flat).gravity.is_zero
    expected = [parse("0"), parse("m*g"), parse("-m*g*l*cos(a)")]
    assert prove_zero(eq.derive(upright).gravity - eq.Vector(expected))


def test_suffixes_are_those_of_the_plane() -> None:
    assert eq.planar("base").coordinates == ("base_x", "base_y", "base_angle")
    assert eq.planar("base", plane="zx").coordinates == ("base_z", "base_x", "base_angle")


@pytest.mark.parametrize("plane", ["z", "xx", "XZ", "xyz", "", None, 3])
def test_a_plane_that_is_none(plane: Any) -> None:
    with pytest.raises(ModelError, match=r"plane must be one of 'xy', .*got"):
        eq.planar("a b c", plane=plane)


def test_files_keep_the_plane(tmp_path: Path) -> None:
    robot = puck("xz", parameters={"m": 1, "c1": 1, "c2": 2, "c3": 3, "g": 9})
    assert 'plane = "xz"' in write_toml(robot)
    assert parse_robot(write_toml(robot)).bodies[0].joint == robot.bodies[0].joint
    assert "plane" not in write_toml(puck())
    assert robot_from_data(robot_to_data(robot)).bodies[0].joint == robot.bodies[0].joint
    with pytest.raises(EquamoError, match="directions of the lengths of joint"):
        write_urdf(robot)
    file = tmp_path / "puck.urdf"
    file.write_text(write_urdf(robot, lossy=True))
    again = eq.load(str(file)).bodies[-1].joint
    # The same plane and the same turn: only where its coordinates point is the file's own.
    turn = robot.bodies[0].joint.rotation.subs({"c": again.q[2]})
    assert again.q[2].name.endswith("angle")
    point = {x: 0.3 for x in again.q}
    gap = (turn - again.rotation).subs(point).entries
    assert max(abs(float(x)) for x in gap) < 1e-12
