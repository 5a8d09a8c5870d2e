"""`equamo report`: write the page of a robot, one HTML file that works offline."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..mechanics.equations import FORMULATIONS, derive
from ..motion.simulation.trajectory import Trajectory
from ..publish.page.report import report
from ..review.claims.audit import audit as compare_claims
from ..review.referee import compare_with
from .compare import names_of
from .model import Base, Parameters, RobotName, robot_of
from .output import Json, print_json, progress


def run(
    robot: RobotName,
    out: Annotated[
        Path | None, typer.Option(help="The file to write, by default ROBOT.html.")
    ] = None,
    by: Annotated[str, typer.Option(help=f"One of {', '.join(FORMULATIONS)}.")] = "recursive",
    trajectory: Annotated[
        Path | None, typer.Option(help="A motion to play: a .npz file of `equamo simulate`.")
    ] = None,
    audit: Annotated[
        list[Path] | None, typer.Option(help="A claims file to audit; may be repeated.")
    ] = None,
    compared: Annotated[
        str,
        typer.Option("--compare", help="Libraries to compare with, such as pinocchio,mujoco."),
    ] = "",
    proved: Annotated[
        bool, typer.Option("--prove/--no-prove", help="Prove the equations for the page.")
    ] = True,
    timed: Annotated[
        bool, typer.Option("--time/--no-time", help="Time calls of compiled functions.")
    ] = True,
    base: Base = None,
    parameters: Parameters = None,
    json: Json = False,
) -> None:
    """Write the page of a robot: 3D view, equations, proof, motion, code and model.

    \b
    Example:
      equamo report krang
      equamo report panda.urdf --out panda.html
      equamo report panda.urdf --compare pinocchio,mujoco
    """
    with progress("deriving") as say:
        model = robot_of(robot, base, parameters)
        eom = derive(model, by=by)
        motion = None if trajectory is None else Trajectory.load(trajectory)
        audits = [compare_claims(claims, eom) for claims in audit or ()]
        referee = compare_with(eom, names_of(compared), progress=say) if compared else None
        path = report(
            eom,
            Path(f"{plain_name(model.name)}.html") if out is None else out,
            trajectory=motion,
            audit=audits,
            referee=referee,
            prove=proved,
            time=timed,
            progress=say,
        )
    size = path.stat().st_size
    if json:
        print_json({"robot": model.name, "file": str(path), "bytes": size})
    else:
        print(f"{path}: {size / 1e6:.1f} MB, opens in any browser and works offline")


def plain_name(name: str) -> str:
    """Name of a robot made suitable as a file name.

    >>> plain_name("../my robot")
    'my_robot'
    """
    words = "".join(c if c.isalnum() or c in "-_" else " " for c in name).split()
    return "_".join(words) or "robot"
