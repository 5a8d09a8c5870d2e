"""The kinds of force elements, one file each."""

from .force_actuator import ForceActuator, force_actuator
from .joint_actuator import JointActuator, joint_actuator
from .torque_actuator import TorqueActuator, torque_actuator
from .wrench import Wrench, wrench

__all__ = [
    "ForceActuator", "JointActuator", "TorqueActuator", "Wrench", "force_actuator",
    "joint_actuator", "torque_actuator", "wrench",
]  # fmt: skip
