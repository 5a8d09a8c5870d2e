"""`equamo compare`: compare a robot's numbers with those of other dynamics libraries."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..review.referee import compare_with
from ..review.referee.libraries import LIBRARIES
from ..robot.formats.text_file import check_ending
from .model import Base, Parameters, RobotName, robot_of
from .output import Json, print_json, progress


def run(
    robot: RobotName,
    libraries: Annotated[
        str, typer.Option("--with", help=f"Some of {','.join(LIBRARIES)}, separated by commas.")
    ] = "pinocchio",
    states: Annotated[int, typer.Option(help="Number of random states.")] = 100,
    seed: Annotated[int, typer.Option(help="Seed of the random states.")] = 0,
    out: Annotated[Path | None, typer.Option(help="Save the report to this file (JSON).")] = None,
    base: Base = None,
    parameters: Parameters = None,
    json: Json = False,
) -> None:
    """Compare a robot's numbers with those of other libraries that read the same file.

    Mass matrix, bias, gravity, inverse and forward dynamics, poses and Jacobians are compared at
    random states. Every difference above 1e-9 is either explained by a rule that was applied and
    checked, or reported with its entry and state. Exit code 0 if all differences are explained, 1 if
    one is not or if a library does not read the robot, 2 for invalid input.

    \b
    Example:
      equamo compare panda.urdf --with pinocchio,mujoco
      equamo compare anymal.urdf --base free --with pinocchio --json
    """
    if out is not None:
        check_ending(out, ".json")
    with progress("reading") as say:
        model = robot_of(robot, base, parameters)
        report = compare_with(model, names_of(libraries), states=states, seed=seed, progress=say)
    if json:
        print_json(report.to_data())
    else:
        print(report)
    if out is not None:
        report.save(out)
    if not report.ok:
        raise typer.Exit(1)


def names_of(libraries: str) -> list[str]:
    """Names of libraries in an option.

    >>> names_of("pinocchio, mujoco")
    ['pinocchio', 'mujoco']
    """
    return [x.strip() for x in libraries.split(",") if x.strip()]
