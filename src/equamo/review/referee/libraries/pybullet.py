"""PyBullet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from ..library import Kinematics, Library, RefusedError, Slot, module_of
from ..link_inertias import LinkInertia
from ..placed import FreeSpeeds, Placed, world_speeds
from ..quiet import quiet
from ..rotations import rotation_of
from ..states import States

Floats = NDArray[np.float64]
_FIXED_JOINT = 4  # JOINT_FIXED


@final
class PyBullet(Library):
    """A URDF file as `pybullet.loadURDF` reads it with URDF_USE_INERTIA_FROM_FILE; fixed base only."""

    name: ClassVar[str] = "pybullet"
    module: ClassVar[str] = "pybullet"
    package: ClassVar[str] = "pybullet"
    conventions: ClassVar[tuple[str, ...]] = (
        "quaternions are (x, y, z, w)",
        "inertia comes from the file only with the flag URDF_USE_INERTIA_FROM_FILE",
        "bias and gravity are inverse dynamics without acceleration and without speed",
        "Jacobians are two arrays, linear and angular",
    )
    size_q: int
    size_v: int
    singles: set[str]
    client: Any
    body: Any

    @property
    def version(self) -> str:
        return version("pybullet")

    def read(self) -> None:
        if self.description.free:
            raise RefusedError(
                "a free base is not compared: calculateMassMatrix has no correct result for it "
                "(docs/guide/referee.md)"
            )
        with quiet():
            p: Any = module_of(PyBullet)
            self.p = p
            self.client = p.connect(p.DIRECT)
            with TemporaryDirectory() as folder:
                path = Path(folder) / "robot.urdf"
                path.write_text(self.description.text, encoding="utf-8", newline="\n")
                try:
                    self.body = p.loadURDF(
                        str(path), useFixedBase=True, flags=p.URDF_USE_INERTIA_FROM_FILE,
                        physicsClientId=self.client,
                    )  # fmt: skip
                except p.error as error:
                    raise RefusedError(str(error)) from None
        p.setGravity(*self.gravity, physicsClientId=self.client)
        self.index: dict[str, int] = {self.description.root: -1}
        self.joint_at: list[int] = []
        for k in range(p.getNumJoints(self.body, physicsClientId=self.client)):
            info = p.getJointInfo(self.body, k, physicsClientId=self.client)
            self.index[info[12].decode()] = k
            if info[2] != _FIXED_JOINT:
                n = len(self.joint_at)
                self.slots[info[1].decode()] = Slot(n, n)
                self.joint_at.append(k)
        self.size_q = self.size_v = len(self.joint_at)

    def __del__(self) -> None:
        if hasattr(self, "client"):
            self.p.disconnect(self.client)

    def free_coordinates(self, A: Floats, p: Floats) -> Floats:
        raise RefusedError("a free base is not compared")

    def free_speeds(self, A: Floats, nu: Floats) -> FreeSpeeds:
        return world_speeds(A, nu)

    def evaluate(self, states: States) -> dict[str, Floats]:
        try:
            return super().evaluate(states)
        except self.p.error as error:  # for example beyond 128 links
            raise RefusedError(f"PyBullet failed: {error}") from None

    def dynamics(self, at: Placed) -> dict[str, Floats]:
        with quiet():
            M = self.p.calculateMassMatrix(self.body, list(at.y), physicsClientId=self.client)
            rest = [0.0] * self.size_v
            tau = self._inverse(at.y, at.u, at.u_dot)
            both, gravity = self._inverse(at.y, at.u, rest), self._inverse(at.y, rest, rest)
        return {
            "mass matrix": np.array(M),
            "bias": both - gravity,
            "gravity": gravity,
            "bias + gravity": both,
            "inverse dynamics": tau,
        }

    def _inverse(self, q: Any, v: Any, vdot: Any) -> Floats:
        lists = [list(map(float, x)) for x in (q, v, vdot)]
        tau = self.p.calculateInverseDynamics(self.body, *lists, physicsClientId=self.client)
        return np.array(tau, dtype=np.float64)

    def kinematics(self, at: Placed, links: Sequence[str]) -> Kinematics:
        p, options = self.p, {"physicsClientId": self.client}
        for k, q, u in zip(self.joint_at, at.y, at.u, strict=True):
            p.resetJointState(self.body, k, float(q), float(u), **options)
        R, x, J = [np.eye(3)] * 0, [np.zeros(3)] * 0, [np.zeros((6, 0))] * 0
        rest = [0.0] * self.size_v
        self.singles = {"rotations", "positions"}
        for link in links:
            k = self.index[link]
            if k < 0:  # the root, which is fixed at the origin
                R.append(np.eye(3))
                x.append(np.zeros(3))
                J.append(np.zeros((6, self.size_v)))
                continue
            state = p.getLinkState(self.body, k, computeForwardKinematics=1, **options)
            if any(float(np.float32(e)) != e for e in (*state[4], *state[5])):
                self.singles.clear()
            a, b, c, w = np.array(state[5]) / np.linalg.norm(state[5])
            R.append(rotation_of(w, a, b, c))
            x.append(np.array(state[4]))
            linear, angular = p.calculateJacobian(
                self.body, k, [0.0, 0.0, 0.0], list(at.y), rest, rest, **options
            )
            J.append(np.vstack([np.array(angular), np.array(linear)]))
        return Kinematics(np.array(R), np.array(x), np.array(J))

    def inertias(self) -> Mapping[str, LinkInertia]:
        found: dict[str, LinkInertia] = {}
        for b in self.eom.robot.bodies:
            k = self.index[self.description.link(b.name)]
            info = self.p.getDynamicsInfo(self.body, k, physicsClientId=self.client)
            x, y, z, w = info[4]
            A = rotation_of(w, x, y, z)
            tensor = A @ np.diag(info[2]) @ A.T
            found[b.name] = LinkInertia.central(float(info[0]), np.array(info[3]), tensor)
        return found
