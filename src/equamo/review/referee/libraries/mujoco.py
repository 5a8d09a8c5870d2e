"""MuJoCo."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from ..description import without_zero_inertia
from ..library import Kinematics, Library, RefusedError, Slot, module_of
from ..link_inertias import LinkInertia
from ..placed import FreeSpeeds, Placed, mixed_speeds
from ..quiet import quiet
from ..rotations import quaternion_of, rotation_of

Floats = NDArray[np.float64]


@final
class MuJoCo(Library):
    """A URDF file as MuJoCo's compiler reads it; fixed links stay bodies, constraints are disabled."""

    name: ClassVar[str] = "mujoco"
    module: ClassVar[str] = "mujoco"
    package: ClassVar[str] = "mujoco"
    conventions: ClassVar[tuple[str, ...]] = (
        "the linear velocity of a free body is in world axes",
        "inverse dynamics (mj_inverse) subtracts passive forces",
        "Jacobians are two arrays, linear and angular",
    )
    model: Any
    data: Any
    size_q: Any
    size_v: Any

    @property
    def version(self) -> str:
        return str(self.mj.__version__)

    def read(self) -> None:
        mj: Any = module_of(MuJoCo)
        self.mj = mj
        try:
            model = self._compiled(self.description.text)
        except RefusedError:
            # MuJoCo rejects the inertia of massless links; without the element they are massless too.
            model = self._compiled(without_zero_inertia(self.description.text))
        model.opt.gravity[:] = self.gravity
        model.opt.disableflags |= int(mj.mjtDisableBit.mjDSBL_CONSTRAINT)
        self.model, self.data = model, mj.MjData(model)
        self.size_q, self.size_v = model.nq, model.nv
        for k in range(model.njnt):
            joint = model.joint(k)
            self.slots[joint.name] = Slot(int(joint.qposadr[0]), int(joint.dofadr[0]))
        if self.description.free:
            base = next(j.name for j in self.joints if len(j.speeds) == 6)
            self.slots[base] = self.slots["root_joint"]

    def _compiled(self, text: str) -> Any:
        mj = self.mj
        try:
            with quiet():
                spec = mj.MjSpec.from_string(text)
                spec.compiler.fusestatic = False
                if self.description.free:
                    spec.body(self.description.root).add_freejoint(name="root_joint")
                return spec.compile()
        except (ValueError, RuntimeError, mj.FatalError) as error:
            raise RefusedError(" ".join(str(error).split())) from None

    def free_coordinates(self, A: Floats, p: Floats) -> Floats:
        return np.array([*p, *quaternion_of(A)])

    def free_speeds(self, A: Floats, nu: Floats) -> FreeSpeeds:
        return mixed_speeds(A, nu)

    def dynamics(self, at: Placed) -> dict[str, Floats]:
        mj, model, data = self.mj, self.model, self.data
        data.qpos[:], data.qvel[:], data.qfrc_applied[:] = at.y, 0, 0
        mj.mj_forward(model, data)
        gravity = np.array(data.qfrc_bias)
        data.qvel[:], data.qfrc_applied[:] = at.u, at.tau
        mj.mj_forward(model, data)
        forward, both = np.array(data.qacc), np.array(data.qfrc_bias)
        M = np.zeros((model.nv, model.nv))
        mj.mj_fullM(model, data, M)
        data.qacc[:] = at.u_dot
        mj.mj_inverse(model, data)
        return {
            "mass matrix": M,
            "bias": both - gravity,
            "gravity": gravity,
            "bias + gravity": both,
            "inverse dynamics": np.array(data.qfrc_inverse),
            "forward dynamics": forward,
        }

    def kinematics(self, at: Placed, links: Sequence[str]) -> Kinematics:
        mj, model, data = self.mj, self.model, self.data
        bodies = [model.body(n).id for n in links]
        J = np.zeros((len(bodies), 6, model.nv))
        for k, body in enumerate(bodies):
            mj.mj_jacBody(model, data, J[k, 3:], J[k, :3], body)
        return Kinematics(
            np.array(data.xmat[bodies]).reshape(-1, 3, 3), np.array(data.xpos[bodies]), J
        )

    def inertias(self) -> Mapping[str, LinkInertia]:
        found: dict[str, LinkInertia] = {}
        for b in self.eom.robot.bodies:
            body = self.model.body(self.description.link(b.name))
            A = rotation_of(*body.iquat)
            tensor = A @ np.diag(body.inertia) @ A.T
            found[b.name] = LinkInertia.central(float(body.mass[0]), np.array(body.ipos), tensor)
        return found
