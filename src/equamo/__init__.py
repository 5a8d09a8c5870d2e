"""equamo: equations of motion, derived, proved, compiled.

The public names, in the order a user meets them.
"""

from ._version import __version__ as __version__
from .certificate import Certificate, compare, prove

# expressions and proofs
from .expr import Expr, parse
from .expr.matrix import Matrix
from .expr.vector import Vector

# its equations
from .formulations import EquationsOfMotion, derive
from .identity import Proof, prove_equal, prove_zero, residual

# a robot: in Python, by name, or from a file
from .model import (
    BaseMotion,
    Body,
    Inertia,
    Limits,
    Parameter,
    Robot,
    check,
    constraint,
    constraint_report,
    custom,
    cylinder,
    cylindrical,
    damper,
    fixed,
    force_actuator,
    free,
    helical,
    joint_actuator,
    joint_damper,
    joint_friction,
    joint_spring,
    planar,
    prismatic,
    revolute,
    rotor_inertia,
    spherical,
    spring,
    torque_actuator,
    unit_vectors,
    universal,
    wrench,
)
from .catalog import load

# what somebody printed
from .claims import Audit, Claim, Claims, audit

# machine code and other languages
from .program.compiled import Compiled, compile
from .program.generate import generate

# motion
from .motion.events import Event
from .motion.rollout import Rollout, rollout
from .motion.simulate import SimulationError, simulate
from .motion.sweep import SweepError, sweep
from .motion.trajectory import Trajectory

# control
from .control.computed_torque import computed_torque
from .control.controllability import controllability
from .control.equilibria import equilibria
from .control.gravity_compensation import gravity_compensation
from .control.linear_system import LinearSystem
from .control.linearize import linearize
from .control.lqr import lqr

__all__ = [
    "Audit",
    "BaseMotion",
    "Body",
    "Certificate",
    "Claim",
    "Claims",
    "Compiled",
    "EquationsOfMotion",
    "Event",
    "Expr",
    "Inertia",
    "LinearSystem",
    "Limits",
    "Matrix",
    "Parameter",
    "Proof",
    "Robot",
    "Rollout",
    "SimulationError",
    "SweepError",
    "Trajectory",
    "Vector",
    "audit",
    "check",
    "compare",
    "compile",
    "computed_torque",
    "constraint",
    "constraint_report",
    "controllability",
    "custom",
    "cylinder",
    "cylindrical",
    "damper",
    "derive",
    "equilibria",
    "fixed",
    "force_actuator",
    "free",
    "generate",
    "gravity_compensation",
    "helical",
    "joint_actuator",
    "joint_damper",
    "joint_friction",
    "joint_spring",
    "linearize",
    "load",
    "lqr",
    "parse",
    "planar",
    "prismatic",
    "prove",
    "prove_equal",
    "prove_zero",
    "residual",
    "revolute",
    "rollout",
    "rotor_inertia",
    "simulate",
    "spherical",
    "spring",
    "sweep",
    "torque_actuator",
    "unit_vectors",
    "universal",
    "wrench",
]
