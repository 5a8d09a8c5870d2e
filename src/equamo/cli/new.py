"""`equamo new`: write a model file to start from."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ..basics.wording import counted
from ..errors import FileFormatError
from ..robot.formats.template import LETTERS, template
from ..robot.formats.text_file import check_ending

_VALID = ", ".join(f"{k} {kind}" for k, (kind, _) in LETTERS.items())


def run(
    joints: Annotated[str, typer.Argument(help=f"One letter per joint: {_VALID}.")],
    out: Annotated[
        Path | None, typer.Option(help="Write to this file instead of the screen.")
    ] = None,
    force: Annotated[bool, typer.Option("--force", help="Overwrite an existing file.")] = False,
) -> None:
    """Write a complete model file to start from, with comments.

    \b
    Example:
      equamo new rrp --out arm.toml
    """
    if out is not None:
        check_ending(out, ".toml")
    text = template(joints, out.stem if out is not None else "robot")
    if out is None:
        print(text, end="")
        return
    if out.exists() and not force:
        raise FileFormatError(f"{out} already exists; use --force to overwrite it.")
    try:
        out.write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise FileFormatError(
            f"{out} cannot be written ({error.strerror or error}); choose another --out."
        ) from None
    print(f"{out}: a chain with {counted(len(joints.strip()), 'joint')}; next: equamo check {out}")
