"""Robot models, in reading order.

robot               bodies, joints, force elements, parameters, gravity; construction, arguments
body                rigid link; joint (joints/), inertia, rotation, shape, mesh_file
force               force elements (forces/)
parameter           named numbers; limits, base_motion
constraint          velocity constraints; speeds: chosen speeds, independent_speeds: chosen
                    automatically, integrability: the report on both
loop                cut joints that close loops; contact: points held to the ground; closure: their
                    equations φ(q) = 0, A(q) u = 0; relative_pose
state               default state; unit_quaternions; state_space: names, units and limits of all
                    states; wrt
names               names that users type; slots: the symbols each quantity may depend on; read_only
robot_edits         methods that return modified copies; edits: their algorithms
check               checks of a robot; finding, eigenvalues, loop_checks
storage             robots as plain data; stored_value
"""

from .base_motion import BaseMotion
from .body import WORLD, Body
from .check import CheckReport, Finding, check
from .closure import Inequality, Row
from .constraint import Constraint, constraint
from .contact import Contact, contact
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
from .loop import Loop, loop
from .parameter import Parameter
from .robot import Robot
from .state import State
from .state_space import StatePart, StateSpace

__all__ = [
    "WORLD", "BaseMotion", "Body", "CheckReport", "Constraint", "ConstraintReport", "Contact",
    "Finding", "ForceElement", "Inequality", "Inertia", "Joint", "Limits", "Loop", "Parameter", "Robot",
    "Row", "State", "StatePart",
    "StateSpace", "check",
    "constraint", "constraint_report", "contact", "custom", "cylinder", "cylindrical", "damper", "fixed",
    "force_actuator", "free", "helical", "joint_actuator", "joint_damper", "joint_friction",
    "joint_spring", "loop", "planar", "prismatic", "revolute", "rotor_inertia", "spherical", "spring",
    "torque_actuator", "unit_vectors", "universal", "wrench",
]  # fmt: skip
