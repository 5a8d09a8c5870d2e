"""`equamo derive`: derive equations of motion, and print or save them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, cast

import typer

from ..mechanics.equations import FORMULATIONS, derive
from ..mechanics.equations.equations import Coriolis
from ..robot.formats.text_file import check_ending
from .equations_data import equations_data
from .model import Base, Parameters, RobotName, robot_of
from .output import Json, print_json, progress


def run(
    robot: RobotName,
    by: Annotated[str, typer.Option(help=f"One of {', '.join(FORMULATIONS)}.")] = "recursive",
    coriolis: Annotated[str, typer.Option(help="christoffel or split.")] = "christoffel",
    out: Annotated[Path | None, typer.Option(help="Save the equations to this file.")] = None,
    latex: Annotated[
        bool,
        typer.Option(
            "--latex", help="Print the equations as LaTeX; for large robots, with intermediates."
        ),
    ] = False,
    base: Base = None,
    parameters: Parameters = None,
    json: Json = False,
) -> None:
    """Derive the equations of motion of a robot.

    \b
    Example:
      equamo derive rr_arm
      equamo derive krang --by kane --out krang.eom
      equamo derive anymal.urdf --base free --parameters symbolic
      xacro arm.xacro | equamo derive - --json
    """
    if out is not None:
        check_ending(out, ".eom", ".json")
    with progress("deriving") as say:
        eom = derive(robot_of(robot, base, parameters), by=by, coriolis=cast(Coriolis, coriolis))
        say("writing")
        data = equations_data(eom) if json and out is None else None
        if latex and out is None and not json:
            text = eom.latex(short=True)
        else:
            text = "" if out is not None or json else str(eom)
    if out is not None:
        eom.save(out)
        print(f"{out}: equations of {eom.robot.name} by {eom.by.replace('_', ' ')}")
    elif data is not None:
        print_json(data)
    else:
        print(text)
