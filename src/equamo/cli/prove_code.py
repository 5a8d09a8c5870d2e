"""`equamo prove --code FILE --robot ROBOT`: generated files on disk, proved against the robot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import final

import typer

from ..code.codegen.prove_code import prove_code
from ..errors import ModelError
from ..mechanics.equations import derive
from .model import robot_of
from .output import print_json, progress
from .simulate import named_values


@final
@dataclass(frozen=True)
class Choices:
    """Options of `equamo generate` that the files themselves do not contain."""

    robot: str
    base: str | None = None
    by: str = "recursive"
    functions: str | None = None
    parameters: str | None = None
    values: Sequence[str] | None = None


def run_code(code: Sequence[Path], choices: Choices, seed: int | None, json: bool) -> None:
    """Print a verdict per function; exit code 1 if one is not proved."""
    parameters = choices.parameters
    is_urdf = choices.robot.lower().endswith((".urdf", ".xacro"))
    if parameters not in (None, "symbolic", "numeric"):
        raise ModelError(f"--parameters must be symbolic or numeric, got {parameters!r}.")
    with progress("deriving") as say:
        # As in `equamo generate`: numbers of a URDF file get names.
        named = parameters if parameters == "symbolic" and is_urdf else None
        eom = derive(robot_of(choices.robot, choices.base, named), by=choices.by)
        say("reading and proving")
        names = choices.functions
        proof = prove_code(
            eom,
            code,
            functions=None if names is None else [x.strip() for x in names.split(",")],
            parameters=parameters or "symbolic",
            values=named_values("--value", choices.values, "number", str),
            seed=seed,
        )
    if json:
        print_json(proof.to_data())
    else:
        print(proof)
    if not proof.ok:
        raise typer.Exit(1)
