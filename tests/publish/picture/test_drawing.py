"""How a body is drawn in a picture: rods between joints, wheels on the ground, true ellipsoids."""

import numpy as np
import pytest

import equamo as eq
from equamo.publish.picture.drawing import skeleton
from equamo.publish.picture.ellipsoid import ellipsoid
from equamo.publish.picture.posture import Posture
from equamo.publish.picture.skeleton import WORLD_INDEX, Skeleton, place, turn_to
from equamo.robot.catalog import robots
from peer_urdf import file as urdf_file

pytestmark = pytest.mark.needs("pinocchio")


def test_ellipsoids_have_the_inertia() -> None:
    """I = m/5 diag(b² + c², a² + c², a² + b²) of a solid ellipsoid, turned."""
    rng = np.random.default_rng(4)
    for _ in range(50):
        radii, mass = rng.uniform(0.05, 2, 3), rng.uniform(0.1, 50)
        turned = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        squares = radii**2
        moments = mass / 5 * (squares.sum() - squares)
        found, axes = ellipsoid(mass, turned @ np.diag(moments) @ turned.T)
        assert found is not None
        assert np.allclose(np.sort(found), np.sort(radii), rtol=1e-9)
        assert np.linalg.det(axes) == pytest.approx(1)
        # The quadratic form of the ellipsoid is the same, whatever the order of its axes.
        form = turned @ np.diag(1 / squares) @ turned.T
        assert np.allclose(axes @ np.diag(1 / found**2) @ axes.T, form, rtol=1e-6)
    assert ellipsoid(1.0, np.zeros((3, 3)))[0] is None


def test_a_turn_is_a_rotation() -> None:
    for direction in np.random.default_rng(5).normal(size=(50, 3)):
        A = turn_to(direction)
        assert np.allclose(A.T @ A, np.eye(3), atol=1e-14)
        assert np.linalg.det(A) == pytest.approx(1)
        assert np.allclose(A[:, 2], direction / np.linalg.norm(direction))


@pytest.mark.parametrize("name", [r.name for r in robots()])
def test_links_reach_their_joints(name: str) -> None:
    """At any pose a rod of a link ends at the origin of a child, or at the end of a limb."""
    robot = eq.load(name)
    found, posture = skeleton(robot), Posture(robot)
    poses = posture(np.random.default_rng(6).uniform(-0.5, 0.5, len(robot.q)))
    ends = np.array([place(poses, k, p) for k, p in found.tips] + [T[:3, 3] for T in poses])
    starts = np.vstack([ends, np.zeros((1, 3))])
    assert found.rods
    sliding = {r.body for r in found.rods if r.start[0] != r.end[0]}
    for rod in found.rods:
        a, b = place(poses, *rod.start), place(poses, *rod.end)
        if rod.start[0] == rod.end[0] and rod.start[0] != WORLD_INDEX and not sliding:
            assert np.linalg.norm(starts - a, axis=1).min() < 1e-12
            assert np.linalg.norm(ends - b, axis=1).min() < 1e-12
    assert np.isfinite([*found.low, *found.high, found.ground, found.size]).all()
    assert (found.low < found.high).all()


def on_ground(found: Skeleton, poses: np.ndarray, body: int, point: np.ndarray) -> float:
    return float(found.up @ place(poses, body, point)) - found.ground


@pytest.mark.parametrize("name", ["wheeled_inverted_pendulum", "krang_on_wheels"])
def test_wheels_stand_on_the_ground(name: str) -> None:
    robot = eq.load(name)
    found = skeleton(robot)
    poses = Posture(robot)([c.home for c in found.coordinates])
    tyres = [s for s in found.solids if s.role == "wheel" and s.kind == "cylinder"]
    assert [found.parts[s.body].name for s in tyres] == ["wheel_L", "wheel_R"]
    for tyre in tyres:
        assert tyre.size[0] == pytest.approx(float(robot.values["R"] or 0))
        assert on_ground(found, poses, tyre.body, tyre.at) == pytest.approx(tyre.size[0])
        axis = poses[tyre.body, :3, :3] @ tyre.turned[:, 2]
        assert np.abs(axis) == pytest.approx([0, 1, 0])


def test_feet_stand_on_the_ground() -> None:
    robot = eq.load("starleth")
    found = skeleton(robot)
    poses = Posture(robot)([c.home for c in found.coordinates])
    feet = [s for s in found.solids if s.role == "foot"]
    assert {found.parts[s.body].name for s in feet} == {
        f"{leg}_Foot" for leg in ("LF", "RF", "LH", "RH")
    }
    for foot in feet:
        assert abs(on_ground(found, poses, foot.body, foot.at)) < 1e-9


def test_up_is_against_gravity() -> None:
    assert skeleton(eq.load("rr_arm")).up.tolist() == [0, 1, 0]
    assert skeleton(eq.load("krang")).up.tolist() == [0, 0, 1]
    floating = eq.Robot(
        "none", [eq.Body("a", eq.free("b"), mass=1, inertia="1 1 1")], gravity="0 0 0"
    )
    assert skeleton(floating).up.tolist() == [0, 0, 1]


def test_sliders_know_limits_and_quaternions() -> None:
    path = urdf_file("g1_29dof_rev_1_0.urdf")
    robot = eq.load(str(path), base="free")
    found = skeleton(robot)
    knee = next(c for c in found.coordinates if c.name == "left_knee_joint")
    assert (knee.lower, knee.upper, knee.unit, knee.limited) == (-0.087267, 2.8798, "rad", True)
    (group,) = found.unit_groups
    assert [found.coordinates[k].name for k in group] == [
        "base_qw",
        "base_qx",
        "base_qy",
        "base_qz",
    ]
    assert sum(found.coordinates[k].home ** 2 for k in group) == 1
    assert [found.coordinates[k].unit for k in range(4)] == ["m", "m", "m", ""]


def test_one_body_and_none() -> None:
    point = eq.Body("a", eq.revolute("q"), mass=1)  # without extent
    alone = skeleton(eq.Robot("one", [point], gravity=[0, 0, -9]))
    assert alone.size > 0
    assert (alone.low < alone.high).all()
    empty = skeleton(eq.Robot("empty", [], gravity=[0, 0, -9]))
    assert empty.parts == ()
    assert (empty.low < empty.high).all()


def test_the_ellipsoid_of_a_body_without_mass_has_the_axes_of_its_frame() -> None:
    robot = eq.Robot("frame", [eq.Body("b", eq.revolute("q"))], forces=[])
    (part,) = skeleton(robot).parts
    assert part.radii is None
    assert np.array_equal(part.principal, np.eye(3))
