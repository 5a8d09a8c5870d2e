"""equamo: equations of motion, derived, proved, compiled.

The public names, in the order a user meets them.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from ._version import __version__ as __version__
from .errors import EquamoError
from .certificate import Certificate, compare, prove

# expressions and proofs
from .expr import Expr, parse
from .expr.matrix import Matrix
from .expr.vector import Vector

# its equations
from .equations import EquationsOfMotion, derivation, derive
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

from .page.reprs import give_reprs

give_reprs(Robot, EquationsOfMotion, Certificate)

# What builds on the equations is loaded when it is first used: `import equamo` stays light.
if TYPE_CHECKING:
    # what somebody printed
    from .claims import Audit, Claim, Claims, audit

    # machine code and other languages
    from .jit.compiled import Compiled, compile
    from .codegen.generate import generate

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

    # to look at
    from .page.report import report
    from .picture.view import view

_LATER = {
    "Audit": ".claims",
    "Claim": ".claims",
    "Claims": ".claims",
    "audit": ".claims",
    "Compiled": ".jit.compiled",
    "compile": ".jit.compiled",
    "generate": ".codegen.generate",
    "Event": ".motion.events",
    "Rollout": ".motion.rollout",
    "rollout": ".motion.rollout",
    "SimulationError": ".motion.simulate",
    "simulate": ".motion.simulate",
    "SweepError": ".motion.sweep",
    "sweep": ".motion.sweep",
    "Trajectory": ".motion.trajectory",
    "computed_torque": ".control.computed_torque",
    "controllability": ".control.controllability",
    "equilibria": ".control.equilibria",
    "gravity_compensation": ".control.gravity_compensation",
    "LinearSystem": ".control.linear_system",
    "linearize": ".control.linearize",
    "lqr": ".control.lqr",
    "report": ".page.report",
    "view": ".picture.view",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module 'equamo' has no attribute {name!r}")
    value = getattr(import_module(_LATER[name], __name__), name)
    globals()[name] = value  # found without coming here from now on
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


__all__ = [
    "Audit",
    "BaseMotion",
    "Body",
    "Certificate",
    "Claim",
    "Claims",
    "Compiled",
    "EquamoError",
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
    "derivation",
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
    "report",
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
    "view",
    "wrench",
]
