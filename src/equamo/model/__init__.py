"""What a robot is. In reading order: robot, body, joint (joints/), inertia, force (forces/),
parameter, limits, base_motion, state, state_space (what numbers of a state are); names (that a user
types), slots (what each quantity may depend on); rotation (matrices), eigenvalues (of
numbers), edits (new robots from old), check."""

from .base_motion import BaseMotion
from .body import WORLD, Body
from .check import CheckReport, Finding, check
from .constraint import Constraint, constraint
from .force import ForceElement
from .forces import (
    cylinder,
    damper,
    force_actuator,
    joint_actuator,
    joint_damper,
    joint_friction,
    joint_spring,
    rotor_inertia,
    spring,
    torque_actuator,
    wrench,
)
from .inertia import Inertia
from .integrability import ConstraintReport, constraint_report
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
from .limits import Limits
from .parameter import Parameter
from .robot import Robot
from .state import State
from .state_space import StatePart, StateSpace

__all__ = [
    "WORLD", "BaseMotion", "Body", "CheckReport", "Constraint", "ConstraintReport", "Finding",
    "ForceElement", "Inertia", "Joint", "Limits", "Parameter", "Robot", "State", "StatePart",
    "StateSpace", "check",
    "constraint", "constraint_report", "custom", "cylinder", "cylindrical", "damper", "fixed",
    "force_actuator", "free", "helical", "joint_actuator", "joint_damper", "joint_friction",
    "joint_spring", "planar", "prismatic", "revolute", "rotor_inertia", "spherical", "spring",
    "torque_actuator", "unit_vectors", "universal", "wrench",
]  # fmt: skip
