"""Which tests `make test` runs, and which `make test-ci` adds; the order in which they run.

A test belongs to `make test` unless it or its module has the marker `ci`. Of a parametrized test with
the marker `sweep(n)`, the first n cases belong to `make test` and the others to `make test-ci`. What
needs one of `PROGRAMS` belongs to `make test-ci`, too. Nothing runs in both.
"""

from __future__ import annotations

import os
import random
import re
from collections import Counter, defaultdict
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from _pytest.doctest import DoctestModule

from needs import needed

PROGRAMS = frozenset(("mkoctfile", "node", "octave-cli"))  # which `make test` does not install
MARKERS = (
    "ci: belongs to `make test-ci`, not to `make test`",
    "sweep(n): its first n cases belong to `make test` and the others to `make test-ci`",
)
MODULE_MARK = re.compile(r"^ *pytestmark = .*\bmark\.ci\b", re.MULTILINE)


class Suites:
    """Plugin: marks the cases of sweeps, and shuffles the tests if EQUAMO_SHUFFLE has a seed."""

    def __init__(self) -> None:
        self.seed = os.environ.get("EQUAMO_SHUFFLE", "")

    def pytest_report_header(self) -> str | None:
        return f"shuffled: EQUAMO_SHUFFLE={self.seed}" if self.seed else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_ignore_collect(self, collection_path: Path, config: pytest.Config) -> bool | None:
        """Leave out modules of `make test-ci` before they are imported."""
        named = collection_path.name.startswith("test_") and collection_path.suffix == ".py"
        if named and config.option.markexpr == "not ci":
            return bool(MODULE_MARK.search(collection_path.read_text(encoding="utf-8"))) or None
        return None

    @pytest.hookimpl(wrapper=True)
    def pytest_collect_file(self, file_path: Path) -> Generator[None, list[Any], list[Any]]:
        """Look for doctests only in files that have examples, and not in those of tests."""
        found = yield
        doctests = [x for x in found if isinstance(x, DoctestModule)]
        if doctests and (
            file_path.name.startswith("test_") or ">>> " not in file_path.read_text("utf-8")
        ):
            return [x for x in found if x not in doctests]
        return found

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        cases: Counter[str] = Counter()
        for item in items:
            if not PROGRAMS.isdisjoint(needed(item)):
                item.add_marker("ci")
            mark = item.get_closest_marker("sweep")
            if mark is not None:
                test = item.nodeid.partition("[")[0]
                cases[test] += 1
                if cases[test] > mark.args[0]:
                    item.add_marker("ci")
        if self.seed:
            items[:] = shuffled(items, self.seed)


def shuffled(items: list[pytest.Item], seed: str) -> list[pytest.Item]:
    """Modules in random order, and the tests in each of them: fixtures of modules are made once."""
    modules: dict[Path, list[pytest.Item]] = defaultdict(list)
    for item in items:
        modules[item.path].append(item)
    rng = random.Random(seed)
    order = list(modules)
    rng.shuffle(order)
    for path in order:
        rng.shuffle(modules[path])
    return [item for path in order for item in modules[path]]
