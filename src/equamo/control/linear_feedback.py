"""LinearFeedback: inputs that bring a robot back to an operating point, or along a reference near it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

import numpy as np

from ..errors import EvaluationError
from ..expr import ONE, Expr, as_expr, sign
from ..expr.vector import Vector
from ..wording import counted
from .functions_of_time import FunctionsOfTime, by_name, called
from .linear_system import LinearSystem
from .operating_point import Array


@final
@dataclass(frozen=True, eq=False)
class LinearFeedback:
    """inputs = ū − K (x − x_ref(t)): a controller for `eq.simulate(…, control=…)`.

    `lin` is the system it was made for, `K` has a column for each of its states, `cost` is S,
    `closed_loop` are the poles of A − B K. `expressions` are the inputs in q, v and t, for code that is
    compiled (`eq.rollout`).
    """

    lin: LinearSystem
    K: Array
    cost: Array = field(repr=False)
    reference: Any = field(default=None, repr=False)

    @property
    def closed_loop(self) -> Any:
        """Poles of the system under this feedback."""
        return np.linalg.eigvals(self.lin.A - self.lin.B @ self.K)

    def __repr__(self) -> str:
        inputs, states = (
            counted(n, k) for n, k in zip(self.K.shape, ("input", "state"), strict=True)
        )
        return f"<linear feedback of {states} to {inputs}>"

    def inputs(self, t: float, q: Any, v: Any) -> Array:
        """The inputs of the robot at a time and state."""
        x = self.lin.deviation(q, v) - self._wanted(t)
        return self.lin.point.inputs - self.K @ x

    def following(self, reference: Any) -> LinearFeedback:
        """The same feedback along a reference.

        {state: number or expression in t and parameters}, the other states as at the operating point; or
        a function of t that gives {state: number} or all states. A state is given as it is, not as a
        deviation, and a coordinate goes with its speed: {"theta": "2*t", "dtheta": 2}.
        """
        found = LinearFeedback(self.lin, self.K, self.cost, reference)
        _ = found._functions  # names and symbols are checked now
        return found

    @cached_property
    def _functions(self) -> FunctionsOfTime | None:
        if self.reference is None or callable(self.reference):
            return None
        point = self.lin.point
        table = by_name("lqr: the reference", "state", self.lin.states, self.reference)
        return FunctionsOfTime(point.eom, "lqr: the reference", table, 0, point.values)

    def _wanted(self, t: float) -> Array:
        """x of the reference, a deviation from the point."""
        lin = self.lin
        wanted = np.zeros(len(lin.states))
        if self.reference is None or lin.chart is None:
            return wanted
        if self._functions is not None:
            names, numbers = self._functions.names, self._functions(t)[0]
        else:
            given = self.reference(t)
            if isinstance(given, Mapping):
                table = by_name("lqr: the reference", "state", lin.states, given)
                names, numbers = tuple(table), np.array(list(table.values()), dtype=np.float64)
            else:
                size = [len(lin.states)]
                names = lin.states
                (numbers,) = called("lqr: the reference", lambda _: given, t, size)
        at = [lin.states.index(n) for n in names]
        wanted[at] = numbers - lin.chart.origin[at]
        return wanted

    @property
    def expressions(self) -> Vector:
        """The inputs as expressions in q, v, t and parameters."""
        lin, point = self.lin, self.lin.point
        eom = point.eom
        if lin.chart is None or callable(self.reference):
            raise EvaluationError(
                "lqr: a reference that is a function of Python has no expression; give expressions in t."
            )
        side: dict[
            int, Expr
        ] = {}  # a quaternion and its negative are one turn: the nearer is taken
        for columns in eom.robot.state_space.quaternions:
            near = Vector(point.q[columns].tolist()) @ Vector([eom.q[k] for k in columns])
            side |= dict.fromkeys(columns, sign(near))
        state, at = (*eom.q, *eom.v), np.concatenate([point.q, point.v])
        away = [
            side.get(k, ONE) * s - float(x) for k, (s, x) in enumerate(zip(state, at, strict=True))
        ]
        wanted = [as_expr(0)] * len(lin.states)
        for name, e in zip(*self._named(), strict=True):
            k = lin.states.index(name)
            wanted[k] = e - float(lin.chart.origin[k])
        gains = self.K @ lin.chart.matrix
        return Vector(
            [
                float(u) - _sum(row, away) + _sum(gain, wanted)
                for u, row, gain in zip(point.inputs, gains, self.K, strict=True)
            ],
            lin.inputs,
        )

    def _named(self) -> tuple[Sequence[str], Sequence[Expr]]:
        found = self._functions
        return ((), ()) if found is None else (found.names, found.expressions[0])


def _sum(weights: Array, terms: Sequence[Expr]) -> Expr:
    total = as_expr(0)
    for w, e in zip(weights.tolist(), terms, strict=True):
        total = total + float(w) * e
    return total
