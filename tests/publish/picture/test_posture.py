"""Where pictures put the bodies: as Pinocchio does, and as the equations' own frames do."""

import numpy as np
import pytest

import equamo as eq
from equamo.errors import EquamoError, EvaluationError, UnknownNameError
from equamo.publish.picture.posture import Posture, coordinates, parameter_values
from equamo.publish.picture.transforms import poses_function
from peer_urdf import Peer, file as urdf_file

pytestmark = pytest.mark.needs("pinocchio")


@pytest.mark.parametrize("name", ["panda_description/urdf/panda.urdf", "g1_29dof_rev_1_0.urdf"])
def test_bodies_are_where_pinocchio_has_them(name: str) -> None:
    import pinocchio as pin

    peer, robot = Peer(urdf_file(name)), eq.load(str(urdf_file(name)))
    posture, rng = Posture(robot), np.random.default_rng(1)
    for _ in range(3):
        q = rng.uniform(-1, 1, len(robot.q))
        pin.framesForwardKinematics(peer.model, peer.data, peer.arrange(robot, q))
        for body, T in zip(robot.bodies, posture(q), strict=True):
            place = peer.data.oMf[peer.model.getFrameId(body.name)]
            assert np.abs(T - place.homogeneous).max() < 1e-12


@pytest.mark.parametrize("name", ["krang", "starleth", "wheeled_inverted_pendulum"])
def test_bodies_are_where_the_frames_are(name: str) -> None:
    robot = eq.load(name)
    eom, posture = eq.derive(robot), Posture(robot)
    q = np.random.default_rng(2).uniform(-1, 1, len(robot.q))
    for body, T in zip(robot.bodies, posture(q), strict=True):
        right = eom.evaluate(eom.frame(body.name).transform(), q=q)
        assert np.abs(T - right).max() < 1e-12


def test_the_function_is_column_by_column() -> None:
    robot = eq.load("rp_arm")
    (way,) = poses_function(robot).ways
    q = [0.3, 0.7]
    columns = eq.derive(robot).evaluate(way(), q=q).reshape(-1, 4, 4)
    assert np.abs(columns.transpose(0, 2, 1) - Posture(robot)(q)).max() < 1e-14


def test_poses_that_are_none() -> None:
    arm = eq.load("rr_arm")
    with pytest.raises(UnknownNameError, match=r"Unknown coordinate 'elbow'.*q1, q2"):
        coordinates(arm, {"elbow": 1})
    for wrong in ([1], [1, float("nan")], ["a", "b"], [[1, 2]], 3):
        with pytest.raises(EvaluationError, match="picture: q"):
            coordinates(arm, wrong)


def test_a_parameter_without_a_value_is_named() -> None:
    robot = eq.Robot("bare", [eq.Body("link", eq.revolute("q", at="length 0 0"), mass="m")])
    said = r"2 parameters of robot 'bare': 'length', 'm'; use robot\.with_values\(\*\*\{'length': …"
    with pytest.raises(EvaluationError, match=said):
        parameter_values(robot)
    with pytest.raises(UnknownNameError, match="Unknown parameter 'l'"):
        parameter_values(robot, {"l": 1})
    found = parameter_values(robot, {"length": 2, "m": 1, "g": 9})
    assert {s.name: x for s, x in found.items()} == {"length": 2, "m": 1, "g": 9}


def test_a_pose_by_symbols_and_of_unit_length() -> None:
    arm = eq.load("rr_arm")
    np.testing.assert_array_equal(coordinates(arm, {arm.q[1]: 0.5}), [0, 0.5])
    body = eq.Body("b", eq.spherical("b"), mass=1, inertia=[1, 2, 3, 0, 0, 0])
    ball = eq.Robot("ball", [body], gravity="0 0 -9")
    with pytest.raises(EquamoError, match=r"quaternion .* must have length 1, got 2"):
        coordinates(ball, [2, 0, 0, 0])
    nearly = Posture(ball)(coordinates(ball, [0.6, 0.8 + 1e-8, 0, 0]))[0, :3, :3]
    np.testing.assert_allclose(nearly.T @ nearly, np.eye(3), atol=1e-15)
