"""`equamo check`: what is wrong with a robot."""

from __future__ import annotations

from dataclasses import asdict

import typer

from ..model import check
from ..robots import load
from .output import Json, RobotName, print_json


def run(robot: RobotName, json: Json = False) -> None:
    """Prove that rotations are rotations and axes match them; look at inertias and parameters.

    Exit code 1 if something is wrong.

    \b
    Example:
      equamo check krang
    """
    report = check(load(robot))
    if json:
        print_json(asdict(report) | {"ok": report.ok})
    else:
        print(report)
    if not report.ok:
        raise typer.Exit(1)
