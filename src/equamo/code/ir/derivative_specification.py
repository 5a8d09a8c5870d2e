"""Specification of derivative functions, from the equations of motion alone: residuals that must vanish.

The equations are differentiated here once, along a direction of symbols δ, and compared with what the
function returns for that direction. Both sides are linear in δ (bilinear in δ and ε), so they are equal
for all δ if and only if every entry is right. With f = M v̇ + b + g − passive (the derived quantities,
which the programs do not use) and D_δ the derivative along δ,

    inverse dynamics   Jacobian   Y_q δq + Y_v δv + Y_v̇ δv̇ − D_δ f = 0
                       jvp        y − D_δ f = 0
                       vjp        Σ y δ − λ·D_δ f = 0, parameters and external loads included in δ
                       Hessian    δᵀ Y ε − D_δ(D_ε λ·f) = 0,   hvp  δ·y − D_δ(D_d λ·f) = 0
    forward dynamics   M ẏ + D_δ(f − τ) = 0 at v̇ = a with ẏ = Y δ or the jvp, and M a + … − τ = 0;
                       vjp: Σ y δ + μ·D_δ(f − τ) = 0 with M μ − λ = 0
    with constraints   the same with r = (f − τ − Aᵀλ, A v̇ + Ȧ v) for f − τ, K = [M −Aᵀ; A 0] for M and
                       (ẏ, λ̇) for ẏ, for some λ̇ (of constraint forces (v̈, ẏ), for some v̈); vjp with
                       Kᵀ μ − (λ, 0) = 0
    by parameters      as above, with D_δ along the parameters

D_δ along q has the rates N δ (tangent), or δ − x (x·δ) for a unit quaternion x (coordinates). The
Hessian by coordinates takes x/|x| to second order:

    (1) x/|x| = x + Pδ + ½ n₂,   n₂ = −(x·ε) δ − (x·δ) ε − (δ·ε) x + 3 (x·δ)(x·ε) x,   P = 1 − x xᵀ

The solutions a, λ, λ̇ and μ are proved to be solutions, so nothing depends on how they were found.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final, final

from ...algebra.expr import ZERO, Expr, internal
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix, identity
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector, dot
from ...algebra.identity.prove import differences
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.recursions.constrained_dynamics import ConstrainedFactors
from ...robot.model.robot import Robot
from ...robot.model.wrt import Wrt
from .derivative import Derivative
from .function import Function
from .functions import ProgramEquations

Rates = dict[Expr, Expr]


@final
class DerivativeSpecification:
    """The equations, and what they require of derivatives of the dynamics."""

    def __init__(self, eom: EquationsOfMotion) -> None:
        self.eom = eom

    def residuals(self, function: Function, outputs: Sequence[Expr]) -> list[Expr]:
        """Residuals of a derivative of the dynamics."""
        d = function.derivative
        assert d is not None
        parts = [y for y in function.split(outputs) if y]  # code has no empty results
        given = {a.name: a.symbols for a in function.arguments}
        if d.kind in ("hessian", "hvp"):
            return self._second(d, parts[0], given)
        if d.kind in ("vjp", "pullback"):
            return self._pulled_back(function, parts, given)
        if d.kind in ("jvp", "pushforward"):
            delta = {n[6:]: s for n, s in given.items() if n.startswith("delta_")}
            return self._moved(d.of, self.rates(d.wrt, delta), list(parts[0]))
        if d.kind == "by":
            delta = {"by": tuple(_virtual("by", x) for x in d.by)}
            rates = dict(zip(d.by, delta["by"], strict=True))
        else:
            delta = self._groups(("q", "v", _LAST[d.of]), d.wrt)
            rates = self.rates(d.wrt, delta)
        y_dot = [ZERO] * (len(outputs) // sum(map(len, delta.values())))
        for Y, step in zip(parts, delta.values(), strict=True):
            m = len(step)
            y_dot = [y + dot(Y[i * m : (i + 1) * m], step) for i, y in enumerate(y_dot)]
        return self._moved(d.of, rates, y_dot)

    # -- directions ----------------------------------------------------------------------------------
    def _symbols(self, name: str, wrt: Wrt) -> Sequence[Expr]:
        """Symbols that the columns of a group stand for."""
        eom = self.eom
        if name == "q":
            return eom.robot.joint_speeds if wrt == "tangent" else eom.q
        if name == "tau":
            return eom.v
        return getattr(eom, name)

    def _groups(self, names: Iterable[str], wrt: Wrt) -> dict[str, tuple[Expr, ...]]:
        """Symbols δ of each group that is not empty."""
        found = {n: tuple(_virtual(n, x) for x in self._symbols(n, wrt)) for n in names}
        return {n: step for n, step in found.items() if step}

    def rates(self, wrt: Wrt, delta: Mapping[str, Sequence[Expr]]) -> Rates:
        """Rates of all symbols for δ of each group."""
        eom, rates = self.eom, Rates()
        for name, step in delta.items():
            if name == "q":
                rates |= configuration_rates(eom.robot, wrt, step)
            elif name == "tau":
                rates |= dict(zip(self._tau, step, strict=True))
            else:
                rates |= dict(zip(getattr(eom, name), step, strict=True))
        return rates

    @property
    def _tau(self) -> list[Expr]:
        return [internal("tau", x.name) for x in self.eom.v]

    # -- the equations -------------------------------------------------------------------------------
    @cached_property
    def _force(self) -> list[Expr]:
        """f"""
        eom = self.eom
        still = eom.bias + eom.gravity - eom.passive_force
        return list(eom.mass_matrix @ Vector(eom.vdot) + still)

    def _driving(self, of: str) -> list[Expr]:
        """τ, or B·inputs"""
        eom = self.eom
        return self._tau if _LAST[of] == "tau" else list(eom.input_matrix @ Vector(eom.inputs))

    @cached_property
    def _derived(self) -> ProgramEquations:
        return ProgramEquations(self.eom, derived=True)

    @cached_property
    def _rows(self) -> tuple[Matrix | None, list[Expr], tuple[Expr, ...]]:
        """Independent rows of A, those of Ȧ v, and symbols λ."""
        rows = self._derived.constraints
        return (None, [], ()) if rows is None else (rows.A, rows.bias, rows.lam)

    def _net(self, of: str) -> list[Expr]:
        """r: f − τ, with constraints (f − τ − Aᵀ λ, A v̇ + Ȧ v)"""
        net = differences(self._force, self._driving(of))
        A, bias, lam = self._rows
        if A is None:
            return net
        held = [x + c for x, c in zip(A @ Vector(self.eom.vdot), bias, strict=True)]
        return [*differences(net, list(A.T @ Vector(lam))), *held]

    @cached_property
    def _factors(self) -> ConstrainedFactors:
        return ConstrainedFactors(self.eom.mass_matrix, self._rows[0])

    def _product(self, x: Sequence[Expr], transposed: bool = False) -> list[Expr]:
        """K x or Kᵀ x of K = [M −Aᵀ; A 0]"""
        n, A = len(self.eom.v), self._rows[0]
        top = self.eom.mass_matrix @ Vector(x[:n])
        if A is None:
            return list(top)
        along, held = A.T @ Vector(x[n:]), list(A @ Vector(x[:n]))
        return [*(top + along), *(-e for e in held)] if transposed else [*(top - along), *held]

    def _solution(self, of: str) -> Rates:
        """{v̇: a, λ: …}"""
        unknowns = (*self.eom.vdot, *self._rows[2])
        still = substitute(self._net(of), dict.fromkeys(unknowns, ZERO))
        return dict(zip(unknowns, self._factors.solve([-x for x in still]), strict=True))

    # -- first derivatives ---------------------------------------------------------------------------
    def _moved(self, of: str, rates: Rates, y_dot: list[Expr]) -> list[Expr]:
        """Residuals of ẏ along the rates."""
        eom = self.eom
        if of == "inverse_dynamics":
            return differences(y_dot, directional(self._force, rates))
        if of == "state_derivative":
            k = len(eom.q)
            kinematic = directional(eom.kinematic_map @ Vector(eom.v), rates)
            dynamic = self._moved("forward_dynamics_inputs", rates, y_dot[k:])
            return [*differences(y_dot[:k], kinematic), *dynamic]
        net, a = self._net(of), self._solution(of)
        moved = substitute(directional(net, rates), a)
        n, left_out = len(eom.v), list[Expr]()
        other = self._factors.solve([-x for x in moved]) if self._rows[2] else []
        if of.startswith("constraint_forces"):
            rows = self._derived.rows
            left_out, y_dot = rows.others(y_dot), [*other[:n], *rows.chosen(y_dot)]
        else:
            y_dot = [*y_dot, *other[n:]]
        equations = [x + y for x, y in zip(self._product(y_dot), moved, strict=True)]
        return [*equations, *substitute(net, a), *left_out]

    def _pulled_back(
        self,
        function: Function,
        parts: Sequence[Sequence[Expr]],
        given: Mapping[str, Sequence[Expr]],
    ) -> list[Expr]:
        d = function.derivative
        assert d is not None
        delta = self._groups([y.name.removeprefix("grad_") for y in function.results], d.wrt)
        rates = self.rates(d.wrt, delta)
        total = ZERO
        for y, step in zip(parts, delta.values(), strict=True):
            total = total + dot(y, step)
        (lam,) = (symbols for n, symbols in given.items() if n.startswith("lam"))
        if d.of == "inverse_dynamics":
            return [total - dot(lam, directional(self._force, rates))]
        of = d.of
        if of == "state_derivative":
            k, of = len(self.eom.q), "forward_dynamics_inputs"
            kinematic = directional(self.eom.kinematic_map @ Vector(self.eom.v), rates)
            total, lam = total - dot(lam[:k], kinematic), lam[k:]
        net, a = self._net(of), self._solution(of)
        n, right = len(self.eom.v), [*lam, *([ZERO] * len(self._rows[2]))]
        if of.startswith("constraint_forces"):
            right = [*([ZERO] * n), *self._derived.rows.chosen(lam)]
        found = self._factors.solve([*right[:n], *(-x for x in right[n:])])
        mu = [*found[:n], *(-x for x in found[n:])]  # K and Kᵀ differ in the signs of A
        scalar = total + dot(mu, substitute(directional(net, rates), a))
        adjoint = differences(self._product(mu, transposed=True), right)
        return [scalar, *substitute(net, a), *adjoint]

    # -- second derivatives --------------------------------------------------------------------------
    def _second(
        self, d: Derivative, y: Sequence[Expr], given: Mapping[str, Sequence[Expr]]
    ) -> list[Expr]:
        delta = self._groups(("q", "v", "vdot"), d.wrt)
        flat = [s for step in delta.values() for s in step]
        if d.kind == "hvp":
            rest, other = list(given["direction"]), dict[str, Sequence[Expr]]()
            for n, step in delta.items():
                other[n], rest = rest[: len(step)], rest[len(step) :]
            total = dot(flat, y)
        else:
            other = {n: [internal(f"other {n}", x.name) for x in step] for n, step in delta.items()}
            other_flat = [s for step in other.values() for s in step]
            m = len(flat)
            total = dot(flat, [dot(y[i * m : (i + 1) * m], other_flat) for i in range(m)])
        f = dot(given["lam"], self._force)
        if d.wrt == "tangent":
            once = directional([f], self.rates("tangent", other))
            return [total - directional(once, self.rates("tangent", delta))[0]]
        return [total - self._normalised(f, delta, other)]

    def _normalised(
        self, f: Expr, delta: Mapping[str, Sequence[Expr]], other: Mapping[str, Sequence[Expr]]
    ) -> Expr:
        """∂²f(x/|x|) along δ and ε, by (1)."""
        eom = self.eom
        first, second = (self.rates("coordinates", x) for x in (delta, other))
        plain = [{x: internal(p, x.name) for x in first} for p in ("first", "second")]
        total = directional(directional([f], plain[1]), plain[0])[0]
        known = {plain[0][x]: first[x] for x in first} | {plain[1][x]: second[x] for x in first}
        total = substitute([total], known)[0]
        bent: Rates = {}
        step = dict(zip(eom.q, delta["q"], strict=True))
        side = dict(zip(eom.q, other["q"], strict=True))
        for x in eom.robot.unit_groups:
            d, e = [step[s] for s in x], [side[s] for s in x]
            along, across, inner = dot(x, d), dot(x, e), dot(d, e)
            for s, p, r in zip(x, d, e, strict=True):
                bent[s] = 3 * along * across * s - across * p - along * r - inner * s
        return total + directional([f], bent)[0]


_LAST: Final = {
    "inverse_dynamics": "vdot",
    "forward_dynamics": "tau",
    "forward_dynamics_inputs": "inputs",
    "state_derivative": "inputs",
    "constraint_forces": "tau",
    "constraint_forces_inputs": "inputs",
}
SPECIFIED: Final = tuple(_LAST)  # functions whose derivatives are specified by the equations


def configuration_rates(robot: Robot, wrt: Wrt, step: Sequence[Expr]) -> Rates:
    """Rates of q for δ along the joint speeds, or along the coordinates of x/|x|."""
    if wrt == "tangent":
        tree = robot.tree
        rates = dict(zip(tree.q, tree.kinematic_map @ Vector(step), strict=True))
        return {x: rates[x] for x in robot.q}  # without eliminated coordinates
    rates = dict(zip(robot.q, step, strict=True))
    for x in robot.unit_groups:
        inner = dot(x, [rates[s] for s in x])
        rates |= {s: rates[s] - s * inner for s in x}
    return rates


def slopes(robot: Robot, wrt: Wrt, entries: Sequence[Expr]) -> Matrix:
    """Derivatives of the entries (rows) along every direction of the configuration (columns)."""
    count = len(robot.joint_speeds if wrt == "tangent" else robot.q)
    columns = [
        directional(entries, configuration_rates(robot, wrt, unit)) for unit in identity(count).rows
    ]
    names = [str(k) for k in range(count)]  # a matrix without rows keeps its width
    rows = [[column[i] for column in columns] for i in range(len(entries))]
    return Matrix(rows, None, None if rows else names)


def _virtual(name: str, x: Expr) -> Expr:
    return internal(f"virtual {name}", x.name)
