"""`equamo derive`: derive equations of motion, and print or save them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, cast
from warnings import catch_warnings, simplefilter

import typer

from ..equations import FORMULATIONS, EquationsOfMotion, derive
from ..equations.equations import Coriolis
from ..equations.summary import SMALL
from ..errors import BudgetWarning, ExpressionError
from ..expr.matrix import Matrix
from ..expr.printing.latex import shared_latex
from ..expr.vector import Vector
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
            "--latex", help="Print M, C v and g as LaTeX, of large robots with intermediates."
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
    with progress("deriving") as say:
        eom = derive(robot_of(robot, base, parameters), by=by, coriolis=cast(Coriolis, coriolis))
        say("writing")
        data = equations_data(eom) if json and out is None else None
        if latex and out is None and not json:
            text = "\n".join(_latex(eom))
        else:
            text = "" if out is not None or json else str(eom)
    if out is not None:
        eom.save(out)
        print(f"{out}: equations of {eom.robot.name} by {eom.by.replace('_', ' ')}")
    elif data is not None:
        print_json(data)
    else:
        print(text)


def _latex(eom: EquationsOfMotion) -> Iterator[str]:
    """LaTeX of M, C v and g: closed forms, or for a large robot, named intermediates."""
    parts: dict[str, Matrix | Vector] = {
        "M": eom.mass_matrix, "C v": eom.bias, "g": eom.gravity
    }  # fmt: skip
    if len(eom.v) <= SMALL:
        try:
            with catch_warnings():
                simplefilter("error", BudgetWarning)
                short = {name: part.closed_form().latex(short=True) for name, part in parts.items()}
        except (BudgetWarning, ExpressionError):  # too long for a closed form
            pass
        else:
            yield from (f"{name} = {text}" for name, text in short.items())
            return
    pairs = shared_latex([e for part in parts.values() for e in part.entries])
    texts = [text for name, text in pairs if not name]
    yield from (f"{name} = {text}" for name, text in pairs if name)
    for name, part in parts.items():
        here, texts = texts[: len(part.entries)], texts[len(part.entries) :]
        width = part.shape[1] if isinstance(part, Matrix) else 1
        rows = [" & ".join(here[k : k + width]) for k in range(0, len(here), width)]
        yield f"{name} = " + r"\begin{bmatrix} " + r" \\ ".join(rows) + r" \end{bmatrix}"
