"""`equamo paper`: write the derivation of a robot's equations as a document."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..mechanics.equations import FORMULATIONS
from ..publish.document.paper import SUFFIXES
from ..publish.document.round_trip import read_back
from ..publish.document.write import paper
from .model import Base, Parameters, RobotName, robot_of
from .output import Json, print_json, progress
from .report import plain_name


def run(
    robot: RobotName,
    out: Annotated[
        Path | None,
        typer.Option(help=f"File to write ({', '.join(SUFFIXES)}); by default ROBOT.pdf."),
    ] = None,
    by: Annotated[
        str,
        typer.Option(
            help=f"One of {', '.join(FORMULATIONS)}, or two of them separated by a comma."
        ),
    ] = "lagrange",
    title: Annotated[str | None, typer.Option(help="Title of the document.")] = None,
    short: Annotated[
        bool | None,
        typer.Option("--short/--long", help="Whether to write s₁ and c₁₂ for sines and cosines."),
    ] = None,
    letters: Annotated[str, typer.Option(help="Letters of the results: MCg or DCG.")] = "MCg",
    quantities: Annotated[
        str | None, typer.Option(help="Results to derive, such as M,g; by default all.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Read the LaTeX back and prove each of its lines.")
    ] = False,
    base: Base = None,
    parameters: Parameters = None,
    json: Json = False,
) -> None:
    """Write the derivation of a robot's equations as a document, proved line by line.

    \b
    Example:
      equamo paper rr_arm --by kane --out arm.html
      equamo paper krang --by lagrange --out krang.pdf
    """
    with progress("deriving"):
        model = robot_of(robot, base, parameters)
        path = Path(f"{plain_name(model.name)}.pdf") if out is None else out
        methods = [x.strip() for x in by.split(",") if x.strip()] or [by]
        document = paper(
            model,
            path,
            by=methods[0] if len(methods) == 1 else tuple(methods),  # pyright: ignore[reportArgumentType]
            title=title,
            short=short,
            letters=letters,
            quantities=None if quantities is None else [x.strip() for x in quantities.split(",")],
        )
        trip = read_back(document) if check else None
    proved = sum(x.standing == "proved" for x in document.equations)
    failed = [x.number for x in document.equations if not all(x.proofs)]
    count, size = len(document.equations), path.stat().st_size
    if json:
        data = {"robot": model.name, "file": str(path), "bytes": size, "equations": count}
        checked = {} if trip is None else {"read_back": len(trip.lines), "wrong": len(trip.wrong)}
        print_json(data | {"proved": proved, "not_proved": failed} | checked)
    else:
        print(f"{path}: {count} equations, {proved} of them derived and proved")
        if failed:
            print(f"not proved: {', '.join(f'({n})' for n in failed)}")
        if trip is not None:
            print(trip)
    if failed or (trip is not None and not trip):
        raise typer.Exit(1)
