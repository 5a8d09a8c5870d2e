"""EquationsOfMotion: result of a derivation, exact and with names. In the robot's speeds v,

    M(q) v̇ + C(q, v) v + g(q) = B(q) τ + Σ Jᵀ f (+ Aᵀ λ, A v = 0 with loops or sticking contacts)

with the forces of all force elements on the right-hand side.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeVar, final

from ...algebra.expr import HALF, ZERO, Expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.substitute import check_replacements
from ...algebra.expr.vector import Vector
from ...basics.attached import give_reprs
from ...basics.wording import brief
from ...errors import EquamoError, UnknownNameError
from ...robot.model.read_only import ReadOnly
from ...robot.model.robot import Robot
from ..formulations.derivation import Derivation
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..kinematics.force_projection import BodyGeometry, input_matrix
from ..kinematics.quantity_name import QuantityName
from ..recursions.composite_bodies import mass_matrix
from ..recursions.coriolis import coriolis_matrix as recursive_coriolis_matrix
from ..recursions.newton_euler import inverse_dynamics as newton_euler
from .coriolis import christoffel, prefers_recursion, quadratic_part, split
from .frame import Frame
from .generalized_force import GeneralizedForce, GeneralizedForces
from .modes import ModeEquations
from .replaced import Replaced, quantity_property
from .whole_body import center_of_mass, center_of_mass_jacobian, momentum, momentum_jacobian

if TYPE_CHECKING:
    from .base_parameters import BaseParameters
    from .body_loads import BodyLoads
    from .regressor import Regressor

    R = TypeVar("R", Regressor, BaseParameters)

Coriolis = Literal["christoffel", "split"]
Form = Literal["matrix", "equations"]


@final
@dataclass(frozen=True, eq=False)
class EquationsOfMotion(ModeEquations):
    """Equations of motion of a robot, with entries by name: `eom.mass_matrix["q1", "q2"]`.

    `==` compares identity of objects; `eq.compare` compares two systems of equations.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"), by="kane")
    >>> eom.mass_matrix["q1", "q2"] is eom.mass_matrix[0, 1]
    True
    """

    robot: Robot  # robot from which they were derived
    by: str  # formulation
    derivation: Derivation  # result of the formulation
    coriolis: Coriolis = "christoffel"  # how C v is factored
    replaced: Replaced | None = None  # by `subs`

    # -- symbols ---------------------------------------------------------------------------------------
    @property
    def q(self) -> tuple[Expr, ...]:
        """Coordinates, as symbols."""
        return self.robot.q

    @property
    def v(self) -> tuple[Expr, ...]:
        """Speeds, as symbols."""
        return self.robot.v

    @property
    def vdot(self) -> tuple[Expr, ...]:
        """Derivatives of the speeds, as symbols."""
        return self.robot.vdot

    @property
    def inputs(self) -> tuple[Expr, ...]:
        """Inputs of the actuators, as symbols."""
        return self.robot.inputs

    @property
    def external(self) -> tuple[Expr, ...]:
        """Symbols of external wrenches, default 0."""
        return self.robot.external

    @property
    def parameters(self) -> tuple[Expr, ...]:
        """All parameters of the robot, even those that do not occur."""
        return self.robot.parameters

    @cached_property
    def _names(self) -> tuple[str, ...]:
        """Names of the equations: of the coordinate if q̇ = v in a joint, else of the speed."""
        if self.robot.speed_map is not None:
            return tuple(x.name for x in self.v)
        names: list[str] = []
        for joint in (b.joint for b in self.robot.bodies):
            same = len(joint.coordinates) == len(joint.speeds)
            names += joint.coordinates if same else joint.speeds
        return tuple(names)

    @cached_property
    def is_recursive(self) -> bool:
        """Whether running the recursion again gives these equations.

        `derive` and `load` set it; for equations that were built otherwise the entries are compared,
        so that no two functions of one object can disagree.
        """
        from .derive import formulate

        if self.by != "recursive":
            return False
        derived = formulate(self.robot, self.by)
        return all(x is y for x, y in zip(self.derivation.entries, derived.entries, strict=True))

    @cached_property
    def made(self) -> dict[Any, Any]:
        """Cache in which higher layers keep what they made of these equations, by their own keys."""
        return {}

    def __getstate__(self) -> dict[str, Any]:
        # Programs are made again after unpickling.
        return {name: x for name, x in vars(self).items() if name != "made"}

    # -- the equations ---------------------------------------------------------------------------------
    @quantity_property
    def mass_matrix(self) -> Matrix:
        """Mass matrix M, n×n [kg m² for revolute, kg for prismatic joints], with rotor inertia."""
        return Matrix(self.derivation.mass_matrix.rows, self._names, self._names)

    @quantity_property
    def bias(self) -> Vector:
        """Velocity terms C v, including those of a moving base."""
        return Vector(self.derivation.bias, self._names)

    @quantity_property
    def gravity(self) -> Vector:
        """Gravity vector g(q), on the left-hand side."""
        return Vector(self.derivation.gravity, self._names)

    @quantity_property
    def coriolis_matrix(self) -> Matrix:
        """Coriolis matrix C, n×n: Christoffel's (Ṁ − 2C skew) or the documents' split."""
        if self.coriolis == "split":
            C = split(quadratic_part(self.robot, self.bias), self.v)
        elif prefers_recursion(self.robot) and self.is_recursive:
            C = recursive_coriolis_matrix(self.robot)
        else:
            C = christoffel(self.robot, self._joint_mass_matrix)
        return Matrix(C.rows, self._names, self._names)

    @property
    def _joint_mass_matrix(self) -> Matrix:
        """Mass matrix in the joint speeds, before constraints."""
        if self.robot.speed_map is None:
            return self.derivation.mass_matrix
        # The recursion's, in joint speeds: that of a derivation has already been projected.
        return mass_matrix(self.robot.tree)

    @quantity_property
    def forces(self) -> Mapping[str, GeneralizedForce]:
        """Generalized force f of each force element, on the right-hand side; its power is v·f.

        `eom.forces["name"].energy` is the potential energy of a spring, else None.
        """
        geometry, insert = BodyGeometry(self.robot), ChosenSpeeds(self.robot).insert
        forces: dict[str, GeneralizedForce] = {}
        for element in self.robot.forces:
            V = element.energy(geometry)
            energy = None if V is None else insert([V])[0]
            f = self.derivation.forces[element.name]
            forces[element.name] = GeneralizedForce(f, self._names, energy)
        return GeneralizedForces(forces)

    @quantity_property
    def input_matrix(self) -> Matrix:
        """Input matrix B, n × number of inputs: the actuators' force is B · inputs."""
        B = input_matrix(self.robot, self.derivation.forces)
        return Matrix(B.rows, self._names, B.column_names)

    @quantity_property
    def kinematic_map(self) -> Matrix:
        """Kinematic map N with q̇ = N v."""
        return self.robot.kinematic_map

    @quantity_property
    def passive_force(self) -> Vector:
        """Sum of the generalized forces that are not inputs."""
        total = Vector([ZERO] * len(self.v), self._names)
        for element in self.robot.forces:
            if not element.inputs():
                total = total + self.forces[element.name]
        return total

    @quantity_property
    def inverse_dynamics(self) -> Vector:
        """Inverse dynamics M v̇ + C v + g − Σ(all forces that are not inputs) = B · inputs."""
        if self.is_recursive:
            passive = [f for f in self.robot.forces if not f.inputs()]
            tree = self.robot.tree
            tau = newton_euler(tree, tree.v, tree.vdot, tree.gravity, elements=passive)
            tau = ChosenSpeeds(self.robot).project(tau)
        else:
            tau = self.mass_matrix @ Vector(self.vdot) + self.bias + self.gravity
            tau = tau - self.passive_force
        return Vector(tau, self._names)

    @quantity_property
    def names(self) -> Mapping[Expr, str]:
        """Names of the recursion's intermediate quantities: `w_fore_z`, `f_fore_x` …

        Pass them to printers: `to_text(e, names=eom.names)`, `shared_text([e], names=eom.names)`.
        """
        return ReadOnly({node: name.text for node, name in self.quantity_names.items()})

    @quantity_property
    def quantity_names(self) -> Mapping[Expr, QuantityName]:
        """Names of intermediate quantities in parts: letter, body, component and sign."""
        tree, named = self.robot.tree, dict[Expr, QuantityName]()
        newton_euler(tree, tree.v, tree.vdot, tree.gravity, names=named)
        nodes = ChosenSpeeds(self.robot).insert(named)
        return ReadOnly(zip(nodes, named.values(), strict=True))

    @quantity_property
    def contributions(self) -> Matrix:
        """Inertial contribution of each body (column) to each equation (row): document 000, KHist.

        Rotors are not bodies, so their inertia is not included.
        """
        from ..formulations.kane import contributions

        K = contributions(self.robot)
        return Matrix(K.rows, self._names, K.column_names)

    @property
    def regressor(self) -> Regressor:
        """Regressor Y with Y · parameters + remainder = inverse dynamics; see `regressor`."""
        from .regressor import regressor

        return self._made("regressor", regressor)

    @property
    def base_parameters(self) -> BaseParameters:
        """Combinations of parameters on which inverse dynamics depends; see `base_parameters`."""
        from .base_parameters import base_parameters

        return self._made("base_parameters", base_parameters)

    def _made(self, name: str, make: Callable[[EquationsOfMotion], R]) -> R:
        """Object derived from the equations once; after `subs`, a copy with symbols replaced."""
        if name not in self.made:
            if self.replaced is None:
                self.made[name] = make(self)
            else:
                whole: R = getattr(self.replaced.whole, name)
                self.made[name] = whole.replaced(self.replaced.steps)
        return self.made[name]

    # -- energy and momentum ---------------------------------------------------------------------------
    @quantity_property
    def kinetic_energy(self) -> Expr:
        """Kinetic energy T = ½ v·M v (with a fixed base), including rotors [J]."""
        v = Vector(self.v)
        return HALF * (v @ (self.derivation.mass_matrix @ v))

    @quantity_property
    def potential_energy(self) -> Expr:
        """Potential energy of gravity [J]; that of a spring is `eom.forces["name"].energy`."""
        from ..formulations.lagrange import potential_energy
        from ..kinematics.poses import poses

        tree = self.robot.tree
        return ChosenSpeeds(self.robot).insert([potential_energy(tree, poses(tree))])[0]

    @quantity_property
    def center_of_mass(self) -> Vector:
        """Centre of mass of the whole robot, in the world frame [m]."""
        return center_of_mass(self.robot)

    @quantity_property
    def center_of_mass_jacobian(self) -> Matrix:
        """Jacobian of the centre of mass, 3×n, in the world frame."""
        return center_of_mass_jacobian(self.robot)

    @quantity_property
    def momentum(self) -> Vector:
        """Angular momentum about the centre of mass, then linear momentum, in the world frame."""
        return momentum(self.robot)

    @quantity_property
    def momentum_jacobian(self) -> Matrix:
        """Centroidal momentum matrix, 6×n: momentum = matrix · v (with a fixed base)."""
        return momentum_jacobian(self.robot)

    def frame(self, name: str) -> Frame:
        """Kinematics of a frame: a named frame, a body's frame by its name, or "world"."""
        return Frame(self.robot, name, () if self.replaced is None else self.replaced.steps)

    def body_loads(self, name: str) -> BodyLoads:
        """Force and torque of the force elements on a body, and its weight; see `body_loads`."""
        from .body_loads import body_loads

        loads = body_loads(self.robot, name)
        return loads if self.replaced is None else loads.replaced(self.replaced.steps)

    # -- operations ------------------------------------------------------------------------------------
    def evaluate(self, what: Any, **state: Any) -> Any:
        """Evaluate a quantity numerically; arguments as in `evaluation.evaluate`."""
        from .evaluation import evaluate

        return evaluate(self, what, **state)

    def subs(self, replacements: Mapping[Any, Any]) -> EquationsOfMotion:
        """Copy of the equations with symbols replaced in every quantity.

        Derivatives (C, momentum …) are taken before the symbols are replaced.
        """
        check_replacements(replacements)
        whole = self if self.replaced is None else self.replaced.whole
        before = () if self.replaced is None else self.replaced.steps
        new = Replaced(whole, (*before, dict(replacements)))
        return EquationsOfMotion(self.robot, self.by, self.derivation, self.coriolis, new)

    def latex(self, form: Form = "matrix", short: bool = False) -> str:
        """LaTeX of the whole system, for an equation environment.

        Args:
            form: "matrix" for M v̇ + C v + g = B τ + … with the entries of each matrix, or "equations"
                for one line per equation of motion, constraint and rate.
            short: Write c_{1}, s_{12} for cosines and sines of coordinates.

        Returns:
            An `aligned` environment. Closed forms that are too long are replaced by intermediates.

        Raises:
            UnknownNameError: Unknown form.
        """
        from .latex import equations_to_latex

        return equations_to_latex(self, form, short)

    def save(self, path: str | Path) -> None:
        """Write an exact, versioned file that `EquationsOfMotion.load` reads back."""
        from .storage import save

        save(self, path)

    @staticmethod
    def load(path: str | Path) -> EquationsOfMotion:
        """Read a file that `save` wrote, and check it against its robot."""
        from .storage import load

        return load(path)

    def __repr__(self) -> str:
        return f"<equations of motion of robot {self.robot.name!r} by {self.by}>"

    def __str__(self) -> str:
        from .summary import to_text

        return to_text(self)


