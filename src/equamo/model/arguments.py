"""What a robot may be made of: types, and names that do not clash. Each error names the thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any, cast

from ..errors import EquamoError, ModelError
from ..expr import Expr, as_expr
from ..expr.walk import symbols
from ..wording import brief

if TYPE_CHECKING:
    from .robot import Robot

Number = int | float | Fraction


def items(what: str, given: Any, kind: type, place: str) -> tuple[Any, ...]:
    """A sequence of things of a kind; an error says what was given instead."""
    if isinstance(given, (kind, str)) or not isinstance(given, Iterable):
        raise ModelError(
            f"The {what} of {place} are a list of {kind.__name__}, not {brief(given)}."
        )
    found: tuple[Any, ...] = tuple(cast(Iterable[Any], given))
    for x in found:
        if not isinstance(x, kind):
            raise ModelError(
                f"The {what} of {place} are a list of {kind.__name__}, not of {brief(x)}."
            )
    return found


def number(what: str, given: Any) -> Number:
    """A finite number; text such as "pi/4" is computed."""
    if not isinstance(given, (int, float, Fraction)):
        try:
            e = as_expr(given)
            given = float(e) if e.value is None else e.value
        except (EquamoError, ArithmeticError, ValueError):
            raise ModelError(f"{what} is a number, not {brief(given)}.") from None
    if not isfinite(given):
        raise ModelError(f"{what} is a finite number, not {given}.")
    return float(given) if isinstance(given, float) else given  # no NumPy scalar is kept


def check_names(robot: Robot) -> None:
    """Coordinates, speeds, accelerations, inputs and external loads have names of their own, and what
    a robot is made of (inertias, gravity, placements) does not depend on them."""
    role: dict[str, str] = {}
    for kind, names in _roles(robot).items():
        for x in names:
            if role.setdefault(x.name, kind) != kind:
                raise ModelError(f"{x.name!r} is the name of a {role[x.name]} and of a {kind} of robot "
                                 f"{robot.name!r}; give one of them another name.")  # fmt: skip
    _independent(robot.gravity, role, "gravity")
    for b in robot.bodies:
        _independent(b.inertia.ten, role, f"the inertia of body {b.name!r}")
        own = set(b.joint.coordinates)
        others = {n: kind for n, kind in role.items() if n not in own}
        _independent(b.joint.expressions(), others, f"the joint of body {b.name!r}")


def _roles(robot: Robot) -> Mapping[str, Sequence[Expr]]:
    joint_names = {*robot.joint_speeds, *robot.joint_accelerations}
    return {
        "coordinate": robot.joint_coordinates,
        "speed": robot.joint_speeds,
        "acceleration": robot.joint_accelerations,
        "chosen speed": [x for x in robot.v if x not in joint_names],
        "acceleration of a chosen speed": [x for x in robot.vdot if x not in joint_names],
        "input": robot.inputs,
        "external load": robot.external,
    }


def _independent(expressions: Iterable[Expr], role: Mapping[str, str], what: str) -> None:
    for x in symbols(expressions):
        if x.name in role:
            raise ModelError(f"{what} depends on {x.name!r}, which is a {role[x.name]}; it is made of "
                             "numbers and parameters.")  # fmt: skip
