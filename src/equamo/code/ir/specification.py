"""Specification of each function in terms of the equations of motion alone: residuals that must vanish.

For the outputs y of a function

    inverse_dynamics           M v̇ + b + g − passive − y = 0
    forward_dynamics           M y + b + g − passive − τ = 0      (no inverse: y solves the equations)
    forward_dynamics_inputs    M y + b + g − passive − B·inputs = 0
    state_derivative           (q̇, v̇) = y: q̇ − N v = 0, and v̇ as above
    … with constraints         M y + b + g − passive − τ − Aᵀ λ = 0 for some λ, and A y + Ȧ v = 0
    constraint_forces          M a + b + g − passive − τ − Aᵀ y = 0 and A a + Ȧ v = 0 for some a
    constraint_inertia         M X − Aᵀ y = 0 and A X − 1 = 0 for some X; in redundant rows y = 0
    mass_matrix_factors        Lᵀ D L − M = 0, zeros above the diagonal
    coriolis_matrix            y + yᵀ − Ṁ = 0 and y(v) w − y(w) v − M N⁺(Ṅ(v) w − Ṅ(w) v) = 0
    pose, jacobian, jacobian_dot_v, kinematic_map, center_of_mass, potential_energy
                               from products of joints, see `kinematic_definitions`
    input_matrix               y w − Σ forces of actuators at the inputs w = 0
    passive_force              Σ forces of the other elements − y = 0
    derivatives                see `derivative_specification`, `differential_specification`
    any other                  y − the quantity of the equations of that name

For every τ, M y = … has a solution only if M is regular, and then one: only the acceleration satisfies
it. With constraints the same holds for y, whatever λ is: two solutions differ by x with A x = 0 and
x·M x = x·Aᵀ(λ − λ') = 0. λ, a and X are computed here, by factors of the derived M; since they are only
claimed to exist, nothing depends on how they were found. Christoffel's C is the only matrix with the two
properties above, and C = Nᵀ C_q N + Nᵀ M_q Ṅ has them: the difference D of two such matrices has
D(v) w = D(w) v, so it is linear in v as well, and x·D(v) w is symmetric in v, w and skew in w, x, hence
zero. They need one derivative of M instead of n; w are separate symbols. With chosen speeds, or if C
is split otherwise, y − C = 0 is taken.

A packed function must compute the entries of the whole one, and those that it omits must be zero.
The function of a user's expressions must compute these expressions: the proof covers lowering
and passes.

What is independent. M, b = C v, g and the forces are the entries of the derivation that a certificate
compares with four other formulations; Ṁ is their derivative, T is ½ v·M v. The programs of these
functions come from other algorithms (Newton-Euler and articulated bodies on regrouped inertias,
factors, the Coriolis recursion; rows of constraints from the joint axes, here from derivatives of φ),
which are not called here. The other functions (φ; b, g and C with chosen speeds; J̇ v on a moving base),
and the dynamics of equations by a method other than `recursive`, are lowered from the same quantities
that are used here: the proof covers lowering and passes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from typing import Any, Final, final

from ...algebra.expr import ONE, ZERO, Expr, as_expr, internal
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector, dot
from ...algebra.identity.prove import differences
from ...errors import ShapeError, UnknownNameError
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.equations import EquationsOfMotion
from .derivative_specification import SPECIFIED, DerivativeSpecification
from .differential_specification import differential_residuals, parameter_residuals
from .function import Function, Value, entries_of
from .functions import ProgramEquations, frame_quantity, is_run_again
from .kinematic_definitions import KinematicDefinitions
from .packing import unpack
from .sensitivity_specification import sensitivity_residuals

Outputs = Sequence[Expr]


def residuals(eom: EquationsOfMotion, function: Function, outputs: Outputs) -> list[Expr]:
    """Expressions that are all zero if, and only if, the outputs are what the function must compute.

    Args:
        eom: The equations. Parameters that are folded into the function are replaced in them.
        function: The function: its name, its arguments and its results.
        outputs: The entries of its results, one result after the other and row by row, in the symbols
            of its arguments.

    Returns:
        One expression per entry, in the same order, or fewer: of a matrix that is applied to symbols,
        such as a Jacobian, one per row; of a pushforward or pullback one in all.

    Raises:
        UnknownNameError: If there is no specification of a function of this name.
        ShapeError: If the number of outputs is not that of the function.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.code.ir.functions import functions
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> residuals(eom, functions(eom)["gravity"], list(eom.gravity))
    [0, 0]
    """
    if len(outputs) != function.size:
        raise ShapeError(f"{function.name} must have {function.size} outputs, got {len(outputs)}.")
    if function.unpacked is not None:
        return residuals(eom, function.unpacked, unpack(function, outputs))
    if function.specified is not None:
        found = function.specified()
        values = found if isinstance(found, tuple) else (found,)
        return differences([e for x in values for e in _entries(x)], list(outputs))
    if function.derivative is not None:
        return _of_derivative(eom, function, outputs)
    return _specification(eom, function.values).residuals(function, outputs)


def _entries(value: Value) -> list[Expr]:
    """Entries row by row; programs use `entries_of`."""
    return [value] if isinstance(value, Expr) else [*value.entries]


def _of_derivative(eom: EquationsOfMotion, function: Function, outputs: Outputs) -> list[Expr]:
    """Residuals of a derivative; values of folded parameters are substituted after differentiation."""
    d = function.derivative
    assert d is not None
    if d.base is not None and d.kind in ("normalised", "jac", "adj1", "jac_adj1"):
        y = [e for x in d.base.outputs(d.base.ways[0]).values() for e in entries_of(x)]
        zero = [*residuals(eom, d.base, y), *sensitivity_residuals(eom, function, outputs)]
    elif d.base is None or (d.of in SPECIFIED and d.base.specified is None):
        if "derivative specification" not in eom.made:
            eom.made["derivative specification"] = DerivativeSpecification(eom)
        zero = eom.made["derivative specification"].residuals(function, outputs)
    else:  # a function y with R(x, y) = 0, and its derivative
        y = [e for x in d.base.outputs(d.base.ways[0]).values() for e in entries_of(x)]
        if d.kind == "by":
            moved = parameter_residuals(function, y, outputs)
        else:
            moved = differential_residuals(eom, function, y, outputs)
        zero = [*residuals(eom, d.base, y), *moved]
    return substitute(zero, function.values) if function.values else zero


def _specification(eom: EquationsOfMotion, values: Mapping[Expr, Any]) -> _Specification:
    """Made once: many functions ask for the same quantities. With values, the last one is kept."""
    exact = {s: as_expr(x) for s, x in values.items()}
    key = "specification", bool(exact)
    found = eom.made.get(key)
    if found is None or found.values != exact:
        found = eom.made[key] = _Specification(eom, exact)
    return found


@final
class _Specification:
    """The equations, and what functions must compute by them."""

    def __init__(self, whole: EquationsOfMotion, values: Mapping[Expr, Expr]) -> None:
        self.whole, self.values = whole, values
        self.eom = whole.subs(values) if values else whole

    def residuals(self, function: Function, y: Outputs) -> list[Expr]:
        if function.frame is not None:
            return self.of_frame(*function.frame, list(y))
        if function.name in _BUILT:
            return _BUILT[function.name](self, function, y)
        if function.name in _QUANTITIES:
            quantity: Expr | Vector | Matrix = getattr(self.eom, function.name)
            return differences(_entries(quantity), list(y))
        known = (*_BUILT, *_QUANTITIES)
        raise UnknownNameError("specification", function.name, known)

    def of_frame(self, kind: str, name: str, y: list[Expr]) -> list[Expr]:
        if kind == "pose":
            return differences(self._valued(list(self._defined.pose(name).entries)), y)
        if kind == "jacobian":  # J w is the velocity, for every w
            n = len(self.eom.v)
            J = Matrix([y[i * n : (i + 1) * n] for i in range(6)])
            return differences(list(J @ self._defined.w), self._valued(self._defined.twist(name)))
        if not self.whole.robot.base.is_zero:
            return differences(self._valued(_entries(frame_quantity(self.whole, kind, name))), y)
        return differences(self._valued(self._defined.twist_rate(name)), y)

    @cached_property
    def _defined(self) -> KinematicDefinitions:
        return KinematicDefinitions(self.whole)

    def kinematic_map(self, function: Function, y: Outputs) -> list[Expr]:
        """N w is q̇, for every w"""
        n = len(self.eom.v)
        rows = [y[i * n : (i + 1) * n] for i in range(len(self.eom.q))]
        rates = self._valued(self._defined.rates())
        return [dot(row, self._defined.w) - x for row, x in zip(rows, rates, strict=True)]

    def center_of_mass(self, function: Function, y: Outputs) -> list[Expr]:
        """y Σ m − Σ m r"""
        mass, *moment = self._valued([self._defined.mass, *self._defined.mass_moment])
        return differences([mass * x for x in y], moment)

    def potential_energy(self, function: Function, y: Outputs) -> list[Expr]:
        return differences(self._valued([self._defined.potential_energy]), list(y))

    def input_matrix(self, function: Function, y: Outputs) -> list[Expr]:
        """B w is the force of all actuators, for every w in place of the inputs"""
        m, force = len(self.eom.inputs), self._valued(self._defined.input_force)
        rows = [y[i * m : (i + 1) * m] for i in range(len(force))]
        return [dot(row, self._defined.inputs) - x for row, x in zip(rows, force, strict=True)]

    def passive_force(self, function: Function, y: Outputs) -> list[Expr]:
        total = Vector([ZERO] * len(self.eom.v))
        for element in self.eom.robot.forces:
            if not element.inputs():
                total = total + self.eom.forces[element.name]
        return differences(list(total), list(y))

    @cached_property
    def _q_dot(self) -> dict[Expr, Expr]:
        """q̇ = N v, with no values put in"""
        robot = self.whole.robot
        return dict(zip(robot.q, robot.kinematic_map @ Vector(robot.v), strict=True))

    def _valued(self, entries: list[Expr]) -> list[Expr]:
        """With the values of folded parameters, which come after derivatives"""
        return substitute(entries, self.values) if self.values else entries

    @cached_property
    def _still(self) -> Vector:
        """b + g − passive: the force at v̇ = 0"""
        return self.eom.bias + self.eom.gravity - self.eom.passive_force

    def _force(self, vdot: Outputs) -> Vector:
        """M v̇ + b + g − passive"""
        return self.eom.mass_matrix @ Vector(vdot) + self._still

    def inverse_dynamics(self, function: Function, y: Outputs) -> list[Expr]:
        return differences(list(self._force(self.eom.vdot)), list(y))

    def forward_dynamics(self, function: Function, y: Outputs) -> list[Expr]:
        (tau,) = (a.symbols for a in function.arguments if a.name == "tau")
        return self._accelerated(y, tau)

    def forward_dynamics_inputs(self, function: Function, y: Outputs) -> list[Expr]:
        return self._accelerated(y, self._actuated)

    @property
    def _actuated(self) -> tuple[Expr, ...]:
        """B·inputs"""
        return tuple(self.eom.input_matrix @ Vector(self.eom.inputs))

    def _accelerated(self, y: Outputs, tau: Sequence[Expr]) -> list[Expr]:
        """Residuals of an acceleration y under forces τ."""
        if not is_augmented(self.eom.robot):
            return differences(list(self._force(y)), list(tau))
        return self._constrained(y, self._derived.solution(tau)[len(y) :], tau)

    @cached_property
    def _derived(self) -> ProgramEquations:
        """The derived M, b, g and A, and solutions with them."""
        return ProgramEquations(self.eom, derived=True)

    def _constrained(self, a: Outputs, lam: Outputs, tau: Sequence[Expr]) -> list[Expr]:
        """M a + b + g − passive − Aᵀ λ − τ, then A a + Ȧ v, of independent rows"""
        rows = self._derived.rows
        net = self._force(a) - rows.A.T @ Vector(lam)
        held = list(rows.A @ Vector(a))
        return [
            *differences(list(net), list(tau)),
            *(x + c for x, c in zip(held, rows.bias, strict=True)),
        ]

    def constraint_forces(self, function: Function, y: Outputs) -> list[Expr]:
        given = {a.name: a.symbols for a in function.arguments}
        rows, tau = self._derived.rows, given.get("tau", self._actuated)
        a = self._derived.solution(tau)[: len(self.eom.v)]
        return [*self._constrained(a, rows.chosen(y), tau), *rows.others(y)]

    def constraint_inertia(self, function: Function, y: Outputs) -> list[Expr]:
        rows, m = self._derived.rows, len(self._derived.rows.whole.rows)
        Y = [list(y[i * m : (i + 1) * m]) for i in range(m)]
        left_out = [x for row in rows.others(Y) for x in row]
        left_out += [x for row in rows.chosen(Y) for x in rows.others(row)]
        n, lam = len(self.eom.v), Matrix([rows.chosen(row) for row in rows.chosen(Y)])
        unit = identity(len(rows.kept))
        columns = [self._derived.solver.solve([*([ZERO] * n), *e])[:n] for e in unit.rows]
        X = Matrix(columns).T
        net, held = self.eom.mass_matrix @ X - rows.A.T @ lam, rows.A @ X - unit
        return [*net.entries, *held.entries, *left_out]

    def state_derivative(self, function: Function, y: Outputs) -> list[Expr]:
        k = len(self.eom.q)
        rates = self.eom.kinematic_map @ Vector(self.eom.v)
        dynamics = self.forward_dynamics_inputs(function, y[k:])
        return [*differences(list(rates), list(y[:k])), *dynamics]

    def mass_matrix_factors(self, function: Function, y: Outputs) -> list[Expr]:
        """Below and on the diagonal Lᵀ D L − M, which is symmetric; above it y itself"""
        n, M = len(self.eom.v), self.eom.mass_matrix
        zero: list[Expr] = []
        for i in range(n):
            for j in range(n):
                if j > i:
                    zero.append(y[i * n + j])
                    continue
                total = ZERO  # Σ_k L_ki D_k L_kj, L_kk = 1
                for k in range(i, n):
                    L_ki = ONE if k == i else y[k * n + i]
                    L_kj = ONE if k == j else y[k * n + j]
                    total = total + L_ki * y[k * n + k] * L_kj
                zero.append(total - M[i, j])
        return zero

    def coriolis_matrix(self, function: Function, y: Outputs) -> list[Expr]:
        christoffel = self.eom.coriolis == "christoffel"
        if not (christoffel and is_run_again(self.whole) and self.whole.robot.speed_map is None):
            return differences(list(self.eom.coriolis_matrix.entries), list(y))
        n, v = len(self.eom.v), Vector(self.eom.v)
        w = Vector([internal("virtual", x.name) for x in v])
        y_w = substitute(list(y), dict(zip(v, w, strict=True)))
        C, C_w = (Matrix([x[i * n : (i + 1) * n] for i in range(n)]) for x in (list(y), y_w))
        M_dot, torsion = self._rates(v, w)
        return [*(C + C.T - M_dot).entries, *(C @ w - C_w @ v - self.eom.mass_matrix @ torsion)]

    def _rates(self, v: Vector, w: Vector) -> tuple[Matrix, Vector]:
        """Ṁ along q̇ = N v, and N⁺(Ṅ(v) w − Ṅ(w) v); values are put in after that"""
        robot = self.whole.robot
        along_v, along_w, rates = self._q_dot.values(), robot.kinematic_map @ w, self._q_dot
        M_dot = self.whole.mass_matrix.map(lambda entries: directional(entries, rates))
        if robot.has_unit_map:
            torsion = Vector([ZERO] * len(v))
        else:
            virtual = dict(zip(robot.q, along_w, strict=True))
            ahead, behind = directional(list(along_w), rates), directional(list(along_v), virtual)
            torsion = robot.kinematic_map_inverse @ Vector(differences(ahead, behind))
        return M_dot.map(self._valued), torsion.map(self._valued)


_BUILT: Final[Mapping[str, Callable[[_Specification, Function, Outputs], list[Expr]]]] = {
    "inverse_dynamics": _Specification.inverse_dynamics,
    "forward_dynamics": _Specification.forward_dynamics,
    "forward_dynamics_inputs": _Specification.forward_dynamics_inputs,
    "state_derivative": _Specification.state_derivative,
    "constraint_forces": _Specification.constraint_forces,
    "constraint_forces_inputs": _Specification.constraint_forces,
    "constraint_inertia": _Specification.constraint_inertia,
    "mass_matrix_factors": _Specification.mass_matrix_factors,
    "coriolis_matrix": _Specification.coriolis_matrix,
    "kinematic_map": _Specification.kinematic_map,
    "center_of_mass": _Specification.center_of_mass,
    "potential_energy": _Specification.potential_energy,
    "input_matrix": _Specification.input_matrix,
    "passive_force": _Specification.passive_force,
}
_QUANTITIES: Final = (  # quantities of the equations, by the same name
    "mass_matrix", "bias", "gravity", "kinetic_energy", "constraint_matrix", "constraint_bias",
    "closure",
)  # fmt: skip
