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
from typing import Any, Final, cast, final

import numpy as np

from ...algebra.expr import ONE, ZERO, Expr, internal
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...basics.arguments import expect_function
from ...basics.wording import brief
from ...code.ir.expressions import Expressions
from ...code.ir.program import Argument
from ...code.jit.compiled import Compiled, compile
from ...errors import EquamoError, EvaluationError
from ...mechanics.equations.constrained import is_augmented
from ...mechanics.equations.equations import EquationsOfMotion, expect_equations
from ...mechanics.equations.mobility import independent_rows
from ...robot.model import Robot
from .functions_of_time import FunctionsOfTime, by_name, called
from .gains import Gains
from .input_map import InputMap, block, reached, without_loads
from .loop_torques import LoopTorques
from .operating_point import Array, read_clock, read_now

PLACE = "computed_torque"
ILL_CONDITIONED: Final = 1e8  # largest condition number with which coordinates determine the others


@final
class ComputedTorque:
    """Controller for `eq.simulate(…, control=…)`.

    `expressions` has its inputs for compiled code, `law` the same with the reference as an argument.
    """

    eom: EquationsOfMotion  # equations of the robot
    kp: Array | Matrix  # gains of position errors; expressions if a symbol in them has no value
    kd: Array | Matrix  # gains of velocity errors
    values: dict[str, float]  # values of parameters and gains, in place of defaults

    def __init__(
        self,
        eom: EquationsOfMotion,
        reference: Any,
        gains: Gains,
        loops: LoopTorques | None = None,
        names: Sequence[str] | None = None,
    ) -> None:
        self.eom, self.values = eom, gains.values
        self.kp, self.kd = gains.shown("kp"), gains.shown("kd")
        every = [s.name for s in eom.q]
        self.names: tuple[str, ...] = tuple(every if names is None else names)
        self._gains = gains
        self._loops, self._kept = loops, [every.index(n) for n in self.names]
        pairs = _rates(eom.robot)
        self._speeds = [pairs[n] for n in self.names]
        parameters = gains.of_robot
        self._fast: Compiled = compile(eom)
        self._options: dict[str, Any] = {"values": parameters} if parameters else {}
        rows, used = range(len(eom.v)), range(len(eom.inputs))
        self._map = InputMap(PLACE, eom, rows, used, parameters)
        if callable(reference) and not isinstance(reference, Expr):
            expect_function(f"{PLACE}: the reference", reference, "t")
            self._reference = reference
        else:
            self._reference = self._functions(reference, parameters)

    def _functions(self, reference: Any, values: dict[str, float]) -> FunctionsOfTime:
        table = by_name(f"{PLACE}: the reference", "coordinate", self.names, reference)
        missing = [n for n in self.names if n not in table]
        if missing:
            raise EvaluationError(
                f"{PLACE}: the reference must have an entry for each coordinate; missing: "
                f"{', '.join(missing)}. A constant is enough."
            )
        ordered = {n: table[n] for n in self.names}
        return FunctionsOfTime(self.eom, f"{PLACE}: the reference", ordered, 2, values)

    def reference(self, t: float) -> tuple[Array, Array, Array]:
        """Reference coordinates, rates and accelerations (q, q̇, q̈) at time t."""
        n = len(self.names)
        t = read_clock(PLACE, t)
        q, qd, qdd = called(f"{PLACE}: the reference", self._reference, t, [n, n, n])
        return q, qd, qdd

    def __repr__(self) -> str:
        return f"<computed torque of robot {self.eom.robot.name!r}>"

    def inputs(self, t: float, q: Any, v: Any) -> Array:
        """Inputs of the robot at time t and state (q, v).

        Raises:
            EvaluationError: A gain has no value, or no inputs have the effect at q.
        """
        space = self.eom.robot.state_space
        q, v = read_now(PLACE, space.q, q), read_now(PLACE, space.v, v)
        q_r, qd_r, qdd_r = self.reference(t)
        kp, kd = (
            self._gains.numbers(n) if isinstance(K, Matrix) else K
            for n, K in (("kp", self.kp), ("kd", self.kd))
        )
        kept = self._kept
        a = qdd_r + kd @ (qd_r - v[self._speeds]) + kp @ (q_r - q[kept])  # (1)
        if self._loops is not None:
            a = self._loops.accelerations(q, v, self._speeds, a)
            force: Array = self._fast.inverse_dynamics(q, v, a, **self._options)
            return self._loops.inputs(q, force)
        tau: Array = self._fast.inverse_dynamics(q, v, a, **self._options)
        return self._map.inputs(q, tau)  # (2)

    @property
    def expressions(self) -> Vector:
        """The inputs as expressions in q, v, t, parameters and gains without a value.

        Parameters and gains that were passed as `values` are constants in them. External loads are
        unknown to the controller, as in `inputs`.
        """
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

        The arguments are q, v, q_ref, v_ref and a_ref, then gains without a value, then parameters:
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
        states = (Argument("q", eom.q), Argument("v", eom.v))
        every = (*states, *arguments, *self._gains.arguments)
        return Expressions({"inputs": inputs}, every, named=False)

    def _expressions(
        self, q_r: Sequence[Expr], qd_r: Sequence[Expr], qdd_r: Sequence[Expr]
    ) -> Vector:
        if self._loops is not None:
            raise EvaluationError(
                f"{PLACE}: the robot must have no loops or sticking contacts for a controller with "
                f"expressions, got robot {self.eom.robot.name!r}; use .inputs(t, q, v)."
            )
        eom = self.eom
        e = Vector([a - b for a, b in zip(q_r, eom.q, strict=True)])
        e_dot = Vector([a - b for a, b in zip(qd_r, eom.v, strict=True)])
        gains = (self._gains.matrices[n].rows for n in ("kp", "kd"))
        a = [  # (1)
            x + Vector(kp) @ e + Vector(kd) @ e_dot for x, kp, kd in zip(qdd_r, *gains, strict=True)
        ]
        tau = eom.inverse_dynamics.subs(dict(zip(eom.vdot, a, strict=True)))
        return without_loads(eom, self._map.expressions(tau), self.values)  # (2)


