"""Joint limits along a motion: violations, and events that end a run at a limit.

Limits are data of the robot, not forces: a motion continues beyond them. Limits of coordinates and
speeds can end a run; limits of effort (force or torque of the joint actuators) are only reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.functions import ABS, apply
from ...errors import EvaluationError
from ...mechanics.equations.characteristic_sizes import CharacteristicSizes
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ...robot.model.forces.joint_actuator import JointActuator
from ...robot.model.joint import speed_name
from .columns import columns
from .events import Event, Watched, watch

Floats = NDArray[np.float64]

TOLERANCE: Final = 1e-9  # fraction of the limit that counts as rounding error; see `_Bound.size`
_VERBS: Final = {"lower": "below", "upper": "above", "speed": "above", "effort": "above"}


@final
@dataclass(frozen=True)
class LimitViolation:
    """Joint limit that a motion exceeds."""

    coordinate: str  # coordinate whose limit it is
    kind: str  # "lower", "upper", "speed" or "effort"
    limit: float  # [rad], [m] or their rates, [N m] or [N]
    worst: float  # the value farthest beyond the limit; for speed and effort its magnitude
    first: float  # time of the first sample beyond it [s]

    def __str__(self) -> str:
        what = {"lower": "", "upper": ""}.get(self.kind, f"{self.kind} of ")
        return (
            f"{what}{self.coordinate} reaches {self.worst:.6g}, {_VERBS[self.kind]} its limit "
            f"{self.limit:.6g}, first at t = {self.first:.6g} s"
        )


@final
@dataclass(frozen=True)
class _Bound:
    """Bound on a value: value ≥ limit (lower), value ≤ limit (upper), |value| ≤ limit (others)."""

    coordinate: str
    kind: str
    value: Expr  # in the coordinates, speeds and inputs of the equations
    limit: Expr
    size: float  # of the coordinate, for a limit of a coordinate at 0

    @property
    def side(self) -> int:
        return -1 if self.kind == "lower" else 1

    @property
    def of_magnitude(self) -> bool:
        return self.kind in ("speed", "effort")

    def margin(self, limit: Any) -> Any:
        """Excess that counts as rounding error."""
        least = self.size if self.kind in ("lower", "upper") else 0.0
        return TOLERANCE * np.maximum(least, np.abs(limit))

    def columns(self, known: Mapping[Expr, Any], count: int) -> tuple[Floats, Floats]:
        """(value, limit), each (T,)."""
        value, limit = columns([self.value, self.limit], known, count).T
        return np.abs(value) if self.of_magnitude else value, limit


def _bounds(eom: EquationsOfMotion, numbers: Mapping[str, float]) -> Iterator[_Bound]:
    robot = eom.robot
    sizes = CharacteristicSizes(robot, numbers)
    size = dict(zip((s.name for s in eom.q), sizes.q, strict=True))
    inputs = {s.name: s for s in eom.inputs}
    joint = {s.name: s for s in (*robot.joint_coordinates, *robot.joint_speeds)}
    efforts: dict[str, Expr] = {}
    for force in robot.forces:
        if isinstance(force, JointActuator):
            along = efforts.get(force.speed, ZERO)
            efforts[force.speed] = along + force.gear * inputs[force.input]
    for name, limits in robot.limits.items():
        speed = speed_name(name)
        values = {"lower": joint[name], "upper": joint[name]}
        if speed in joint:
            values |= {"speed": joint[speed], "effort": efforts.get(speed, ZERO)}
        for kind, value in values.items():
            limit: Expr | None = getattr(limits, kind)
            if limit is not None:
                (inserted,) = ChosenSpeeds(robot).insert([value])
                yield _Bound(name, kind, inserted, limit, float(size.get(name, 1.0)))


def limit_violations(
    eom: EquationsOfMotion, t: Floats, known: Mapping[Expr, Any]
) -> tuple[LimitViolation, ...]:
    """Limits exceeded at the samples, in the order of the robot's limits."""
    violations: list[LimitViolation] = []
    numbers = {s.name: float(x) for s, x in known.items() if s in eom.parameters and np.isfinite(x)}
    for bound in _bounds(eom, numbers):
        value, limit = bound.columns(known, len(t))
        excess = bound.side * (value - limit)
        beyond = np.flatnonzero(excess > bound.margin(limit))
        if len(beyond):
            k = int(np.argmax(excess))
            at = (float(limit[k]), float(value[k]), float(t[beyond[0]]))
            violations.append(LimitViolation(bound.coordinate, bound.kind, *at))
    return tuple(violations)


# -- the end of a run ----------------------------------------------------------------------------------
def limit_events(eom: EquationsOfMotion, parameters: Floats, initial: Floats) -> list[Watched]:
    """Events that end a run at a limit of a coordinate or speed; an error if it starts beyond."""
    numbers = dict(zip(eom.parameters, parameters.tolist(), strict=True))
    places = {s: k for k, s in enumerate((*eom.q, *eom.v))}
    start = numbers | {s: initial[k : k + 1] for s, k in places.items()}
    events: list[Watched] = []
    given = {s.name: float(x) for s, x in numbers.items() if np.isfinite(x)}
    for bound in _bounds(eom, given):
        if bound.kind == "effort":
            continue
        name = f"{bound.kind} limit of {bound.coordinate}"
        value, limit = (float(x[0]) for x in bound.columns(start, 1))
        if not np.isfinite(limit):
            raise EvaluationError(
                f'simulate with limits="stop": the {name} must be a finite number, got {limit}; '
                f"pass its parameters in values={{…}}."
            )
        margin = float(bound.margin(limit)) / 2  # half, so that the stop itself is no violation
        if bound.side * (value - limit) > margin:
            raise EvaluationError(
                f'simulate with limits="stop": {bound.coordinate} must start within its limits, got '
                f"{value:.6g}, {_VERBS[bound.kind]} the {name}, {limit:.6g}; start inside, or use "
                f'limits="report".'
            )
        edge = limit + bound.side * margin  # a run may start on the limit and move inwards
        events.append(_watched(eom, parameters, name, bound, edge))
    return events


def _watched(
    eom: EquationsOfMotion, parameters: Floats, name: str, bound: _Bound, edge: float
) -> Watched:
    places = {s: k for k, s in enumerate((*eom.q, *eom.v))}
    at = places.get(bound.value)
    if at is None:  # a dependent coordinate or speed
        value = apply(ABS, bound.value) if bound.of_magnitude else bound.value
        return watch(eom, parameters, {name: Event(bound.side * (value - edge), True, 1)})[0]

    def beyond(t: float, q: Floats, v: Floats) -> float:  # in Python, to avoid a compilation
        x = float(q[at] if at < len(q) else v[at - len(q)])
        return bound.side * ((abs(x) if bound.of_magnitude else x) - edge)

    return Watched(name, Event(beyond, True, 1), beyond)
