"""eq.computed_torque: inputs that make a fully actuated robot follow a motion.

The inverse dynamics of the wanted acceleration, corrected by what is missing in position and speed:

    (1) a = q̈_r + Kd (q̇_r − v) + Kp (q_r − q)
    (2) B · inputs = inverse dynamics(q, v, a)

so that the error e = q_r − q obeys ë + Kd ė + Kp e = 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Any, cast, final

import numpy as np

from ..equations.equations import EquationsOfMotion, expect_equations
from ..errors import EquamoError, EvaluationError, UnknownNameError
from ..expr.vector import Vector
from ..expr.walk import symbols as symbols_of
from ..jit.compiled import Compiled, compile
from ..wording import brief
from .functions_of_time import FunctionsOfTime, by_name, called
from .operating_point import Array, read_values

PLACE = "computed_torque"


@final
class ComputedTorque:
    """A controller for `eq.simulate(…, control=…)`; `expressions` for code that is compiled."""

    def __init__(
        self, eom: EquationsOfMotion, reference: Any, kp: Array, kd: Array, values: dict[str, float]
    ) -> None:
        self.eom, self.kp, self.kd, self.values = eom, kp, kd, values
        self.names = tuple(s.name for s in eom.q)
        self._motion = reference if callable(reference) else self._functions(reference)
        self._fast: Compiled = compile(eom)
        self._options: dict[str, Any] = {"values": values} if values else {}

    def _functions(self, given: Any) -> FunctionsOfTime:
        table = by_name(f"{PLACE}: the reference", "coordinate", self.names, given)
        missing = [n for n in self.names if n not in table]
        if missing:
            raise EvaluationError(
                f"{PLACE}: the reference has no motion of {', '.join(missing)}; a constant will do."
            )
        ordered = {n: table[n] for n in self.names}
        return FunctionsOfTime(self.eom, f"{PLACE}: the reference", ordered, 2, self.values)

    def reference(self, t: float) -> tuple[Array, Array, Array]:
        """(q, q̇, q̈) that are wanted at a time."""
        n = len(self.names)
        q, qd, qdd = called(f"{PLACE}: the reference", self._motion, t, [n, n, n])
        return q, qd, qdd

    def __repr__(self) -> str:
        return f"<computed torque of robot {self.eom.robot.name!r}>"

    def inputs(self, t: float, q: Any, v: Any) -> Array:
        """The inputs of the robot at a time and state."""
        q, v = np.asarray(q, dtype=np.float64), np.asarray(v, dtype=np.float64)
        wanted, speed, acceleration = self.reference(t)
        a = acceleration + self.kd @ (speed - v) + self.kp @ (wanted - q)  # (1)
        tau: Array = self._fast.inverse_dynamics(q, v, a, **self._options)
        return self._inverse(q) @ tau  # (2)

    def _inverse(self, q: Array) -> Array:
        """B⁺: the inverse, or with more inputs than coordinates what gives the smallest inputs."""
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
        motion = self._motion
        if not isinstance(motion, FunctionsOfTime) or self._varies:
            raise EvaluationError(
                f"{PLACE}: there are expressions where the reference is given by expressions in t and "
                f"the input matrix is constant."
            )
        wanted, speed, acceleration = motion.expressions
        eom = self.eom
        e = [a - b for a, b in zip(wanted, eom.q, strict=True)]
        e_dot = [a - b for a, b in zip(speed, eom.v, strict=True)]
        a = [
            x + Vector(kp.tolist()) @ Vector(e) + Vector(kd.tolist()) @ Vector(e_dot)
            for x, kp, kd in zip(acceleration, self.kp, self.kd, strict=True)
        ]
        tau = eom.inverse_dynamics.subs(dict(zip(eom.vdot, a, strict=True)))
        back = self._constant.round(12)
        return Vector([Vector(row.tolist()) @ tau for row in back], [s.name for s in eom.inputs])


def computed_torque(
    eom: EquationsOfMotion, reference: Any, kp: Any = 100, kd: Any = 20, values: Any = None
) -> ComputedTorque:
    """The controller that makes a fully actuated robot follow `reference`.

    `reference`: {coordinate: expression in t and parameters} or one for each coordinate, differentiated
    exactly; or a function of t that gives (q, q̇, q̈). `kp` [1/s²], `kd` [1/s]: a number, one for each
    coordinate, {coordinate: number} of all, or a matrix; kd = 2 √kp is critically damped.

    >>> from equamo.equations import derive
    >>> from equamo.robots import load
    >>> control = computed_torque(derive(load("rr_arm")), {"q1": "t**2", "q2": 0})
    >>> [x.round(3).tolist() for x in control.reference(1)]
    [[1.0, 0.0], [2.0, 0.0], [2.0, 0.0]]
    """
    expect_equations(eom, PLACE)
    if not eom.robot.has_unit_map:
        raise EquamoError(
            f"{PLACE}: robot {eom.robot.name!r} has coordinates whose rates are not its speeds "
            f"(a quaternion, or rolling); computed torque needs q̇ = v."
        )
    table = read_values(eom, PLACE, values)
    names = tuple(s.name for s in eom.q)
    _check_actuated(eom, table)
    return ComputedTorque(eom, reference, _gain("kp", names, kp), _gain("kd", names, kd), table)


def _check_actuated(eom: EquationsOfMotion, values: dict[str, float]) -> None:
    B: Array = eom.evaluate("input_matrix", values=values).reshape(len(eom.v), len(eom.inputs))
    if np.linalg.matrix_rank(B) == len(eom.v):
        return
    still = [s.name for s, row in zip(eom.v, B, strict=True) if not row.any()]
    named = f"nothing drives {', '.join(still)}" if still else "its inputs are not independent"
    raise EquamoError(
        f"{PLACE}: robot {eom.robot.name!r} is not fully actuated: {named}. eq.linearize and eq.lqr "
        f"go with such robots."
    )


def _gain(what: str, names: tuple[str, ...], given: Any) -> Array:
    n = len(names)
    if isinstance(given, Mapping):
        table = by_name(f"{PLACE}: {what}", "coordinate", names, cast(Mapping[Any, Any], given))
        missing = [x for x in names if x not in table]
        if missing:
            raise UnknownNameError(f"gain {what} of", missing[0], table, PLACE)
        given = [table[x] for x in names]
    try:
        array = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise EvaluationError(
            f"{PLACE}: {what} must be made of numbers, got {brief(given)}."
        ) from None
    if array.ndim < 2 and array.shape in ((), (n,)):
        return np.eye(n) * array
    if array.shape != (n, n):
        raise EvaluationError(
            f"{PLACE}: {what} is a number, ({n},), ({n}, {n}) or {{coordinate: number}} "
            f"({', '.join(names[:8])}), not of shape {array.shape}."
        )
    return array
