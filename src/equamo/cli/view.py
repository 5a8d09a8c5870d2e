"""`equamo view`: draw a robot at a pose."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..basics.extras import library
from ..errors import EquamoError
from ..publish.picture.schematic import schematic
from ..publish.picture.view import view
from ..robot.formats.text_file import write_text
from .model import Base, RobotName, robot_of
from .output import progress
from .simulate import numbers


def run(
    robot: RobotName,
    png: Annotated[
        Path | None, typer.Option(help="Write the picture to this file: .png, .svg or .pdf.")
    ] = None,
    q: Annotated[
        list[str] | None,
        typer.Option(help="Coordinates [rad or m]: q1=0.5,q2=pi/2. The others are at home."),
    ] = None,
    labels: Annotated[bool, typer.Option("--labels", help="Name the bodies.")] = False,
    tree: Annotated[
        Path | None, typer.Option(help="Write a diagram of the kinematic tree to this .svg file.")
    ] = None,
    base: Base = None,
) -> None:
    """Draw a robot at a pose.

    \b
    Example:
      equamo view krang --png krang.png
      equamo view rr_arm --png arm.svg --q q1=0.5 --q q2=-1 --labels
      equamo view starleth --tree starleth.svg
    """
    with progress("drawing"):
        model = robot_of(robot, base)
        pose = numbers("--q", q)
        if tree is not None:
            write_text(tree, schematic(model), ".svg")
        if png is not None or tree is None:
            view(model, pose, save=png, labels=labels)
    if tree is not None:
        print(f"{tree}: kinematic tree of {model.name}")
    if png is not None:
        print(f"{png}: {model.name}")
    elif tree is None:
        _show()


def _show() -> None:
    """Show the picture in a window; raise an error if there is no display."""
    if library("matplotlib", "view").get_backend().lower() in (
        "agg",
        "svg",
        "pdf",
        "ps",
        "cairo",
        "template",
    ):
        raise EquamoError("view needs a display to open a window; use --png robot.png instead.")
    library("matplotlib.pyplot", "view").show()
