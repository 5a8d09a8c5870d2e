"""Joint limits along a motion: which are exceeded, by how much, from when on; and a stop at the first.

Limits are data of the robot, no forces: a motion goes on beyond them. Those of coordinates and speeds
can end a run; those of effort (force or torque of the joint actuators) are reported.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from ..equations.equations import EquationsOfMotion
from ..errors import EvaluationError
from ..expr import ZERO, Expr
from ..expr.functions import ABS, apply
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..model.forces.joint_actuator import JointActuator
from ..model.joint import speed_name
from .columns import columns
from .events import Event, Watched, watch

Floats = NDArray[np.float64]

TOLERANCE: Final = 1e-9  # of the limit, or of 1: so little beyond it is rounding
_VERBS: Final = {"lower": "below", "upper": "above", "speed": "above", "effort": "above"}


@final
@dataclass(frozen=True)
class LimitViolation:
    """A limit of a joint that a motion exceeds."""

    coordinate: str
    kind: str  # "lower", "upper", "speed" or "effort"
    limit: float  # [rad], [m] or their rates, [N m] or [N]
    worst: float  # the value that is farthest beyond it; of speed and effort without its sign
    first: float  # time of the first sample beyond it [s]

    def __str__(self) -> str:
        what = {"lower": "", "upper": ""}.get(self.kind, f"{self.kind} of ")
        return (
            f"{what}{self.coordinate} comes to {self.worst:.6g}, {_VERBS[self.kind]} its limit "
            f"{self.limit:.6g}, first at t = {self.first:.6g} s"
        )


@final
@dataclass(frozen=True)
class _Bound:
    """value ≥ limit of a lower one, value ≤ limit of an upper one, |value| ≤ limit of the others."""

    coordinate: str
    kind: str
    value: Expr  # in the coordinates, speeds and inputs of the equations
    limit: Expr

    @property
    def side(self) -> int:
        return -1 if self.kind == "lower" else 1

    @property
    def of_magnitude(self) -> bool:
        return self.kind in ("speed", "effort")

    def columns(self, known: Mapping[Expr, Any], count: int) -> tuple[Floats, Floats]:
        """(value, limit), (T,) each."""
        value, limit = columns([self.value, self.limit], known, count).T
        return np.abs(value) if self.of_magnitude else value, limit


def _bounds(eom: EquationsOfMotion) -> Iterator[_Bound]:
    robot = eom.robot
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
                yield _Bound(name, kind, inserted, limit)


def limit_violations(
    eom: EquationsOfMotion, t: Floats, known: Mapping[Expr, Any]
) -> tuple[LimitViolation, ...]:
    """Limits that are exceeded at the samples, in the order of the robot's limits."""
    found: list[LimitViolation] = []
    for bound in _bounds(eom):
        value, limit = bound.columns(known, len(t))
        excess = bound.side * (value - limit)
        beyond = np.flatnonzero(excess > TOLERANCE * np.maximum(1, np.abs(limit)))
        if len(beyond):
            k = int(np.argmax(excess))
            numbers = (float(limit[k]), float(value[k]), float(t[beyond[0]]))
            found.append(LimitViolation(bound.coordinate, bound.kind, *numbers))
    return tuple(found)


# -- the end of a run ----------------------------------------------------------------------------------
def limit_events(eom: EquationsOfMotion, parameters: Floats, initial: Floats) -> list[Watched]:
    """Events that end a run at a limit of a coordinate or speed; an error if it starts beyond one."""
    numbers = dict(zip(eom.parameters, parameters.tolist(), strict=True))
    places = {s: k for k, s in enumerate((*eom.q, *eom.v))}
    start = numbers | {s: initial[k : k + 1] for s, k in places.items()}
    found: list[Watched] = []
    for bound in _bounds(eom):
        if bound.kind == "effort":
            continue
        name = f"{bound.kind} limit of {bound.coordinate}"
        value, limit = (float(x[0]) for x in bound.columns(start, 1))
        if not np.isfinite(limit):
            raise EvaluationError(
                f'simulate with limits="stop": the {name} must be a finite number, got {limit}; '
                f"give its parameters with values={{…}}."
            )
        room = TOLERANCE / 2 * max(1, abs(limit))  # half: where it stops is not reported as beyond
        if bound.side * (value - limit) > room:
            raise EvaluationError(
                f'simulate with limits="stop": {bound.coordinate} must start within its limits, got '
                f"{value:.6g}, {_VERBS[bound.kind]} the {name}, {limit:.6g}; start inside, or use "
                f'limits="report".'
            )
        edge = limit + bound.side * room  # a run may begin on the limit, and leave it inwards
        found.append(_watched(eom, parameters, name, bound, edge))
    return found


def _watched(
    eom: EquationsOfMotion, parameters: Floats, name: str, bound: _Bound, edge: float
) -> Watched:
    places = {s: k for k, s in enumerate((*eom.q, *eom.v))}
    at = places.get(bound.value)
    if at is None:  # a coordinate or speed that follows from others
        value = apply(ABS, bound.value) if bound.of_magnitude else bound.value
        return watch(eom, parameters, {name: Event(bound.side * (value - edge), True, 1)})[0]

    def beyond(t: float, q: Floats, v: Floats) -> float:  # no code has to be compiled for it
        x = float(q[at] if at < len(q) else v[at - len(q)])
        return bound.side * ((abs(x) if bound.of_magnitude else x) - edge)

    return Watched(name, Event(beyond, True, 1), beyond)
