"""`programs`: functions of the robot as one JavaScript module; its numbers are their last argument."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final, cast

from ...basics.wording import brief
from ...code.codegen.quantities import quantities
from ...code.codegen.targets.javascript import JavaScript
from ...code.codegen.targets.package import Package, Routine
from ...code.ir.cost import cost
from ...code.ir.functions import functions
from ...errors import EquamoError, UnknownNameError
from ...mechanics.equations import FORMULATIONS
from .messages import Request, Say
from .model_text import ModelText

# What a simulation in the page needs.
USUAL: Final = (
    "state_derivative", "mass_matrix", "bias", "gravity", "passive_force", "kinetic_energy",
    "potential_energy", "input_matrix",
)  # fmt: skip


def answer(model: ModelText, request: Request, say: Say) -> dict[str, Any]:
    """Result of `programs`: the module, and the arguments, shape and cost of each function."""
    by = request.choice("method", FORMULATIONS, "recursive")
    eom = model.program_equations(by)
    known = functions(eom)
    wanted = request.fields.get("functions")
    chosen = [n for n in USUAL if n in known] if wanted is None else _names(wanted, list(known))
    routines: list[Routine] = []
    for k, name in enumerate(chosen):
        say(f"writing {name}", k / len(chosen))
        routines.append(Routine(name, model.program(name, by)))
    package = Package("robot", tuple(routines), quantities(eom.robot), ())
    described = {
        r.name: {
            "arguments": [a.name for a in r.arguments],
            "results": [{"name": y.name, "shape": list(y.shape)} for y in r.outputs],
            "cost": asdict(cost(r.program)),
        }
        for r in routines
    }
    return {
        "structure": model.structure,
        "module": JavaScript().module(package),
        "functions": described,
        "parameters": [s.name for s in eom.parameters],
        "numbers": model.numbers,
    }


def _names(wanted: Any, valid: list[str]) -> list[str]:
    names = cast(list[object], wanted) if isinstance(wanted, list) else []
    if not names:
        raise EquamoError(f"programs: 'functions' must be names, got {brief(cast(Any, wanted))}.")
    for name in names:
        if name not in valid:
            raise UnknownNameError("function", name, valid)
    return cast(list[str], names)
