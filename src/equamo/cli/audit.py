"""`equamo audit`: compare printed equations or programs with derived quantities."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..errors import ModelError
from ..review.claims import audit, parse_claims
from ..robot.formats.text_file import check_ending
from .output import Json, print_json, progress


def run(
    claims: Annotated[
        str | None,
        typer.Argument(
            help="A claims file (TOML), or - for standard input; with --code, the robot."
        ),
    ] = None,
    robot: Annotated[
        str | None,
        typer.Argument(help="A built-in robot or a file; by default that of the claims file."),
    ] = None,
    code: Annotated[
        list[Path] | None,
        typer.Option(help="Audit this C, Python or MATLAB file instead; may be repeated."),
    ] = None,
    map: Annotated[
        Path | None, typer.Option("--map", help="For --code: a mapping file (TOML).")
    ] = None,
    function: Annotated[
        list[str] | None,
        typer.Option(help="For --code: audit this function only; may be repeated."),
    ] = None,
    rounding: Annotated[
        str | None,
        typer.Option(help="For --code: relative size of rounding errors; by default 2**-47."),
    ] = None,
    accept: Annotated[
        list[str] | None,
        typer.Option(
            help='For --code: "as read" accepts verdicts that rest on a reader that is not proved.'
        ),
    ] = None,
    out: Annotated[Path | None, typer.Option(help="Save the findings to this file.")] = None,
    expected: Annotated[
        bool,
        typer.Option(
            "--expected", help="Exit with code 0 if every verdict is as the file expects."
        ),
    ] = False,
    failed: Annotated[
        bool, typer.Option("--failed", help="Show only the claims that are not proved.")
    ] = False,
    seed: Annotated[int | None, typer.Option(help="Seed of the random primes and points.")] = None,
    json: Json = False,
) -> None:
    """Compare the equations printed in a document, or a program, with derived quantities.

    Exit code 0 if all claims are proved, 1 if one is not, 2 for invalid input. Results of a program are
    proved as read, since the readers of programs are not proved: exit code 0 needs --accept "as read".

    \b
    Example:
      equamo audit kim2005.toml
      equamo audit paper.toml --failed
      equamo audit paper.toml my_robot.urdf --json
      cat paper.toml | equamo audit -
      equamo audit --code controller.c my_robot.urdf --accept "as read"
    """
    if out is not None:
        check_ending(out, ".json")
    with progress("reading") as say:
        if code:
            if claims is None or robot is not None:
                raise ModelError("audit --code FILE takes one more argument: the robot.")
            report = audit(
                robot=claims, code=code, mapping=map, functions=function or None, rounding=rounding,
                accept=accept or None, seed=seed, progress=say,
            )  # fmt: skip
        elif claims is None:
            raise ModelError("audit needs a claims file, or --code FILE and a robot.")
        else:
            given = parse_claims(sys.stdin.read(), "standard input") if claims == "-" else claims
            report = audit(
                given, robot, mapping=map, functions=function or None, rounding=rounding,
                accept=accept or None, seed=seed, progress=say,
            )  # fmt: skip
    if json:
        print_json(report.to_data())
    else:
        print(report.text(failed))
    if out is not None:
        report.save(out)
    if not (report.as_expected if expected else report.ok):
        raise typer.Exit(1)
