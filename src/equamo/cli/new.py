"""`equamo new`: a model file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..errors import FileFormatError
from ..formats.template import LETTERS, template
from ..wording import counted

_VALID = ", ".join(f"{k} {kind}" for k, (kind, _) in LETTERS.items())


def run(
    joints: Annotated[str, typer.Argument(help=f"A letter for each joint: {_VALID}.")],
    out: Annotated[Path | None, typer.Option(help="Write to this file, not to the screen.")] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over a file that is there.")
    ] = False,
) -> None:
    """Write a model file to start from, filled in and commented.

    \b
    Example:
      equamo new rrp --out arm.toml
    """
    text = template(joints, out.stem if out is not None else "robot")
    if out is None:
        print(text, end="")
        return
    if out.exists() and not force:
        raise FileFormatError(f"{out} is there already; --force writes over it.")
    try:
        out.write_text(text, encoding="utf-8")
    except OSError as error:
        raise FileFormatError(f"{out} cannot be written: {error}.") from None
    print(f"{out}: a chain with {counted(len(joints.strip()), 'joint')}; next: equamo check {out}")
