"""Joint actuator: conjugate to one speed, its power is τ·v. On a revolute joint this is a torque
about the axis with its reaction on the parent; on a prismatic joint a force along it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, final

from ...expr import ONE, Expr, as_expr, symbol
from ..force import ForceElement, Geometry, Load, SpeedForce
from ..joint import speed_name


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
    coordinate: str, input: str | None = None, name: str = "", gear: Any = 1
) -> JointActuator:
    """Drives the joint of a coordinate; unless said, its input is `tau1` for q1, `tau_x` for x.

    With a `gear` the input is the motor's torque, and the joint has gear times as much.
    """
    named_q = coordinate.startswith("q") and len(coordinate) > 1
    chosen = input or (f"tau{coordinate[1:]}" if named_q else f"tau_{coordinate}")
    return JointActuator(name or chosen, speed_name(coordinate), chosen, as_expr(gear))
