"""All readers: each module of `readers/` lists its own."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from pathlib import Path

from fuzz.reader import Reader

FOLDER = Path(__file__).parent / "readers"


@cache
def readers() -> dict[str, Reader]:
    """{name: reader}"""
    found: dict[str, Reader] = {}
    for path in sorted(FOLDER.glob("[a-z]*.py")):
        for reader in import_module(f"fuzz.readers.{path.stem}").READERS:
            assert reader.name not in found, f"two readers are called {reader.name}"
            found[reader.name] = reader
    return found
