"""equamo: equations of motion, derived, proved, compiled.

The public names, in the order a user meets them, are those of `__all__`.
"""

from importlib import import_module
from sys import modules
from typing import TYPE_CHECKING, Any

from .basics import moved
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
    from .robot.catalog import load
    from .robot.model import (
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
    from .mechanics.equations import EquationsOfMotion, derivation, derive
    from .mechanics.equations.frame import Frame
    from .algebra.expr import Expr, parse
    from .algebra.expr.vector import Vector
    from .algebra.expr.matrix import Matrix
    from .robot.formats.import_report import ImportReport
    from .mechanics.equations.body_loads import BodyLoads
    from .mechanics.equations.regressor import Regressor
    from .mechanics.equations.base_parameters import BaseParameters
    from .mechanics.equations.special_geometries import SpecialGeometry
    from .algebra.expr.count import Count
    from .algebra.identity import Proof, prove_equal, prove_zero, residual
    from .mechanics.certificate import (
        Certificate,
        Comparison,
        Difference,
        check_file,
        compare,
        prove,
    )
    from .mechanics.equations.assembly import Assembled, assemble
    from .mechanics.equations.mobility import Mobility, mobility
    from .mechanics.equations.reactions import Reactions, reactions
    from .mechanics.equations.torque_distribution import (
        Actuation,
        TorqueDistribution,
        actuation,
        distribute_torques,
    )
    from .review.claims import Audit, Claim, Claims, audit
    from .review.referee import RefereeReport, compare_with
    from .code.jit.compiled import Compiled, compile
    from .code.jit.compiled_function import CompiledFunction
    from .code.jit.expression_function import ExpressionFunction, function
    from .code.jit.packed import Packed
    from .code.codegen.generate import generate
    from .motion.simulation.simulate import simulate
    from .motion.simulation.trajectory import Trajectory
    from .motion.simulation.ledger import EnergyLedger
    from .motion.simulation.limit_violations import LimitViolation
    from .motion.simulation.events import Event
    from .motion.simulation.rollout import Rollout, rollout
    from .motion.simulation.sweep import sweep
    from .motion.simulation.worker_pool import Failure
    from .motion.control.linearize import linearize
    from .motion.control.linear_system import LinearSystem
    from .motion.control.symbolic_linear_system import SymbolicLinearSystem
    from .motion.control.transfer_function import TransferFunction
    from .motion.control.equilibria import Equilibrium, equilibria
    from .motion.control.controllability import Controllability, controllability
    from .motion.control.lqr import lqr
    from .motion.control.linear_feedback import LinearFeedback
    from .motion.control.gravity_compensation import GravityCompensation, gravity_compensation
    from .motion.control.computed_torque import ComputedTorque, computed_torque
    from .publish.picture.view import view
    from .publish.picture.animate import animate
    from .publish.document.write import paper
    from .publish.document.paper import Paper
    from .publish.page.report import report

_MODULES = {  # module -> names, as in the imports above
    ".robot.catalog": "load",
    ".robot.model": (
        "BaseMotion Body CheckReport Constraint ConstraintReport Contact ForceElement "
        "Inertia Joint Limits Loop Parameter Robot State check constraint constraint_report "
        "contact custom cylinder cylindrical damper fixed force_actuator free helical "
        "joint_actuator joint_damper joint_friction joint_spring loop planar prismatic "
        "revolute rotor_inertia spherical spring torque_actuator unit_vectors universal "
        "wrench"
    ),
    ".mechanics.equations": "EquationsOfMotion derivation derive",
    ".mechanics.equations.frame": "Frame",
    ".algebra.expr": "Expr parse",
    ".algebra.expr.vector": "Vector",
    ".algebra.expr.matrix": "Matrix",
    ".robot.formats.import_report": "ImportReport",
    ".mechanics.equations.body_loads": "BodyLoads",
    ".mechanics.equations.regressor": "Regressor",
    ".mechanics.equations.base_parameters": "BaseParameters",
    ".mechanics.equations.special_geometries": "SpecialGeometry",
    ".algebra.expr.count": "Count",
    ".algebra.identity": "Proof prove_equal prove_zero residual",
    ".mechanics.certificate": "Certificate Comparison Difference check_file compare prove",
    ".mechanics.equations.assembly": "Assembled assemble",
    ".mechanics.equations.mobility": "Mobility mobility",
    ".mechanics.equations.reactions": "Reactions reactions",
    ".mechanics.equations.torque_distribution": (
        "Actuation TorqueDistribution actuation distribute_torques"
    ),
    ".review.claims": "Audit Claim Claims audit",
    ".review.referee": "RefereeReport compare_with",
    ".code.jit.compiled": "Compiled compile",
    ".code.jit.compiled_function": "CompiledFunction",
    ".code.jit.expression_function": "ExpressionFunction function",
    ".code.jit.packed": "Packed",
    ".code.codegen.generate": "generate",
    ".motion.simulation.simulate": "simulate",
    ".motion.simulation.trajectory": "Trajectory",
    ".motion.simulation.ledger": "EnergyLedger",
    ".motion.simulation.limit_violations": "LimitViolation",
    ".motion.simulation.events": "Event",
    ".motion.simulation.rollout": "Rollout rollout",
    ".motion.simulation.sweep": "sweep",
    ".motion.simulation.worker_pool": "Failure",
    ".motion.control.linearize": "linearize",
    ".motion.control.linear_system": "LinearSystem",
    ".motion.control.symbolic_linear_system": "SymbolicLinearSystem",
    ".motion.control.transfer_function": "TransferFunction",
    ".motion.control.equilibria": "Equilibrium equilibria",
    ".motion.control.controllability": "Controllability controllability",
    ".motion.control.lqr": "lqr",
    ".motion.control.linear_feedback": "LinearFeedback",
    ".motion.control.gravity_compensation": "GravityCompensation gravity_compensation",
    ".motion.control.computed_torque": "ComputedTorque computed_torque",
    ".publish.picture.view": "view",
    ".publish.picture.animate": "animate",
    ".publish.document.write": "paper",
    ".publish.document.paper": "Paper",
    ".publish.page.report": "report",
}
moved.install()

_LATER = {name: module for module, names in _MODULES.items() for name in names.split()}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        if not name.startswith("_"):
            try:
                return import_module(f".{name}", __name__)  # a package, such as eq.robot
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
        from .basics.extras import missing as missing_library

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
