"""Checks of the bodies and force elements of a robot, its default actuators and its parameters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any, cast

from ...algebra.expr import symbol
from ...algebra.expr.walk import symbols
from ...basics.wording import brief
from ...errors import ModelError, UnknownNameError
from .arguments import items
from .body import WORLD
from .force import ForceElement
from .forces.joint_actuator import joint_actuators
from .parameter import Parameter, parameter

if TYPE_CHECKING:
    from .robot import Robot


def check_tree(robot: Robot) -> None:
    """Check that the bodies form a tree, parents first, and that no two share a name."""
    seen = {WORLD}
    owners: dict[str, str] = {}
    for b in robot.bodies:
        if b.name in seen:
            raise ModelError(
                f"Robot {robot.name!r}: bodies must have different names, got two named {b.name!r}."
            )
        if b.parent not in seen:
            if b.parent == b.name:
                raise ModelError(f"Body {b.name!r} must not be its own parent.")
            if any(c.name == b.parent for c in robot.bodies):
                raise ModelError(f"Body {b.name!r} must come after its parent {b.parent!r}; list "
                                 "parents first, and close loops with loops=[eq.loop(…)].")  # fmt: skip
            raise UnknownNameError("parent", b.parent, sorted(seen), f"body {b.name!r}")
        seen.add(b.name)
        for n in (*b.joint.coordinates, *b.joint.speeds):
            if n in owners:
                raise ModelError(f"{n!r} must be a coordinate or speed of only one joint, got those of "
                                 f"bodies {owners[n]!r} and {b.name!r}.")  # fmt: skip
            owners[n] = b.name


def default_actuators(robot: Robot) -> list[ForceElement]:
    """One actuator per joint with one degree of freedom."""
    moved = [b.joint.q[0] for b in robot.bodies if len(b.joint.speeds) == 1]
    return list(joint_actuators(moved))


def check_forces(robot: Robot) -> None:
    """Check the names of force elements, and the bodies, coordinates and speeds they refer to."""
    frames = {WORLD, *(b.name for b in robot.bodies)}
    speeds = [x.name for x in robot.joint_speeds]
    seen: set[str] = set()
    for f in robot.forces:
        if f.name in seen:
            raise ModelError(f"Robot {robot.name!r}: force elements must have different names, got two "
                             f"named {f.name!r}.")  # fmt: skip
        seen.add(f.name)
        for n in f.bodies():
            if not isinstance(n, str) or n not in frames:  # pyright: ignore
                raise UnknownNameError("body", n, sorted(frames), f"force element {f.name!r}")
        for q, u in f.rates().items():
            _check_rate(robot, f, q, u)
        for u in f.speeds():
            if u not in speeds:
                raise UnknownNameError("speed", u, speeds, f"force element {f.name!r}")


def _check_rate(robot: Robot, f: ForceElement, coordinate: str, speed: str) -> None:
    """Check q̇ = u if a force element relies on it."""
    rates = {
        n: r for b in robot.bodies for n, r in zip(b.joint.coordinates, b.joint.q_dot, strict=True)
    }
    if coordinate not in rates:
        raise UnknownNameError("coordinate", coordinate, rates, f"force element {f.name!r}")
    if rates[coordinate] is not symbol(speed):
        raise ModelError(f"Force element {f.name!r} needs a coordinate whose rate is a joint speed, got "
                         f"{coordinate!r} with the rate {brief(rates[coordinate])}.")  # fmt: skip


def parameter_table(
    robot: Robot, parameters: Mapping[str, Any] | Iterable[Parameter]
) -> dict[str, Parameter]:
    """Parameters by name: the declared ones, then all other symbols of the robot."""
    if isinstance(parameters, Mapping):
        values = cast(Mapping[str, Any], parameters)
        table = {n: parameter(n, x) for n, x in values.items()}
    else:
        declared = items("parameters", parameters, Parameter, f"robot {robot.name!r}")
        table = {p.name: p for p in declared}
    joints = (*robot.joint_coordinates, *robot.joint_speeds, *robot.joint_accelerations)
    taken = {x.name for x in (*joints, *robot.v, *robot.vdot, *robot.inputs, *robot.external)}
    for n in table:
        if n in taken:
            raise ModelError(f"Parameter {n!r} must not be a coordinate, speed or input of robot "
                             f"{robot.name!r}; rename one of them.")  # fmt: skip
    for x in symbols(robot.expressions()):
        if x.name not in taken and x.name not in table:
            value = Fraction("9.81") if x.name == "g" else None
            table[x.name] = Parameter(x.name, value)
    return table
