"""`equamo studio`: edit a robot in the browser, with its equations, proof and motion."""

from __future__ import annotations

from typing import Annotated

import typer

from ..publish.studio.serve import serve


def run(
    robot: Annotated[
        str | None, typer.Argument(help="A built-in robot (see `equamo robots`) or a file.")
    ] = None,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page in the browser.")
    ] = True,
    port: Annotated[
        int, typer.Option(help="Port on 127.0.0.1; 0 for a free one.", min=0, max=65535)
    ] = 0,
    stay: Annotated[
        bool, typer.Option("--stay", help="Keep running until Ctrl-C when the page is closed.")
    ] = False,
) -> None:
    """Edit a robot in the browser and see its equations, proof and motion change.

    The page is served on this machine only: it needs no network, and it can open and save only the
    model files in the current folder. To end it, press Ctrl-C or close the page.

    \b
    Example:
      equamo studio krang
      equamo studio arm.toml --no-browser --port 8000
    """
    serve(robot, port=port, open_browser=browser, stay=stay, announce=_announce)


def _announce(url: str) -> None:
    print(f"The studio is at {url}", flush=True)
    print("Press Ctrl-C to end it.", flush=True)
