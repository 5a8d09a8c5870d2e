"""`equamo check`: what is wrong with a robot."""

from __future__ import annotations

from dataclasses import asdict

import typer

from ..model import check
from .model import Base, Parameters, RobotName, robot_of
from .output import Json, print_json


def run(
    robot: RobotName, base: Base = None, parameters: Parameters = None, json: Json = False
) -> None:
    """Prove that rotations are rotations and axes match them; look at inertias and parameters.

    Of a file, also say what became of everything in it. Exit code 1 if something is wrong.

    \b
    Example:
      equamo check krang
      equamo check panda.urdf
    """
    loaded = robot_of(robot, base, parameters)
    report = check(loaded)
    imported = loaded.import_report
    if json:
        found = asdict(report) | {"ok": report.ok}
        print_json(found if imported is None else found | {"import_report": imported.to_data()})
    else:
        if imported is not None:
            print(imported)
        print(report)
    if not report.ok:
        raise typer.Exit(1)
