"""Joint actuator: conjugate to one speed, its power is τ·v. On a revolute joint this is a torque
about the axis with its reaction on the parent; on a prismatic joint a force along it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from ...errors import EquamoError, ModelError
from ...expr import ONE, ZERO, Expr, as_expr, symbol
from ...expr.differentiate import linear_coefficients
from ...wording import brief
from ..force import ForceElement, Geometry, Load, SpeedForce
from ..joint import coordinate_name, speed_name
from ..names import read_name, written


@final
@dataclass(frozen=True)
class JointActuator(ForceElement):
    """A torque or force along the speed of a joint."""

    speed: str
    input: str
    gear: Expr = ONE  # the force along the speed is gear times the input

    def loads(self, geometry: Geometry | None = None) -> tuple[Load, ...]:
        return (SpeedForce(self.speed, self.gear * symbol(self.input)),)

    def inputs(self) -> tuple[str, ...]:
        return (self.input,)


def joint_actuator(
    coordinate: str | Expr, input: str | Expr | None = None, name: str = "", gear: Any = 1
) -> JointActuator:
    """Drives the joint of a coordinate; unless said, its input is `tau1` for q1, `tau_x` for x.

    With a `gear` the input is the motor's torque, and the joint has gear times as much.

    >>> joint_actuator("theta1", "i", gear="K").loads()[0].force
    i*K
    """
    q = coordinate_name(coordinate, "joint_actuator")
    if input is None or (isinstance(input, str) and not input):
        chosen = f"tau{q[1:]}" if q.startswith("q") and len(q) > 1 else f"tau_{q}"
    else:
        chosen = _input_name(input, q, gear)
    return JointActuator(name or chosen, speed_name(q), chosen, as_expr(gear))


def _input_name(given: Any, coordinate: str, gear: Any) -> str:
    """The name of the input; a formula such as "K*i" is an input with a gear."""
    try:
        return read_name(given, "joint_actuator: the input")
    except ModelError:
        found = _scaled_input(given)
        if found is None:
            raise
    factor, name = found
    whole = str(as_expr(gear) * factor)
    call = f"joint_actuator({written(coordinate)!r}, {written(name)!r}, gear={whole!r})"
    raise ModelError(f"joint_actuator: the input must be a name, got the formula {brief(str(given))}; "
                     f"write {call}.")  # fmt: skip


def _scaled_input(given: Any) -> tuple[Expr, str] | None:
    """(c, x) of a formula c·x, x the last symbol in which it is linear; None if it is not such."""
    try:
        e = as_expr(given)
        text = str(e) if isinstance(given, Expr) else str(given)
        for x in sorted(e.symbols(), key=lambda s: text.rfind(s.name), reverse=True):
            [[factor]], [rest] = linear_coefficients([e], [x])
            if rest is ZERO:
                return factor, x.name
    except EquamoError:
        pass
    return None
