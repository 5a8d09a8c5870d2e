"""The command `equamo`: one file per verb, loaded only by the command."""

from __future__ import annotations

import io
import sys
from importlib.metadata import version
from typing import Annotated

import typer

from ..errors import EquamoError
from . import demo, doctor

app = typer.Typer(
    name="equamo",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)

app.command("demo")(demo.run)
app.command("doctor")(doctor.run)


def _show_version(wanted: bool) -> None:
    if wanted:
        print(f"equamo {version('equamo')}")
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
      equamo demo      an identity, proved before your eyes
      equamo doctor    is everything here that equamo needs?
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
