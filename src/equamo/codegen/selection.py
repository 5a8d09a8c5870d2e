"""Which functions are generated, and which parameters are folded into them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from math import prod
from typing import Any

from ..equations.equations import EquationsOfMotion
from ..errors import EquamoError, UnknownNameError
from ..ir.functions import (
    FRAME_FUNCTIONS,
    Function,
    frame_function,
    frames,
    functions as functions_of,
)
from ..model import Robot
from ..model.arguments import number
from ..wording import brief


def fixed_values(robot: Robot, parameters: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """{name: number} of the parameters that are folded in."""
    if parameters not in ("symbolic", "numeric"):
        raise UnknownNameError(
            "choice of parameters", parameters, ("symbolic", "numeric"), "generate()"
        )
    if not isinstance(values, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(f"generate(): values must be {{parameter: number}}, got {brief(values)}.")
    for n in values:
        if n not in robot.values:
            raise UnknownNameError("parameter", n, robot.values, f"robot {robot.name!r}")
    fixed = {n: number(f"The value of {n!r}", x) for n, x in values.items()}
    if parameters == "symbolic":
        return fixed
    without = [n for n, x in robot.values.items() if x is None and n not in fixed]
    if without:
        pairs = ", ".join(f"{n!r}: ..." for n in without[:3]) + ", …" * (len(without) > 3)
        raise EquamoError(
            f"generate: no value for parameters {', '.join(without)} of robot {robot.name!r}; pass "
            f"values={{{pairs}}}."
        )
    return {**robot.values, **fixed}


def without_empty(function: Function) -> Function:
    """The function without arguments that have no elements."""
    return replace(function, arguments=tuple(a for a in function.arguments if len(a)))


def default_functions(eom: EquationsOfMotion) -> list[Function]:
    """All of the robot and those of the frames at its tips, but what has no entries."""
    parents = {b.parent for b in eom.robot.bodies}
    tips = [b.name for b in eom.robot.bodies if b.name not in parents]
    ends = (frame_function(eom, kind, tip) for tip in tips for kind in FRAME_FUNCTIONS)
    return [f for f in (*functions_of(eom).values(), *ends) if prod(f.shape)]


def named_functions(eom: EquationsOfMotion, names: Iterable[str]) -> list[Function]:
    """The functions of these names, each once."""
    place = f"robot {eom.robot.name!r}"
    whole = functions_of(eom)
    by_frame = {f"{k}_{frame}": (k, frame) for frame in frames(eom) for k in FRAME_FUNCTIONS}
    wanted = _texts(names)
    if not wanted:
        valid = ", ".join((*whole, *by_frame))
        raise EquamoError(f"generate(): functions is empty; it names some of {place}: {valid:.600}")
    found: list[Function] = []
    for n in wanted:
        if not isinstance(n, str) or (n not in whole and n not in by_frame):
            raise UnknownNameError("function", n, (*whole, *by_frame), place)
        f = whole[n] if n in whole else frame_function(eom, *by_frame[n])
        if not prod(f.shape):
            raise EquamoError(f"{n} of {place} is empty: its shape is {f.shape}.")
        found.append(f)
    return found


def _texts(names: Iterable[object]) -> list[object]:
    """What was named, each text once; one alone need not be in a list."""
    if isinstance(names, str):
        return [names]
    if not isinstance(names, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(f"generate(): functions is a list of names, not {brief(names)}.")
    given = list(names)
    return [n for k, n in enumerate(given) if not isinstance(n, str) or n not in given[:k]]
