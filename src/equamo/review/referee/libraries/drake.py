"""Drake."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from typing import Any, ClassVar, final

import numpy as np
from numpy.typing import NDArray

from ..library import Kinematics, Library, RefusedError, Slot, module_of
from ..link_inertias import LinkInertia
from ..placed import FreeSpeeds, Placed, world_speeds
from ..rotations import quaternion_of

Floats = NDArray[np.float64]


@final
class Drake(Library):
    """A URDF file as Drake's parser reads it, in a continuous MultibodyPlant."""

    name: ClassVar[str] = "drake"
    module: ClassVar[str] = "pydrake.multibody.plant"
    package: ClassVar[str] = "drake"
    conventions: ClassVar[tuple[str, ...]] = (
        "the quaternion of a free body comes before its position",
        "the speeds of a free body are angular first, both in world axes",
        "gravity has the opposite sign: CalcGravityGeneralizedForces is a force on the robot",
        "the forces of CalcInverseDynamics are collected before the call, gravity and damping included",
    )
    plant: Any
    context: Any
    size_q: Any
    size_v: Any

    @property
    def version(self) -> str:
        return version("drake")

    def read(self) -> None:
        plants: Any = module_of(Drake)
        parsing: Any = import_module("pydrake.multibody.parsing")
        self.tree: Any = import_module("pydrake.multibody.tree")
        plant = plants.MultibodyPlant(0.0)
        log = logging.getLogger("drake")
        level = log.level
        log.setLevel(logging.ERROR)  # it warns about every unknown tag
        try:
            parsing.Parser(plant).AddModelsFromString(self.description.text, "urdf")
            root = plant.GetBodyByName(self.description.root)
            if not self.description.free:
                plant.WeldFrames(plant.world_frame(), root.body_frame())
            plant.mutable_gravity_field().set_gravity_vector(self.gravity)
            plant.Finalize()
        except (ValueError, RuntimeError) as error:
            raise RefusedError(" ".join(str(error).split())) from None
        finally:
            log.setLevel(level)
        self.plant, self.context = plant, plant.CreateDefaultContext()
        self.size_q, self.size_v = plant.num_positions(), plant.num_velocities()
        for k in plant.GetJointIndices():
            joint = plant.get_joint(k)
            if joint.num_velocities():
                self.slots[joint.name()] = Slot(joint.position_start(), joint.velocity_start())
        if self.description.free:
            base = next(j.name for j in self.joints if len(j.speeds) == 6)
            start = root.floating_positions_start(), root.floating_velocities_start_in_v()
            self.slots[base] = Slot(*start)

    def free_coordinates(self, A: Floats, p: Floats) -> Floats:
        return np.array([*quaternion_of(A), *p])

    def free_speeds(self, A: Floats, nu: Floats) -> FreeSpeeds:
        return world_speeds(A, nu)

    def _at(self, at: Placed) -> None:
        self.plant.SetPositions(self.context, at.y)
        self.plant.SetVelocities(self.context, at.u)

    def dynamics(self, at: Placed) -> dict[str, Floats]:
        plant, context = self.plant, self.context
        self._at(at)
        M = np.array(plant.CalcMassMatrix(context))
        bias = np.array(plant.CalcBiasTerm(context))
        gravity = -np.array(plant.CalcGravityGeneralizedForces(context))
        forces = self.tree.MultibodyForces(plant)
        plant.CalcForceElementsContribution(context, forces)
        inverse = np.array(plant.CalcInverseDynamics(context, at.u_dot, forces))
        found = {
            "mass matrix": M,
            "bias": bias,
            "gravity": gravity,
            "bias + gravity": bias + gravity,
            "inverse dynamics": inverse,
        }
        plant.get_applied_generalized_force_input_port().FixValue(context, at.tau)
        try:
            rates = plant.EvalTimeDerivatives(context).get_generalized_velocity().CopyToVector()
        except RuntimeError:  # the mass matrix of the bodies outside a joint is singular
            rates = np.full(self.size_v, np.nan)
        return found | {"forward dynamics": np.array(rates)}

    def kinematics(self, at: Placed, links: Sequence[str]) -> Kinematics:
        plant, context, world = self.plant, self.context, self.plant.world_frame()
        bodies = [plant.GetBodyByName(n) for n in links]
        poses = [plant.EvalBodyPoseInWorld(context, b) for b in bodies]
        wrt = self.tree.JacobianWrtVariable.kV
        J = [
            plant.CalcJacobianSpatialVelocity(
                context, wrt, b.body_frame(), np.zeros(3), world, world
            )
            for b in bodies
        ]
        return Kinematics(
            np.array([x.rotation().matrix() for x in poses]),
            np.array([x.translation() for x in poses]),
            np.array(J),
        )

    def inertias(self) -> Mapping[str, LinkInertia]:
        found: dict[str, LinkInertia] = {}
        for b in self.eom.robot.bodies:
            body = self.plant.GetBodyByName(self.description.link(b.name))
            I = body.CalcSpatialInertiaInBodyFrame(self.context)
            m = float(I.get_mass())
            tensor = np.array(I.CalcRotationalInertia().CopyToFullMatrix3())
            found[b.name] = LinkInertia(m, m * np.array(I.get_com()), tensor)
        return found
