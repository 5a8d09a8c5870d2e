"""eq.computed_torque: inputs that make a fully actuated robot follow a reference.

The inverse dynamics of the reference acceleration, corrected by the errors of position and speed:

    (1) a = q̈_r + Kd (q̇_r − v) + Kp (q_r − q)
    (2) B · inputs = inverse dynamics(q, v, a)

so that the error e = q_r − q obeys ë + Kd ė + Kp e = 0. With loops or sticking contacts, the reference
is for as many coordinates as there are degrees of freedom; the other accelerations follow from the
constraints, whose forces take part in (2) (`loop_torques`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, Final, cast, final

import numpy as np

from ..equations.constrained import is_augmented
from ..equations.equations import EquationsOfMotion, expect_equations
from ..errors import EquamoError, EvaluationError
from ..expr import Expr, internal, symbol
from ..expr.vector import Vector
from ..expr.walk import symbols as symbols_of
from ..ir.expressions import Expressions
from ..ir.program import Argument
from ..jit.compiled import Compiled, compile
from ..wording import brief
from .functions_of_time import FunctionsOfTime, by_name, called
from .loop_torques import LoopTorques
from .operating_point import Array, read_values

PLACE = "computed_torque"
ILL_CONDITIONED: Final = 1e8  # largest condition number with which coordinates determine the others


@final
class ComputedTorque:
    """Controller for `eq.simulate(…, control=…)`.

    `expressions` has its inputs for compiled code, `law` the same with the reference as an argument.
    """

    eom: EquationsOfMotion  # equations of the robot
    kp: Array  # gains of position errors
    kd: Array  # gains of velocity errors
    values: dict[str, float]  # values of parameters, in place of defaults

    def __init__(
        self,
        eom: EquationsOfMotion,
        reference: Any,
        kp: Array,
        kd: Array,
        values: dict[str, float],
        loops: LoopTorques | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self.eom, self.kp, self.kd, self.values = eom, kp, kd, values
        every = [s.name for s in eom.q]
        self.names: tuple[str, ...] = tuple(every if names is None else names)
        self._loops, self._kept = loops, [every.index(n) for n in self.names]
        self._reference = reference if callable(reference) else self._functions(reference)
        self._fast: Compiled = compile(eom)
        self._options: dict[str, Any] = {"values": values} if values else {}

    def _functions(self, reference: Any) -> FunctionsOfTime:
        table = by_name(f"{PLACE}: the reference", "coordinate", self.names, reference)
        missing = [n for n in self.names if n not in table]
        if missing:
            raise EvaluationError(
                f"{PLACE}: the reference must have an entry for each coordinate; missing: "
                f"{', '.join(missing)}. A constant is enough."
            )
        ordered = {n: table[n] for n in self.names}
        return FunctionsOfTime(self.eom, f"{PLACE}: the reference", ordered, 2, self.values)

    def reference(self, t: float) -> tuple[Array, Array, Array]:
        """Reference coordinates, rates and accelerations (q, q̇, q̈) at time t."""
        n = len(self.names)
        q, qd, qdd = called(f"{PLACE}: the reference", self._reference, t, [n, n, n])
        return q, qd, qdd

    def __repr__(self) -> str:
        return f"<computed torque of robot {self.eom.robot.name!r}>"

    def inputs(self, t: float, q: Any, v: Any) -> Array:
        """Inputs of the robot at time t and state (q, v)."""
        q, v = np.asarray(q, dtype=np.float64), np.asarray(v, dtype=np.float64)
        q_r, qd_r, qdd_r = self.reference(t)
        kept = self._kept
        a = qdd_r + self.kd @ (qd_r - v[kept]) + self.kp @ (q_r - q[kept])  # (1)
        if self._loops is not None:
            a = self._loops.accelerations(q, v, kept, a)
            force: Array = self._fast.inverse_dynamics(q, v, a, **self._options)
            return self._loops.inputs(q, force)
        tau: Array = self._fast.inverse_dynamics(q, v, a, **self._options)
        return self._inverse(q) @ tau  # (2)

    def _inverse(self, q: Array) -> Array:
        """B⁺: the inverse; with more inputs than coordinates, the smallest inputs solve (2)."""
        if not self._varies:
            return self._constant
        B: Array = self._fast.input_matrix(q, **self._options)
        return np.linalg.pinv(B)

    @cached_property
    def _varies(self) -> bool:
        return bool(set(symbols_of(self.eom.input_matrix.entries)) & set(self.eom.q))

    @cached_property
    def _constant(self) -> Array:
        B: Array = self.eom.evaluate("input_matrix", values=self.values)
        return np.linalg.pinv(B)

    @property
    def expressions(self) -> Vector:
        """The inputs as expressions in q, v, t and parameters."""
        reference = self._reference
        if not isinstance(reference, FunctionsOfTime):
            raise EvaluationError(
                f"{PLACE}: a reference that is a Python function has no expressions; pass "
                f"reference={{coordinate: expression in t}}."
            )
        return self._expressions(*reference.expressions)

    @property
    def law(self) -> Expressions:
        """The inputs as expressions in q, v and the reference, which the caller passes.

        The arguments are q, v, q_ref, v_ref and a_ref, then parameters:
        `eq.generate(eom, functions={"control": controller})` writes it as source code,
        `eq.compile(eom, functions={"control": controller})` compiles it. Parameters that were passed as
        `values` are constants in it.
        """
        eom = self.eom
        arguments = [
            Argument(f"{x}_ref", tuple(internal("reference", f"{x}_{n}_ref") for n in self.names))
            for x in ("q", "v", "a")
        ]
        inputs = self._expressions(*(a.symbols for a in arguments))
        values = {symbol(n): x for n, x in self.values.items()}
        states = (Argument("q", eom.q), Argument("v", eom.v))
        return Expressions({"inputs": inputs.subs(values)}, (*states, *arguments), named=False)

    def _expressions(
        self, q_r: Sequence[Expr], qd_r: Sequence[Expr], qdd_r: Sequence[Expr]
    ) -> Vector:
        if self._loops is not None:
            raise EvaluationError(
                f"{PLACE}: the robot must have no loops or sticking contacts for a controller with "
                f"expressions, got robot {self.eom.robot.name!r}; use .inputs(t, q, v)."
            )
        if self._varies:
            raise EvaluationError(
                f"{PLACE}: the controller has expressions only if the input matrix is constant; that of "
                f"robot {self.eom.robot.name!r} depends on its coordinates. Use .inputs(t, q, v)."
            )
        eom = self.eom
        e = [a - b for a, b in zip(q_r, eom.q, strict=True)]
        e_dot = [a - b for a, b in zip(qd_r, eom.v, strict=True)]
        a = [  # (1)
            x + Vector(kp.tolist()) @ Vector(e) + Vector(kd.tolist()) @ Vector(e_dot)
            for x, kp, kd in zip(qdd_r, self.kp, self.kd, strict=True)
        ]
        tau = eom.inverse_dynamics.subs(dict(zip(eom.vdot, a, strict=True)))
        B_inverse = self._constant.round(12)
        inputs = [Vector(row.tolist()) @ tau for row in B_inverse]  # (2)
        return Vector(inputs, [s.name for s in eom.inputs])


def computed_torque(
    eom: EquationsOfMotion, reference: Any, kp: Any = 100, kd: Any = 20, values: Any = None
) -> ComputedTorque:
    """Computed-torque controller that makes a fully actuated robot follow `reference`.

    Args:
        eom: Equations of motion, with q̇ = v and as many independent inputs as speeds.
        reference: {coordinate: expression in t and parameters}, or one expression per coordinate, which
            are differentiated exactly; or a function of t that returns (q, q̇, q̈). With loops or
            sticking contacts, {coordinate: expression} for as many as there are degrees of freedom.
        kp: Position gain [1/s²]: a number, one per coordinate, {coordinate: number} or a matrix.
        kd: Speed gain [1/s], in the same forms; kd = 2 √kp is critically damped.
        values: {parameter: number} for parameters that differ from the robot's defaults.

    Returns:
        A controller for `eq.simulate(…, control=…)`.

    Raises:
        EquamoError: The robot is not fully actuated, or its rates are not its speeds.
        EvaluationError: The reference or a gain is incomplete or has the wrong shape.
        UnknownNameError: The reference or a gain names an unknown coordinate.

    >>> from equamo.equations import derive
    >>> from equamo.robots import load
    >>> control = computed_torque(derive(load("rr_arm")), {"q1": "t**2", "q2": 0})
    >>> [x.round(3).tolist() for x in control.reference(1)]
    [[1.0, 0.0], [2.0, 0.0], [2.0, 0.0]]
    """
    expect_equations(eom, PLACE)
    if not eom.robot.has_unit_map:
        advice = "eom.augmented()" if eom.robot.loops else "eq.linearize and eq.lqr"
        raise EquamoError(
            f"{PLACE} needs a robot with q̇ = v; robot {eom.robot.name!r} has a quaternion, chosen "
            f"speeds or rolling constraints. Use {advice}."
        )
    table = read_values(eom, PLACE, values)
    names = tuple(s.name for s in eom.q)
    if is_augmented(eom.robot):
        loops = LoopTorques(PLACE, eom, list(range(len(eom.inputs))), table)
        names = _independent(loops, reference)
        gains = _gain("kp", names, kp), _gain("kd", names, kd)
        return ComputedTorque(eom, reference, *gains, table, loops, names)
    _check_actuated(eom, table)
    return ComputedTorque(eom, reference, _gain("kp", names, kp), _gain("kd", names, kd), table)


def _independent(loops: LoopTorques, reference: Any) -> tuple[str, ...]:
    """Reference coordinates of a robot with loops; they must determine the others."""
    eom, count = loops.eom, loops.freedom()
    every = tuple(s.name for s in eom.q)
    if not isinstance(reference, Mapping):
        raise EvaluationError(
            f"{PLACE}: the reference of robot {eom.robot.name!r} with loops or sticking contacts must "
            f"be {{coordinate: expression in t}} for {count} of its coordinates, got {brief(reference)}."
        )
    table = by_name(
        f"{PLACE}: the reference", "coordinate", every, cast(Mapping[Any, Any], reference)
    )
    names = tuple(n for n in every if n in table)
    S = np.eye(len(every))[[every.index(n) for n in names]]
    rows, columns = loops.sizes
    left = np.vstack([loops.matrix(loops.home) / rows[:, None] * columns, S])
    if len(names) != count or np.linalg.cond(left) > ILL_CONDITIONED:
        raise EvaluationError(
            f"{PLACE}: the reference must have {count} independent coordinates, as many as robot "
            f"{eom.robot.name!r} has degrees of freedom, got {', '.join(names) or 'none'}."
        )
    return names


def _check_actuated(eom: EquationsOfMotion, values: dict[str, float]) -> None:
    B: Array = eom.evaluate("input_matrix", values=values).reshape(len(eom.v), len(eom.inputs))
    if np.linalg.matrix_rank(B) == len(eom.v):
        return
    passive = [s.name for s, row in zip(eom.v, B, strict=True) if not row.any()]
    reason = (
        f"no input drives {', '.join(passive)}" if passive else "the inputs are not independent"
    )
    raise EquamoError(
        f"{PLACE}: the robot must be fully actuated, but in robot {eom.robot.name!r} {reason}. "
        f"Use eq.linearize and eq.lqr."
    )


def _gain(what: str, names: tuple[str, ...], gain: Any) -> Array:
    """Gain matrix from a number, a diagonal, a matrix or {coordinate: number}."""
    n = len(names)
    if isinstance(gain, Mapping):
        table = by_name(f"{PLACE}: {what}", "coordinate", names, cast(Mapping[Any, Any], gain))
        missing = [x for x in names if x not in table]
        if missing:
            raise EvaluationError(
                f"{PLACE}: {what} must have an entry for each coordinate; missing: "
                f"{', '.join(missing)}."
            )
        gain = [table[x] for x in names]
    try:
        array = np.asarray(gain, dtype=np.float64)
    except (TypeError, ValueError):
        raise EvaluationError(
            f"{PLACE}: {what} must contain only numbers, got {brief(gain)}."
        ) from None
    if array.ndim < 2 and array.shape in ((), (n,)):
        return np.eye(n) * array
    if array.shape != (n, n):
        raise EvaluationError(
            f"{PLACE}: {what} must be a number, an array of shape ({n},) or ({n}, {n}), or "
            f"{{coordinate: number}} ({', '.join(names[:8])}), got shape {array.shape}."
        )
    return array
