"""Robot argument of a command: by name, from a file, or from standard input."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ..errors import FileFormatError
from ..robot.catalog import load, load_bytes
from ..robot.formats.text_file import MOST_BYTES
from ..robot.model import Robot

RobotName = Annotated[
    str,
    typer.Argument(
        help="A built-in robot (see `equamo robots`), a file, or - for standard input (URDF, SDF, TOML)."
    ),
]
Base = Annotated[str | None, typer.Option("--base", help="For a URDF or SDF file: fixed or free.")]
Parameters = Annotated[
    str | None,
    typer.Option(
        "--parameters",
        help="For a URDF or SDF file: numeric (default), or symbolic, which names its numbers.",
    ),
]


def robot_of(name: str, base: str | None = None, parameters: str | None = None) -> Robot:
    """Load the robot of a command.

    >>> print(robot_of("rr_arm"))
    Robot rr_arm: 2 bodies, 2 degrees of freedom, 8 parameters, 2 inputs
    """
    arguments = {"base": base, "parameters": parameters}
    options = {option: x for option, x in arguments.items() if x is not None}
    return load_bytes(_standard_input(), **options) if name == "-" else load(name, **options)


def _standard_input() -> bytes:
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise FileFormatError(
            f"<stdin>: standard input must have at most {MOST_BYTES} bytes, got more; save it to a "
            f"file to see its size."
        )
    return data
