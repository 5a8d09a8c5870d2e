"""What a robot may be made of: types, and names that do not clash. Each error names the thing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any, cast

from ..errors import EquamoError, ModelError
from ..expr import Expr, as_expr
from ..wording import brief
from .parameter import in_range

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
    if not isinstance(given, float):
        in_range(what, given)
    if not isfinite(given):
        raise ModelError(f"{what} is a finite number, not {given}.")
    return float(given) if isinstance(given, float) else given  # no NumPy scalar is kept


def check_names(robot: Robot) -> None:
    """Coordinates, speeds, accelerations, inputs and external loads have names of their own."""
    role: dict[str, str] = {}
    for kind, names in _roles(robot).items():
        for x in names:
            if role.setdefault(x.name, kind) != kind:
                raise ModelError(f"{x.name!r} is the name of {role[x.name]} and of {kind} of robot "
                                 f"{robot.name!r}; give one of them another name.")  # fmt: skip


def _roles(robot: Robot) -> Mapping[str, Sequence[Expr]]:
    joint_names = {*robot.joint_speeds, *robot.joint_accelerations}
    return {
        "a coordinate": robot.joint_coordinates,
        "a speed": robot.joint_speeds,
        "an acceleration": robot.joint_accelerations,
        "a chosen speed": [x for x in robot.v if x not in joint_names],
        "an acceleration of a chosen speed": [x for x in robot.vdot if x not in joint_names],
        "an input": robot.inputs,
        "an external load": robot.external,
    }
