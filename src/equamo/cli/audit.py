"""`equamo audit`: compare printed equations with derived ones."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..claims import audit, parse_claims
from .output import Json, print_json, progress


def run(
    claims: Annotated[Path, typer.Argument(help="A claims file (TOML), or - for standard input.")],
    robot: Annotated[
        str | None,
        typer.Argument(help="A built-in robot or a file; by default that of the claims file."),
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
    """Compare the equations printed in a document with derived ones, entry by entry.

    Exit code 0 if all claims are proved, 1 if one is wrong or undecided, 2 for invalid input.

    \b
    Example:
      equamo audit kim2005.toml
      equamo audit paper.toml --failed
      equamo audit paper.toml my_robot.urdf --json
      cat paper.toml | equamo audit -
    """
    with progress("reading") as say:
        given = parse_claims(sys.stdin.read(), "standard input") if str(claims) == "-" else claims
        report = audit(given, robot, seed=seed, progress=say)
    if json:
        print_json(report.to_data())
    else:
        print(report.text(failed))
    if out is not None:
        report.save(out)
    if not (report.as_expected if expected else report.ok):
        raise typer.Exit(1)
