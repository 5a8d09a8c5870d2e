"""The motion of a robot as numbers: rates, switches, and the inputs on the way (see `flow_code`)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, final

import numpy as np
from numpy.typing import NDArray

from ..equations.equations import EquationsOfMotion
from ..expr import Expr
from ..jit.kernel import Kernel
from .columns import columns, known_columns
from .flow_code import Driven, flow_code
from .inputs import TIME, Called, as_function, expressions

Floats = NDArray[np.float64]


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
        home = eom.robot.home
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
        code = flow_code(Driven(eom, self.control, self.external, smooth))
        self._code, self.unit = code, code.unit
        self.signs, self.work, self.still = code.signs, code.work, code.still
        self.size = self.n_q + self.n_v + len(self.work)  # entries of y
        # Kernels have places of their own to read and write: two runs may go on at the same time.
        self._rates, self._switches = code.rates.again(), code.switches.again()

    @property
    def entries(self) -> list[Expr]:
        """All expressions that a run evaluates: rates and switches, inputs and external loads."""
        driven = [*(self.control or ()), *(self.external or ())]
        return [*driven, *self.signs, *(e for way in self._code.ways for e in way)]

    def jacobian(self) -> Kernel | None:
        """∂ẏ/∂y in machine code, row by row; None if a function is called, or it would be long."""
        return self._code.jacobian()

    # -- numbers ---------------------------------------------------------------------------------------
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
        out = self._rates(*given, s)
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
        out = self._rates.batch(len(t), t[:, None], q, v, u, w, self.parameters, s)
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
