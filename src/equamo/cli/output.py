"""What all verbs share: progress on a terminal, JSON, tables; quiet when piped."""

from __future__ import annotations

import json
import sys
from collections.abc import Generator
from contextlib import contextmanager
from typing import Annotated, Any

import typer
from rich.console import Console

from ..certificate.prove import Progress

RobotName = Annotated[
    str, typer.Argument(help="A built-in robot (see `equamo robots`), or a file.")
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def print_json(data: Any) -> None:
    """Plain data on stdout."""
    print(json.dumps(data, indent=1, ensure_ascii=False))


@contextmanager
def progress(first: str) -> Generator[Progress]:
    """A spinner with the name of the stage, on stderr, only where a person looks at it."""
    console = Console(stderr=True)
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with console.status(first) as status:
        yield lambda stage: status.update(stage)
