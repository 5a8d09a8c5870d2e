"""Library: a robot as another dynamics library reads it; each library is one file in `libraries`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from ...errors import MissingLibraryError
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.model.joint import Joint
from .description import Description
from .link_inertias import LinkInertia
from .placed import FreeSpeeds, Joints, JointState, Placed
from .quiet import quiet
from .states import States

Floats = NDArray[np.float64]


class RefusedError(Exception):
    """A library cannot read a robot, or cannot be compared on it."""


@final
@dataclass(frozen=True)
class Slot:
    """Place of a joint in the coordinates and speeds of a library."""

    q: int
    v: int
    nq: int = 1


@final
@dataclass(frozen=True)
class Kinematics:
    """Frames of links in world axes: rotations, positions, and Jacobians with angular rows first."""

    rotations: Floats  # (links, 3, 3)
    positions: Floats  # (links, 3)
    jacobians: Floats  # (links, 6, speeds of the library)


class Library(ABC):
    """Abstract: a robot in another library."""

    name: ClassVar[str]  # name for users
    module: ClassVar[str]  # module to import
    package: ClassVar[str]  # package to install
    conventions: ClassVar[tuple[str, ...]]  # differences from ours that are converted
    description: Description
    eom: EquationsOfMotion
    size_q: int
    size_v: int

    def __init__(self, description: Description, eom: EquationsOfMotion) -> None:
        self.description, self.eom = description, eom
        self.size_q, self.size_v = 0, 0  # numbers of coordinates and speeds, set by `read`
        self.slots: dict[str, Slot] = {}  # by joint
        self.singles: set[str] = set()  # quantities that come as 32-bit floats
        robot = eom.robot
        self.joints: list[Joint] = [b.joint for b in robot.bodies if b.joint.speeds]
        self.gravity: Floats = eom.evaluate(list(robot.gravity))
        self.links: list[str] = [description.link(b.name) for b in robot.bodies]
        self.read()

    # -- defined by each library -----------------------------------------------------------------------
    @property
    @abstractmethod
    def version(self) -> str:
        """Version of the library."""

    @abstractmethod
    def read(self) -> None:
        """Read the description; set `slots`, `size_q` and `size_v`."""

    @abstractmethod
    def free_coordinates(self, A: Floats, p: Floats) -> Floats:
        """Coordinates of a free body with a pose."""

    @abstractmethod
    def free_speeds(self, A: Floats, nu: Floats) -> FreeSpeeds:
        """Speeds of a free body with a rotation A and speeds ν in its own frame."""

    @abstractmethod
    def dynamics(self, at: Placed) -> dict[str, Floats]:
        """Quantities of dynamics at a state, in the library's speeds, as far as it computes them."""

    @abstractmethod
    def kinematics(self, at: Placed, links: Sequence[str]) -> Kinematics:
        """Frames of links at a state."""

    @abstractmethod
    def inertias(self) -> Mapping[str, LinkInertia]:
        """Inertia of each link as stored by the library, in the frame of the link."""

    def merged(self) -> bool:
        """Whether `inertias` adds the inertia of fixed links to the link that carries them."""
        return False

    # -- shared ----------------------------------------------------------------------------------------
    def slot(self, joint: str) -> Slot:
        if joint not in self.slots:
            raise RefusedError(f"it has no joint {joint!r}")
        return self.slots[joint]

    def place(self, joints: Sequence[JointState], W: Floats, states: States, k: int) -> Placed:
        """Our state k in this library's conventions."""
        y, block = np.zeros(self.size_q), np.zeros((self.size_v, W.shape[0]))
        rate, column = np.zeros(self.size_v), 0
        for joint in joints:
            slot = self.slot(joint.name)
            values, T, T_dot_v = self._chart(joint, slot)
            y[slot.q : slot.q + len(values)] = values
            rows, columns = T.shape
            block[slot.v : slot.v + rows, column : column + columns] = T
            rate[slot.v : slot.v + rows] = T_dot_v
            column += columns
        T = block @ W
        v, vdot, tau = states.v[k], states.vdot[k], states.tau[k]
        force: Floats = np.asarray(np.linalg.pinv(T.T) @ tau, dtype=np.float64)  # Tᵀ τ_p = τ
        return Placed(y, T @ v, T @ vdot + rate, force, T, rate)

    def _chart(self, joint: JointState, slot: Slot) -> tuple[Floats, Floats, Floats]:
        """(coordinates, T, Ṫ v) of one joint."""
        free = joint.free
        if free is None:
            q = joint.q
            # A continuous joint may have the point of the unit circle instead of the angle.
            values = np.array([np.cos(q[0]), np.sin(q[0])]) if slot.nq == 2 else q
            return values, np.eye(len(joint.v)), np.zeros(len(joint.v))
        speeds = self.free_speeds(free.A, free.S @ joint.v)
        rate = speeds.X @ free.S_dot_v + speeds.X_dot_nu  # (2)
        return self.free_coordinates(free.A, free.p), speeds.X @ free.S, rate

    def evaluate(self, states: States) -> dict[str, Floats]:
        """All quantities that the library offers, in our speeds, the states first.

        "forward dynamics" are accelerations v̇ here; `compare` turns them into forces.
        """
        joints = Joints(self.eom, states)
        if kind := joints.unsupported():
            raise RefusedError(f"{kind} joints are not compared")
        found: dict[str, list[Floats]] = {}
        square = self.size_v == joints.W.shape[1]
        for k in range(len(states)):
            at = self.place(joints.at(k), joints.W, states, k)
            here = _ours(self.dynamics(at), at, square)
            frames = self.kinematics(at, self.links)
            here["rotations"], here["positions"] = frames.rotations, frames.positions
            here["Jacobians"] = frames.jacobians @ at.T
            for name, x in here.items():
                found.setdefault(name, []).append(x)
        return {name: np.array(x) for name, x in found.items()}


def _ours(theirs: Mapping[str, Floats], at: Placed, square: bool) -> dict[str, Floats]:
    """Quantities of dynamics in our speeds, by (1)."""
    T, rate = at.T, at.T_dot_v
    M = theirs["mass matrix"]
    found: dict[str, Floats] = {"mass matrix": T.T @ M @ T}
    for name in ("bias", "bias + gravity"):
        if name in theirs:
            found[name] = T.T @ (theirs[name] + M @ rate)
    for name in ("gravity", "inverse dynamics"):
        if name in theirs:
            found[name] = T.T @ theirs[name]
    if "forward dynamics" in theirs and square:  # u̇ = T v̇ + Ṫ v
        rates = np.linalg.solve(T, theirs["forward dynamics"] - rate)
        found["forward dynamics"] = np.asarray(rates, dtype=np.float64)
    return found


def module_of(library: type[Library]) -> Any:
    """Import another library.

    Raises:
        MissingLibraryError: It is not installed.
    """
    try:
        with quiet():  # PyBullet prints a greeting at its first import
            return import_module(library.module)
    except ImportError as error:
        raise MissingLibraryError("compare_with", library.name, library.package) from error
