"""The robot that a command is about: by name, from a file, or from standard input."""

from __future__ import annotations

import sys
from typing import Annotated

import typer

from ..catalog import load, load_bytes
from ..errors import FileFormatError
from ..formats.text_file import MOST_BYTES
from ..model import Robot

RobotName = Annotated[
    str,
    typer.Argument(
        help="A built-in robot (see `equamo robots`), a file, or - for standard input (URDF, TOML)."
    ),
]
Base = Annotated[
    str | None, typer.Option("--base", help="Of a URDF file: a fixed (default) or free base.")
]
Parameters = Annotated[
    str | None,
    typer.Option(
        "--parameters", help="Of a URDF file: numeric (default), or symbolic: numbers get names."
    ),
]


def robot_of(name: str, base: str | None = None, parameters: str | None = None) -> Robot:
    """The robot that the arguments of a command mean.

    >>> print(robot_of("rr_arm"))
    Robot rr_arm: 2 bodies, 2 degrees of freedom, 8 parameters, 2 inputs
    """
    given = {"base": base, "parameters": parameters}
    options = {option: x for option, x in given.items() if x is not None}
    return load_bytes(_standard_input(), **options) if name == "-" else load(name, **options)


def _standard_input() -> bytes:
    data = sys.stdin.buffer.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise FileFormatError(
            f"<stdin>: cannot be read: it has more than the {MOST_BYTES} bytes that are read."
        )
    return data
