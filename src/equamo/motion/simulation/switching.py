"""Switching of dry friction and other signs: the direction s of each sign(a), and when it changes.

A sign slips, s = ±1, or sticks: the s in [−1, 1] with ȧ = 0 keeps a at 0 (Filippov's solution; with
Coulomb friction, the joint rests as long as less than the full friction holds it). v̇ is linear in the
forces, so ȧ = c + A s for the signs at 0; `sticking` finds their directions together.

Signs that slip switch where a passes 0: `isolation` finds the first passage within a step from
enclosures of a. One that has just begun to slip starts at a = 0, up to the error δ of a step; until it
has left [−δ, δ], it switches where a passes −δ s. Signs that stick are released where the load takes all
of their friction. `load_search` finds that time from values at single times, which it brings closer
together until they predict those between them.

After each step the friction of the signs that stick moves the state back to a = 0:

    (1) v ← v − B A⁻¹ a,   B = ∂v̇/∂s

and the speeds that stick are exactly 0.

Friction that differs in the two directions is a polynomial in s. Only s = ±1 are directions of a moving
joint, and at rest every force between these two is possible, so c and A interpolate between them. The s
at which the polynomial gives that force then follows by Newton's method. The same holds for a sign
within the argument of another one, as in sign(x + sign(ẋ)/2): while it sticks, the outer sign
interpolates between its directions at both ends.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr
from ...algebra.expr.graph import CONST, DIV, MUL, NEG, SYMBOL
from .bracket import root
from .enclosure import Bounds, Enclosure
from .flow import Flow
from .inputs import TIME
from .isolation import first_below, pieces
from .load_search import first_excess
from .step_polynomial import Part, part
from .sticking import Load, directions, solved

Floats = NDArray[np.float64]
Dense = Callable[[Any], Floats]

AT_ZERO: Final = 1e-10  # relative error of the state that moves a away from 0 by less counts as 0
AWAY: Final = 10.0  # errors of a step: a is at 0 until it is further away
ROUNDING: Final = 1e-15
AHEAD: Final = (1e-6, 1e-4, 1e-2)  # fractions of a step at which the sign of a is taken
_EXACT: Final = 1e-13
_CURVED: Final = 1e-10  # a larger relative deviation from a straight line is not rounding
_NEWTON: Final = 50  # steps of Newton's method
_NEAR: Final = 1e-6  # step of a difference quotient of a polynomial in s
_RETURNS: Final = 4  # steps of (1)


class Switch(NamedTuple):
    """End of the validity of the directions: its time, and what has passed 0 there."""

    t: float
    passed: tuple[int, ...]  # positions in `Switching.watches`


@final
class UnsettledError(Exception):
    """Directions that have no solution; the run ends with this message."""


class Watch(NamedTuple):
    """Argument of a sign that slips, with directions `s` of the signs within it."""

    sign: int
    direction: float
    s: Floats
    end: int = 0  # ±1: that of a sign within the argument, which sticks


class _Linear(NamedTuple):
    """ȧ = c + A s and v̇ = … + B s in the directions of some signs."""

    c: Floats
    A: Floats
    B: Floats
    curved: bool  # it only interpolates between s = ±1


@final
class Switching:
    """Directions of all signs of a flow."""

    flow: Flow
    tolerance: tuple[float, float | Floats]  # relative and absolute, of the state

    def __init__(self, flow: Flow, tolerance: tuple[float, float | Floats] = (1e-9, 1e-12)) -> None:
        self.flow, self.tolerance = flow, tolerance
        n = len(flow.signs)
        self.stuck: list[int] = []
        # Directions of all signs: base + lift s of those that stick. A sign whose argument contains one
        # that sticks may have another direction at each of its ends.
        self.base: Floats = np.zeros(n)
        self.lift: Floats = np.zeros((n, 0))
        self.size: Floats = np.zeros(n)  # largest |a| so far
        self._largest: Floats = np.zeros(flow.n_q + flow.n_v)  # largest |q| and |v| so far
        self._slopes: Floats = np.zeros((n, flow.n_q + flow.n_v))
        self.watches: list[Watch] = []
        self._slack: list[float] = []  # δ of every watch that has not left a = 0; 0 for the others
        self._speeds = [_speed(s.a, flow.eom.v) for s in flow.signs]
        self._components: list[int] = []  # of the state, in the arguments of all watches
        self._columns: list[
            dict[Expr, int]
        ] = []  # of every watch: symbols, and where they are there
        self._known: list[dict[Expr, Bounds]] = []  # of every watch: bounds of what is constant
        self._enclosures: dict[int, Enclosure] = {}
        self._states: dict[int, dict[Expr, int]] = {}

    def __bool__(self) -> bool:
        return bool(self.flow.signs)

    @property
    def resting(self) -> list[int]:
        """Positions in y of the speeds that stick."""
        return [self.flow.n_q + i for k in self.stuck for i in [self._speeds[k]] if i is not None]

    @property
    def resting_arguments(self) -> frozenset[Expr]:
        """Arguments of the signs that stick, and their negatives: expressions that are 0."""
        arguments = [self.flow.signs[k].a for k in self.stuck]
        return frozenset((*arguments, *(-a for a in arguments)))

    def become(self, other: Switching) -> None:
        """Take over the directions of a copy of this object."""
        vars(self).update(vars(other))

    def _away(self, k: int) -> float:
        """δ: |a| that an error of a step may cause; rounding, if a depends on the time only."""
        if not self._places(k):
            return AWAY * ROUNDING * float(self.size[k])
        return AWAY * self._error(k, self.tolerance[0])

    def _error(self, k: int, relative: float) -> float:
        """|a| of errors of the state: Σ |∂a/∂y| (atol + relative |y|)."""
        return float(self._slopes[k] @ (self.tolerance[1] + relative * self._largest))

    def _measure(self, t: float, y: Floats) -> None:
        """Note the size of the state, and the slopes |∂a/∂y| of all arguments."""
        flow = self.flow
        states = y[: flow.n_q + flow.n_v]
        self._largest = np.maximum(self._largest, np.abs(states))
        self._slopes = np.zeros((len(self.base), len(states)))
        for k in range(len(self.base)):
            known = self._constants(k, self.base) | {TIME: (t, t, 0.0, 0.0)}
            places = self._places(k)
            here = {x: (float(y[i]), float(y[i]), 0.0, 0.0) for x, i in places.items()}
            for x, i in places.items():
                moved = {x: (here[x][0], here[x][0], 1.0, 1.0)}
                _, _, low, high = self._enclosure(k)(known | here | moved)
                self._slopes[k, i] = max(abs(low), abs(high)) if np.isfinite(high - low) else 1.0

    # -- along a motion --------------------------------------------------------------------------------
    def derivative(self, t: float, y: Floats) -> Floats:
        """ẏ with the current directions."""
        arguments = self.flow.at(t, y)
        rates = self.flow.rates(arguments, self._directions(arguments))[0]
        rates[self.resting] = 0
        return rates

    def directions(self, t: float, y: Floats) -> Floats:
        """Direction s of every sign."""
        return self._directions(self.flow.at(t, y), shown=True)

    def _directions(self, arguments: Sequence[Floats], shown: bool = False) -> Floats:
        stuck = self.stuck
        if not stuck:
            return self.base
        linear = self._linear(arguments)
        A, b = linear.A[stuck], -linear.c[stuck]
        # Where signs share a load, every solution gives the same motion.
        s = Load(A, b).held() if shown else solved(A, b)
        for _ in range(_NEWTON if linear.curved else 0):
            rate, slope = self._slope(arguments, s)
            step = solved(slope, -rate)
            s = s + step
            if np.abs(step).max() < _EXACT:
                break
        return self.base + self.lift @ s

    def _linear(self, arguments: Sequence[Floats]) -> _Linear:
        """Rates in the directions of the signs that stick."""
        m, flow = len(self.stuck), self.flow
        rows = np.vstack([self.base, self.base - self.lift.T, self.base + self.lift.T])
        y, a = flow.many_rates(arguments, rows)
        rates = np.hstack([a, y[:, flow.n_q : flow.n_q + flow.n_v]])
        middle, low, high = rates[0], rates[1 : m + 1], rates[m + 1 :]
        slopes = (high - low).T / 2
        whole = middle + ((high + low) / 2 - middle).sum(axis=0)
        n = len(self.base)
        c, A, B = whole[:n], slopes[:n], slopes[n:]
        size = np.abs(middle[:n]).max() + np.abs(A).max(initial=0)
        return _Linear(c, A, B, bool(np.abs(c - middle[:n]).max() > _CURVED * size))

    def _slope(self, arguments: Sequence[Floats], s: Floats) -> tuple[Floats, Floats]:
        """ȧ and ∂ȧ/∂s of the signs that stick, at directions s of them."""
        near = np.vstack([s, s + _NEAR * np.eye(len(s))])
        rates = self.flow.many_rates(arguments, self.base + near @ self.lift.T)[1][:, self.stuck]
        return rates[0], (rates[1:] - rates[0]).T / _NEAR

    def hold(self, t: float, y: Floats) -> Floats:
        """y with a = 0 of all signs that stick, (1); y itself if nothing changes."""
        if not self.stuck:
            return y
        moved, speeds = y, slice(self.flow.n_q, self.flow.n_q + self.flow.n_v)
        limits = np.array([1e-3 * self._away(k) for k in self.stuck])
        for _ in range(_RETURNS):
            a = self.flow.switches(t, moved, self.base)[self.stuck]
            if (np.abs(a) <= limits).all() or not np.isfinite(a).all():
                break
            linear = self._linear(self.flow.at(t, moved))
            moved = moved.copy()
            moved[speeds] -= linear.B @ solved(linear.A[self.stuck], a)
        return self.rest(moved)

    def rest(self, y: Floats) -> Floats:
        """y with speeds that stick exactly 0; y itself if they are."""
        resting = self.resting
        if not y[resting].any():
            return y
        y = y.copy()
        y[resting] = 0
        return y

    def resting_dense(self, dense: Dense) -> Dense:
        """Interpolant of a step in which the speeds that stick are exactly 0."""
        return Resting(dense, self.resting) if self.stuck and self.resting else dense

    # -- when it changes -------------------------------------------------------------------------------
    def next(self, start: float, end: float, dense: Dense) -> Switch | None:
        """First switch within a step; None if there is none."""
        first, until = None, end
        whole = part(dense, start, end, self._components) if self.watches else None
        bounds = [] if whole is None else whole.bounds()
        for position, watch in enumerate(self.watches):
            if whole is not None and self._enclosed(position, start, end, bounds)[0] > 0:
                continue  # the usual case
            t = self._passage(position, watch, (start, end), whole, dense)
            if t is not None and t < until:
                first, until = Switch(t, (position,)), t
            if until <= start:
                return first
        if self.stuck:

            def excess(t: float) -> Floats:
                return self._shares(t, dense(t)) - 1

            t = first_excess(excess, start, until)
            if t is not None and (first is None or t < first.t):
                first = Switch(t, ())
        return first

    def _shares(self, t: float, y: Floats) -> Floats:
        """Part of their friction that the signs that stick need."""
        linear = self._linear(self.flow.at(t, y))
        return Load(linear.A[self.stuck], -linear.c[self.stuck]).shares()

    def _enclosed(
        self, position: int, start: float, end: float, bounds: Sequence[Bounds], slack: bool = True
    ) -> Bounds:
        """Bounds of s a + δ of a watch, from those of the components of the state."""
        watch, shift = self.watches[position], self._slack[position] if slack else 0.0
        known = self._known[position].copy()
        for x, column in self._columns[position].items():
            known[x] = bounds[column]
        known[TIME] = start, end, 1.0, 1.0
        low, high, down, up = self._enclosure(watch.sign)(known)
        if watch.direction < 0:
            low, high, down, up = -high, -low, -up, -down
        return low + shift, high + shift, down, up

    def _passage(
        self,
        position: int,
        watch: Watch,
        step: tuple[float, float],
        whole: Part | None,
        dense: Dense,
    ) -> float | None:
        """First time at which the argument of a watch passes 0."""
        slack = self._slack[position]

        def plain(t: float) -> float:
            return watch.direction * float(self.flow.switches(t, dense(t), watch.s)[watch.sign])

        def margin(t: float) -> float:
            return plain(t) + slack

        if whole is None:
            return first_excess(lambda t: np.array([-margin(t)]), *step)

        def enclose(piece: Part, slack: bool = True) -> Bounds:
            return self._enclosed(position, piece.start, piece.end, piece.bounds(), slack)

        found = first_below(margin, enclose, whole)
        if found is None:
            return None
        t0, t1 = found
        t = root(margin, t0, t1) if margin(t0) > 0 else t0
        if slack:  # the last passage through 0 before, if a has left 0 at all
            for piece in pieces(plain, lambda piece: enclose(piece, slack=False), whole):
                if piece.start >= t:
                    break
                if not piece.clear and plain(piece.start) > 0 >= plain(piece.end):
                    t = root(plain, piece.start, piece.end)
        return t

    def _enclosure(self, k: int) -> Enclosure:
        if k not in self._enclosures:
            self._enclosures[k] = Enclosure(self.flow.arguments_of_signs[k])
        return self._enclosures[k]

    def _places(self, k: int) -> dict[Expr, int]:
        """Coordinates and speeds in the argument of a sign, and their positions in y."""
        if k not in self._states:
            state = {x: i for i, x in enumerate((*self.flow.eom.q, *self.flow.eom.v))}
            self._states[k] = {x: state[x] for x in self._enclosure(k).symbols if x in state}
        return self._states[k]

    def _constants(self, k: int, s: Floats) -> dict[Expr, Bounds]:
        """Bounds of parameters and directions in the argument of a sign, constant during a step."""
        flow = self.flow
        table = dict(zip(flow.eom.parameters, flow.parameters.tolist(), strict=True))
        table |= dict(zip(flow.directions, s.tolist(), strict=True))
        used = [x for x in self._enclosure(k).symbols if x in table]
        return {x: (table[x], table[x], 0.0, 0.0) for x in used}

    def left(self, t: float, y: Floats) -> None:
        """Note after a step which signs that began to slip have left a = 0."""
        self._largest = np.maximum(self._largest, np.abs(y[: len(self._largest)]))
        arguments, s = self.flow.switches(t, y, self.base), self.base
        for position, watch in enumerate(self.watches):
            if watch.s is not s:
                arguments, s = self.flow.switches(t, y, watch.s), watch.s
            a = watch.direction * float(arguments[watch.sign])
            self.size[watch.sign] = max(self.size[watch.sign], abs(a))
            if a > self._slack[position]:
                self._slack[position] = 0.0

    # -- new directions --------------------------------------------------------------------------------
    def start(self, t: float, y: Floats, step: float) -> Floats:
        """Set the directions at the start of a run of about `step` seconds; return the state."""
        return self.resolve(Switch(t, ()), y, step)

    def resolve(self, switch: Switch, y: Floats, step: float) -> Floats:
        """Set the directions from here on; return the state, in which what sticks is at rest.

        The next step is about `step` seconds. Raise UnsettledError if there are no directions.
        """
        t, flow = switch.t, self.flow
        self.size = self.size.copy()  # that of another object with the directions before
        self._measure(t, y)
        before, slack = list(self.watches), list(self._slack)
        passed = [before[i] for i in switch.passed]
        zero = {*self.stuck, *(w.sign for w in passed if not w.end)}
        # Rounding must not turn a sign back that has just passed 0: the others keep their directions,
        # unless another sign within their argument has changed it.
        turned = {(w.sign, w.end): (w.direction, w.s) for w in before if w.end or self.base[w.sign]}
        turned |= {(w.sign, w.end): (-w.direction, w.s) for w in passed}
        decided: dict[int, float] = {}
        while True:
            at_zero = self._arrange(t, y, zero, decided, turned)
            if not at_zero:
                break
            linear = self._linear(flow.at(t, y))
            found = directions(linear.c[at_zero], linear.A[at_zero])
            if found is None:
                text = ", ".join(str(flow.signs[k]) for k in at_zero[:4])
                unsettled = UnsettledError(f"the directions of {text} at 0 have no solution")
                raise unsettled
            slips = [j for j in range(len(at_zero)) if not found.sticks[j]]
            if not slips:
                break
            for j in slips:
                k, s = at_zero[j], float(found.s[j])
                rate = float(linear.c[k] + linear.A[k] @ found.s)
                if not linear.A[k].any() and abs(rate) * step <= 1e-9 * self.size[k]:
                    s = self._ahead(k, t, y, found.s, step)
                decided[k] = s
            zero -= set(decided)
        for i in switch.passed:
            slack[i] = np.inf
        self._watch(before, slack, t, y)
        return self.hold(t, y)

    def _arrange(
        self,
        t: float,
        y: Floats,
        zero: set[int],
        decided: dict[int, float],
        turned: dict[tuple[int, int], tuple[float, Floats]],
    ) -> list[int]:
        """Set base, lift and the signs at 0, for those whose direction is decided; return those at 0."""
        flow, n = self.flow, len(self.flow.signs)
        base, columns, at_zero = np.zeros(n), np.zeros((n, n)), list[int]()
        for k in range(n):
            moving = [i for i in at_zero if columns[flow.inner[k], i].any()]
            if k in decided and not moving:
                base[k] = decided[k]
                continue
            if len(moving) > 1:
                unsettled = UnsettledError(
                    f"several signs within the argument of {flow.signs[k]} are at 0 at the same time"
                )
                raise unsettled
            values: list[float] = []
            for end in (-1, 1) if moving else (0,):
                s = base + (end * columns[:, moving[0]] if moving else 0)
                a = float(flow.switches(t, y, s)[k])
                self.size[k] = max(self.size[k], abs(a))
                value, inner = turned.get((k, end), (0.0, s))
                same = np.array_equal(inner[flow.inner[k]], s[flow.inner[k]])
                values.append(value if value and same else float(np.sign(a)))
                if not moving:
                    small = max(self._error(k, AT_ZERO), ROUNDING * float(self.size[k]))
                    if k in zero or abs(a) <= small:
                        at_zero.append(k)
                        columns[k, k] = 1
                        values = [0.0]
            if moving:
                base[k] = (values[0] + values[1]) / 2
                columns[k, moving[0]] = (values[1] - values[0]) / 2
            elif k not in at_zero:
                base[k] = values[0]
        self.stuck, self.base, self.lift = at_zero, base, columns[:, at_zero]
        return at_zero

    def _ahead(self, k: int, t: float, y: Floats, s: Floats, step: float) -> float:
        """Direction in which a moves away from 0 if its rate is 0; 0 if it stays."""
        flow, stays = self.flow, True
        for part_of_step in AHEAD:
            h = part_of_step * step
            for direction in (1.0, -1.0, 0.0):
                trial = s.copy()
                trial[self.stuck.index(k)] = direction
                every = self.base + self.lift @ trial
                half = y + h / 2 * flow.rates(flow.at(t, y), every)[0]
                after = y + h * flow.rates(flow.at(t + h / 2, half), every)[0]
                a = float(flow.switches(t + h, after, every)[k])
                if direction * a > 1e-12 * self.size[k]:
                    return direction
                if not direction and abs(a) > 1e-12 * self.size[k]:
                    stays = False
        if not stays:
            unsettled = UnsettledError(
                f"{flow.signs[k]} has no direction at 0: each one moves its argument to the other side"
            )
            raise unsettled
        return 0.0

    def _watch(self, before: list[Watch], slack: list[float], t: float, y: Floats) -> None:
        """Watch the arguments of all signs that slip."""
        flow = self.flow
        known = {(w.sign, w.end, w.direction): x for w, x in zip(before, slack, strict=True)}
        self.watches, self._slack = [], []
        for k in range(len(self.base)):
            if k in self.stuck:
                continue
            inner = [j for j in range(len(self.stuck)) if self.lift[flow.inner[k], j].any()]
            for end in (-1, 1) if inner else (0,):
                s = self.base + end * self.lift[:, inner[0]] if inner else self.base
                # While a stays at 0, the sign is 0; both ways out are watched.
                for direction in (float(s[k]),) if s[k] else (-1.0, 1.0):
                    self.watches.append(Watch(k, direction, s, end))
                    a = direction * float(flow.switches(t, y, s)[k])
                    # The time at which a passed 0 is rounded, so a may be a little beyond 0.
                    away = max(self._away(k), 4 * abs(a)) if a <= self._away(k) else 0.0
                    self._slack.append(away if known.get((k, end, direction), away) else 0.0)
        self._components = sorted({i for w in self.watches for i in self._places(w.sign).values()})
        column = {i: c for c, i in enumerate(self._components)}
        self._columns = [
            {x: column[i] for x, i in self._places(w.sign).items()} for w in self.watches
        ]
        self._known = [self._constants(w.sign, w.s) for w in self.watches]


@final
class Resting:
    """Interpolant of a step in which some components are exactly 0."""

    dense: Dense
    components: list[int]

    def __init__(self, dense: Dense, components: Sequence[int]) -> None:
        self.dense, self.components = dense, list(components)

    def __call__(self, t: Any) -> Floats:
        y = np.asarray(self.dense(t), dtype=np.float64)
        y[self.components] = 0
        return y


def _speed(argument: Expr, speeds: Sequence[Expr]) -> int | None:
    """Position of the speed that is 0 if and only if an argument is: c v; None for other arguments."""
    while argument.op in (NEG, MUL, DIV):
        if argument.op == MUL and argument.a.op == CONST:
            argument = argument.b
        elif argument.op == NEG or argument.b.op == CONST:
            argument = argument.a
        else:
            return None
    return speeds.index(argument) if argument.op == SYMBOL and argument in speeds else None
