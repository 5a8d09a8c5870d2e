"""Pinocchio's reading of a URDF file, in our order of coordinates: what ours is compared with."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

from equamo.mechanics.equations import EquationsOfMotion
from equamo.review.referee.states import random_states
from equamo.robot.model import Robot
from equamo.robot.model.joints import Free, FreeEuler

FOLDER = Path(pin.__file__).parents[4] / "share" / "example-robot-data" / "robots"


@cache
def files() -> tuple[Path, ...]:
    """All URDF files of example-robot-data."""
    found = tuple(sorted(FOLDER.rglob("*.urdf")))
    assert len(found) == 77
    return found


def file(name: str) -> Path:
    """A file by the end of its path."""
    (found,) = [p for p in files() if p.as_posix().endswith(name)]
    return found


@dataclass
class Peer:
    """A file as Pinocchio reads it, without meshes, with gravity 9.81 exactly."""

    path: Path
    free: bool = False
    mimic: bool = False
    model: Any = field(init=False)

    def __post_init__(self) -> None:
        root = (pin.JointModelFreeFlyer(),) if self.free else ()
        text = self.path.read_text(encoding="utf-8", errors="replace")
        self.model = pin.buildModelFromXML(text, *root, mimic=self.mimic)
        self.model.gravity.linear = np.array([0, 0, -9.81])
        self.data = self.model.createData()

    def arrange(self, robot: Robot, q: np.ndarray) -> np.ndarray:
        """Our coordinates (one state) as Pinocchio's q."""
        value = dict(zip((x.name for x in robot.q), q, strict=True))
        theirs = pin.neutral(self.model)
        for b in robot.bodies:
            joint = b.joint
            if not joint.coordinates or joint.coordinates[0] not in value:
                continue  # fixed, or it follows another
            k = self.joint(joint)
            i, n = self.model.joints[k].idx_q, self.model.joints[k].nq
            own = np.array([value[c] for c in joint.coordinates])
            if isinstance(joint, Free):  # (w, x, y, z) → (x, y, z, w)
                theirs[i : i + n] = np.concatenate([own[:3], own[4:], own[3:4]])
            elif n == 2:  # continuous: the point of the circle
                theirs[i : i + n] = np.cos(own[0]), np.sin(own[0])
            else:
                theirs[i : i + n] = own
        return theirs

    def order(self, robot: Robot) -> list[int]:
        """For each of our speeds, the position of Pinocchio's."""
        names = {x.name for x in robot.v}
        found: list[int] = []
        for b in robot.bodies:
            if b.joint.speeds and b.joint.speeds[0] in names:
                joint = self.model.joints[self.joint(b.joint)]
                found += range(joint.idx_v, joint.idx_v + joint.nv)
        return found

    def joint(self, joint: Any) -> int:
        """Number of a joint in Pinocchio's model."""
        assert not isinstance(joint, FreeEuler)
        base = isinstance(joint, Free) and not self.model.existJointName(joint.name)
        name = "root_joint" if base else joint.name
        assert self.model.existJointName(name), name
        return self.model.getJointId(name)


def states(robot: Robot, count: int, seed: int = 1) -> tuple[np.ndarray, np.ndarray]:
    """Random q and v, a row each; quaternions of length 1."""
    found = random_states(robot, count, seed)
    return found.q, found.v


def relative(ours: np.ndarray, theirs: np.ndarray) -> float:
    """max|a − b| / max|b|; if all are (nearly) zero, they are compared with 1e-9."""
    return float(np.abs(ours - theirs).max(initial=0) / max(1e-9, np.abs(theirs).max(initial=0)))


@dataclass
class Comparison:
    """Arrays of ours and theirs, the states first."""

    ours: dict[str, np.ndarray]
    theirs: dict[str, np.ndarray]

    def worst(self) -> dict[str, float]:
        """Relative error of each quantity, over the states as one array."""
        return {n: relative(x, self.theirs[n]) for n, x in self.ours.items()}

    def worst_state(self) -> dict[str, float]:
        """Largest relative error that a quantity has in one state."""
        return {n: max(map(relative, x, self.theirs[n]), default=0.0) for n, x in self.ours.items()}


def compare(eom: EquationsOfMotion, peer: Peer, count: int, seed: int = 1) -> Comparison:
    """M, bias + gravity, gravity and the frames of all links at random states."""
    robot = eom.robot
    if not len(robot.v):
        return Comparison({}, {})
    q, v = states(robot, count, seed)
    order = peer.order(robot)
    assert sorted(order) == list(range(peer.model.nv))
    links = [b.name for b in robot.bodies if b.name != "world_link"]  # `world` that moves
    frames = [peer.model.getFrameId(n, pin.FrameType.BODY) for n in links]
    assert max(frames) < peer.model.nframes
    poses = [(f.rotation(), f.position()) for f in map(eom.frame, links)]
    ours = {
        "mass matrix": eom.evaluate("mass_matrix", q=q),
        "bias + gravity": eom.evaluate(eom.bias + eom.gravity, q=q, v=v),
        "gravity": eom.evaluate("gravity", q=q),
        "rotations": eom.evaluate([e for A, _ in poses for e in A.entries], q=q),
        "positions": eom.evaluate([e for _, p in poses for e in p], q=q),
    }
    theirs: dict[str, list[np.ndarray]] = {n: [] for n in ours}
    for k in range(count):
        their_q, their_v = peer.arrange(robot, q[k]), np.zeros(peer.model.nv)
        their_v[order] = v[k]
        H = np.triu(pin.crba(peer.model, peer.data, their_q))
        H = H + np.triu(H, 1).T
        theirs["mass matrix"].append(H[np.ix_(order, order)])
        nle = pin.nonLinearEffects(peer.model, peer.data, their_q, their_v)
        theirs["bias + gravity"].append(np.array(nle)[order])
        gravity = pin.computeGeneralizedGravity(peer.model, peer.data, their_q)
        theirs["gravity"].append(np.array(gravity)[order])
        pin.framesForwardKinematics(peer.model, peer.data, their_q)
        places = [peer.data.oMf[f] for f in frames]
        theirs["rotations"].append(np.concatenate([x.rotation.ravel() for x in places]))
        theirs["positions"].append(np.concatenate([x.translation for x in places]))
    return Comparison(ours, {n: np.array(x) for n, x in theirs.items()})
