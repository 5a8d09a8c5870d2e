"""`equamo prove`: prove that all formulations agree; check a certificate, or generated code."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import ModelError
from ..mechanics.certificate import Certificate, check_file, prove
from ..robot.formats.text_file import check_ending
from .model import Base, Parameters, robot_of
from .output import Json, print_json, progress
from .prove_code import Choices, run_code


def run(
    robot: Annotated[str | None, typer.Argument(help="A built-in robot, a file, or -.")] = None,
    out: Annotated[Path | None, typer.Option(help="Save the certificate to this file.")] = None,
    export: Annotated[
        Path | None,
        typer.Option(
            help="Write both sides of every line as straight-line programs for checker/check.py."
        ),
    ] = None,
    check: Annotated[
        Path | None,
        typer.Option(
            help="Recompute and compare everything in this certificate, and prove it at new points."
        ),
    ] = None,
    meant: Annotated[
        str | None,
        typer.Option("--robot", help="With --check or --code: the robot that the files are of."),
    ] = None,
    code: Annotated[
        list[Path] | None,
        typer.Option(help="Prove functions of a generated file (.c, .py, .m, .mjs) of --robot."),
    ] = None,
    functions: Annotated[
        str | None,
        typer.Option(help="With --code: the --functions that generate was given, if names clash."),
    ] = None,
    by: Annotated[
        str, typer.Option(help="With --code: the formulation that generate was given.")
    ] = "recursive",
    value: Annotated[
        list[str] | None,
        typer.Option(help="With --code: name=number of a parameter that was folded in."),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="Seed of the random primes and points.")] = None,
    base: Base = None,
    parameters: Parameters = None,
    json: Json = False,
) -> None:
    """Derive a robot by five formulations and prove that they agree.

    With --code, read generated files and prove that each function computes what the robot's equations
    say, with each constant rounded once. Pass the other options that `equamo generate` was given.

    Exit code 0 if all is proved, 1 if not, 2 for invalid input.

    \b
    Example:
      equamo prove krang --out krang.cert.json
      equamo prove --check krang.cert.json --robot krang
      equamo prove krang --export proof.json
      python checker/check.py proof.json
      equamo prove --code build/krang.c --robot krang
    """
    if code:
        if robot is not None or meant is None or check is not None or out is not None:
            raise ModelError(
                "To prove generated files, pass --code FILE (once or more) and --robot ROBOT, from "
                "which they were generated, but not another robot, --check or --out."
            )
        choices = Choices(meant, base, by, functions, parameters, value)
        run_code(code, choices, seed, json)
        return
    if functions is not None or value or by != "recursive":
        raise ModelError("--functions, --by and --value can be used only with --code FILE.")
    if (robot is None) == (check is None):
        both = "neither" if robot is None else "both"
        raise ModelError(
            f"prove needs either a robot or a certificate to --check, got {both}; see equamo prove "
            f"--help."
        )
    if meant is not None and check is None:
        raise ModelError(
            "--robot can be used only with --check or --code; to prove a robot, use equamo prove ROBOT."
        )
    for path in (out, export):
        if path is not None:
            check_ending(path, ".json")  # before an hour of proofs
    with progress("deriving") as say:
        if check is not None:
            expected = None if meant is None else robot_of(meant, base, parameters)
            certificate = check_file(check, expected, seed=seed, progress=say)
        else:
            assert robot is not None
            certificate = prove(robot_of(robot, base, parameters), seed=seed, progress=say)
    _show(certificate, json)
    if check is not None and not json:
        print(f"{check}: every line, bound, remark and digest matches.")
        if meant is None:
            print("The robot is the one in the file; use --robot NAME to compare it with another.")
    if out is not None:
        certificate.save(out)
    if not certificate.ok:
        raise typer.Exit(1)
    if export is not None:
        with progress("exporting"):
            certificate.export(export)


def _show(certificate: Certificate, json: bool) -> None:
    if json:
        print_json(certificate.to_data())
    else:
        print(certificate)
