"""Pushforward and pullback of any function, in coordinates: the derivatives that frameworks need.

    NAME_pushforward    ẏ = ∂y/∂x · δ         one δ per argument x that is a state
    NAME_pullback       Σ λ ∂y/∂x             one λ per result y, one result per argument
    …_all               by external loads and parameters as well

Both are functions, so they have pushforwards and pullbacks too, to any order. A function
f of a unit quaternion x is extended by f(x/|x|), which does not change if x becomes c x. Along with x,
every δ of it is scaled by c, and every gradient by 1/c: quantities have a weight w of 1, −1 or 0. By
Euler's theorem this gives the derivative along x itself, which equations on the sphere do not contain:
with P = 1 − x xᵀ and |x| = 1, for a result y and the other arguments a,

    (1) ∂y/∂x · δ = D_Pδ y + (x·δ) (w_y y − Σ_a w_a a·∂y/∂a)

Solutions with K (M, or [M −Aᵀ; A 0] with constraints) are not differentiated through the solve, the
first time: with r of `dynamics_derivatives` and a projection E of its unknowns on y,

    (2) ẏ = −E K⁻¹ D_δ r,   Σ λ ẏ = −μ·D_δ r  with  Kᵀ μ = Eᵀ λ      at (v̇, λ) = FD
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Final, final

from ...algebra.expr import ZERO, Expr, internal
from ...algebra.expr.differentiate import directional, pullback
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.substitute import substitute
from ...algebra.expr.vector import Vector, dot
from ...mechanics.equations.equations import EquationsOfMotion
from .derivative import Derivative
from .dynamics_derivatives import DynamicsDerivatives
from .function import Function, Names, Result, Value, Way, entries_of
from .functions import program_equations
from .parameter_derivatives import SOLVING
from .program import Argument

PUSHFORWARD: Final = "_pushforward"
PULLBACK: Final = "_pullback"
ALL: Final = "_all"
ENDINGS: Final = (PUSHFORWARD + ALL, PULLBACK + ALL, PUSHFORWARD, PULLBACK)
CONSTANTS: Final = ("external", "parameters")


def split_differential(name: str) -> tuple[str, str] | None:
    """(function, ending) of the name of a pushforward or a pullback; None if it is not one.

    >>> split_differential("gravity_pullback_all"), split_differential("gravity")
    (('gravity', '_pullback_all'), None)
    """
    found = next((e for e in ENDINGS if name.endswith(e)), None)
    return None if found is None else (name.removesuffix(found), found)


def differential(eom: EquationsOfMotion, f: Function, ending: str) -> Function:
    """Pushforward or pullback of a function.

    Args:
        eom: Equations of motion.
        f: The function.
        ending: One of `ENDINGS`.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.code.ir.functions import functions
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> f = differential(eom, functions(eom)["gravity"], "_pullback")
    >>> [a.name for a in f.arguments], [str(y) for y in f.results]
    (['q', 'lam_g', 'parameters'], ['grad_q (2,)'])
    """
    key = "differential", f.name + ending
    known = eom.made.get(key)
    if known is None or known.derivative.base is not f:  # a user's function may have any name
        known = eom.made[key] = Differential(eom, f, ending).function()
    return known


def active_arguments(f: Function, ending: str) -> list[Argument]:
    """Arguments by which a function is differentiated."""
    return [a for a in f.arguments if ending.endswith(ALL) or a.name not in CONSTANTS]


def more_arguments(f: Function, ending: str) -> tuple[Argument, ...]:
    """Arguments of the pushforward or pullback besides those of the function: δ or λ."""
    order = next(k for k in range(1, 1000) if not _taken(f, k))
    number = "" if order == 1 else str(order)
    if ending.startswith(PUSHFORWARD):
        named = [(f"delta{number}_{a.name}", len(a)) for a in active_arguments(f, ending)]
    else:
        named = [(f"lam{number}_{y.name}", y.size) for y in f.results]
    return tuple(Argument(n, tuple(internal(n, str(i)) for i in range(m))) for n, m in named)


def _taken(f: Function, order: int) -> bool:
    number = "" if order == 1 else str(order)
    return any(a.name.startswith((f"delta{number}_", f"lam{number}_")) for a in f.arguments)


@final
class Weights:
    """Weights of the entries of arguments and results, as powers of the scale c of a quaternion."""

    def __init__(self, f: Function) -> None:
        self.arguments: dict[str, int] = {"q": 1}
        self.results: list[int] = [0] * len(f.results)
        d = f.derivative
        if d is None or d.base is None or d.kind not in ("pushforward", "pullback"):
            return
        base = Weights(d.base)
        more = more_arguments(d.base, d.ending)
        active = active_arguments(d.base, d.ending)
        own = [base.arguments.get(a.name, 0) for a in active]
        if d.kind == "pushforward":
            added, self.results = own, base.results
        else:
            added, self.results = [-w for w in base.results], [-w for w in own]
        self.arguments = base.arguments | {a.name: w for a, w in zip(more, added, strict=True) if w}


@final
class Differential:
    """Pushforward or pullback of one function."""

    eom: EquationsOfMotion
    f: Function
    ending: str
    active: list[Argument]
    more: tuple[Argument, ...]

    def __init__(self, eom: EquationsOfMotion, f: Function, ending: str) -> None:
        self.eom, self.f, self.ending = eom, f, ending
        self.active, self.more = active_arguments(f, ending), more_arguments(f, ending)
        self.weights: Weights = Weights(f)
        arguments = {a.name: a.symbols for a in f.arguments}
        self.q: tuple[Expr, ...] = arguments.get("q", ())
        self._quaternions = [
            tuple(self.q.index(x) for x in g)
            for g in eom.robot.unit_groups
            if set(g) <= set(self.q)
        ]
        self._weighted = [(arguments[n], w) for n, w in self.weights.arguments.items() if n != "q"]

    def function(self) -> Function:
        """The pushforward or the pullback."""
        f, is_push = self.f, self.ending.startswith(PUSHFORWARD)
        states = tuple(a for a in f.arguments if a.name not in CONSTANTS)
        constants = tuple(a for a in f.arguments if a.name in CONSTANTS)
        if is_push:
            results = tuple(Result(f"{y.name}_dot", y.shape) for y in f.results)
        else:
            results = tuple(Result(f"grad_{a.name}", (len(a),)) for a in self.active)
        solves = f.derivative is None and f.frame is None and f.name in SOLVING
        if solves and f.specified is None:
            ways: tuple[Way, ...] = (self._solved_push if is_push else self._solved_pull,)
        else:
            way = self._push if is_push else self._pull
            ways = tuple(partial(way, x) for x in f.ways[:1])
        what = Derivative(
            f.name,
            "pushforward" if is_push else "pullback",
            "coordinates",
            base=f,
            ending=self.ending,
        )
        arguments = (*states, *self.more, *constants)
        return Function(f.name + self.ending, arguments, results, ways, _no_names, derivative=what)

    # -- along δ -------------------------------------------------------------------------------------
    def pushed(self, entries: Sequence[Expr], delta: Mapping[str, Sequence[Expr]]) -> list[Expr]:
        """(1) for the entries of all results, along δ of each argument."""
        seeds, radial = self.rates(delta)
        moved = directional(entries, seeds)
        weights = [
            w
            for y, w in zip(self.f.results, self.weights.results, strict=True)
            for _ in range(y.size)
        ]
        places = self._places(self.f.results)
        for i, (y, w) in enumerate(zip(entries, weights, strict=True)):
            if w and (along := radial.get(places[i])) is not None:
                moved[i] = moved[i] + w * along * y
        return moved

    def rates(
        self, delta: Mapping[str, Sequence[Expr]]
    ) -> tuple[dict[Expr, Expr], dict[int, Expr]]:
        """Rates of all symbols, and x·δ of each quaternion by the positions of its entries in q."""
        seeds: dict[Expr, Expr] = {}
        for a in self.active:
            seeds |= dict(zip(a.symbols, delta[a.name], strict=True))
        radial: dict[int, Expr] = {}
        for group in self._quaternions if "q" in delta else ():
            x = [self.q[i] for i in group]
            along = dot(x, [seeds[s] for s in x])
            seeds |= {s: seeds[s] - s * along for s in x}
            for symbols, w in self._weighted:
                for i in group:
                    a = symbols[i]
                    seeds[a] = seeds.get(a, ZERO) - w * along * a
            radial |= dict.fromkeys(group, along)
        return seeds, radial

    def _places(self, results: Sequence[Result]) -> list[int]:
        """Position in its result of each entry; a result with a weight has the entries of q."""
        return [i for y in results for i in range(y.size)]

    def _push(self, way: Way) -> tuple[Value, ...]:
        delta = {a.name: m.symbols for a, m in zip(self.active, self.more, strict=True)}
        return self._shaped(self.f, self.pushed(self._entries(way), delta))

    # -- against λ -----------------------------------------------------------------------------------
    def _pull(self, way: Way) -> tuple[Value, ...]:
        entries = self._entries(way)
        lam = [s for a in self.more for s in a.symbols]
        symbols = [s for a in self.active for s in a.symbols]
        slopes = pullback(zip(entries, lam, strict=True), symbols)
        found = dict(zip(symbols, slopes, strict=True))
        return self._gradients(found, list(self._weighted_results(entries, lam)))

    def _weighted_results(
        self, entries: Sequence[Expr], lam: Sequence[Expr]
    ) -> Iterator[tuple[int, Expr]]:
        """Position in q and w λ y of each result with a weight."""
        start = 0
        for y, w in zip(self.f.results, self.weights.results, strict=True):
            for i in range(y.size if w else 0):
                yield i, w * lam[start + i] * entries[start + i]
            start += y.size

    def _gradients(
        self, found: Mapping[Expr, Expr], weighted: Sequence[tuple[int, Expr]] = ()
    ) -> tuple[Value, ...]:
        """Gradients by the active arguments: that by q is P ∂/∂q + x (…), the transpose of (1)."""
        by_q = {x: found[x] for x in self.q}
        for group in self._quaternions:
            x = [self.q[i] for i in group]
            along = -dot(x, [found[s] for s in x])
            for symbols, w in self._weighted:
                along = along - w * dot(
                    [symbols[i] for i in group], [found[symbols[i]] for i in group]
                )
            for i, e in weighted:
                along = along + e if i in group else along
            by_q |= {s: found[s] + s * along for s in x}
        known = {**found, **by_q}
        return tuple(Vector([known[s] for s in a.symbols]) for a in self.active)

    # -- what solves, (2) ----------------------------------------------------------------------------
    @property
    def _of_forces(self) -> bool:
        return self.f.name.startswith("constraint_forces")

    @property
    def _by_inputs(self) -> bool:
        return self.f.name == "state_derivative" or self.f.name.endswith("_inputs")

    def _dynamics(self) -> DynamicsDerivatives:
        whole = program_equations(self.eom)
        return DynamicsDerivatives(whole if self._of_forces else whole.in_short_frames)

    def _solved_push(self) -> tuple[Value, ...]:
        d, n = self._dynamics(), len(self.eom.v)
        delta = {a.name: m.symbols for a, m in zip(self.active, self.more, strict=True)}
        seeds, _ = self.rates(delta)
        moved = d.solved(directional(d.residual(self._by_inputs), seeds), self._by_inputs)
        found = [-x for x in d.factors.solve(moved)]
        if self._of_forces:
            return (Vector(d.equations.rows.padded(found[n:])),)
        rates = directional(self._kinematics, seeds) if self.f.name == "state_derivative" else []
        return (Vector([*rates, *found[:n]]),)

    def _solved_pull(self) -> tuple[Value, ...]:
        d, n = self._dynamics(), len(self.eom.v)
        lam, symbols = list(self.more[0].symbols), [s for a in self.active for s in a.symbols]
        rates = [ZERO] * len(symbols)
        if self.f.name == "state_derivative":
            k = len(self.eom.q)
            rates = pullback(zip(self._kinematics, lam[:k], strict=True), symbols)
            lam = lam[k:]
        zeros = [ZERO] * (len(d.unknowns) - n)
        # Kᵀ μ = (a, b) if K (μ₁, −μ₂) = (a, −b)
        right = [*lam, *zeros]
        if self._of_forces:
            right = [*([ZERO] * n), *(-x for x in d.equations.rows.chosen(lam))]
        z = d.factors.solve(right)
        mu = [internal("mu", str(i)) for i in range(len(d.unknowns))]
        slopes = pullback(zip(d.residual(self._by_inputs), (-x for x in mu), strict=True), symbols)
        known = dict(zip(mu, [*z[:n], *(-x for x in z[n:])], strict=True))
        at = substitute(d.solved(slopes, self._by_inputs), known)
        total = [x + y for x, y in zip(at, rates, strict=True)]
        return self._gradients(dict(zip(symbols, total, strict=True)))

    @property
    def _kinematics(self) -> list[Expr]:
        """N v"""
        return list(self.eom.kinematic_map @ Vector(self.eom.v))

    # -- entries -------------------------------------------------------------------------------------
    def _entries(self, way: Way) -> list[Expr]:
        return [e for x in self.f.outputs(way).values() for e in entries_of(x)]

    def _shaped(self, f: Function, entries: Sequence[Expr]) -> tuple[Value, ...]:
        return tuple(_shaped(y, part) for y, part in zip(f.results, f.split(entries), strict=True))


def _shaped(y: Result, entries: Sequence[Expr]) -> Value:
    if not y.shape:
        return entries[0]
    if len(y.shape) == 1:
        return Vector(entries)
    rows, columns = y.shape
    names = None if rows else [str(k) for k in range(columns)]  # without rows it keeps its width
    return Matrix([entries[i * columns : (i + 1) * columns] for i in range(rows)], None, names)


def _no_names() -> Names:
    return {}
