"""Output of all verbs: JSON, and progress on a terminal."""

from __future__ import annotations

import json
import sys
from contextlib import AbstractContextManager
from typing import Annotated, Any

import typer

from ..basics.waiting import waiting
from ..mechanics.certificate.prove import Progress

Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]


def print_json(data: Any) -> None:
    """Print plain data as JSON; where the output is not UTF-8, with escapes, so that nothing is lost."""
    is_utf8 = (getattr(sys.stdout, "encoding", None) or "utf-8").lower().startswith("utf")
    print(json.dumps(data, indent=1, ensure_ascii=not is_utf8))


def progress(first: str) -> AbstractContextManager[Progress]:
    """Spinner with the name of the stage, on stderr, only if that is a terminal."""
    return waiting(first)
