"""Which functions are generated, and which parameters are folded into them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, cast

from ...basics.arguments import is_one_of, items_of
from ...basics.wording import at_most, brief
from ...errors import EquamoError, ExpressionError, UnknownNameError
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.model import Robot
from ...robot.model.arguments import number
from ..ir.function import Function
from ..ir.functions import FRAME_FUNCTIONS, frame_function, frames, functions as functions_of
from ..ir.lookup import function_named
from ..ir.sensitivities import sensitivities
from ..ir.user_functions import user_functions

OF_CASADI: Final = ("inverse_dynamics", "forward_dynamics", "state_derivative")  # by default


def fixed_values(robot: Robot, parameters: str, values: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters that are folded in, as {name: number}."""
    if not is_one_of(parameters, ("symbolic", "numeric")):
        raise UnknownNameError(
            "choice of parameters", parameters, ("symbolic", "numeric"), "generate()"
        )
    if not isinstance(values, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise EquamoError(
            f"generate(): values must map names to numbers, got {brief(values)}; "
            'pass a mapping such as {"m1": 2}.'
        )
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


def default_functions(eom: EquationsOfMotion, names: Iterable[str] | None = None) -> list[Function]:
    """All functions of the robot and of the frames at its tips, or those named, except empty ones."""
    if names is not None:
        return [f for f in (functions_of(eom)[n] for n in names) if f.size]
    parents = {b.parent for b in eom.robot.bodies}
    tips = [b.name for b in eom.robot.bodies if b.name not in parents]
    ends = (frame_function(eom, kind, tip) for tip in tips for kind in FRAME_FUNCTIONS)
    return [f for f in (*functions_of(eom).values(), *ends) if f.size]


def chosen_functions(
    eom: EquationsOfMotion, functions: Any, usual: Iterable[str] | None = None
) -> list[Function]:
    """Functions selected by `functions`.

    None: the default ones, or those named in `usual`; {name: expression}: these in addition; a list:
    the named ones, and those of mappings in it.
    """
    if functions is None or isinstance(functions, Mapping):
        return [*default_functions(eom, usual), *_own(eom, cast(Any, functions))]
    items = _texts(functions)
    own = [f for x in items if isinstance(x, Mapping) for f in _own(eom, cast(Any, x))]
    for k, f in enumerate(own):
        if f.name in (g.name for g in own[:k]):
            raise EquamoError(
                f"generate(): a function must be given once, got {f.name!r} twice; rename one."
            )
    names = [x for x in items if not isinstance(x, Mapping)]
    return [*(named_functions(eom, names) if names or not own else []), *own]


def with_derivatives(
    eom: EquationsOfMotion, chosen: Iterable[Function], fixed: Mapping[str, Any], leave_out: bool
) -> tuple[list[Function], list[str]]:
    """Each function with the further ones that CasADi needs, and lines on what is omitted."""
    found: dict[str, Function] = {}
    missing: list[str] = []
    for f in chosen:
        if f.unpacked is not None:
            raise EquamoError(
                f"generate(): functions for CasADi must not be packed, since their sparsities are part "
                f"of the interface, got {f.name!r}; pass {f.unpacked.name!r}."
            )
        try:
            made = sensitivities(eom, f, fixed)
        except ExpressionError as error:
            if not leave_out:
                raise
            missing.append(f"Without {f.name}: {str(error).partition(' has no value: ')[2]}")
            continue
        found |= {g.name: g for g in made}
    return list(found.values()), missing


def _own(eom: EquationsOfMotion, functions: Any) -> list[Function]:
    """User functions, each with at least one entry."""
    made = user_functions(eom, "generate()", functions)
    for f in made.values():
        if not f.size:
            raise EquamoError(
                f"generate(): function {f.name!r} must have at least one entry, got none."
            )
    return list(made.values())


def named_functions(eom: EquationsOfMotion, names: Iterable[object]) -> list[Function]:
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
    items = items_of(names)
    if items is None:
        raise EquamoError(
            f"generate(): functions must be a list of names or {{name: expression}}, got {brief(names)}."
        )
    return [n for k, n in enumerate(items) if not isinstance(n, str) or n not in items[:k]]
