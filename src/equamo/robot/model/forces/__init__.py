"""Kinds of force elements, one file per kind."""

from .cylinder import Cylinder, cylinder
from .damper import Damper, damper
from .force_actuator import ForceActuator, force_actuator
from .joint_actuator import JointActuator, joint_actuator, joint_actuators
from .joint_damper import JointDamper, joint_damper
from .joint_friction import JointFriction, joint_friction
from .joint_spring import JointSpring, joint_spring
from .rotor_inertia import RotorInertia, rotor_inertia
from .spring import Spring, spring
from .torque_actuator import TorqueActuator, torque_actuator
from .wrench import Wrench, wrench

__all__ = [
    "Cylinder", "Damper", "ForceActuator", "JointActuator", "JointDamper", "JointFriction",
    "JointSpring", "RotorInertia", "Spring", "TorqueActuator", "Wrench", "cylinder", "damper",
    "force_actuator", "joint_actuator", "joint_actuators", "joint_damper", "joint_friction",
    "joint_spring", "rotor_inertia", "spring", "torque_actuator", "wrench",
]  # fmt: skip
