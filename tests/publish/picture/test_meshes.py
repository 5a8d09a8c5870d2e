"""Meshes in pictures: where they are, what they replace, and messages about damaged ones."""

from pathlib import Path

import numpy as np
import pytest

import equamo as eq
from equamo.publish.page.scene_data import scene_data
from equamo.publish.page.sections.robot import side
from equamo.publish.picture.camera import Camera, ground_basis
from equamo.publish.picture.drawing import skeleton
from equamo.publish.picture.flat import flat
from equamo.publish.picture.posture import Posture
from equamo.robot.model.mesh_file import MeshFile
from mesh_files import CORNERS, binary_stl, dae, urdf


@pytest.fixture
def arm(tmp_path: Path) -> eq.Robot:
    (tmp_path / "cube.stl").write_bytes(binary_stl())
    return eq.load(urdf(tmp_path, "cube.stl", scale="0.1 0.2 0.3"))


def test_a_mesh_is_where_the_file_says(arm: eq.Robot) -> None:
    found = skeleton(arm, triangles=100)
    (solid,) = found.meshes.solids
    R = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
    expected = CORNERS * [0.1, 0.2, 0.3] @ R.T + [0, 0, 0.5]
    assert np.abs(np.sort(solid.ends, axis=0) - np.sort(expected, axis=0)).max() < 1e-12
    assert (solid.color, solid.body) == ((0, 0, 1), 1)
    assert np.allclose(found.low, [-0.2, -0.1, 0.2])
    assert np.allclose(found.high, [0.2, 0.1, 0.8])
    assert not found.rods
    assert not found.solids
    x, _ = Camera.fitted(found, 400, 400).project(expected)
    assert (x > 0).all()
    assert (x < 400).all()


@pytest.mark.parametrize("q", [0.0, 0.7])
def test_triangles_of_a_flat_picture(arm: eq.Robot, q: float) -> None:
    """Each is projected, and lit by its normal on the side of the eye: from the sky and from the sun."""
    found, poses = skeleton(arm, triangles=100), Posture(arm)(np.array([q]))
    camera = Camera.fitted(found, 400, 300)
    polygons = [p for p in flat(found, poses, camera).polygons if p.role == "shape"]
    (solid,), (surface,) = found.meshes.solids, found.meshes.surfaces
    R, p = poses[1, :3, :3], poses[1, :3, 3]
    corners = ((surface.points @ solid.turned.T + solid.at) @ R.T + p)[surface.faces]
    assert len(polygons) == len(corners) == 12
    east, north = ground_basis(found.up)
    sun = found.up + 0.55 * east - 0.35 * north
    sun /= np.linalg.norm(sun)
    eye = camera.target + camera.distance * camera.axes[2]
    expected = []
    for a, b, c in corners:
        n = np.cross(b - a, c - a) / np.linalg.norm(np.cross(b - a, c - a))
        n = n if n @ (eye - (a + b + c) / 3) > 0 else -n
        places, depths = camera.project(np.array([a, b, c]))
        light = 0.38 + 0.15 * (1 + n @ found.up) + 0.42 * max(0, n @ sun)
        expected.append((*places.ravel(), light, depths.mean()))
    ours = np.array([(*x.points.ravel(), x.light, x.depth) for x in polygons])
    nearest = [np.abs(ours - x).max(axis=1).argmin() for x in expected]
    assert sorted(nearest) == list(range(12))
    np.testing.assert_allclose(ours[nearest], expected, rtol=1e-9)
    assert {(x.body, x.color) for x in polygons} == {(1, "#0000ff")}


def test_without_triangles_a_robot_is_drawn_as_before(arm: eq.Robot) -> None:
    assert [s.kind for s in skeleton(arm).solids] == ["sphere"]
    assert not skeleton(arm).meshes.solids


def test_numbers_of_the_page(arm: eq.Robot) -> None:
    """Corner k is low + step · points[k], to one part in 65,535 of the extent."""
    from base64 import b64decode

    scene = scene_data(arm)
    (s,) = scene["surfaces"]
    points = np.array(s["low"]) + s["step"] * np.frombuffer(b64decode(s["points"]), "<u2").reshape(
        -1, 3
    )
    faces = np.frombuffer(b64decode(s["faces"]), "<u2").reshape(-1, 3)
    corners = np.sort(points[faces].reshape(-1, 3), axis=0)
    assert len(faces) == 12
    assert not s["wide"]
    assert np.abs(np.unique(np.round(corners, 4), axis=0)[0] + [0.1, 0.2, 0.3]).max() < 1e-4
    assert scene["meshes"][0]["color"] == [0, 0, 1]
    assert scene["problems"] == []


def test_a_damaged_mesh_is_named_and_the_shapes_are_drawn(tmp_path: Path) -> None:
    (tmp_path / "cube.stl").write_bytes(binary_stl()[:-1])
    arm = eq.load(urdf(tmp_path, "cube.stl"))
    assert len(eq.derive(arm).v) == 1  # its equations do not depend on it
    scene = scene_data(arm)
    assert scene["problems"] == [
        "cube.stl: a binary STL file of 12 triangles must have 684 bytes, got 683; it is truncated or "
        "damaged."
    ]
    assert [s["kind"] for s in scene["solids"]] == ["sphere"]
    html = str(side(arm, [*scene["problems"], *("<b>" for _ in range(13))]))
    assert "14 meshes not drawn" in html
    assert "must have 684 bytes" in html
    assert "and 2 more" in html
    assert "<b>" not in html


