"""`equamo derive`: equations of motion, printed or saved."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from ..catalog import load
from ..formulations import FORMULATIONS, EquationsOfMotion, derive
from ..formulations.equations import Coriolis
from .output import Json, RobotName, print_json, progress


def run(
    robot: RobotName,
    by: Annotated[str, typer.Option(help=f"One of {', '.join(FORMULATIONS)}.")] = "recursive",
    coriolis: Annotated[str, typer.Option(help="christoffel or split.")] = "christoffel",
    out: Annotated[Path | None, typer.Option(help="Save the equations to this file.")] = None,
    latex: Annotated[bool, typer.Option("--latex", help="Print M, C v and g as LaTeX.")] = False,
    json: Json = False,
) -> None:
    """Derive the equations of motion of a robot.

    \b
    Example:
      equamo derive rr_arm
      equamo derive krang --by kane --out krang.eom
    """
    with progress("deriving"):
        eom = derive(load(robot), by=by, coriolis=cast(Coriolis, coriolis))
    if out is not None:
        eom.save(out)
        print(f"{out}: equations of {eom.robot.name} by {eom.by.replace('_', ' ')}")
    elif json:
        print_json(_sizes(eom))
    elif latex:
        for name, part in (("M", eom.mass_matrix), ("C v", eom.bias), ("g", eom.gravity)):
            print(f"{name} = {part.closed_form().latex(short=True)}")
    else:
        print(eom)


def _sizes(eom: EquationsOfMotion) -> dict[str, object]:
    from dataclasses import asdict

    parts = ("mass_matrix", "bias", "gravity", "inverse_dynamics")
    return {
        "robot": eom.robot.name,
        "by": eom.by,
        "q": [x.name for x in eom.q],
        "v": [x.name for x in eom.v],
        "inputs": [x.name for x in eom.inputs],
        "parameters": [x.name for x in eom.parameters],
        "operations": {p: asdict(getattr(eom, p).count()) for p in parts},
    }
