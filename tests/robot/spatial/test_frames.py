"""Quantities of different frames are not combined: the error names both frames."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import pytest

import equamo as eq
from equamo.errors import FrameError
from equamo.mechanics.recursions.coriolis import BodyCoriolis
from equamo.robot.spatial.acceleration import Acceleration
from equamo.robot.spatial.articulated_inertia import ArticulatedInertia
from equamo.robot.spatial.force import Force
from equamo.robot.spatial.frame import WORLD_FRAME, Frame
from equamo.robot.spatial.motion import Motion
from spatial_quantities import Quantities

R = Quantities(1)
A, B = R.a, R.b
X = R.pose(A, B)  # from A to B
Y = R.pose(R.c, A)  # from C to A
I = ArticulatedInertia.of(R.inertia())
K = BodyCoriolis.of(R.inertia(), R.motion())

WRONG: dict[str, Callable[[], Any]] = {
    "pose @ pose": lambda: X @ R.pose(A, R.c),
    "inverse @ pose": lambda: X.inverse @ Y,
    "pose @ motion": lambda: X @ R.motion(B),
    "inverse @ motion": lambda: X.inverse @ R.motion(A),
    "motion + motion": lambda: R.motion(A) + R.motion(B),
    "motion - motion": lambda: R.motion(A) - R.motion(B),
    "motion × motion": lambda: R.motion(A).cross(R.motion(B)),
    "motion ×* force": lambda: R.motion(A).cross_force(R.force(B)),
    "motion @ force": lambda: R.motion(A) @ R.force(B),
    "acceleration by pose": lambda: R.acceleration(B).moved(X, R.motion(B)),
    "acceleration by inverse": lambda: R.acceleration(A).moved(X.inverse, R.motion(A)),
    "acceleration with velocity": lambda: R.acceleration(A).moved(X, R.motion(B)),
    "acceleration at point": lambda: R.acceleration(A).at(R.vector(), R.motion(B)),
    "acceleration + acceleration": lambda: R.acceleration(A) + R.acceleration(B),
    "acceleration - acceleration": lambda: R.acceleration(A) - R.acceleration(B),
    "coriolis": lambda: Acceleration.coriolis(R.motion(A), R.motion(B)),
    "pose @ force": lambda: X @ R.force(B),
    "inverse @ force": lambda: X.inverse @ R.force(A),
    "force + force": lambda: R.force(A) + R.force(B),
    "force - force": lambda: R.force(A) - R.force(B),
    "fused sum, force": lambda: R.force(B).plus(X, R.force(B)),
    "fused sum, total": lambda: R.force(A).plus(X, R.force(A)),
    "fused power": lambda: R.force(A).minus_power(R.number(), R.motion(B)),
    "pose @ inertia": lambda: X @ R.inertia(B),
    "inverse @ inertia": lambda: X.inverse @ R.inertia(A),
    "inertia + inertia": lambda: R.inertia(A) + R.inertia(B),
    "inertia @ motion": lambda: R.inertia(A) @ R.motion(B),
    "kinetic energy": lambda: R.inertia(A).kinetic_energy(R.motion(B)),
    "pose @ articulated": lambda: R.pose(B, A) @ I,
    "articulated + articulated": lambda: I + ArticulatedInertia.of(R.inertia(B)),
    "articulated @ motion": lambda: I @ R.motion(B),
    "articulated through joint": lambda: I.through_joint([], [R.force(B)], [R.force(A)], False),
    "articulated rows": lambda: I.through_joint([], [R.force(A)], [R.force(B)], False),
    "coriolis of a body": lambda: BodyCoriolis.of(R.inertia(A), R.motion(B)),
    "coriolis @ motion": lambda: K @ R.motion(B),
    "coriolis transposed": lambda: K.transposed(R.motion(B)),
    "pose @ coriolis": lambda: R.pose(B, A) @ K,
    "coriolis + coriolis": lambda: K + BodyCoriolis.of(R.inertia(B), R.motion(B)),
}


@pytest.mark.parametrize("case", WRONG)
def test_different_frames_are_refused(case: str) -> None:
    with pytest.raises(FrameError, match=r"must be the same, got '.' and '.'; bring") as caught:
        WRONG[case]()
    names = caught.value.frames
    assert len(set(names)) == 2
    assert all(repr(n) in str(caught.value) for n in names)


def test_frames_of_one_name_are_different_frames() -> None:
    """A body keeps its name if its frame is moved: only the object tells frames apart."""
    fore, moved = Frame("fore"), Frame("fore")
    with pytest.raises(FrameError, match="two frames that are both named 'fore'"):
        R.motion(fore) + R.motion(moved)


def test_frames_of_two_robots_are_different() -> None:
    one, two = eq.load("rr_arm"), eq.load("rr_arm")
    with pytest.raises(FrameError, match="both named 'fore'"):
        one.joint_pose(one.body("fore")) @ two.body("fore").spatial_inertia


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: R.motion() + R.force(),
        lambda: R.motion() + R.acceleration(),
        lambda: R.force() - R.motion(),
        lambda: R.acceleration() + R.motion(),
        lambda: R.acceleration() - R.motion(),
        lambda: R.motion() - R.acceleration(),
        lambda: R.force() + R.inertia(),
        lambda: R.inertia() + R.force(),
        lambda: R.inertia() @ R.force(),
        lambda: I @ R.force(),
        lambda: I + R.inertia(),
        lambda: X @ R.acceleration(),
        lambda: X.inverse @ R.vector(),
        lambda: R.vector() @ R.motion(),
        lambda: R.vector() @ R.force(),
        lambda: R.vector() @ R.inertia(),
        lambda: X.inverse @ I,
    ],
)
def test_quantities_of_different_kinds_are_refused(wrong: Callable[[], Any]) -> None:
    with pytest.raises(TypeError):
        wrong()


def test_texts_name_the_frames() -> None:
    texts = {
        repr(x)
        for x in (A, X, X.inverse, R.motion(), R.acceleration(), R.force(), R.inertia(), I, K)
    }
    assert texts == {
        "Frame('a')", "Pose of 'a' in 'b'", "inverse of the Pose of 'a' in 'b'", "Motion in 'a'",
        "Acceleration in 'a'", "Force in 'a'", "Inertia in 'a'", "ArticulatedInertia in 'a'",
        "BodyCoriolis in 'a'",
    }  # fmt: skip


def test_frames_survive_copies_and_pickles() -> None:
    robot = eq.load("rr_arm")
    X = robot.joint_pose(robot.body("upper"))
    assert X.reference is WORLD_FRAME
    for again in (copy.deepcopy(robot), pickle.loads(pickle.dumps(robot))):
        Y = again.joint_pose(again.body("upper"))
        assert Y.reference is WORLD_FRAME
        assert Y.frame is again.body("upper").frame
        assert again.joint_pose(again.body("fore")).reference is Y.frame
        assert (Y @ again.body("upper").spatial_inertia).frame is WORLD_FRAME
    assert copy.copy(A) is A
    assert pickle.loads(pickle.dumps(WORLD_FRAME)) is WORLD_FRAME


def test_a_copy_of_a_body_has_a_frame_of_its_own() -> None:
    body = eq.load("rr_arm").body("fore")
    again = eq.Body(body.name, body.joint, inertia=body.inertia, parent=body.parent)
    assert again == body
    assert again.frame is not body.frame
    assert again.subspace[0].frame is again.spatial_inertia.frame is again.frame


def test_zeros() -> None:
    assert Motion.zero(A).is_zero
    assert not R.motion().is_zero
    assert Force.zero(A).force.is_zero
    assert Force.zero(A).moment.is_zero
