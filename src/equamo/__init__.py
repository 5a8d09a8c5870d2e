"""equamo: equations of motion, derived, proved, compiled.

The public names, in the order a user meets them, are those of `__all__`.
"""

from importlib import import_module
from sys import modules
from typing import TYPE_CHECKING, Any

from ._version import __version__ as __version__
from .errors import (
    AccuracyWarning,
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
    EntryIndexError,
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

# Imported at first use, which keeps `import equamo` fast.
if TYPE_CHECKING:
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
    from .equations import EquationsOfMotion, derivation, derive
    from .equations.frame import Frame
    from .expr import Expr, parse
    from .expr.vector import Vector
    from .expr.matrix import Matrix
    from .formats.import_report import ImportReport
    from .equations.body_loads import BodyLoads
    from .equations.regressor import Regressor
    from .equations.base_parameters import BaseParameters
    from .equations.special_geometries import SpecialGeometry
    from .expr.count import Count
    from .identity import Proof, prove_equal, prove_zero, residual
    from .certificate import Certificate, Comparison, Difference, check_file, compare, prove
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

_MODULES = {  # module -> names, as in the imports above
    ".catalog": "load",
    ".model": (
        "BaseMotion Body CheckReport Constraint ConstraintReport Contact ForceElement "
        "Inertia Joint Limits Loop Parameter Robot State check constraint constraint_report "
        "contact custom cylinder cylindrical damper fixed force_actuator free helical "
        "joint_actuator joint_damper joint_friction joint_spring loop planar prismatic "
        "revolute rotor_inertia spherical spring torque_actuator unit_vectors universal "
        "wrench"
    ),
    ".equations": "EquationsOfMotion derivation derive",
    ".equations.frame": "Frame",
    ".expr": "Expr parse",
    ".expr.vector": "Vector",
    ".expr.matrix": "Matrix",
    ".formats.import_report": "ImportReport",
    ".equations.body_loads": "BodyLoads",
    ".equations.regressor": "Regressor",
    ".equations.base_parameters": "BaseParameters",
    ".equations.special_geometries": "SpecialGeometry",
    ".expr.count": "Count",
    ".identity": "Proof prove_equal prove_zero residual",
    ".certificate": "Certificate Comparison Difference check_file compare prove",
    ".equations.assembly": "Assembled assemble",
    ".equations.mobility": "Mobility mobility",
    ".equations.reactions": "Reactions reactions",
    ".equations.torque_distribution": "Actuation TorqueDistribution actuation distribute_torques",
    ".claims": "Audit Claim Claims audit",
    ".referee": "RefereeReport compare_with",
    ".jit.compiled": "Compiled compile",
    ".jit.compiled_function": "CompiledFunction",
    ".jit.expression_function": "ExpressionFunction function",
    ".jit.packed": "Packed",
    ".codegen.generate": "generate",
    ".motion.simulate": "simulate",
    ".motion.trajectory": "Trajectory",
    ".motion.ledger": "EnergyLedger",
    ".motion.limit_violations": "LimitViolation",
    ".motion.events": "Event",
    ".motion.rollout": "Rollout rollout",
    ".motion.sweep": "sweep",
    ".motion.worker_pool": "Failure",
    ".control.linearize": "linearize",
    ".control.linear_system": "LinearSystem",
    ".control.symbolic_linear_system": "SymbolicLinearSystem",
    ".control.transfer_function": "TransferFunction",
    ".control.equilibria": "Equilibrium equilibria",
    ".control.controllability": "Controllability controllability",
    ".control.lqr": "lqr",
    ".control.linear_feedback": "LinearFeedback",
    ".control.gravity_compensation": "GravityCompensation gravity_compensation",
    ".control.computed_torque": "ComputedTorque computed_torque",
    ".picture.view": "view",
    ".picture.animate": "animate",
    ".document.write": "paper",
    ".document.paper": "Paper",
    ".page.report": "report",
}
_LATER = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        if not name.startswith("_"):
            try:
                return import_module(f".{name}", __name__)  # a package, such as eq.model
            except ModuleNotFoundError as missing:
                if missing.name != f"{__name__}.{name}":
                    raise
        # With its object, Python suggests the nearest public name.
        raise AttributeError(
            f"module 'equamo' has no attribute {name!r}", name=name, obj=modules[__name__]
        )
    try:
        value = getattr(import_module(_LATER[name], __name__), name)
    except ModuleNotFoundError as missing:
        if missing.name not in ("numpy", "scipy", "matplotlib"):
            raise
        from .extras import missing as missing_library

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
    "EntryIndexError",
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
    "AccuracyWarning",
    "EnergyDriftWarning",
]
