"""Which functions are generated, and which parameters are folded into them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ..equations.equations import EquationsOfMotion
from ..errors import EquamoError, UnknownNameError
from ..ir.function import Function
from ..ir.functions import FRAME_FUNCTIONS, frame_function, frames, functions as functions_of
from ..ir.lookup import function_named
from ..model import Robot
from ..model.arguments import number
from ..wording import at_most, brief


def fixed_values(robot: Robot, parameters: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters that are folded in, as {name: number}."""
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


def default_functions(eom: EquationsOfMotion) -> list[Function]:
    """All functions of the robot and of the frames at its tips, except empty ones."""
    parents = {b.parent for b in eom.robot.bodies}
    tips = [b.name for b in eom.robot.bodies if b.name not in parents]
    ends = (frame_function(eom, kind, tip) for tip in tips for kind in FRAME_FUNCTIONS)
    return [f for f in (*functions_of(eom).values(), *ends) if f.size]


def named_functions(eom: EquationsOfMotion, names: Iterable[str]) -> list[Function]:
    """Functions of the given names, each once."""
    place = f"robot {eom.robot.name!r}"
    requested = _texts(names)
    if not requested:
        by_frame = (f"{k}_{frame}" for frame in frames(eom) for k in FRAME_FUNCTIONS)
        valid = ", ".join((*functions_of(eom), *by_frame))
        raise EquamoError(
            f"generate(): functions must name at least one function of {place}, got none. "
            f"Valid: {at_most(valid, 600)}."
        )
    chosen: list[Function] = []
    for n in requested:
        f = function_named(eom, n)
        if not f.size:
            shapes = ", ".join(str(y.shape) for y in f.results)
            raise EquamoError(
                f"generate(): function {n!r} of {place} has no entries (shape {shapes}); remove it "
                "from functions."
            )
        chosen.append(f)
    return chosen


def _texts(names: Iterable[object]) -> list[object]:
    """List of names, without duplicates; a single name need not be in a list."""
    if isinstance(names, str):
        return [names]
    if not isinstance(names, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(f"generate(): functions must be a list of names, got {brief(names)}.")
    items = list(names)
    return [n for k, n in enumerate(items) if not isinstance(n, str) or n not in items[:k]]
