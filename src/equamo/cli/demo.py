"""`equamo demo`: derive, prove and simulate Krang, a humanoid with 17 joints, and write its page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..mechanics.certificate import prove
from ..mechanics.equations import derive
from ..publish.page.report import report
from ..publish.page.show import open_page
from ..robot.catalog import load
from ..robot.formats.text_file import check_ending
from .output import progress


def run(
    out: Annotated[Path, typer.Option(help="The page to write.")] = Path("krang.html"),
    show: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page if there is a display.")
    ] = True,
) -> None:
    """Derive Krang by five formulations, prove that they agree, simulate it, and write its page.

    \b
    Example:
      equamo demo
    """
    check_ending(out, ".html")
    robot = load("krang")
    with progress("deriving") as say:
        certificate = prove(robot, progress=say)
    print(certificate)
    print()
    eom = derive(robot)
    print(eom)
    with progress("deriving") as say:
        page = report(eom, out, certificate=certificate, progress=say)
    print(f"\npage with its motion and equations: {page.absolute()}")
    print("next: equamo derive rr_arm, equamo report starleth, equamo simulate rr_arm --q q1=1")
    if not certificate.ok:
        raise typer.Exit(1)
    if show:
        open_page(page)
