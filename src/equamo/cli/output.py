"""What all verbs share: progress on a terminal, JSON, tables; quiet when piped."""

from __future__ import annotations

import json
from contextlib import AbstractContextManager
from typing import Annotated, Any

import typer

from ..certificate.prove import Progress
from ..waiting import waiting

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def print_json(data: Any) -> None:
    """Plain data on stdout."""
    print(json.dumps(data, indent=1, ensure_ascii=False))


def progress(first: str) -> AbstractContextManager[Progress]:
    """A spinner with the name of the stage, on stderr, only where a person looks at it."""
    return waiting(first)
