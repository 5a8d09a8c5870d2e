"""Flat pictures: hulls as SciPy has them, SVG that is XML, the robot inside its picture."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from matplotlib.path import Path as Outline
from scipy.spatial import ConvexHull

import equamo as eq
from equamo.publish.picture.camera import TANGENT, Camera, ground_basis
from equamo.publish.picture.drawing import skeleton
from equamo.publish.picture.flat import _Flattening, flat, hull  # pyright: ignore[reportPrivateUsage]
from equamo.publish.picture.posture import Posture
from equamo.publish.picture.skeleton import Kind, Solid, place, turn_to
from equamo.publish.picture.static_svg import static_svg

pytestmark = pytest.mark.needs("matplotlib", "scipy")

SVG = "{http://www.w3.org/2000/svg}"


def test_hulls() -> None:
    rng = np.random.default_rng(7)
    for count in (3, 5, 20, 200):
        points = rng.normal(size=(count, 2))
        mine = {tuple(p) for p in hull(points)}
        assert mine == {tuple(points[k]) for k in ConvexHull(points).vertices}


def test_the_camera_is_a_pinhole() -> None:
    """What it looks at is in the middle; a step across, at that distance, is that many pixels."""
    rng = np.random.default_rng(8)
    for up in np.eye(3):
        camera = Camera(up, rng.normal(size=3), 4.0, 0.3, 0.4, 800, 600)
        right, above, back = camera.axes
        assert np.allclose(
            np.array([right, above, back]) @ np.array([right, above, back]).T, np.eye(3)
        )
        assert np.linalg.det(np.array([right, above, back])) == pytest.approx(1)
        points = np.array([camera.target, camera.target + right, camera.target + above])
        places, depths = camera.project(points)
        assert depths == pytest.approx(4.0)
        step = 600 / (2 * TANGENT * 4.0)
        assert places == pytest.approx(np.array([[400, 300], [400 + step, 300], [400, 300 - step]]))
        east, north = ground_basis(up)
        assert np.cross(east, north) == pytest.approx(up)


@pytest.mark.parametrize("name", ["krang", "starleth", "wheeled_inverted_pendulum", "rp_arm"])
def test_the_robot_is_inside_its_picture(name: str) -> None:
    robot = eq.load(name)
    found = skeleton(robot)
    poses = Posture(robot)([c.home for c in found.coordinates])
    camera = Camera.fitted(found, 640, 480)
    picture = flat(found, poses, camera)
    corners = np.vstack([p.points for p in picture.polygons])
    assert corners.min() > 0
    assert (corners.max(axis=0) < [640, 480]).all()
    # The end of each limb is covered by something that is drawn.
    tips, _ = camera.project(np.array([place(poses, k, p) for k, p in found.tips]))
    for tip in tips:
        assert any(Outline(p.points).contains_point(tip, radius=1.0) or
                   Outline(p.points).contains_point(tip, radius=-1.0)
                   for p in picture.polygons)  # fmt: skip


def test_a_body_in_front_is_drawn_last() -> None:
    """Of two balls in line with the eye the near one covers the far one."""
    link = eq.Body("near", eq.revolute("q"), mass=1, com="1/4 0 0", inertia="1 1 1")
    far = eq.Body("far", eq.revolute("p", at="1/2 0 0"), mass=1, com="1/4 0 0", parent="near")
    robot = eq.Robot("two", [link, far], gravity=[0, 0, -9])
    found = skeleton(robot)
    poses = Posture(robot)([0, 0])
    camera = Camera.fitted(found, 640, 480)
    depths = [p.depth for p in flat(found, poses, camera).polygons]
    assert depths == sorted(depths, reverse=True)


@pytest.mark.parametrize("name", ["krang", "rr_arm"])
def test_svg(name: str) -> None:
    text = static_svg(eq.load(name), {"q_w": 0.3} if name == "krang" else [0.2, 0.4])
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert len(root.findall(f"{SVG}path")) > 5
    assert "nan" not in text
    assert static_svg(eq.load(name)) != text  # another pose is another picture


def test_a_trimmed_picture_has_no_empty_stripes() -> None:
    arm = eq.load("rr_arm")
    text = static_svg(arm, [0.3, 0.5], trimmed=True)
    root = ElementTree.fromstring(text)
    width, height = map(float, root.get("viewBox", "").split()[2:])
    assert width == 640
    assert height < 480
    bodies = [x.get("d", "")[1:-1].split("L") for x in root.findall(f"{SVG}path")]
    heights = [float(point.split()[1]) for path in bodies for point in path]
    assert min(heights) == pytest.approx(12, abs=0.1)
    assert max(heights) == pytest.approx(height - 12, abs=1)
    plain = static_svg(arm, [0.3, 0.5])
    assert plain.count("<path") == text.count("<path")
    assert 'viewBox="0 0 640 480"' in plain


def unit_shape(kind: str) -> np.ndarray:
    """Corners and edges of a shape of the unit size, finely."""
    angles = np.linspace(0, 2 * np.pi, 360, endpoint=False)
    circle = np.column_stack([np.cos(angles), np.sin(angles), 0 * angles])
    half = np.array([0, 0, 0.5])
    if kind == "box":
        return np.array(np.meshgrid(*[[-0.5, 0.5]] * 3)).reshape(3, -1).T
    if kind == "cylinder":
        return np.vstack([circle - half, circle + half])
    return np.vstack([circle - half, half])  # a cone, its tip above


@pytest.mark.parametrize("kind", ["box", "cylinder", "cone"])
def test_a_solid_covers_its_shape_and_no_more(kind: Kind) -> None:
    """The outline is the hull of the projected shape: same width, height and area."""
    robot = eq.load("rr_arm")
    turned = turn_to(np.array([0.3, 0.5, 0.8]))
    solid = Solid(1, kind, "shape", (0.4, 0.3, 0.7), np.array([0.1, -0.2, 0.05]), turned)
    found = replace(skeleton(robot), solids=(solid,), rods=())
    poses = Posture(robot)([0.4, -0.7])
    camera = Camera.fitted(found, 640, 480)
    picture = flat(found, poses, camera)
    outline = picture.polygons[0].points
    rotation, origin = poses[1, :3, :3], poses[1, :3, 3]
    shape = (unit_shape(kind) * solid.size) @ turned.T + solid.at
    exact, _ = camera.project(shape @ rotation.T + origin)
    assert ConvexHull(outline).volume == pytest.approx(ConvexHull(exact).volume, rel=0.02)
    np.testing.assert_allclose(outline.min(axis=0), exact.min(axis=0), atol=1)
    np.testing.assert_allclose(outline.max(axis=0), exact.max(axis=0), atol=1)


def test_the_ground_is_a_grid_of_two_directions_around_the_robot() -> None:
    robot = eq.load("rr_arm")
    found = skeleton(robot)
    camera = Camera.fitted(found, 640, 480)
    grid = flat(found, Posture(robot)([0.2, 0.4]), camera).grid
    steps = np.array([line.end - line.start for line in grid])
    assert len(grid) > 40
    assert np.linalg.matrix_rank(steps) == 2
    assert {line.opacity > 0.5 for line in grid} == {True, False}  # it fades out
    points = np.array([line.start for line in grid])
    middle = (found.low + found.high) / 2
    foot = camera.project(middle - found.up * (middle @ found.up - found.ground))[0][0]
    assert np.all(points.min(axis=0) < foot)
    assert np.all(points.max(axis=0) > foot)


@pytest.mark.parametrize("kind", ["box", "cylinder", "cone"])
def test_flat_faces_point_outwards(kind: Kind) -> None:
    """Six of a box, two of a cylinder, one of a cone: normals, and corners on the face."""
    rotation = turn_to(np.array([0.6, 0.0, 0.8]))
    center, size = np.array([1.0, 2.0, 3.0]), np.array([2.0, 4.0, 6.0])
    solid = Solid(0, kind, "link", (2.0, 4.0, 6.0), np.zeros(3), np.eye(3))
    found = skeleton(eq.load("rr_arm"))
    drawing = _Flattening(found, Posture(eq.load("rr_arm"))([0, 0]), Camera.fitted(found, 640, 480))
    faces = list(drawing._faces(solid, center, rotation))  # pyright: ignore[reportPrivateUsage]
    axes = {"box": range(3), "cylinder": [2], "cone": [2]}[kind]
    signs = (-1,) if kind == "cone" else (-1, 1)
    expected = [(axis, sign) for axis in axes for sign in signs]
    assert len(faces) == len(expected)
    for (normal, corners), (axis, sign) in zip(faces, expected, strict=True):
        assert normal == pytest.approx(sign * rotation[:, axis])
        inside = (corners - center) @ rotation
        assert inside[:, axis] == pytest.approx(sign * size[axis] / 2)
        others = [k for k in range(3) if k != axis]
        scale = 2 if kind == "box" else 1
        assert np.abs(inside[:, others]).max(axis=0) == pytest.approx(
            size[others] / scale, rel=0.02
        )
