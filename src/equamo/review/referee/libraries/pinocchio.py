"""Pinocchio."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from ..library import Kinematics, Library, RefusedError, Slot, module_of
from ..link_inertias import LinkInertia
from ..placed import FreeSpeeds, Placed, body_speeds
from ..rotations import quaternion_of

Floats = NDArray[np.float64]


@final
class Pinocchio(Library):
    """A URDF file as `pinocchio.buildModelFromXML` reads it, with the mimic joints free."""

    name: ClassVar[str] = "pinocchio"
    module: ClassVar[str] = "pinocchio"
    package: ClassVar[str] = "pin"
    conventions: ClassVar[tuple[str, ...]] = (
        "quaternions are (x, y, z, w)",
        "joints are sorted by name below each link",
        "a continuous joint has the coordinates cos q and sin q",
        "Jacobians have their linear rows first",
        "crba fills the upper triangle of M",
    )
    model: Any
    data: Any
    size_q: Any
    size_v: Any

    @property
    def version(self) -> str:
        return str(self.pin.__version__)

    def read(self) -> None:
        pin: Any = module_of(Pinocchio)
        self.pin = pin
        root = (pin.JointModelFreeFlyer(),) if self.description.free else ()
        try:
            model = pin.buildModelFromXML(self.description.text, *root)
        except (ValueError, RuntimeError) as error:
            raise RefusedError(str(error)) from None
        model.gravity.linear = self.gravity
        self.model, self.data = model, model.createData()
        self.size_q, self.size_v = model.nq, model.nv
        for k in range(1, model.njoints):
            joint = model.joints[k]
            self.slots[model.names[k]] = Slot(joint.idx_q, joint.idx_v, joint.nq)
        if self.description.free:
            base = next(j.name for j in self.joints if len(j.speeds) == 6)
            self.slots[base] = self.slots["root_joint"]

    def free_coordinates(self, A: Floats, p: Floats) -> Floats:
        w, *xyz = quaternion_of(A)
        return np.array([*p, *xyz, w])

    def free_speeds(self, A: Floats, nu: Floats) -> FreeSpeeds:
        return body_speeds(A, nu)

    def dynamics(self, at: Placed) -> dict[str, Floats]:
        pin, model, data = self.pin, self.model, self.data
        upper = np.triu(pin.crba(model, data, at.y))
        nle = np.array(pin.nonLinearEffects(model, data, at.y, at.u))
        gravity = np.array(pin.computeGeneralizedGravity(model, data, at.y))
        return {
            "mass matrix": upper + np.triu(upper, 1).T,
            "bias": nle - gravity,
            "gravity": gravity,
            "bias + gravity": nle,
            "inverse dynamics": np.array(pin.rnea(model, data, at.y, at.u, at.u_dot)),
            "forward dynamics": np.array(pin.aba(model, data, at.y, at.u, at.tau)),
        }

    def kinematics(self, at: Placed, links: Sequence[str]) -> Kinematics:
        pin, model, data = self.pin, self.model, self.data
        pin.computeJointJacobians(model, data, at.y)
        pin.updateFramePlacements(model, data)
        frames = [model.getFrameId(n, pin.FrameType.BODY) for n in links]
        axes = pin.ReferenceFrame.LOCAL_WORLD_ALIGNED
        # With one speed the result is an array of six numbers, not a matrix.
        J = [np.reshape(pin.getFrameJacobian(model, data, k, axes), (6, -1)) for k in frames]
        return Kinematics(
            np.array([data.oMf[k].rotation for k in frames]),
            np.array([data.oMf[k].translation for k in frames]),
            np.array([np.vstack([x[3:], x[:3]]) for x in J]),
        )

    def merged(self) -> bool:
        return True

    def inertias(self) -> Mapping[str, LinkInertia]:
        found: dict[str, LinkInertia] = {}
        by_joint = {b.joint.name: b.name for b in self.eom.robot.bodies if b.joint.speeds}
        for joint, body in by_joint.items():
            if self.description.free and joint not in self.model.names:
                joint = "root_joint"
            I = self.model.inertias[self.model.getJointId(joint)]
            found[body] = LinkInertia.central(float(I.mass), np.array(I.lever), np.array(I.inertia))
        return found
