"""Pytest plugin: run the named tests in the given order, each with a limit of processor seconds.

The environment names a JSON file, `{"tests": {name: seconds}, "report": path}`. The first test that
fails, or reaches its limit, is written to the report.
"""

from __future__ import annotations

import json
import os
import signal
from collections.abc import Generator
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

TIMED_OUT = 99


class Selection:
    """The tests of one run."""

    def __init__(self, path: Path) -> None:
        plan = json.loads(path.read_text(encoding="utf-8"))
        self.limits: dict[str, float] = plan["tests"]
        self.report = Path(plan["report"])

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        order = {name: k for k, name in enumerate(self.limits)}
        items[:] = sorted((i for i in items if i.nodeid in order), key=lambda i: order[i.nodeid])

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        def stop(number: int, frame: FrameType | None) -> None:
            self.report.write_text(f"timeout: {item.nodeid}", encoding="utf-8")
            os._exit(TIMED_OUT)  # an exception could be caught by what is tested

        # Processor time: a busy machine makes no test slower.
        signal.signal(signal.SIGPROF, stop)
        signal.setitimer(signal.ITIMER_PROF, self.limits[item.nodeid])
        result = yield
        signal.setitimer(signal.ITIMER_PROF, 0)
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed and not self.report.exists():
            self.report.write_text(report.nodeid, encoding="utf-8")

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed and not self.report.exists():
            self.report.write_text(f"collection of {report.nodeid}", encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Read the plan that the environment names."""
    config.pluginmanager.register(Selection(Path(os.environ["MUTATE_PLAN"])))
