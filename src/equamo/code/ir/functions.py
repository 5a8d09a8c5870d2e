"""Functions of a robot: names, arguments and shapes, and the programs that compute them.

Names, arguments and shapes come from the robot alone; nothing is derived before `program` is called.
For equations by recursion, the recursion runs again with regrouped inertias (`base_parameters`), for
few instructions; equations by another method, or with symbols replaced, are used unchanged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import replace
from functools import cached_property, partial
from typing import Final, final

from ...algebra.expr import ZERO, Expr, internal
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.coriolis import BY_DIFFERENTIATION
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ...mechanics.kinematics.quantity_name import QuantityName
from ...mechanics.recursions.articulated_bodies import forward_dynamics as articulated_bodies
from ...mechanics.recursions.base_parameters import customised
from ...mechanics.recursions.composite_bodies import mass_matrix
from ...mechanics.recursions.constrained_dynamics import ConstrainedFactors
from ...mechanics.recursions.coriolis import coriolis_matrix
from ...mechanics.recursions.energy import kinetic_energy
from ...mechanics.recursions.factorisation import Factors, ltdl
from ...mechanics.recursions.newton_euler import inverse_dynamics
from ...robot.model.body import WORLD
from ...robot.model.force import ForceElement
from ...robot.model.read_only import ReadOnly
from ...robot.model.robot import Robot
from .constraints import Constraints, constraints, shortened
from .function import Function, Names, Result, Value
from .program import Argument

FRAME_FUNCTIONS: Final = ("pose", "jacobian", "jacobian_dot_v")
# Runs of the recursion that name the intermediates of a function: with v̇ (False), at v̇ = 0 (True).
# Naming must not cost more than the function, so kinematics has no names.
_MOTIONS: Final[dict[str, tuple[bool, ...]]] = {
    **dict.fromkeys(
        (
            "inverse_dynamics", "mass_matrix", "mass_matrix_factors", "bias", "gravity",
            "coriolis_matrix", "kinetic_energy",
        ), (False,)
    ),
    **dict.fromkeys(
        (
            "forward_dynamics", "forward_dynamics_inputs", "state_derivative", "constraint_forces",
            "constraint_forces_inputs",
        ), (False, True),
    ),
}  # fmt: skip
_REGROUPED: Final = {"f": "fr", "n": "nr"}  # letters for forces and moments of regrouped inertias
_Row = tuple[str, tuple[Argument, ...], str, tuple[int, ...], tuple[Callable[[], Value], ...]]


def functions(eom: EquationsOfMotion) -> Mapping[str, Function]:
    """Functions of the whole robot, by name; the table is shared.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> f = functions(derive(load("rr_arm")))["inverse_dynamics"]
    >>> [a.name for a in f.arguments], [str(y) for y in f.results]
    (['q', 'v', 'vdot', 'parameters'], ['tau (2,)'])
    """
    if "functions" not in eom.made:
        eom.made["functions"] = ReadOnly(_functions(program_equations(eom)))
    return eom.made["functions"]


def _functions(e: ProgramEquations) -> dict[str, Function]:
    eom = e.eom
    n, m, k = len(eom.v), len(eom.inputs), len(eom.q)
    q, v, vdot = Argument("q", eom.q), Argument("v", eom.v), Argument("vdot", eom.vdot)
    tau, inputs = Argument("tau", e.tau), Argument("inputs", eom.inputs)
    rows: list[_Row] = [
        ("inverse_dynamics", (q, v, vdot), "tau", (n,), (e.inverse_dynamics,)),
        ("mass_matrix", (q,), "M", (n, n), (e.mass_matrix,)),
        ("mass_matrix_factors", (q,), "LD", (n, n), (e.mass_matrix_factors,)),
        ("bias", (q, v), "b", (n,), (e.bias,)),
        ("gravity", (q,), "g", (n,), (e.gravity,)),
        ("coriolis_matrix", (q, v), "C", (n, n), e.coriolis_matrix()),
        ("forward_dynamics", (q, v, tau), "vdot", (n,), e.forward_dynamics(e.tau)),
        ("forward_dynamics_inputs", (q, v, inputs), "vdot", (n,), e.forward_dynamics(None)),
        ("state_derivative", (q, v, inputs), "dx", (k + n,), e.state_derivative()),
        ("passive_force", (q, v), "f", (n,), (lambda: eom.passive_force,)),
        ("input_matrix", (q,), "B", (n, m), (lambda: eom.input_matrix,)),
        ("kinematic_map", (q,), "N", (k, n), (lambda: eom.kinematic_map,)),
        ("kinetic_energy", (q, v), "T", (), (e.kinetic_energy,)),
        ("potential_energy", (q,), "U", (), (lambda: eom.potential_energy,)),
        ("center_of_mass", (q,), "r", (3,), (lambda: eom.center_of_mass,)),
        *(_of_constraints(e, q, v, tau, inputs) if is_augmented(eom.robot) else ()),
    ]
    return {row[0]: _function(e, *row) for row in rows}


def _of_constraints(
    e: ProgramEquations, q: Argument, v: Argument, tau: Argument, inputs: Argument
) -> list[_Row]:
    """Functions that only robots with constraints have; see `constraints`."""
    m, n = len(e.eom.robot.rows), len(e.eom.v)
    closed = sum(row.phi is not None for row in e.eom.robot.rows)
    return [
        ("constraint_matrix", (q,), "A", (m, n), (lambda: e.rows.whole,)),
        ("constraint_bias", (q, v), "c", (m,), (lambda: e.rows.whole_bias,)),
        ("closure", (q,), "phi", (closed,), (lambda: e.eom.closure,)),
        ("constraint_forces", (q, v, tau), "lam", (m,), (lambda: e.constraint_forces(e.tau),)),
        (
            "constraint_forces_inputs",
            (q, v, inputs),
            "lam",
            (m,),
            (lambda: e.constraint_forces(None),),
        ),
        ("constraint_inertia", (q,), "Lambda", (m, m), (e.constraint_inertia,)),
    ]


def frame_function(eom: EquationsOfMotion, kind: str, name: str) -> Function:
    """Function of one frame: pose (4×4), Jacobian (6×n, angular first), or J̇ v (6)."""
    key = "frame function", kind, name
    if key not in eom.made:
        eom.made[key] = _frame_function(eom, kind, name)
    return eom.made[key]


def _frame_function(eom: EquationsOfMotion, kind: str, name: str) -> Function:
    e = program_equations(eom)
    q, v, n = Argument("q", eom.q), Argument("v", eom.v), len(eom.v)
    kinds: dict[str, tuple[tuple[Argument, ...], str, tuple[int, ...]]] = {
        "pose": ((q,), "T", (4, 4)),
        "jacobian": ((q,), "J", (6, n)),
        "jacobian_dot_v": ((q, v), "a", (6,)),
    }
    arguments, output, shape = kinds[kind]
    way = partial(frame_quantity, eom, kind, name)
    f = _function(e, f"{kind}_{name}", arguments, output, shape, (way,))
    return replace(f, frame=(kind, name))


def frame_quantity(eom: EquationsOfMotion, kind: str, name: str) -> Vector | Matrix:
    """What a function of a frame computes, made once: pose, J, or J̇ v, its acceleration at v̇ = 0."""
    key = "frame quantity", kind, name
    if key not in eom.made:
        frame = eom.made.setdefault(("frame", name), eom.frame(name))
        if kind == "pose":
            eom.made[key] = frame.transform()
        elif kind == "jacobian":
            eom.made[key] = frame.jacobian()
        else:
            eom.made[key] = frame.acceleration().subs(dict.fromkeys(eom.vdot, 0))
    return eom.made[key]


def frames(eom: EquationsOfMotion) -> tuple[str, ...]:
    """Names of all frames: those of the bodies, and the world."""
    return (*(b.name for b in eom.robot.bodies), WORLD)


def _function(
    e: ProgramEquations,
    name: str,
    state: tuple[Argument, ...],
    output: str,
    shape: tuple[int, ...],
    ways: tuple[Callable[[], Value], ...],
) -> Function:
    more = (Argument("external", e.eom.external), Argument("parameters", e.eom.parameters))
    arguments = (*state, *(a for a in more if len(a)))
    naming = partial(e.naming, *_MOTIONS.get(name, ()))
    result = Result(output, shape, symmetric=name in ("mass_matrix", "constraint_inertia"))
    return Function(name, arguments, (result,), ways, naming)


def program_equations(eom: EquationsOfMotion) -> ProgramEquations:
    """Equations in the form that programs use, cached."""
    if "programs" not in eom.made:
        eom.made["programs"] = ProgramEquations(eom)
    return eom.made["programs"]


def is_run_again(eom: EquationsOfMotion) -> bool:
    """Whether programs use the recursion, run again, instead of the derived expressions."""
    return eom.is_recursive and eom.replaced is None


def derivation_text(eom: EquationsOfMotion) -> str:
    """Short description of the derivation that the programs use.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> derivation_text(derive(load("rr_arm"), by="gibbs_appell"))
    'gibbs appell, as derived'
    """
    by = eom.by.replace("_", " ")
    if is_run_again(eom):
        return f"{by}, run again for fewer operations"
    return f"{by}, as derived" if eom.replaced is None else f"{by}, with symbols replaced"


@final
class ProgramEquations:
    """Equations in the form that programs use; shared quantities are computed once."""

    def __init__(self, eom: EquationsOfMotion, derived: bool = False) -> None:
        self.eom = eom
        self.tau: tuple[Expr, ...] = tuple(internal("tau", s.name) for s in eom.v)
        # Whether recursions run again; `derived` always selects the derived expressions.
        self.direct: bool = is_run_again(eom) and not derived
        self.speeds: ChosenSpeeds = ChosenSpeeds(eom.robot)
        self.passive: list[ForceElement] = [f for f in eom.robot.forces if not f.inputs()]
        self._motions: dict[bool, tuple[Vector, Names]] = {}

    @cached_property
    def tree(self) -> Robot:
        """Robot in its joint speeds, with regrouped inertias."""
        return customised(self.eom.robot.tree)

    def naming(self, *motions: bool) -> Names:
        """Names of the recursion's intermediates, with v̇ (False) or at v̇ = 0 (True).

        They do not depend on which functions were made before.
        """
        if not self.direct:
            return self.eom.quantity_names
        names: dict[Expr, QuantityName] = {}
        for still in motions:
            names |= self._motion(still)[1]
        return names

    def inverse_dynamics(self, still: bool = False) -> Vector:
        """Inverse dynamics τ; at v̇ = 0 if `still`."""
        if not self.direct:
            tau = self.eom.inverse_dynamics
            return tau.subs(dict.fromkeys(self.eom.vdot, 0)) if still else tau
        return self._motion(still)[0]

    def _motion(self, still: bool) -> tuple[Vector, Names]:
        """Inverse dynamics τ, and names of the recursion's intermediates."""
        if still not in self._motions:
            self._motions[still] = self._run(still)
        return self._motions[still]

    def _run(self, still: bool) -> tuple[Vector, Names]:
        eom, tree = self.eom, self.tree
        vdot = [ZERO] * len(tree.v) if still and self.speeds.trivial else tree.vdot
        found: dict[Expr, QuantityName] = {}
        tau = inverse_dynamics(tree, tree.v, vdot, tree.gravity, elements=self.passive, names=found)
        # Forces and moments are those of the regrouped inertias: fr and nr, not f and n.
        names = (replace(x, letter=_REGROUPED.get(x.letter, x.letter)) for x in found.values())
        named = dict(zip(self.speeds.insert(found), names, strict=True))
        tau = self.speeds.project(tau)
        if still and not self.speeds.trivial:
            tau = tau.subs(dict.fromkeys(eom.vdot, 0))
        return tau, named

    def bias(self) -> Vector:
        """Velocity terms C v."""
        if not self.direct or not self.speeds.trivial or not self.eom.robot.base.is_zero:
            return self.eom.bias
        tree = self.tree
        still = [ZERO] * len(tree.v)
        return inverse_dynamics(tree, tree.v, still, Vector([0, 0, 0]))

    def gravity(self) -> Vector:
        if not self.direct or not self.speeds.trivial:
            return self.eom.gravity
        tree = self.tree
        still = [ZERO] * len(tree.v)
        return inverse_dynamics(tree, still, still, tree.gravity, still_base=True)

    def mass_matrix(self) -> Matrix:
        return self._mass_matrix if self.direct else self.eom.mass_matrix

    @cached_property
    def _mass_matrix(self) -> Matrix:
        M = mass_matrix(self.tree)
        return M if self.speeds.trivial else self.speeds.project_matrix(M.map(self.speeds.insert))

    def mass_matrix_factors(self) -> Matrix:
        return self.factors().matrix()

    def factors(self) -> Factors:
        return ltdl(self._named_mass_matrix)

    @property
    def _named_mass_matrix(self) -> Matrix:
        """M whose rows have names, for the error message if M is singular."""
        names = [x.name for x in self.eom.v]
        return Matrix(self.mass_matrix().rows, names, names)

    # -- constraints -----------------------------------------------------------------------------------
    @cached_property
    def constraints(self) -> Constraints | None:
        """Constraints that accelerations must satisfy; None without any, or with chosen speeds."""
        return constraints(self.eom, self.direct) if is_augmented(self.eom.robot) else None

    @cached_property
    def in_short_frames(self) -> ProgramEquations:
        """The same equations with points held in frames with few operations; same v̇, other λ."""
        if self.constraints is None or not self.direct:
            return self
        other = copy(self)
        other.__dict__.pop("solver", None)
        other.constraints = shortened(self.eom.robot, self.constraints)
        return other

    @property
    def rows(self) -> Constraints:
        assert self.constraints is not None
        return self.constraints

    @cached_property
    def solver(self) -> ConstrainedFactors:
        """Factors of [M −Aᵀ; A 0], or of M without constraints."""
        rows = self.constraints
        return ConstrainedFactors(self._named_mass_matrix, None if rows is None else rows.A)

    def force(self, tau: Iterable[Expr] | None) -> list[Expr]:
        """Generalized force τ; by default B·inputs."""
        if tau is not None:
            return list(tau)
        return list(self.eom.input_matrix @ Vector(self.eom.inputs))

    def solution(self, tau: Iterable[Expr] | None) -> list[Expr]:
        """(v̇, λ) under a generalized force τ; by default B·inputs."""
        still = self.inverse_dynamics(still=True)
        rest = [t - b for t, b in zip(self.force(tau), still, strict=True)]
        bias = [] if self.constraints is None else self.constraints.bias
        return self.solver.solve([*rest, *(-x for x in bias)])

    def constraint_forces(self, tau: Iterable[Expr] | None) -> Vector:
        """λ under the forces τ; by default B·inputs."""
        return Vector(self.rows.padded(self.solution(tau)[len(self.eom.v) :]))

    def constraint_inertia(self) -> Matrix:
        """Λ"""
        return self.rows.padded_matrix(self.solver.inertia())

    def coriolis_matrix(self) -> tuple[Callable[[], Matrix], ...]:
        """Coriolis matrix by recursion, and for a small robot also by differentiating M."""
        eom, speeds = self.eom, self.speeds

        def recursion() -> Matrix:
            C = coriolis_matrix(self.tree)
            if speeds.trivial:
                return C
            M = mass_matrix(self.tree).map(speeds.insert)
            return speeds.W.T @ (C.map(speeds.insert) @ speeds.W + M @ speeds.W_dot)

        if not self.direct or eom.coriolis != "christoffel":
            return (lambda: eom.coriolis_matrix,)
        if len(eom.v) > BY_DIFFERENTIATION:
            return (recursion,)
        return (recursion, lambda: eom.coriolis_matrix)

    def kinetic_energy(self) -> Expr:
        """Kinetic energy ½ v·M v."""
        if not self.direct:
            return self.eom.kinetic_energy
        return self.speeds.insert([kinetic_energy(self.tree)])[0]

    def forward_dynamics(self, tau: Iterable[Expr] | None) -> tuple[Callable[[], Vector], ...]:
        """Alternatives: factors of M by composite bodies, and the articulated-body algorithm.

        With constraints, only the first, as factors of [M −Aᵀ; A 0].
        """

        def factored() -> Vector:
            return Vector(self.in_short_frames.solution(tau)[: len(self.eom.v)])

        def articulated() -> Vector:
            tree = self.tree
            return articulated_bodies(tree, tree.v, self.force(tau), tree.gravity, self.passive)

        if self.direct and self.speeds.trivial and not is_augmented(self.eom.robot):
            return factored, articulated
        return (factored,)

    def state_derivative(self) -> tuple[Callable[[], Vector], ...]:
        """State derivative (q̇, v̇) for given inputs."""

        def rates() -> Vector:
            return self.eom.kinematic_map @ Vector(self.eom.v)

        def state(way: Callable[[], Vector]) -> Vector:
            return Vector([*rates(), *way()])

        return tuple(partial(state, way) for way in self.forward_dynamics(None))
