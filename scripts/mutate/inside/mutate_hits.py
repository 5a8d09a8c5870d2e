"""Recorder of the blocks that run, imported by instrumented code; also the pytest plugin that asks it.

In the process of pytest each test has a set of its own. Any other process appends each block to a file
when it is first entered, under the name of the test that started it: such a process may end in any way.
What is collected is written with the make target that each test belongs to.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import pytest

FOLDER = Path(os.environ.get("MUTATE_HITS", "."))
on_import: set[str] = set()


def _hit_elsewhere() -> Callable[[str], None]:
    """What `hit` is in a process that a test started."""
    seen: set[str] = set()
    test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]

    def hit(block: str) -> None:
        if block not in seen:
            seen.add(block)
            with (FOLDER / f"{os.getpid()}.hits").open("a", encoding="utf-8") as file:
                file.write(f"{test}\t{block}\n")

    return hit


hit: Callable[[str], None] = (
    _hit_elsewhere() if "PYTEST_CURRENT_TEST" in os.environ else on_import.add
)


def _in_child() -> None:
    global hit
    hit = _hit_elsewhere()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_in_child)


def _processor_seconds() -> float:
    return sum(os.times()[:4])  # with the processes it has waited for


class Recorder:
    """Writes a line of JSON per test: its name, seconds, outcome and blocks."""

    def __init__(self) -> None:
        self.outcome = "passed"

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        global hit
        seen: set[str] = set()
        self.outcome = "passed"
        hit, start = seen.add, _processor_seconds()
        result = yield
        seconds = _processor_seconds() - start
        hit = on_import.add
        line = {
            "test": item.nodeid,
            "seconds": seconds,
            "outcome": self.outcome,
            "hits": sorted(seen),
        }
        with (FOLDER / "tests.jsonl").open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")
        return result

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        marked = {i.nodeid: i.get_closest_marker("ci") is not None for i in session.items}
        targets = {name: "test-ci" if ci else "test" for name, ci in marked.items()}
        (FOLDER / "targets.json").write_text(json.dumps(targets), encoding="utf-8")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.outcome != "passed" and self.outcome == "passed":
            self.outcome = report.outcome


def pytest_configure(config: pytest.Config) -> None:
    """Record every test of this run."""
    config.pluginmanager.register(Recorder())
