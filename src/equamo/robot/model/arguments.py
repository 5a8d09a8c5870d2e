"""Check the arguments of a robot: types, numbers, and names that do not clash."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import isfinite
from typing import TYPE_CHECKING, Any, cast

from ...algebra.expr import Expr, as_expr
from ...basics.arguments import items_of
from ...basics.wording import brief
from ...errors import EquamoError, ModelError, UnknownNameError
from .parameter import in_range

if TYPE_CHECKING:
    from .robot import Robot

Number = int | float | Fraction


def items(what: str, sequence: Any, kind: type, place: str) -> tuple[Any, ...]:
    """Tuple of objects of a class; ModelError if there is anything else in the sequence."""
    listed = None if isinstance(sequence, (kind, str)) else items_of(sequence)
    if listed is None:
        raise ModelError(
            f"The {what} of {place} must be a list of {kind.__name__}, got {brief(sequence)}."
        )
    entries = tuple(listed)
    for x in entries:
        if not isinstance(x, kind):
            raise ModelError(
                f"The {what} of {place} must be a list of {kind.__name__}, got {brief(x)} in it."
            )
    return entries


def mapping(what: str, value: Any, place: str, example: str = "{name: …}") -> Mapping[str, Any]:
    """A mapping, which is empty for None; ModelError for anything else, which shows an example."""
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise ModelError(
            f"The {what} of {place} must be a mapping by name, such as {example}, got {brief(value)}."
        )
    return cast(Mapping[str, Any], value)


def texts(what: str, value: Any, place: str) -> Mapping[str, str]:
    """A mapping to texts, which is empty for None; ModelError for anything else."""
    table = mapping(what, value, place)
    for name, text in table.items():
        if not isinstance(text, str):
            raise ModelError(f"The {what} of {name!r} in {place} must be text, got {brief(text)}.")
    return table


def equations(constraints: Any, place: str) -> tuple[Any, ...]:
    """Constraints as a tuple; ModelError for anything but a list of them."""
    listed = None if isinstance(constraints, str) else items_of(constraints)
    if listed is None:
        raise ModelError(
            f"The constraints of {place} must be a list of equations, such as ['dq2 = 2*dq1'], got "
            f"{brief(constraints)}."
        )
    return tuple(listed)


def items_by_body(
    what: str, given: Mapping[str, Any], kind: type, bodies: Sequence[str], robot: str
) -> dict[str, tuple[Any, ...]]:
    """{body: tuple of objects of a class}; an error if the robot has no such body."""
    for n in given:
        if n not in bodies:
            raise UnknownNameError("body", n, bodies, f"the {what} of robot {robot!r}")
    return {n: items(what, x, kind, f"body {n!r}") for n, x in given.items()}


def body_name(place: str, value: Any) -> str:
    """Name of a body; ModelError for anything but text."""
    if not isinstance(value, str):
        raise ModelError(f"{place}: a body must be given by name, got {brief(value)}.")
    return value


def number(what: str, value: Any) -> Number:
    """Finite number; text such as "pi/4" is evaluated."""
    if not isinstance(value, (int, float, Fraction)):
        try:
            e = as_expr(value)
            value = float(e) if e.value is None else e.value
        except (EquamoError, ArithmeticError, ValueError):
            raise ModelError(f"{what} must be a number, got {brief(value)}.") from None
    if not isinstance(value, float):
        in_range(what, value)
    if not isfinite(value):
        raise ModelError(f"{what} must be a finite number, got {value}.")
    return float(value) if isinstance(value, float) else value  # converts NumPy scalars


def check_names(robot: Robot) -> None:
    """Check that no two coordinates, speeds, accelerations, inputs or external loads share a name."""
    role: dict[str, str] = {}
    for kind, names in _roles(robot).items():
        for x in names:
            if role.setdefault(x.name, kind) != kind:
                raise ModelError(f"{x.name!r} must have one meaning in robot {robot.name!r}, but is "
                                 f"{role[x.name]} and {kind}; rename one of them.")  # fmt: skip


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
