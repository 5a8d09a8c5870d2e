"""equamo: equations of motion, derived, proved, compiled.

The public names, in the order a user meets them, are those of `__all__`.
"""

from importlib import import_module
from sys import modules
from typing import TYPE_CHECKING, Any

from ._version import __version__ as __version__
from .catalog import load
from .model import (
    BaseMotion,
    Body,
    CheckReport,
    Constraint,
    ConstraintReport,
    Contact,
    ForceElement,
    Inertia,
    Joint,
    Limits,
    Loop,
    Parameter,
    Robot,
    State,
    check,
    constraint,
    constraint_report,
    contact,
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
    loop,
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
from .formats.import_report import ImportReport
from .equations import EquationsOfMotion, derivation, derive
from .equations.frame import Frame
from .equations.body_loads import BodyLoads
from .equations.regressor import Regressor
from .equations.base_parameters import BaseParameters
from .equations.special_geometries import SpecialGeometry
from .expr import Expr, parse
from .expr.vector import Vector
from .expr.matrix import Matrix
from .expr.count import Count
from .identity import Proof, prove_equal, prove_zero, residual
from .certificate import Certificate, Comparison, Difference, check_file, compare, prove
from .certificate.check_file import code_provers
from .certificate.sides import code_writers
from .errors import (
    AssemblyError,
    BudgetWarning,
    ConstraintError,
    DeviceError,
    DivergenceError,
    EnergyDriftWarning,
    EquamoError,
    EquilibriumError,
    EvaluationError,
    ExpressionError,
    FileFormatError,
    FrameError,
    MissingLibraryError,
    ModelError,
    NumberRangeError,
    ParseError,
    ProofError,
    ShapeError,
    ShapeMismatchError,
    SimulationError,
    StabilizabilityError,
    SweepError,
    UnknownFunctionError,
    UnknownInputError,
    UnknownMethodError,
    UnknownNameError,
    UnknownEntryError,
    WorkerDiedError,
)
from .extras import missing as missing_library
from .page.reprs import give_reprs

give_reprs(Robot, EquationsOfMotion, Certificate)


def _prove_code_again(*of: Any) -> Any:
    from .jit.certificate import prove_code_again

    return prove_code_again(*of)


def _written_code(*of: Any) -> Any:
    from .jit.certificate import written_code

    return written_code(*of)


code_provers.append(_prove_code_again)
code_writers.append(_written_code)

# Packages above the equations are imported at first use, which keeps `import equamo` fast.
if TYPE_CHECKING:
    from .equations.assembly import Assembled, assemble
    from .equations.mobility import Mobility, mobility
    from .equations.reactions import Reactions, reactions
    from .equations.torque_distribution import (
        Actuation,
        TorqueDistribution,
        actuation,
        distribute_torques,
    )
    from .claims import Audit, Claim, Claims, audit
    from .referee import RefereeReport, compare_with
    from .jit.compiled import Compiled, compile
    from .jit.compiled_function import CompiledFunction
    from .jit.expression_function import ExpressionFunction, function
    from .jit.packed import Packed
    from .codegen.generate import generate
    from .motion.simulate import simulate
    from .motion.trajectory import Trajectory
    from .motion.ledger import EnergyLedger
    from .motion.limit_violations import LimitViolation
    from .motion.events import Event
    from .motion.rollout import Rollout, rollout
    from .motion.sweep import sweep
    from .motion.worker_pool import Failure
    from .control.linearize import linearize
    from .control.linear_system import LinearSystem
    from .control.symbolic_linear_system import SymbolicLinearSystem
    from .control.transfer_function import TransferFunction
    from .control.equilibria import Equilibrium, equilibria
    from .control.controllability import Controllability, controllability
    from .control.lqr import lqr
    from .control.linear_feedback import LinearFeedback
    from .control.gravity_compensation import GravityCompensation, gravity_compensation
    from .control.computed_torque import ComputedTorque, computed_torque
    from .picture.view import view
    from .picture.animate import animate
    from .document.write import paper
    from .document.paper import Paper
    from .page.report import report

_LATER = {
    "assemble": ".equations.assembly",
    "Assembled": ".equations.assembly",
    "mobility": ".equations.mobility",
    "Mobility": ".equations.mobility",
    "distribute_torques": ".equations.torque_distribution",
    "TorqueDistribution": ".equations.torque_distribution",
    "actuation": ".equations.torque_distribution",
    "Actuation": ".equations.torque_distribution",
    "reactions": ".equations.reactions",
    "Reactions": ".equations.reactions",
    "audit": ".claims",
    "Audit": ".claims",
    "Claim": ".claims",
    "Claims": ".claims",
    "compare_with": ".referee",
    "RefereeReport": ".referee",
    "compile": ".jit.compiled",
    "Compiled": ".jit.compiled",
    "CompiledFunction": ".jit.compiled_function",
    "function": ".jit.expression_function",
    "ExpressionFunction": ".jit.expression_function",
    "Packed": ".jit.packed",
    "generate": ".codegen.generate",
    "simulate": ".motion.simulate",
    "Trajectory": ".motion.trajectory",
    "EnergyLedger": ".motion.ledger",
    "LimitViolation": ".motion.limit_violations",
    "Event": ".motion.events",
    "rollout": ".motion.rollout",
    "Rollout": ".motion.rollout",
    "sweep": ".motion.sweep",
    "Failure": ".motion.worker_pool",
    "linearize": ".control.linearize",
    "LinearSystem": ".control.linear_system",
    "SymbolicLinearSystem": ".control.symbolic_linear_system",
    "TransferFunction": ".control.transfer_function",
    "equilibria": ".control.equilibria",
    "Equilibrium": ".control.equilibria",
    "controllability": ".control.controllability",
    "Controllability": ".control.controllability",
    "lqr": ".control.lqr",
    "LinearFeedback": ".control.linear_feedback",
    "gravity_compensation": ".control.gravity_compensation",
    "GravityCompensation": ".control.gravity_compensation",
    "computed_torque": ".control.computed_torque",
    "ComputedTorque": ".control.computed_torque",
    "view": ".picture.view",
    "animate": ".picture.animate",
    "paper": ".document.write",
    "Paper": ".document.paper",
    "report": ".page.report",
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        # With its object, Python suggests the nearest public name.
        raise AttributeError(
            f"module 'equamo' has no attribute {name!r}", name=name, obj=modules[__name__]
        )
    try:
        value = getattr(import_module(_LATER[name], __name__), name)
    except ModuleNotFoundError as missing:
        if missing.name not in ("numpy", "scipy", "matplotlib"):
            raise
        raise missing_library(missing.name, f"eq.{name}") from missing
    globals()[name] = value  # the next access does not come here
    return value


def __dir__() -> list[str]:
    return sorted({*__all__, *(name for name in globals() if name.startswith("__"))})


__all__ = [
    # a robot: by name, from a file, or in Python
    "load",
    "Robot",
    "Body",
    "Inertia",
    "Parameter",
    "Limits",
    "BaseMotion",
    "State",
    "Joint",
    "revolute",
    "prismatic",
    "helical",
    "cylindrical",
    "universal",
    "planar",
    "spherical",
    "free",
    "fixed",
    "custom",
    "unit_vectors",
    "ForceElement",
    "joint_actuator",
    "torque_actuator",
    "force_actuator",
    "cylinder",
    "wrench",
    "joint_spring",
    "joint_damper",
    "joint_friction",
    "rotor_inertia",
    "spring",
    "damper",
    "Constraint",
    "constraint",
    "ConstraintReport",
    "constraint_report",
    "Loop",
    "loop",
    "Contact",
    "contact",
    "check",
    "CheckReport",
    "ImportReport",
    # its equations
    "derive",
    "derivation",
    "EquationsOfMotion",
    "Frame",
    "BodyLoads",
    "Regressor",
    "BaseParameters",
    "SpecialGeometry",
    # loops: degrees of freedom, assembled states, torques and reactions
    "mobility",
    "Mobility",
    "assemble",
    "Assembled",
    "actuation",
    "Actuation",
    "distribute_torques",
    "TorqueDistribution",
    "reactions",
    "Reactions",
    # expressions and proofs
    "Expr",
    "Vector",
    "Matrix",
    "parse",
    "Count",
    "prove_equal",
    "prove_zero",
    "residual",
    "Proof",
    # all identities of a robot, proved
    "prove",
    "Certificate",
    "check_file",
    "compare",
    "Comparison",
    "Difference",
    # printed equations, compared with the derived ones
    "audit",
    "Audit",
    "Claim",
    "Claims",
    # the same robot in other libraries
    "compare_with",
    "RefereeReport",
    # machine code and other languages
    "compile",
    "Compiled",
    "CompiledFunction",
    "Packed",
    "function",
    "ExpressionFunction",
    "generate",
    # motion
    "simulate",
    "Trajectory",
    "EnergyLedger",
    "LimitViolation",
    "Event",
    "rollout",
    "Rollout",
    "sweep",
    "Failure",
    # control
    "linearize",
    "LinearSystem",
    "SymbolicLinearSystem",
    "TransferFunction",
    "equilibria",
    "Equilibrium",
    "controllability",
    "Controllability",
    "lqr",
    "LinearFeedback",
    "gravity_compensation",
    "GravityCompensation",
    "computed_torque",
    "ComputedTorque",
    # pictures, documents and pages
    "view",
    "animate",
    "paper",
    "Paper",
    "report",
    # errors and warnings
    "EquamoError",
    "ParseError",
    "ProofError",
    "ExpressionError",
    "UnknownNameError",
    "UnknownInputError",
    "UnknownMethodError",
    "UnknownEntryError",
    "UnknownFunctionError",
    "ShapeError",
    "ModelError",
    "ConstraintError",
    "EvaluationError",
    "AssemblyError",
    "NumberRangeError",
    "DeviceError",
    "MissingLibraryError",
    "FileFormatError",
    "FrameError",
    "ShapeMismatchError",
    "SimulationError",
    "DivergenceError",
    "SweepError",
    "WorkerDiedError",
    "EquilibriumError",
    "StabilizabilityError",
    "BudgetWarning",
    "EnergyDriftWarning",
]