give_reprs(EquationsOfMotion)


def expect_equations(eom: object, function: str) -> EquationsOfMotion:
    """Return the argument if it is EquationsOfMotion; raise an error with advice otherwise."""
    if isinstance(eom, EquationsOfMotion):
        return eom
    what = f"the robot {eom.name!r}" if isinstance(eom, Robot) else brief(eom)
    raise EquamoError(
        f"{function}() takes EquationsOfMotion, got {what}; derive them with eq.derive(robot)."
    )


QUANTITIES = (
    "mass_matrix", "coriolis_matrix", "bias", "gravity", "input_matrix", "kinematic_map",
    "inverse_dynamics", "contributions", "kinetic_energy", "potential_energy", "center_of_mass",
    "center_of_mass_jacobian", "momentum", "momentum_jacobian", "passive_force", "state_derivative",
    "closure", "constraint_matrix", "constraint_bias", "constraint_inertia",
)  # fmt: skip


def quantity(eom: EquationsOfMotion, name: str) -> Any:
    """Look up a quantity of the equations by its name."""
    if name in QUANTITIES:
        return getattr(eom, name)
    if name in eom.forces:
        return eom.forces[name]
    raise UnknownNameError("quantity", name, (*QUANTITIES, *eom.forces), "the equations of motion")
