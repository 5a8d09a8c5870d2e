"""Flow: the right-hand side of a simulation in numbers (see `flow_code`)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr
from ...code.jit.kernel import Kernel
from ...mechanics.equations.equations import EquationsOfMotion
from .columns import columns, known_columns
from .flow_code import Driven, flow_code
from .inputs import TIME, Called, as_function, expressions

Floats = NDArray[np.float64]

FEW: Final = 41  # evaluations that take less time one by one than the preparation of a batch


@final
class Flow:
    """Rates, switching functions and inputs of a robot under its control."""

    eom: EquationsOfMotion
    parameters: Floats
    n_q: int
    n_v: int
    unit: list[list[int]]
    signs: tuple[Expr, ...]
    work: tuple[str, ...]
    still: tuple[str, ...]

    def __init__(
        self,
        eom: EquationsOfMotion,
        control: Any,
        external: Any,
        parameters: Floats,
        smooth: float | None = None,
    ) -> None:
        self.eom, self.parameters = eom, parameters
        home = eom.robot.home
        self.n_q, self.n_v = len(eom.q), len(eom.v)
        self.control: tuple[Expr, ...] | None = expressions(
            eom, "control", eom.inputs, home.inputs, control
        )
        self.external: tuple[Expr, ...] | None = expressions(
            eom, "external", eom.external, {}, external
        )
        self._called: list[Called] = []
        if self.control is None:
            function = as_function(control)
            assert function is not None
            self._called.append(Called("control", eom.inputs, home.inputs, function))
        if self.external is None:
            function = as_function(external)
            assert function is not None
            self._called.append(Called("external", eom.external, {}, function))
        code = flow_code(Driven(eom, self.control, self.external, smooth))
        self._code, self.unit = code, code.unit
        self.signs, self.work, self.still = code.signs, code.work, code.still
        self.size: int = self.n_q + self.n_v + len(self.work)  # entries of y
        # Kernels own their buffers: copies let two simulations run at the same time.
        self._rates, self._switches = code.rates.again(), code.switches.again()

    @property
    def entries(self) -> list[Expr]:
        """All expressions that a run evaluates: rates, switches, inputs and external loads."""
        driven = [*(self.control or ()), *(self.external or ())]
        return [*driven, *self.signs, *(e for rates in self._code.variants for e in rates)]

    def jacobian(self) -> Kernel | None:
        """∂ẏ/∂y in machine code, row by row; None with Python functions, or if it is too large."""
        return self._code.jacobian()

    # -- numbers ---------------------------------------------------------------------------------------
    def at(self, t: float, y: Floats) -> list[Floats]:
        """Arguments of the kernel at a point, without the directions; calls the user's functions."""
        n, m = self.n_q, self.n_q + self.n_v
        q, v = y[:n], y[n:m]
        empty = y[:0]
        arguments = [np.array([t]), q, v, empty, empty, self.parameters]
        if self._called:
            on_unit = self.projected(q[None])[0] if self.unit else q
            for called in self._called:
                arguments[3 if called.kind == "control" else 4] = called(t, on_unit, v)
        return arguments

    def rates(self, arguments: Sequence[Floats], s: Floats) -> tuple[Floats, Floats]:
        """(ẏ, ȧ) with directions s."""
        out = self._rates(*arguments, s)
        return out[: self.size], out[self.size :]

    def many_rates(self, arguments: Sequence[Floats], s: Floats) -> tuple[Floats, Floats]:
        """(ẏ, ȧ) with several directions s (k, signs), one row for each."""
        if len(s) <= FEW:
            out = np.array([self._rates(*arguments, row) for row in s])
        else:
            out = self._rates.batch(len(s), *arguments, s)
        return out[:, : self.size], out[:, self.size :]

    def switches(self, t: float, y: Floats, s: Floats) -> Floats:
        """Argument a of every sign(a); s are the directions of signs within arguments."""
        empty = y[:0]
        q, v = y[: self.n_q], y[self.n_q : self.n_q + self.n_v]
        return self._switches(np.array([t]), q, v, empty, empty, self.parameters, s)

    @property
    def arguments_of_signs(self) -> tuple[Expr, ...]:
        """Expression of every a, with the symbols `directions` for the signs within it."""
        return self._code.arguments_of_signs

    @property
    def directions(self) -> tuple[Expr, ...]:
        """Symbol of the direction of every sign."""
        return self._code.directions

    @property
    def inner(self) -> list[list[int]]:
        """Positions of the signs within the argument of every sign; they come before it."""
        return self._code.inner

    def at_unit(self, entries: Sequence[Expr]) -> list[Expr]:
        """Entries with normalised quaternions."""
        return self._code.at_unit(entries)

    def driven(
        self, t: Floats, q: Floats, v: Floats, signs: Mapping[Expr, Floats] | None = None
    ) -> tuple[Floats, Floats]:
        """Inputs (T, m) and external loads (T, k) at many points, with these values of signs."""
        results: list[Floats] = []
        parts = (("control", self.control), ("external", self.external))
        for kind, entries in parts:
            called = [c for c in self._called if c.kind == kind]
            if called:
                rows = [called[0](*point) for point in zip(t.tolist(), q, v, strict=True)]
                results.append(np.array(rows).reshape(len(t), -1))
            else:
                known = known_columns(self.eom, q, v, self.parameters) | {TIME: t}
                known |= signs or {}
                results.append(columns(entries or (), known, len(t)))
        return results[0], results[1]

    def batch_rates(
        self, t: Floats, q: Floats, v: Floats, inputs: Floats, external: Floats, s: Floats
    ) -> Floats:
        """ẏ at many points, (T, size)."""
        none = np.empty(0)
        u = inputs if self.control is None else none
        w = external if self.external is None else none
        out = self._rates.batch(len(t), t[:, None], q, v, u, w, self.parameters, s)
        return out[:, : self.size]

    def plain_directions(self, t: Floats, q: Floats, v: Floats) -> Floats:
        """sign(a) without sticking, at many points."""
        none, s = np.empty(0), np.zeros((len(t), len(self.signs)))
        for _ in range(self.depth):
            a = self._switches.batch(len(t), t[:, None], q, v, none, none, self.parameters, s)
            s = np.sign(a)
        return s

    @property
    def depth(self) -> int:
        """Levels of signs within arguments of others: 1 if there are none, 0 without signs."""
        depth: list[int] = []
        for inner in self.inner:
            depth.append(1 + max((depth[k] for k in inner), default=0))
        return max(depth, default=0)

    def known_signs(
        self, t: Floats, q: Floats, v: Floats, s: Floats
    ) -> tuple[tuple[Expr, ...], Floats]:
        """Every sign(a), smoothed ones too, and its values at many points, with directions s."""
        smoothed = self._code.smoothed
        if not smoothed:
            return self.signs, s
        known = known_columns(self.eom, q, v, self.parameters) | {TIME: t}
        return tuple(smoothed), columns(smoothed.values(), known, len(t))

    def projected(self, q: Floats) -> Floats:
        """Coordinates (T, n) with quaternions normalised to length 1."""
        out = q.copy()
        for group in self.unit:
            out[:, group] /= np.linalg.norm(out[:, group], axis=1, keepdims=True)
        return out
