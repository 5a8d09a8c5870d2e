"""Geometries of MJCF files in pictures: shapes, ellipsoids and meshes, where MuJoCo places them."""

from pathlib import Path

import mujoco
import numpy as np
import pytest

import equamo as eq
from equamo.publish.picture.drawing import skeleton
from mesh_files import binary_stl

pytestmark = pytest.mark.needs("mujoco")

MODEL = """<mujoco><compiler meshdir="meshes" angle="radian"/>
<asset><mesh name="cube" file="cube.stl" scale="0.1 0.2 0.3" refpos="1 0 0"/>
<material name="red" rgba="1 0 0 1"/></asset>
<worldbody><geom type="plane" size="1 1 0.1"/>
<body name="a" pos="0 0 1"><joint name="q" axis="0 1 0"/>
<geom type="mesh" mesh="cube" material="red" pos="0.1 0 0" euler="0 0 0.5"/>
<geom type="ellipsoid" size="0.1 0.2 0.3" rgba="0 1 0 1"/>
<geom type="sphere" size="0.05" pos="0 0 0.2"/><geom type="capsule" size="0.02 0.1"/>
<geom type="box" size="0.1 0.2 0.3" group="3"/>
<body name="b"><joint name="p" axis="1 0 0"/><geom type="cylinder" size="0.02 0.1"/>
<geom type="box" size="0.1 0.2 0.3" contype="0" conaffinity="0" mass="1"/></body>
</body></worldbody></mujoco>"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "meshes").mkdir()
    (tmp_path / "meshes" / "cube.stl").write_bytes(binary_stl())
    (tmp_path / "robot.xml").write_text(MODEL)
    return tmp_path / "robot.xml"


def test_what_is_shown(path: Path) -> None:
    """Group 3 is hidden; a body with geometries that cannot collide shows these alone."""
    robot = eq.load(path)
    assert {n: [s.kind for s in x] for n, x in robot.shapes.items()} == {
        "a": ["sphere", "capsule"], "b": ["box"],
    }  # fmt: skip
    assert [float(x) for x in robot.shapes["a"][1].size] == [0.02, 0.2]
    assert [float(x) for x in robot.shapes["b"][0].size] == [0.2, 0.4, 0.6]
    cube, ball = robot.meshes["a"]
    assert (cube.name, cube.color, ball.name, ball.color) == (
        "cube",
        (1, 0, 0),
        "ellipsoid",
        (0, 1, 0),
    )
    assert "5 geometries, for pictures" in [e.text for e in robot.import_report["used"]]


def test_meshes_are_where_mujoco_places_them(path: Path) -> None:
    robot, model = eq.load(path), mujoco.MjModel.from_xml_path(str(path))
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    theirs = model.mesh_vert @ data.geom_xmat[1].reshape(3, 3).T + data.geom_xpos[1]
    found = skeleton(robot, triangles=1000)
    ours = found.meshes.solids[0].ends + np.array([0, 0, 1])
    for f in (np.min, np.max):
        assert np.abs(f(ours, axis=0) - f(theirs, axis=0)).max() < 1e-6


def test_an_ellipsoid_has_its_radii(path: Path) -> None:
    (surface,) = eq.load(path).meshes["a"][1].surfaces
    assert np.abs(np.linalg.norm(surface.points / [0.1, 0.2, 0.3], axis=1) - 1).max() < 1e-9
    a, b, c = (surface.points[surface.faces[:, k]] for k in range(3))
    volume = abs(np.einsum("ij,ij->i", a, np.cross(b, c)).sum()) / 6
    assert volume == pytest.approx(4 / 3 * np.pi * 0.006, rel=0.03)


def test_colours_beyond_their_range_are_limited(tmp_path: Path) -> None:
    body = '<body><joint/><geom type="ellipsoid" size="1 2 3" rgba="5 -1 0.5 1"/></body>'
    path = tmp_path / "odd.xml"
    path.write_text(f"<mujoco><worldbody>{body}</worldbody></mujoco>")
    (((ball,),),) = (tuple(eq.load(path).meshes.values()),)
    assert ball.color == (1, 0, 0.5)


def test_a_geometry_that_is_not_finite_is_ignored_and_named(tmp_path: Path) -> None:
    bad, good = '<geom size="1" pos="nan 0 0" mass="0"/>', '<geom size="2" mass="1"/>'
    path = tmp_path / "odd.xml"
    path.write_text(
        f'<mujoco><worldbody><body name="a"><joint/>{good}{bad}</body></worldbody></mujoco>'
    )
    robot = eq.load(path)
    assert [float(s.size[0]) for s in robot.shapes["a"]] == [2]
    noted = [e.text for e in robot.import_report["suspicious"]]
    assert "a geometry of body a is not finite, ignored" in noted


def test_the_colour_of_mujoco_is_none(tmp_path: Path) -> None:
    """A mesh without a colour has the one of the picture, not MuJoCo's grey."""
    (tmp_path / "robot.xml").write_text(
        '<mujoco><worldbody><body name="a"><joint/><geom type="ellipsoid" size="0.1 0.2 0.3"/>'
        '<geom type="ellipsoid" size="0.1 0.2 0.3" rgba="0.5 0.5 0.75 1"/></body></worldbody></mujoco>'
    )
    assert [x.color for x in eq.load(tmp_path / "robot.xml").meshes["a"]] == [
        None,
        (0.5, 0.5, 0.75),
    ]
