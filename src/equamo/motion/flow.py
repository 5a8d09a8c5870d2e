"""The right-hand side of a simulation in machine code: y = (q, v, work), ẏ = f(t, y).

    q̇ = N(q) v,  v̇ = M⁻¹ (…),  Ẇ_i = v·f_i   of every force element that is not a spring

so that work is integrated as accurately as the motion. Of a quaternion only its direction matters:
everything is taken at q/|q|, and its rate is scaled by |q|, so an error of its length stays as it is and
changes nothing. A sign(a) in the equations (dry friction) is a symbol s of its own: `switching` says
what it is, ±1 or what holds a at 0; with `smooth` it is tanh(a/width) instead.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, Final, cast, final

import numpy as np
from numpy.typing import NDArray

from ..expr import ONE, ZERO, Expr, sqrt, symbol, tanh
from ..expr.differentiate import directional, jacobian
from ..expr.functions import SIGN
from ..expr.substitute import substitute
from ..expr.vector import Vector
from ..expr.walk import symbols as symbols_of, walk
from ..formulations.coriolis import quadratic_part
from ..formulations.equations import EquationsOfMotion
from ..program.functions import functions
from ..program.program import Argument
from .columns import columns, known_columns
from .inputs import TIME, Called, as_function, expressions
from .kernel import Kernel

Floats = NDArray[np.float64]

JACOBIAN_NODES: Final = 300_000  # of the graph times the states: beyond, differences are cheaper
BASE: Final = "moving base"  # the name of its work


def powers(eom: EquationsOfMotion) -> dict[str, Expr]:
    """v·f of every force element without an energy, and of a base that moves."""
    v = Vector(eom.v)
    found = {name: v @ f for name, f in eom.forces.items() if f.energy is None}
    if not eom.robot.base.is_zero:
        found[BASE] = -(v @ (eom.bias - quadratic_part(eom.robot, eom.bias)))
    return found


@final
class Flow:
    """The motion of a robot under its control: rates, switches, and the inputs on the way."""

    def __init__(
        self,
        eom: EquationsOfMotion,
        control: Any,
        external: Any,
        parameters: Floats,
        smooth: float | None = None,
    ) -> None:
        self.eom, self.parameters = eom, parameters
        robot, home = eom.robot, eom.robot.home
        self.n_q, self.n_v = len(eom.q), len(eom.v)
        self.control = expressions(eom, "control", eom.inputs, home.inputs, control)
        self.external = expressions(eom, "external", eom.external, {}, external)
        self._called: list[Called] = []
        if self.control is None:
            function = as_function(control)
            assert function is not None
            self._called.append(Called("control", eom.inputs, home.inputs, function))
        if self.external is None:
            function = as_function(external)
            assert function is not None
            self._called.append(Called("external", eom.external, {}, function))
        at = {s: k for k, s in enumerate(eom.q)}
        self.unit = [[at[s] for s in group] for group in robot.unit_groups]
        self._make(smooth)

    # -- what it is made of ----------------------------------------------------------------------------
    def _make(self, smooth: float | None) -> None:
        eom = self.eom
        works = powers(eom)
        power = self._inserted(works.values())
        self.still = tuple(n for n, p in zip(works, power, strict=True) if p is ZERO)
        self.work = tuple(n for n in works if n not in self.still)
        power = [p for p in power if p is not ZERO]
        derived = [cast(Vector, way()) for way in functions(eom)["state_derivative"].ways]
        ways = [[*self._inserted(dx.entries), *power] for dx in derived]
        signs = self._signs(ways)
        if signs:
            ways = [min(ways, key=lambda way: len(walk(way)))]
            signs = self._signs(ways)
        self.signs = tuple(signs)
        self.directions = tuple(symbol(f"direction {k}") for k in range(len(signs)))
        # a of sign(a); one sign may stand in the argument of another
        new: dict[Expr, Expr] = dict(zip(self.signs, self.directions, strict=True))
        switches = substitute([s.a for s in self.signs], new)
        if smooth is not None:
            smoothed = {s: tanh(s.a / smooth) for s in self.signs}
            ways = [substitute(way, smoothed) for way in ways]
            self.signs, self.directions, switches = (), (), []
            new = {}
        ways = [substitute(way, new) for way in ways]
        self.ways = [[*way, *self._rates(switches, way)] for way in ways]
        self._switches = Kernel("switches", self._arguments, [self._unit(switches)])
        self._kernel = Kernel("flow", self._arguments, [self._on_unit(way) for way in self.ways])

    def _inserted(self, entries: Iterable[Expr]) -> list[Expr]:
        """Expressions of inputs and external loads put in."""
        new: dict[Expr, Expr] = {}
        if self.control is not None:
            new |= dict(zip(self.eom.inputs, self.control, strict=True))
        if self.external is not None:
            new |= dict(zip(self.eom.external, self.external, strict=True))
        return substitute(entries, new)

    def _signs(self, ways: Sequence[Sequence[Expr]]) -> list[Expr]:
        """sign(a) of an a that changes in time."""
        moving = {*self.eom.q, *self.eom.v, TIME}
        nodes = walk([e for way in ways for e in way])
        return [n for n in nodes if n.op == SIGN and not moving.isdisjoint(symbols_of([n]))]

    def _rates(self, switches: Sequence[Expr], way: Sequence[Expr]) -> list[Expr]:
        """ȧ along the motion."""
        q, v = self.eom.q, self.eom.v
        seeds = dict(zip((*q, *v), way, strict=False)) | {TIME: ONE}
        return directional(switches, seeds)

    def _length(self, group: Sequence[int]) -> Expr:
        square = Vector(self.eom.q[k] for k in group)
        return sqrt(square @ square)

    def _unit(self, entries: Sequence[Expr]) -> list[Expr]:
        """Everything at q/|q|."""
        new = {self.eom.q[k]: self.eom.q[k] / self._length(g) for g in self.unit for k in g}
        return substitute(entries, new)

    def _on_unit(self, entries: Sequence[Expr]) -> list[Expr]:
        """At q/|q|, and the rate of a quaternion times |q|."""
        out = self._unit(entries)
        for group in self.unit:
            for k in group:
                out[k] = out[k] * self._length(group)
        return out

    @cached_property
    def _arguments(self) -> list[Argument]:
        eom = self.eom
        return [
            Argument("t", (TIME,)),
            Argument("q", eom.q),
            Argument("v", eom.v),
            Argument("inputs", eom.inputs if self.control is None else ()),
            Argument("external", eom.external if self.external is None else ()),
            Argument("parameters", eom.parameters),
            Argument("directions", self.directions),
        ]

    def jacobian(self) -> Kernel | None:
        """∂ẏ/∂y in machine code, row by row; None if a function is called, or it would be long."""
        size = self.n_q + self.n_v
        if self._called or self.signs:
            return None
        entries = self._on_unit(self.ways[0])[: size + len(self.work)]
        if len(walk(entries)) * size > JACOBIAN_NODES:
            return None
        rows = jacobian(entries, (*self.eom.q, *self.eom.v))
        return Kernel("jacobian", self._arguments, [[e for row in rows for e in row]])

    # -- numbers ---------------------------------------------------------------------------------------
    @property
    def size(self) -> int:
        """Entries of y."""
        return self.n_q + self.n_v + len(self.work)

    def at(self, t: float, y: Floats) -> list[Floats]:
        """The arguments of the kernel at a point, but for the directions; functions are called here."""
        n, m = self.n_q, self.n_q + self.n_v
        q, v = y[:n], y[n:m]
        empty = y[:0]
        given = [np.array([t]), q, v, empty, empty, self.parameters]
        if self._called:
            on_unit = self.projected(q[None])[0] if self.unit else q
            for called in self._called:
                given[3 if called.kind == "control" else 4] = called(t, on_unit, v)
        return given

    def rates(self, given: Sequence[Floats], s: Floats) -> tuple[Floats, Floats]:
        """(ẏ, ȧ) with directions s."""
        out = self._kernel(*given, s)
        return out[: self.size], out[self.size :]

    def switches(self, t: float, y: Floats) -> Floats:
        """The a of every sign(a)."""
        empty = y[:0]
        q, v = y[: self.n_q], y[self.n_q : self.n_q + self.n_v]
        none = np.zeros(len(self.signs))
        return self._switches(np.array([t]), q, v, empty, empty, self.parameters, none)

    def driven(self, t: Floats, q: Floats, v: Floats) -> tuple[Floats, Floats]:
        """(inputs, external) at many points, (T, m) and (T, k)."""
        found: list[Floats] = []
        parts = (("control", self.control), ("external", self.external))
        for kind, given in parts:
            called = [c for c in self._called if c.kind == kind]
            if called:
                rows = [called[0](*point) for point in zip(t.tolist(), q, v, strict=True)]
                found.append(np.array(rows).reshape(len(t), -1))
            else:
                known = known_columns(self.eom, q, v, self.parameters) | {TIME: t}
                found.append(columns(given or (), known, len(t)))
        return found[0], found[1]

    def batch_rates(
        self, t: Floats, q: Floats, v: Floats, inputs: Floats, external: Floats, s: Floats
    ) -> Floats:
        """ẏ at many points, (T, size)."""
        none = np.empty(0)
        u = inputs if self.control is None else none
        w = external if self.external is None else none
        out = self._kernel.batch(len(t), t[:, None], q, v, u, w, self.parameters, s)
        return out[:, : self.size]

    def plain_directions(self, t: Floats, q: Floats, v: Floats) -> Floats:
        """sign(a) as it stands, at many points."""
        none, s = np.empty(0), np.zeros(len(self.signs))
        a = self._switches.batch(len(t), t[:, None], q, v, none, none, self.parameters, s)
        return np.sign(a)

    def projected(self, q: Floats) -> Floats:
        """Coordinates (T, n) with quaternions of length 1."""
        out = q.copy()
        for group in self.unit:
            out[:, group] /= np.linalg.norm(out[:, group], axis=1, keepdims=True)
        return out
