"""`equamo check`: find errors in a robot model."""

from __future__ import annotations

from dataclasses import asdict

import typer

from ..robot.model import check
from .model import Base, Parameters, RobotName, robot_of
from .output import Json, print_json


def run(
    robot: RobotName, base: Base = None, parameters: Parameters = None, json: Json = False
) -> None:
    """Check a robot model: prove its rotations and axes, and check inertias and parameters.

    For a file, also report how each of its elements was imported. Exit code 1 if there are errors.

    \b
    Example:
      equamo check krang
      equamo check panda.urdf
    """
    loaded = robot_of(robot, base, parameters)
    report = check(loaded)
    imported = loaded.import_report
    if json:
        data = asdict(report) | {"ok": report.ok}
        print_json(data if imported is None else data | {"import_report": imported.to_data()})
    else:
        if imported is not None:
            print(imported)
        print(report)
    if not report.ok:
        raise typer.Exit(1)
