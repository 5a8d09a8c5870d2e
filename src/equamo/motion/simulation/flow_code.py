"""The right-hand side of a simulation as expressions and machine code: y = (q, v, work), ẏ = f(t, y).

    q̇ = N(q) v,  v̇ = M⁻¹ (…),  Ẇ_i = v·f_i   for every force element that is not a spring

Work is thus integrated as accurately as the motion. Only the direction of a quaternion matters:
everything is evaluated at q/|q|, and its rate is scaled by |q|, so that an error of its length remains
constant and has no effect. Every sign(a) in the equations (dry friction) becomes a symbol s: `switching`
sets it to ±1, or to the value that holds a at 0; with `smooth` it is tanh(a/width) instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final, cast, final

from ...algebra.expr import ONE, ZERO, Expr, internal, sqrt, tanh
from ...algebra.expr.differentiate import directional, directional_columns, jacobian
from ...algebra.expr.functions import SIGN
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols as symbols_of, walk
from ...code.ir.dynamics_derivatives import DynamicsDerivatives
from ...code.ir.functions import functions, program_equations
from ...code.ir.program import Argument
from ...code.jit.kernel import Kernel
from ...mechanics.equations.coriolis import quadratic_part
from ...mechanics.equations.equations import EquationsOfMotion
from .inputs import TIME

JACOBIAN_NODES: Final = 300_000  # nodes × states; finite differences are cheaper beyond this
BASE: Final = "moving base"  # name of the work done by the base


def powers(eom: EquationsOfMotion) -> dict[str, Expr]:
    """Power v·f of every force element without a potential energy, and of a moving base."""
    v = Vector(eom.v)
    power = {name: v @ f for name, f in eom.forces.items() if f.energy is None}
    if not eom.robot.base.is_zero:
        power[BASE] = -(v @ (eom.bias - quadratic_part(eom.robot, eom.bias)))
    return power


@final
@dataclass(frozen=True)
class Driven:
    """Equations, compared by identity, and their inputs and loads; None for Python functions."""

    eom: EquationsOfMotion
    control: tuple[Expr, ...] | None
    external: tuple[Expr, ...] | None
    smooth: float | None

    def _key(self) -> tuple[object, ...]:
        return id(self.eom), self.control, self.external, self.smooth

    def __hash__(self) -> int:
        return hash(self._key())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Driven) and self._key() == other._key()


@lru_cache(maxsize=32)
def flow_code(driven: Driven) -> FlowCode:
    """Code of driven equations, from the cache or compiled now."""
    return FlowCode(driven)


@final
class FlowCode:
    """Kernels of the rates (ẏ, ȧ), of the switches a and of the Jacobian."""

    driven: Driven
    eom: EquationsOfMotion
    signs: tuple[Expr, ...]
    directions: tuple[Expr, ...]

    def __init__(self, driven: Driven) -> None:
        self.driven, self.eom = driven, driven.eom
        eom = driven.eom
        self.unit: list[list[int]] = eom.robot.state_space.quaternions
        self.smoothed: dict[Expr, Expr] = {}  # smooth functions in place of signs
        works = powers(eom)
        power = self._inserted(works.values())
        self.still: tuple[str, ...] = tuple(
            n for n, p in zip(works, power, strict=True) if p is ZERO
        )
        self.work: tuple[str, ...] = tuple(n for n in works if n not in self.still)
        power = [p for p in power if p is not ZERO]
        derived = [cast(Vector, way()) for way in functions(eom)["state_derivative"].ways]
        variants = [[*self._inserted(dx.entries), *power] for dx in derived]
        signs = self._signs(variants)
        if signs:
            variants = [min(variants, key=lambda rates: len(walk(rates)))]
            signs = self._signs(variants)
        self.signs = tuple(signs)
        self.directions = tuple(internal("direction", str(k)) for k in range(len(signs)))
        # The argument a of sign(a) may itself contain a sign.
        new: dict[Expr, Expr] = dict(zip(self.signs, self.directions, strict=True))
        switches = substitute([s.a for s in self.signs], new)
        if driven.smooth is not None:
            for s in self.signs:
                (a,) = substitute([s.a], self.smoothed)
                self.smoothed[s] = tanh(a / driven.smooth)
            variants = [substitute(rates, self.smoothed) for rates in variants]
            self.signs, self.directions, switches = (), (), []
            new = {}
        variants = [substitute(rates, new) for rates in variants]
        self.variants: list[list[Expr]] = [
            [*rates, *self._rates(switches, rates)] for rates in variants
        ]
        self.arguments_of_signs: tuple[Expr, ...] = tuple(self.at_unit(switches))
        self.inner: list[list[int]] = [
            self._inner(a) for a in switches
        ]  # signs within each argument
        self.switches: Kernel = Kernel("switches", self._arguments, [self.arguments_of_signs])
        on_unit = [self._on_unit(rates) for rates in self.variants]
        self.rates: Kernel = Kernel("flow", self._arguments, on_unit)

    def _inserted(self, entries: Iterable[Expr]) -> list[Expr]:
        """Substitute the expressions of inputs and external loads."""
        new: dict[Expr, Expr] = {}
        if self.driven.control is not None:
            new |= dict(zip(self.eom.inputs, self.driven.control, strict=True))
        if self.driven.external is not None:
            new |= dict(zip(self.eom.external, self.driven.external, strict=True))
        return substitute(entries, new)

    def inserted(self, entries: Iterable[Expr]) -> list[Expr]:
        """Entries with the expressions of inputs and loads, and smooth functions for signs."""
        return substitute(self._inserted(entries), self.smoothed)

    @property
    def size(self) -> int:
        """Number of entries of y."""
        return len(self.eom.q) + len(self.eom.v) + len(self.work)

    def _signs(self, variants: Sequence[Sequence[Expr]]) -> list[Expr]:
        """Every sign(a) whose argument changes with time."""
        moving = {*self.eom.q, *self.eom.v, TIME}
        nodes = walk([e for rates in variants for e in rates])
        return [n for n in nodes if n.op == SIGN and not moving.isdisjoint(symbols_of([n]))]

    def _inner(self, argument: Expr) -> list[int]:
        """Positions of the directions in the argument of a sign; those of inner signs come first."""
        found = set(symbols_of([argument]))
        return [k for k, s in enumerate(self.directions) if s in found]

    def _rates(self, switches: Sequence[Expr], rates: Sequence[Expr]) -> list[Expr]:
        """ȧ along the motion."""
        q, v = self.eom.q, self.eom.v
        seeds = dict(zip((*q, *v), rates, strict=False)) | {TIME: ONE}
        return directional(switches, seeds)

    def length(self, group: Sequence[int]) -> Expr:
        square = Vector(self.eom.q[k] for k in group)
        return sqrt(square @ square)

    def at_unit(self, entries: Sequence[Expr]) -> list[Expr]:
        """Entries evaluated at q/|q|."""
        new = {self.eom.q[k]: self.eom.q[k] / self.length(g) for g in self.unit for k in g}
        return substitute(entries, new)

    def _on_unit(self, entries: Sequence[Expr]) -> list[Expr]:
        """Rates evaluated at q/|q|, with those of a quaternion times |q|."""
        out = self.at_unit(entries)
        for group in self.unit:
            for k in group:
                out[k] = out[k] * self.length(group)
        return out

    @property
    def _arguments(self) -> list[Argument]:
        eom = self.eom
        return [
            Argument("t", (TIME,)),
            Argument("q", eom.q),
            Argument("v", eom.v),
            Argument("inputs", eom.inputs if self.driven.control is None else ()),
            Argument("external", eom.external if self.driven.external is None else ()),
            Argument("parameters", eom.parameters),
            Argument("directions", self.directions),
        ]

    def jacobian(self) -> Kernel | None:
        """∂ẏ/∂y in machine code, row by row; None with Python functions, or if it is too large."""
        size = len(self.eom.q) + len(self.eom.v)
        if self.driven.control is None or self.driven.external is None or self.signs:
            return None
        found = FlowJacobian(self)
        if len(walk(found.residual)) * size > JACOBIAN_NODES:
            return None
        return Kernel("jacobian", self._arguments, [[e for row in found.rows() for e in row]])


@final
class FlowJacobian:
    """∂ẏ/∂y without differentiating a solve: ∂v̇/∂x = −M⁻¹ ∂r/∂x at v̇, with r = ID − B u(t, q, v).

    With constraints, M and r are those of `DynamicsDerivatives`.
    """

    def __init__(self, code: FlowCode) -> None:
        self.code = code
        equations = program_equations(code.eom)
        self.derivatives: DynamicsDerivatives = DynamicsDerivatives(equations, "coordinates")
        self.residual: list[Expr] = code.inserted(self.derivatives.residual(by_inputs=True))

    def rows(self) -> list[list[Expr]]:
        """Rows of q̇, v̇ and the work; columns of q and v."""
        code, d, x = self.code, self.derivatives, self.derivatives.of_state
        eom, rates = code.eom, code.variants[0]
        k, n = len(eom.q), len(eom.v)
        known = dict(zip(eom.vdot, rates[k : k + n], strict=True))
        if len(d.unknowns) > n:  # forces of constraints
            solution = code.inserted(d.equations.solution(d.force(by_inputs=True)))
            known |= dict(zip(d.unknowns[n:], solution[n:], strict=True))
        slopes = directional_columns(self.residual, x.seeds)
        columns = [d.factors.solve(substitute(c, known)) for c in zip(*slopes, strict=True)]
        of_speeds = [[-column[i] for column in columns] for i in range(n)]
        of_work = directional_columns(rates[k + n : code.size], x.seeds)
        rows = [*directional_columns(rates[:k], x.seeds), *of_speeds, *of_work]
        lengths = {j: code.length(g) for g in code.unit for j in g}
        found: list[list[Expr]] = []
        for row in rows:  # of f(q/|q|) by q
            entries = code.at_unit(row)
            found.append([e / lengths[j] if j in lengths else e for j, e in enumerate(entries)])
        for j in lengths:  # |q| N(q/|q|) v = N(q) v is linear in q
            found[j] = jacobian([rates[j]], (*eom.q, *eom.v))[0]
        return found
