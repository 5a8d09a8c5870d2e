"""The command `equamo`, with one file per verb; `model` and `output` are shared by them.

In reading order: `robots`, `new`, `check`, `derive` (with `equations_data`), `prove`, `audit`,
`compare`, `generate`, `simulate`, `linearize`, `view`, `paper`, `report`, `studio`, `doctor`
and `demo`.
"""

from __future__ import annotations

import io
import sys
from typing import Annotated

import typer

from .._version import __version__
from ..errors import EquamoError
from . import (
    audit,
    check,
    compare,
    demo,
    derive,
    doctor,
    generate,
    linearize,
    new,
    paper,
    prove,
    report,
    robots,
    simulate,
    studio,
    view,
)

app: typer.Typer = typer.Typer(
    name="equamo",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

for _name, _verb in (
    ("robots", robots),
    ("new", new),
    ("check", check),
    ("derive", derive),
    ("prove", prove),
    ("audit", audit),
    ("compare", compare),
    ("generate", generate),
    ("simulate", simulate),
    ("linearize", linearize),
    ("view", view),
    ("paper", paper),
    ("report", report),
    ("studio", studio),
    ("doctor", doctor),
    ("demo", demo),
):
    app.command(_name)(_verb.run)


def _show_version(show: bool) -> None:
    if show:
        print(f"equamo {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and exit.", callback=_show_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Equations of motion of robots, derived exactly and proved to agree.

    \b
    Examples:
      equamo robots           list the built-in robots
      equamo new rrp          write a model file to start from
      equamo check starleth   check a model: rotations, axes, inertias
      equamo derive rr_arm    derive the equations of motion
      equamo prove krang      derive by five formulations, prove them equal
      equamo audit paper.toml compare printed equations with derived ones
      equamo compare rr_arm   compare with Pinocchio and other libraries
      equamo generate rr_arm  write C, C++, NumPy, MATLAB or JavaScript
      equamo simulate rr_arm  simulate the motion and account for its energy
      equamo linearize rr_arm linear system near a state, and its poles
      equamo view rr_arm      draw the robot
      equamo paper rr_arm     write the derivation as a document, proved line by line
      equamo report krang     write its page: 3D, equations, proof, motion
      equamo studio krang     edit it in the browser; equations and proof are updated
      equamo doctor           check that all required packages are installed
      equamo demo             derive, prove and simulate a humanoid
    """


def main() -> None:
    """Run the command; an EquamoError is printed to stderr, with exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # for 2⁻¹⁰⁰ on a terminal without UTF-8
    try:
        app()
    except EquamoError as error:
        print(f"equamo: {error}", file=sys.stderr)
        raise SystemExit(2) from None
