"""The command `equamo`: one file per verb, loaded only by the command."""

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
    demo,
    derive,
    doctor,
    generate,
    linearize,
    new,
    prove,
    report,
    robots,
    simulate,
    view,
)

app = typer.Typer(
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
    ("generate", generate),
    ("simulate", simulate),
    ("linearize", linearize),
    ("view", view),
    ("report", report),
    ("doctor", doctor),
    ("demo", demo),
):
    app.command(_name)(_verb.run)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"equamo {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", help="Print the version and stop.", callback=_show_version, is_eager=True
        ),
    ] = False,
) -> None:
    """Equations of motion of robots, derived exactly and proved to agree.

    \b
    Examples:
      equamo robots           the built-in robots
      equamo new rrp          a model file to start from
      equamo check starleth   are its rotations rotations?
      equamo derive rr_arm    its equations of motion
      equamo prove krang      derived five ways, proved equal
      equamo audit paper.toml printed equations against derived ones
      equamo generate rr_arm  C, NumPy, MATLAB, JavaScript with a self-test
      equamo simulate rr_arm  its motion, and where its energy goes
      equamo linearize rr_arm a linear system near a state, and its poles
      equamo view rr_arm      a picture of it
      equamo report krang     its page: 3D, equations, proof, motion
      equamo doctor           is everything here that equamo needs?
      equamo demo             a humanoid, derived, proved and moving
    """


def main() -> None:
    """Run the command; an error of ours is one paragraph on stderr and exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # 2⁻¹⁰⁰ on a terminal that is not UTF-8
    try:
        app()
    except EquamoError as error:
        print(f"equamo: {error}", file=sys.stderr)
        raise SystemExit(2) from None
