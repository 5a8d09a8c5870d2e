"""Robots with loops for every program: our model, and the plain numbers that Pinocchio's is built from.

States have closed loops: random ones near home, projected by `eq.assemble`. Passive forces and rotors,
which Pinocchio leaves out, are removed.
"""

from __future__ import annotations

from typing import Any

import numpy as np

import equamo as eq
from equamo.algebra.expr.evaluate import FLOATS, evaluate
from equamo.mechanics.equations.assembly import Assembler
from equamo.robot.model.edits import copy_with

from .models import Tree
from .pinocchio_loop_calls import Closure

SPREAD = 0.2  # how far from home the states are drawn [rad]
DIRECTIONS = {(1, 0, 0): "X", (0, 1, 0): "Y", (0, 0, 1): "Z"}


def without_passive(robot: Any) -> Any:
    """The robot with its actuators alone."""
    return copy_with(robot, forces=[f for f in robot.forces if f.inputs()])


class ClosedStates:
    """Random states with φ(q) = 0 and A v = 0; quaternions as ours, w first."""

    def __init__(self, robot: Any, count: int, seed: int = 1) -> None:
        rng, closer = np.random.default_rng(seed), Assembler(robot)
        space = closer.closure.space
        home = np.array([float(x) for x in robot.state_space.q.numbers])
        found: list[np.ndarray] = []
        while len(found) < count:
            shift = SPREAD * rng.standard_normal(len(robot.v))
            try:
                found.append(closer.positions(space.integrate(home, shift), attempts=1))
            except eq.EquamoError:
                continue
        self.robot, self.count, self.q = robot, count, np.array(found)
        n = len(robot.v)
        drawn = rng.uniform(-3, 3, (count, n))
        self.v = np.array([closer.velocities(q, v) for q, v in zip(self.q, drawn, strict=True)])
        self.vdot, self.tau = rng.uniform(-3, 3, (2, count, n))

    def pinocchio_q(self) -> np.ndarray:
        """Quaternions with w last."""
        q = self.q.copy()
        for group in self.robot.state_space.quaternions:
            w, *rest = group
            q[:, list(group)] = self.q[:, [*rest, w]]
        return np.ascontiguousarray(q)


def plain_tree(robot: Any) -> tuple[Tree, list[Closure]]:
    """Joints of a robot as arrays, bodies without a joint merged, and its loops as constraints."""
    zero = {x: 0.0 for x in robot.joint_coordinates}
    zero |= {g[0]: 1.0 for g in robot.unit_groups}
    known = zero | {s: float(robot.values[s.name]) for s in robot.parameters}

    def numbers(entries: Any) -> np.ndarray:
        return np.array([float(x) for x in evaluate(list(entries), FLOATS, known)])

    def placed(A: np.ndarray, p: np.ndarray) -> np.ndarray:
        return np.vstack([np.hstack([A, p[:, None]]), [0, 0, 0, 1]])

    where: dict[str, tuple[int, np.ndarray]] = {
        "world": (-1, np.eye(4))
    }  # joint, pose in its frame
    rows: dict[str, list[Any]] = {
        x: [] for x in ("parent", "kind", "pose", "axis", "inertia", "name")
    }
    for b in robot.bodies:
        A = numbers(b.joint.rotation.entries).reshape(3, 3)
        pose = placed(A, numbers(b.joint.position))
        parent, inside = where[b.parent]
        m, *h = numbers(b.inertia.ten)[:4]
        J = numbers(b.inertia.tensor.entries).reshape(3, 3)  # about the origin
        if not b.joint.speeds:
            where[b.name] = parent, inside @ pose
            rows["inertia"][parent] += _spatial(m, np.array(h), J, inside @ pose)
            continue
        S = [numbers((*x.angular, *x.linear)) for x in b.subspace]
        rows["kind"].append(_kind(S))
        rows["axis"].append(S[0][:3] if np.any(S[0][:3]) else S[0][3:])
        rows["parent"].append(parent)
        rows["pose"].append(inside @ pose)
        rows["inertia"].append(_spatial(m, np.array(h), J, np.eye(4)))
        rows["name"].append(b.joint.name)
        where[b.name] = len(rows["parent"]) - 1, np.eye(4)
    closures = [_closure(loop, where, numbers) for loop in robot.loops]
    poses, inertias = np.array(rows["pose"]), np.array(rows["inertia"])
    masses = inertias[:, 0, 0]
    centers = inertias[:, 1:4, 0] / masses[:, None]
    tensors = [
        J - m * (c @ c * np.eye(3) - np.outer(c, c))
        for m, c, J in zip(masses, centers, inertias[:, 1:4, 1:4], strict=True)
    ]
    tree = Tree(
        names=tuple(rows["name"]),
        kinds=tuple(rows["kind"]),
        parents=np.array(rows["parent"], np.int32),
        rotations=np.ascontiguousarray(poses[:, :3, :3]),
        positions=np.ascontiguousarray(poses[:, :3, 3]),
        axes=np.array(rows["axis"]),
        masses=masses,
        centers=centers,
        tensors=np.array(tensors),
        gravity=tuple(numbers(robot.gravity)),
    )
    return tree, closures


def _spatial(m: float, h: np.ndarray, J: np.ndarray, pose: np.ndarray) -> np.ndarray:
    """Mass, first moment and tensor about the origin, moved by a pose: [m hᵀ; h J]."""
    A, p = pose[:3, :3], pose[:3, 3]
    h, J = A @ h, A @ J @ A.T
    moved = J + 2 * (h @ p) * np.eye(3) - np.outer(h, p) - np.outer(p, h)
    moved += m * (p @ p * np.eye(3) - np.outer(p, p))
    h = h + m * p
    return np.vstack([np.hstack([m, h]), np.hstack([h[:, None], moved])])


def _kind(S: list[np.ndarray]) -> str:
    if len(S) == 3 and not np.any([s[3:] for s in S]):
        return "Spherical"
    (s,) = S
    turns = bool(np.any(s[:3]))
    assert not (turns and np.any(s[3:])), "helical"
    axis = tuple(int(x) if x == int(x) else x for x in (s[:3] if turns else s[3:]))
    along = DIRECTIONS.get(axis)
    if along is None:
        return "RevoluteUnaligned" if turns else "PrismaticUnaligned"
    return ("R" if turns else "P") + along


def _closure(loop: Any, where: dict[str, tuple[int, np.ndarray]], numbers: Any) -> Closure:
    """Points of a spherical cut joint; of a revolute one in the plane they are enough too."""
    assert loop.joint in ("spherical", "revolute")
    ends: list[tuple[int, np.ndarray]] = []
    for body, at in ((loop.body, loop.at), (loop.to, loop.to_at)):
        joint, pose = where[body]
        point = pose[:3, :3] @ numbers(at) + pose[:3, 3]
        ends.append((joint, np.concatenate([np.eye(3).reshape(-1), point])))
    (first, at), (second, to_at) = ends
    return Closure(3, first, at, second, to_at)
