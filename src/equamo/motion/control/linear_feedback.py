"""LinearFeedback: inputs that return a robot to an operating point, or to a reference near it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, final

import numpy as np

from ...algebra.expr import ONE, Expr, as_expr, internal, sign, symbol
from ...algebra.expr.vector import Vector
from ...basics.arguments import expect_function
from ...basics.wording import counted
from ...code.ir.expressions import Expressions
from ...code.ir.program import Argument
from ...errors import EvaluationError
from .functions_of_time import FunctionsOfTime, by_name, called
from .linear_system import LinearSystem, drifting
from .operating_point import NO_EQUILIBRIUM, Array


@final
@dataclass(frozen=True, eq=False)
class LinearFeedback:
    """Controller for `eq.simulate(…, control=…)`: inputs = ū − K (x − x_ref(t)).

    `lin` is the system it was designed for, `K` has one column per state of it, `cost` is S, and
    `closed_loop` has the poles of A − B K. `expressions` are the inputs as expressions in q, v and t,
    for compiled code (`eq.rollout`).
    """

    lin: LinearSystem  # system for which it was designed
    K: Array  # gains, one column per state
    cost: Array = field(repr=False)  # S, the cost xᵀ S x from a state x
    reference: Any = field(default=None, repr=False)  # x_ref(t)

    @property
    def closed_loop(self) -> Any:
        """Poles of the system under this feedback."""
        return np.linalg.eigvals(self.lin.A - self.lin.B @ self.K)

    def __repr__(self) -> str:
        inputs, states = (
            counted(n, k) for n, k in zip(self.K.shape, ("input", "state"), strict=True)
        )
        drift = f", without compensation of a drift up to {x:.3g}" if (x := self._drift()) else ""
        return f"<linear feedback of {states} to {inputs}{drift}>"

    def _drift(self) -> float:
        """Largest entry of a drift at the operating point; 0 for what holding inputs accept as rest."""
        lin = self.lin
        moves = drifting(lin, NO_EQUILIBRIUM)
        if lin.chart is not None:
            # forces that balance leave rounding, also where nothing else defines a rate
            balanced = np.abs(lin.B) @ np.abs(lin.point.inputs)
            moves = moves & (np.abs(lin.drift) > NO_EQUILIBRIUM * balanced)
        return float(np.abs(lin.drift[moves]).max(initial=0))

    def inputs(self, t: float, q: Any, v: Any) -> Array:
        """Inputs of the robot at time t and state (q, v)."""
        x = self.lin.deviation(q, v) - self._reference_deviation(t)
        return self.lin.point.inputs - self.K @ x

    def following(self, reference: Any) -> LinearFeedback:
        """The same feedback along a reference.

        States are given as they are, not as deviations from the operating point. Give a coordinate
        together with its speed: {"theta": "2*t", "dtheta": 2}.

        Args:
            reference: {state: number or expression in t and parameters}, the other states as at the
                operating point; or a function of t that returns {state: number} or all states.

        Returns:
            A new `LinearFeedback`.

        Raises:
            UnknownNameError: The reference contains an unknown state or symbol.
            EvaluationError: The reference has the wrong number of entries.
        """
        feedback = LinearFeedback(self.lin, self.K, self.cost, reference)
        _ = feedback._functions  # checks names and symbols now
        return feedback

    @cached_property
    def _functions(self) -> FunctionsOfTime | None:
        if self.reference is None:
            return None
        if callable(self.reference) and not isinstance(self.reference, Expr):
            expect_function("lqr: the reference", self.reference, "t")
            return None
        point = self.lin.point
        table = by_name("lqr: the reference", "state", self.lin.states, self.reference)
        return FunctionsOfTime(point.eom, "lqr: the reference", table, 0, point.values)

    def _reference_deviation(self, t: float) -> Array:
        """x_ref: deviation of the reference from the operating point."""
        lin = self.lin
        x_ref = np.zeros(len(lin.states))
        if self.reference is None or lin.chart is None:
            return x_ref
        if self._functions is not None:
            names, numbers = self._functions.names, self._functions(t)[0]
        else:
            result = self.reference(t)
            if isinstance(result, Mapping):
                table = by_name("lqr: the reference", "state", lin.states, result)
                names, numbers = tuple(table), np.array(list(table.values()), dtype=np.float64)
            else:
                size = [len(lin.states)]
                names = lin.states
                (numbers,) = called("lqr: the reference", lambda _: result, t, size)
        at = [lin.states.index(n) for n in names]
        x_ref[at] = numbers - lin.chart.origin[at]
        return x_ref

    @property
    def expressions(self) -> Vector:
        """The inputs as expressions in q, v, t and parameters; those passed as values are constants."""
        if callable(self.reference):
            raise EvaluationError(
                "lqr: a reference that is a Python function has no expressions; pass "
                "reference={state: expression in t}."
            )
        inputs = self._expressions(dict(zip(*self._reference_expressions(), strict=True)))
        return inputs.subs({symbol(n): x for n, x in self.lin.point.values.items()})

    @property
    def law(self) -> Expressions:
        """The inputs as expressions in q, v and the reference, for `eq.generate` and `eq.compile`.

        If the feedback follows a reference, its states at the time of the call are the argument x_ref,
        in the order of `lin.states`.
        """
        eom = self.lin.point.eom
        arguments = [Argument("q", eom.q), Argument("v", eom.v)]
        reference: dict[str, Expr] = {}
        if self.reference is not None:
            reference = {n: internal("reference", f"{n}_ref") for n in self.lin.states}
            arguments.append(Argument("x_ref", tuple(reference.values())))
        inputs = self._expressions(reference)
        return Expressions({"inputs": inputs}, tuple(arguments), named=False)

    def _expressions(self, reference: Mapping[str, Expr]) -> Vector:
        lin, point = self.lin, self.lin.point
        eom = point.eom
        assert lin.chart is not None  # it has an operating point
        # A quaternion and its negative are the same rotation: take the one nearer to the point.
        nearer: dict[int, Expr] = {}
        for columns in eom.robot.state_space.quaternions:
            cosine = Vector(point.q[columns].tolist()) @ Vector([eom.q[k] for k in columns])
            nearer |= dict.fromkeys(columns, sign(cosine))
        state, at = (*eom.q, *eom.v), np.concatenate([point.q, point.v])
        deviation = [
            nearer.get(k, ONE) * s - float(x)
            for k, (s, x) in enumerate(zip(state, at, strict=True))
        ]
        x_ref = [as_expr(0)] * len(lin.states)
        for name, e in reference.items():
            k = lin.states.index(name)
            x_ref[k] = e - float(lin.chart.origin[k])
        gains = self.K @ lin.chart.matrix
        return Vector(
            [
                float(u) - _sum(row, deviation) + _sum(gain, x_ref)
                for u, row, gain in zip(point.inputs, gains, self.K, strict=True)
            ],
            lin.inputs,
        )

    def _reference_expressions(self) -> tuple[Sequence[str], Sequence[Expr]]:
        functions = self._functions
        return ((), ()) if functions is None else (functions.names, functions.expressions[0])


def _sum(weights: Array, terms: Sequence[Expr]) -> Expr:
    total = as_expr(0)
    for w, e in zip(weights.tolist(), terms, strict=True):
        total = total + float(w) * e
    return total
