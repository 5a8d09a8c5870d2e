"""The robots, and one plain description of each that every program is built from.

A `Tree` is what Pinocchio reads from the URDF file: one entry per joint, links behind fixed joints
merged, parents before children. Its states have an angle or a length for each joint, for a free joint x
y z qw qx qy qz and the velocity of the body in its own axes, linear first; each program gets them in its
own convention.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import pinocchio as pin

FOLDER = Path(pin.__file__).parents[4] / "share" / "example-robot-data" / "robots"
GRAVITY = (0.0, 0.0, -9.81)
REVOLUTE, SLIDING = (
    ("RX", "RY", "RZ", "RevoluteUnaligned"),
    ("PX", "PY", "PZ", "PrismaticUnaligned"),
)
UNBOUNDED = ("RUBX", "RUBY", "RUBZ")  # their coordinates are the cosine and the sine
KINDS = (*REVOLUTE, *UNBOUNDED, *SLIDING, "FreeFlyer", "Spherical")
WIDTHS = {"FreeFlyer": (7, 6), "Spherical": (4, 3)}


@dataclass(frozen=True)
class Source:
    """A robot of the tables: its file, and whether its base is free."""

    name: str
    file: str
    free: bool = False

    @property
    def path(self) -> Path:
        return FOLDER / self.file


SOURCES = {
    s.name: s
    for s in (
        Source("UR5", "ur_description/urdf/ur5_robot.urdf"),
        Source("Panda", "panda_description/urdf/panda.urdf"),
        Source("Kinova", "kinova_description/robots/kinova.urdf"),
        Source("ANYmal", "anymal_b_simple_description/robots/anymal.urdf", free=True),
        Source("Talos", "talos_data/robots/talos_reduced.urdf", free=True),
        Source("G1", "g1_description/urdf/g1_29dof_rev_1_0.urdf", free=True),
    )
}


def pinocchio_model(source: Source) -> Any:
    """The file as Pinocchio reads it, with gravity 9.81 exactly."""
    text = source.path.read_text(encoding="utf-8", errors="replace")
    model = pin.buildModelFromXML(text, *((pin.JointModelFreeFlyer(),) if source.free else ()))
    model.gravity.linear = np.array(GRAVITY)
    return model


@dataclass(frozen=True)
class Tree:
    """Joints, placements, axes and inertias of a robot as arrays, one row per joint."""

    names: tuple[str, ...]
    kinds: tuple[str, ...]
    parents: np.ndarray  # row of the parent, -1 for the world
    rotations: np.ndarray  # of the joint frame in the parent's, (n, 3, 3)
    positions: np.ndarray  # (n, 3)
    axes: np.ndarray  # (n, 3)
    masses: np.ndarray
    centers: np.ndarray  # of mass, in the joint's frame
    tensors: np.ndarray  # about the centre of mass
    gravity: tuple[float, float, float] = GRAVITY

    @cached_property
    def widths(self) -> list[tuple[int, int]]:
        """(coordinates, speeds) of each joint."""
        return [WIDTHS.get(k, (1, 1)) for k in self.kinds]

    @cached_property
    def first_q(self) -> list[int]:
        return [int(x) for x in np.cumsum([0, *(q for q, _ in self.widths)])]

    @cached_property
    def first_v(self) -> list[int]:
        return [int(x) for x in np.cumsum([0, *(v for _, v in self.widths)])]

    @property
    def nq(self) -> int:
        return self.first_q[-1]

    @property
    def nv(self) -> int:
        return self.first_v[-1]


def tree(model: Any) -> Tree:
    """The arrays of a Pinocchio model."""
    kinds = [j.shortname().removeprefix("JointModel") for j in model.joints][1:]
    unknown = set(kinds) - set(KINDS)
    assert not unknown, f"joints without a place in KINDS: {sorted(unknown)}"
    inertias = list(model.inertias)[1:]
    return Tree(
        names=tuple(model.names)[1:],
        kinds=tuple(kinds),
        parents=np.array([int(p) - 1 for p in model.parents][1:], np.int32),
        rotations=np.array([p.rotation for p in model.jointPlacements][1:]),
        positions=np.array([p.translation for p in model.jointPlacements][1:]),
        axes=np.array([_axis(k, j) for k, j in zip(kinds, list(model.joints)[1:], strict=True)]),
        masses=np.array([y.mass for y in inertias]),
        centers=np.array([y.lever for y in inertias]),
        tensors=np.array([y.inertia for y in inertias]),
    )


def _axis(kind: str, joint: Any) -> np.ndarray:
    if kind.endswith("Unaligned"):
        return np.array(joint.extract().axis if hasattr(joint, "extract") else joint.axis)
    return np.eye(3)["XYZ".index(kind[-1])] if kind[-1] in "XYZ" else np.zeros(3)


@dataclass(frozen=True)
class States:
    """Random states of a tree: rows of q, v, v̇ and τ."""

    tree: Tree
    count: int
    seed: int = 1
    q: np.ndarray = field(init=False)
    v: np.ndarray = field(init=False)
    vdot: np.ndarray = field(init=False)
    tau: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        rng = np.random.default_rng(self.seed)
        q = rng.uniform(-3, 3, (self.count, self.tree.nq))
        for kind, i in zip(self.tree.kinds, self.tree.first_q, strict=False):
            if kind == "FreeFlyer":
                q[:, i + 3 : i + 7] /= np.linalg.norm(q[:, i + 3 : i + 7], axis=1, keepdims=True)
        object.__setattr__(self, "q", q)
        for name in ("v", "vdot", "tau"):
            object.__setattr__(self, name, rng.uniform(-3, 3, (self.count, self.tree.nv)))

    def pinocchio_q(self) -> np.ndarray:
        """Quaternions with w last, unbounded joints as points of the circle."""
        columns: list[np.ndarray] = []
        for kind, i in zip(self.tree.kinds, self.tree.first_q, strict=False):
            if kind == "FreeFlyer":
                columns += [self.q[:, k] for k in (i, i + 1, i + 2, i + 4, i + 5, i + 6, i + 3)]
            elif kind in UNBOUNDED:
                columns += [np.cos(self.q[:, i]), np.sin(self.q[:, i])]
            else:
                columns.append(self.q[:, i])
        return np.ascontiguousarray(np.stack(columns, axis=1))
