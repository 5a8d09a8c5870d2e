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
from .motion.rollout import Rollout, rollout

__all__ = [
    "Audit",
    "BaseMotion",
    "Body",
    "Certificate",
    "Claim",
    "Claims",
    "Compiled",
    "EquationsOfMotion",
    "Expr",
    "Inertia",
    "Limits",
    "Matrix",
    "Parameter",
    "Proof",
    "Robot",
    "Rollout",
    "Vector",
    "audit",
    "check",
    "compare",
    "compile",
    "constraint",
    "constraint_report",
    "custom",
    "cylinder",
    "cylindrical",
    "damper",
    "derive",
    "fixed",
    "force_actuator",
    "free",
    "generate",
    "helical",
    "joint_actuator",
    "joint_damper",
    "joint_friction",
    "joint_spring",
    "load",
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
    "spherical",
    "spring",
    "torque_actuator",
    "unit_vectors",
    "universal",
    "wrench",
]
