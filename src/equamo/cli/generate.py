"""`equamo generate`: write source code of a robot's functions, with golden vectors and a self-test."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal, cast

import typer

from ..code.codegen.generate import generate
from ..code.codegen.targets import TARGETS, Dtype
from ..mechanics.certificate import prove
from ..mechanics.equations import FORMULATIONS, derive
from .model import Base, RobotName, robot_of
from .output import Json, print_json, progress


def run(
    robot: RobotName,
    to: Annotated[str, typer.Option(help=f"One of {', '.join(TARGETS)}.")] = "c",
    out: Annotated[Path, typer.Option(help="The folder to write to.")] = Path("build"),
    functions: Annotated[
        str | None,
        typer.Option(help="Comma-separated names, such as inverse_dynamics,pose_hand."),
    ] = None,
    by: Annotated[str, typer.Option(help=f"One of {', '.join(FORMULATIONS)}.")] = "recursive",
    dtype: Annotated[str, typer.Option(help="float64 or float32.")] = "float64",
    parameters: Annotated[
        str | None,
        typer.Option(
            help="symbolic (default): parameters are arguments; numeric: default values are compiled "
            "in. An explicit symbolic also names the numbers of a .urdf or .xacro file."
        ),
    ] = None,
    base: Base = None,
    proved: Annotated[
        bool,
        typer.Option("--prove/--no-prove", help="Prove first, and cite the proof in the files."),
    ] = True,
    json: Json = False,
) -> None:
    """Write source code of a robot's functions.

    \b
    Example:
      equamo generate rr_arm --to c --out build/
      equamo generate krang --to numpy --functions inverse_dynamics,mass_matrix
    """
    with progress("deriving") as say:
        # All other robots have symbolic parameters anyway.
        of_urdf = parameters if parameters == "symbolic" and _is_urdf(robot) else None
        model = robot_of(robot, base, of_urdf)
        eom = derive(model, by=by)
        certificate = prove(model, progress=say) if proved else None
        say("generating")
        paths = generate(
            eom,
            to=to,
            out=out,
            functions=None if functions is None else [x.strip() for x in functions.split(",")],
            dtype=cast(Dtype, dtype),
            parameters=cast(Literal["symbolic", "numeric"], parameters or "symbolic"),
            certificate=certificate,
            prove=proved,
        )
    if json:
        print_json({"robot": model.name, "to": to, "files": [str(p) for p in paths]})
        return
    for path in paths:
        print(path)


def _is_urdf(robot: str) -> bool:
    return robot.lower().endswith((".urdf", ".xacro"))
