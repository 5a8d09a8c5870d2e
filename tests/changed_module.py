"""A module of equamo with an error put into it on purpose, for processes that look for the error."""

from __future__ import annotations

import importlib.abc
import importlib.machinery
import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

from mutations import Mutation


def in_a_process(script: str, *arguments: str) -> tuple[bool, str]:
    """Run a script with this equamo: whether it ended well, its output or the last line of its error."""
    import equamo

    environment = {
        **os.environ,
        "PYTHONPATH": str(Path(equamo.__file__).parents[1]),
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", script, *arguments],
        capture_output=True, text=True, env=environment, timeout=300,
    )  # fmt: skip
    if done.returncode:
        return False, done.stderr.strip().splitlines()[-1]
    return True, done.stdout.rstrip("\n")


def stands_once(mutation: Mutation) -> bool:
    """Whether the text to be changed occurs exactly once in its module, and is changed."""
    import equamo

    path = Path(equamo.__file__).parent / f"{mutation.module.replace('.', '/')}.py"
    once = path.read_text(encoding="utf-8").count(mutation.original) == 1
    return once and mutation.mutated != mutation.original


class Changed(importlib.abc.MetaPathFinder):
    """Imports one module of equamo from a changed text."""

    def __init__(self, mutation: Mutation) -> None:
        self.name = f"equamo.{mutation.module}"
        self.mutation = mutation

    def find_spec(self, fullname: str, path: Any, target: ModuleType | None = None) -> Any:
        if fullname != self.name:
            return None
        spec = importlib.machinery.PathFinder.find_spec(fullname, path)
        assert spec is not None
        assert spec.origin is not None
        loader = ChangedLoader(fullname, spec.origin)
        loader.mutation = self.mutation
        return importlib.util.spec_from_file_location(fullname, spec.origin, loader=loader)


class ChangedLoader(importlib.machinery.SourceFileLoader):
    mutation: Mutation

    def path_stats(self, path: str) -> Any:
        raise OSError  # neither read nor write compiled files

    def get_data(self, path: str) -> bytes:
        text = super().get_data(path).decode()
        assert text.count(self.mutation.original) == 1
        return text.replace(self.mutation.original, self.mutation.mutated).encode()
