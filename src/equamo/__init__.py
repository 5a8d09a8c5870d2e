"""equamo: equations of motion, derived, proved, compiled.

The public names, in the order a user meets them.
"""

from ._version import __version__

# a robot: in Python, or by name
from .model import (
    BaseMotion,
    Body,
    Inertia,
    Parameter,
    Robot,
    check,
    custom,
    cylindrical,
    fixed,
    force_actuator,
    free,
    helical,
    joint_actuator,
    planar,
    prismatic,
    revolute,
    spherical,
    torque_actuator,
    unit_vectors,
    universal,
    wrench,
)
from .robots import load

# its equations
from .formulations import EquationsOfMotion, derive

# expressions and proofs
from .expr import Expr, parse
from .expr.matrix import Matrix
from .expr.vector import Vector
from .identity import Proof, prove_equal, prove_zero, residual
from .certificate import Certificate, compare, prove

__all__ = [
    "BaseMotion",
    "Body",
    "Certificate",
    "EquationsOfMotion",
    "Expr",
    "Inertia",
    "Matrix",
    "Parameter",
    "Proof",
    "Robot",
    "Vector",
    "__version__",
    "check",
    "compare",
    "custom",
    "cylindrical",
    "derive",
    "fixed",
    "force_actuator",
    "free",
    "helical",
    "joint_actuator",
    "load",
    "parse",
    "planar",
    "prismatic",
    "prove",
    "prove_equal",
    "prove_zero",
    "residual",
    "revolute",
    "spherical",
    "torque_actuator",
    "unit_vectors",
    "universal",
    "wrench",
]
