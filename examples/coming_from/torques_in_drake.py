"""The same torques from Drake and from equamo, for a URDF file whose root link is welded to the world.

python examples/coming_from/torques_in_drake.py robot.urdf        (needs `pip install drake`)
"""

from __future__ import annotations

import sys

import numpy as np
from pydrake.multibody.parsing import Parser
from pydrake.multibody.plant import MultibodyPlant
from pydrake.multibody.tree import MultibodyForces

import equamo as eq

path = sys.argv[1]
plant = MultibodyPlant(0.0)
(model,) = Parser(plant).AddModels(path)
robot = eq.load(path)
root = plant.GetBodyByName(robot.bodies[0].name)
plant.WeldFrames(plant.world_frame(), root.body_frame())
plant.Finalize()
joints = [plant.GetJointByName(b.joint.name) for b in robot.bodies if b.joint.speeds]
order = [j.velocity_start() for j in joints]  # positions of our speeds in Drake's order

v = np.linspace(-1, 1, plant.num_velocities())
context, forces = plant.CreateDefaultContext(), MultibodyForces(plant)
plant.SetPositions(context, 0.3 * v)
plant.SetVelocities(context, v)
plant.CalcForceElementsContribution(context, forces)  # gravity and damping
tau = plant.CalcInverseDynamics(context, v, forces)
ours = eq.compile(eq.derive(robot)).inverse_dynamics(0.3 * v[order], v[order], v[order])
print(f"largest difference {np.abs(ours - tau[order]).max():.1e} of {np.abs(tau).max():.1e}")
print(eq.compare_with(robot, "drake"))