def test_all_mesh_files_of_a_robot_are_bounded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One file under many names or with many scales is read each time."""
    (tmp_path / "a.stl").write_bytes(binary_stl())
    place = str((tmp_path / "a.stl").resolve()), str(tmp_path.resolve())
    entries = [MeshFile("a.stl", *place, scale=(1.0 + k, 1.0, 1.0)) for k in range(3)]
    entries.append(MeshFile("b.stl", str(tmp_path / "b.stl"), place[1]))
    body = eq.Body("a", eq.revolute("q"), mass=1, inertia="1 1 1")
    monkeypatch.setattr("equamo.publish.picture.meshes.MOST_BYTES", 2 * len(binary_stl()))
    found = skeleton(eq.Robot("r", [body], meshes={"a": entries}), triangles=100).meshes
    assert len(found.solids) == 2
    rule = "the mesh files of a robot must have at most 1,368 bytes together."
    assert found.problems == tuple(f"{n}: cannot be drawn: {rule}" for n in ("a.stl", "b.stl"))


def test_meshes_of_several_colours_and_equal_meshes(tmp_path: Path) -> None:
    (tmp_path / "cube.dae").write_bytes(dae(more='<node><instance_geometry url="#cube"/></node>'))
    arm = eq.load(urdf(tmp_path, "cube.dae"))
    twice = eq.Robot("twice", arm.bodies, meshes={"hand": arm.meshes["hand"] * 2})
    found = skeleton(twice, triangles=100).meshes
    assert len(found.surfaces) == 2
    assert [m.surface for m in found.solids] == [0, 1, 0, 1]
    assert [m.color for m in found.solids[:2]] == [
        (1, 0.25, 0),
        (0, 0, 1),
    ]  # else that of the robot


def test_bodies_without_a_mesh_are_ellipsoids(tmp_path: Path) -> None:
    """Most bodies have a mesh: the others are ellipsoids of their inertia, not rods."""
    (tmp_path / "cube.stl").write_bytes(binary_stl())
    mesh = MeshFile("cube.stl", str((tmp_path / "cube.stl").resolve()), str(tmp_path.resolve()))
    bodies = [eq.Body(f"b{k}", eq.revolute(f"q{k}", at="1 0 0"), mass=5, inertia="0.02 0.02 0.02",
                      com="1 0 0", parent=f"b{k - 1}" if k else "world") for k in range(3)]  # fmt: skip
    most = eq.Robot("most", bodies, meshes={"b0": [mesh], "b1": [mesh]})
    (ball,) = skeleton(most, triangles=50).solids
    assert (ball.kind, ball.role, ball.body) == ("sphere", "mass", 2)
    assert ball.size == pytest.approx((0.1, 0.1, 0.1))
    assert ball.at.tolist() == [1, 0, 0]
    vast = [eq.Body("vast", eq.revolute("q"), mass=5, inertia="2000 2000 2000", parent="b1")]
    (ball,) = skeleton(
        eq.Robot("vast", [*bodies[:2], *vast], meshes=most.meshes), triangles=50
    ).solids
    assert max(ball.size) < 0.5  # not the 32 m that the inertia says
    few = eq.Robot("few", bodies, meshes={"b0": [mesh]})
    assert skeleton(few, triangles=50).rods  # one mesh among rods


def test_a_lone_body_is_an_ellipsoid() -> None:
    """I = m (a² + b²)/5: a drone of 1.2 kg, flat and wide, with its centre of mass a little off."""
    drone = eq.Robot("quadrotor", [
        eq.Body("frame", eq.free("b"), mass="1.2", com="0 0 0.01", inertia="0.0123 0.0123 0.0224"),
    ], forces=[])  # fmt: skip
    found = skeleton(drone)
    (ball,) = found.solids
    assert (ball.kind, ball.role, found.rods) == ("sphere", "mass", ())
    assert sorted(ball.size) == pytest.approx([0.0677, 0.2160, 0.2160], abs=2e-4)


def test_force_actuators_of_a_lone_body_are_rotors() -> None:
    """A disc at each point of action, across the force, on an arm from the centre of mass."""
    at = ("0.2 0 0", "0 0.2 0", "-0.2 0 0", "0 0 0.01")
    forces = [eq.force_actuator("frame", force=f"0 0 F{k}", at=p) for k, p in enumerate(at)]
    forces.append(eq.force_actuator("frame", force="0 0 0", at="1 0 0", name="none"))
    body = eq.Body("frame", eq.free("b"), mass=1, com="0 0 0.01", inertia="0.01 0.01 0.02")
    found = skeleton(eq.Robot("drone", [body], forces=forces))
    rotors = [s for s in found.solids if s.kind == "cylinder"]
    assert [s.at.tolist() for s in rotors] == [
        [0.2, 0, 0],
        [0, 0.2, 0],
        [-0.2, 0, 0],
    ]  # not the last
    assert all(np.allclose(s.turned[:, 2], [0, 0, 1]) for s in rotors)
    assert [r.end[1].tolist() for r in found.rods] == [s.at.tolist() for s in rotors]
    assert [s.role for s in found.solids if s.kind == "sphere"] == ["mass"]
    arm = eq.Robot(
        "arm", [eq.Body("frame", eq.revolute("q"), mass=1, com="1 0 0")], forces=forces[:1]
    )
    assert [s.role for s in skeleton(arm).solids] == ["joint"]  # a rod with its drum, as always