def computed_torque(
    eom: EquationsOfMotion, reference: Any, kp: Any = 100, kd: Any = 20, values: Any = None
) -> ComputedTorque:
    """Computed-torque controller that makes a fully actuated robot follow `reference`.

    Args:
        eom: Equations of motion, with q̇ = v and as many independent inputs as speeds.
        reference: {coordinate: expression in t and parameters}, or one expression per coordinate, which
            are differentiated exactly; or a function of t that returns (q, q̇, q̈). With loops or
            sticking contacts, {coordinate: expression} for as many as there are degrees of freedom.
        kp: Position gain [1/s²]: a number, one per coordinate, {coordinate: number} or a matrix. In
            place of a number also a symbol or an expression in symbols and parameters, such as "kp".
        kd: Speed gain [1/s], in the same forms; kd = 2 √kp is critically damped.
        values: {parameter: number} for parameters that differ from the robot's defaults, and
            {gain: number} for symbols in gains; without a value, they are arguments of the law.

    Returns:
        A controller for `eq.simulate(…, control=…)`.

    Raises:
        EquamoError: The robot is not fully actuated, or its rates are not its speeds.
        EvaluationError: The reference or a gain is incomplete or has the wrong shape.
        UnknownNameError: The reference or a gain names an unknown coordinate.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> control = computed_torque(derive(load("rr_arm")), {"q1": "t**2", "q2": 0})
    >>> [x.round(3).tolist() for x in control.reference(1)]
    [[1.0, 0.0], [2.0, 0.0], [2.0, 0.0]]
    """
    expect_equations(eom, PLACE)
    if not (is_augmented(eom.robot) or eom.robot.has_unit_map):
        advice = "eom.augmented()" if eom.robot.loops else "eq.linearize and eq.lqr"
        raise EquamoError(
            f"{PLACE} needs a robot with q̇ = v; robot {eom.robot.name!r} has a quaternion, chosen "
            f"speeds or rolling constraints. Use {advice}."
        )
    looped = is_augmented(eom.robot)
    names = _named(eom, reference) if looped else tuple(s.name for s in eom.q)
    gains = Gains(PLACE, eom, names, {"kp": kp, "kd": kd}, values)
    if looped:
        loops = LoopTorques(PLACE, eom, list(range(len(eom.inputs))), gains.of_robot)
        _check_independent(loops, names)
        return ComputedTorque(eom, reference, gains, loops, names)
    _check_actuated(eom, gains.of_robot)
    return ComputedTorque(eom, reference, gains)


def _named(eom: EquationsOfMotion, reference: Any) -> tuple[str, ...]:
    """Coordinates in the reference of a robot with loops."""
    if not isinstance(reference, Mapping):
        count = len(eom.v) - len(independent_rows(eom.robot))
        raise EvaluationError(
            f"{PLACE}: the reference of robot {eom.robot.name!r} with loops or sticking contacts must "
            f"be {{coordinate: expression in t}} for {count} of its coordinates, got {brief(reference)}."
        )
    every, rates = [s.name for s in eom.q], _rates(eom.robot)
    table = by_name(
        f"{PLACE}: the reference", "coordinate", every, cast(Mapping[Any, Any], reference)
    )
    for n in table:
        if n not in rates:
            raise EvaluationError(
                f"{PLACE}: the rate of {n!r} must be a speed of robot {eom.robot.name!r} for a "
                f"reference, but it depends on other coordinates; use {', '.join(list(rates)[:8])}."
            )
    return tuple(n for n in every if n in table)


def _check_independent(loops: LoopTorques, names: Sequence[str]) -> None:
    """Check that the reference coordinates of a robot with loops determine the others."""
    eom, count, pairs = loops.eom, loops.freedom(), _rates(loops.eom.robot)
    S = np.eye(len(eom.v))[[pairs[n] for n in names]]
    rows, columns = loops.sizes
    left = np.vstack([loops.matrix(loops.home) / rows[:, None] * columns, S])
    if len(names) != count or np.linalg.cond(left) > ILL_CONDITIONED:
        raise EvaluationError(
            f"{PLACE}: the reference must have {count} independent coordinates, as many as robot "
            f"{eom.robot.name!r} has degrees of freedom, got {', '.join(names) or 'none'}."
        )


def _rates(robot: Robot) -> dict[str, int]:
    """Position of the speed that is the rate of a coordinate, by name; a quaternion has none."""
    rows = zip(robot.q, robot.kinematic_map.rows, strict=True)
    found: dict[str, int] = {}
    for s, row in rows:
        places = [j for j, x in enumerate(row) if x is not ZERO]
        if len(places) == 1 and row[places[0]] is ONE:
            found[s.name] = places[0]
    return found


def _check_actuated(eom: EquationsOfMotion, values: Mapping[str, float]) -> None:
    B = block(eom, range(len(eom.v)), range(len(eom.inputs)))
    if reached(eom, B, values) == len(eom.v):
        return
    passive = [
        s.name for s, row in zip(eom.v, B.rows, strict=True) if not any(x is not ZERO for x in row)
    ]
    reason = (
        f"no input drives {', '.join(passive)}" if passive else "the inputs are not independent"
    )
    raise EquamoError(
        f"{PLACE}: the robot must be fully actuated, but in robot {eom.robot.name!r} {reason}. "
        f"Use eq.linearize and eq.lqr."
    )
