"""Joint actuator: an input conjugate to one joint speed, with the power τ·v.

On a revolute joint it is a torque about the axis with its reaction on the parent, on a prismatic joint a
force along the axis.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, final

from ....algebra.expr import ONE, ZERO, Expr, as_expr, symbol
from ....algebra.identity.linearity import linear_coefficients
from ....basics.arguments import text_or
from ....basics.wording import brief
from ....errors import EquamoError, ModelError
from ..force import ForceElement, Geometry, Load, SpeedForce
from ..joint import coordinate_name, speed_name
from ..names import read_name, written


@final
@dataclass(frozen=True)
class JointActuator(ForceElement):
    """Torque or force along a joint speed."""

    speed: str
    input: str
    gear: Expr = ONE  # force along the speed per input

    def loads(self, geometry: Geometry | None = None) -> tuple[Load, ...]:
        return (SpeedForce(self.speed, self.gear * symbol(self.input)),)

    def inputs(self) -> tuple[str, ...]:
        return (self.input,)


def joint_actuator(
    coordinate: str | Expr, input: str | Expr | None = None, name: str = "", gear: Any = 1
) -> JointActuator:
    """Make an actuator of the joint of a coordinate.

    Args:
        coordinate: Name of the coordinate.
        input: Name of the torque [N m] or force [N]; by default `tau1` for q1, `tau_x` for x.
        name: Name of the element; by default the input.
        gear: Torque at the joint per input.

    Returns:
        The force element.

    Raises:
        ModelError: The coordinate or the input is not a name.

    >>> joint_actuator("theta1", "i", gear="K").loads()[0].force
    i*K
    """
    q = coordinate_name(coordinate, "joint_actuator")
    if input is None or (isinstance(input, str) and not input):
        chosen = _default_input(q)
    else:
        chosen = _input_name(input, q, gear)
    return JointActuator(text_or(name, chosen), speed_name(q), chosen, as_expr(gear))


def joint_actuators(coordinates: Iterable[str | Expr]) -> list[JointActuator]:
    """Actuators of the joints of several coordinates, with different inputs.

    >>> [a.input for a in joint_actuators(["q1", "x", "q_x"])]
    ['tau1', 'tau_x', 'tau_q_x']
    """
    names = [coordinate_name(q, "joint_actuator") for q in coordinates]
    inputs = [_default_input(q) for q in names]
    while len(set(inputs)) < len(set(names)):  # tau_x of x and of q_x: the latter is tau_q_x
        shared = {x for x in inputs if inputs.count(x) > 1}
        inputs = [f"tau_{q}" if x in shared else x for q, x in zip(names, inputs, strict=True)]
    pairs = zip(names, inputs, strict=True)
    return [joint_actuator(symbol(q), input=symbol(x)) for q, x in pairs]


def _default_input(q: str) -> str:
    """`tau1` for q1, `tau_x` for x and for q_x."""
    return f"tau{q[1:]}" if q.startswith("q") and len(q) > 1 else f"tau_{q}"


def _input_name(input: Any, coordinate: str, gear: Any) -> str:
    """Name of the input; for a formula such as "K*i" the error suggests a gear."""
    try:
        return read_name(input, "joint_actuator: the input")
    except ModelError:
        scaled = _scaled_input(input)
        if scaled is None:
            raise
    factor, name = scaled
    total = str(as_expr(gear) * factor)
    call = f"joint_actuator({written(coordinate)!r}, {written(name)!r}, gear={total!r})"
    raise ModelError(f"joint_actuator: the input must be a name, got the formula {brief(str(input))}; "
                     f"write {call}.")  # fmt: skip


def _scaled_input(formula: Any) -> tuple[Expr, str] | None:
    """Factor and symbol of a formula c·x, for the last symbol x in which it is linear, or None."""
    try:
        e = as_expr(formula)
        text = str(e) if isinstance(formula, Expr) else str(formula)
        for x in sorted(e.symbols(), key=lambda s: text.rfind(s.name), reverse=True):
            [[factor]], [rest] = linear_coefficients([e], [x])
            if rest is ZERO:
                return factor, x.name
    except EquamoError:
        pass
    return None
