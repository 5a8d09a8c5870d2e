"""What a robot is. In reading order: robot, body, joint (joints/), inertia, force (forces/),
parameter, base_motion; rotation (matrices), edits (new robots from old), check."""

from .base_motion import BaseMotion
from .body import WORLD, Body
from .check import CheckReport, Finding, check
from .constraint import Constraint, constraint
from .force import ForceElement
from .forces import force_actuator, joint_actuator, torque_actuator, wrench
from .inertia import Inertia
from .joint import Joint
from .joints import (
    custom,
    cylindrical,
    fixed,
    free,
    helical,
    planar,
    prismatic,
    revolute,
    spherical,
    unit_vectors,
    universal,
)
from .parameter import Parameter
from .robot import Robot, State

__all__ = [
    "WORLD", "BaseMotion", "Body", "CheckReport", "Finding", "ForceElement", "Inertia", "Joint",
    "Parameter", "Robot", "State", "check", "Constraint", "constraint", "custom", "cylindrical", "fixed", "force_actuator",
    "free", "helical", "joint_actuator", "planar", "prismatic", "revolute", "spherical",
    "torque_actuator", "unit_vectors", "universal", "wrench",
]  # fmt: skip
