"""`make test-core`: the tests that need only what a plain install has, on any platform.

Nothing lists these tests. A test needs a library if it fails after it, or our code that it calls, has
tried to import the library, and a program if it fails because it has started one that is not on the
path, which here has the folder of Python alone. Such a test does not count as passed, failed or skipped;
the end of the run says how many tests needed what. A library that is installed is used. `make test` runs
the same tests with everything installed, where a misspelt import is an error.

Of the rest a sample runs: the first test of each file, and one in `ONE_IN`, chosen by its name.
EQUAMO_TEST_ALL=1 runs all of them.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Generator, Iterator
from doctest import UnexpectedException
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest

CORE_ONLY = os.environ.get("EQUAMO_CORE", "") not in ("", "0")
ONE_IN = 8
OURS = tuple(str(Path(__file__).parents[1] / folder) for folder in ("src", "tests"))

# What the last line of a traceback says, for a test whose subprocess ended with it.
_NO_MODULE = re.compile(r"No module named ['\"]?([A-Za-z_]\w*)")


def needs(error: BaseException | None) -> str | None:
    """Library or program whose absence caused an error; None if the error has another cause."""
    for found in _chain(error):
        if isinstance(found, ModuleNotFoundError) and found.name:
            name = found.name.partition(".")[0]
            if _is_missing(name):
                return name
        if isinstance(found, FileNotFoundError):
            program = _program(found)
            if program is not None:
                return program
    texts = [str(found) for found in _chain(error)]
    names = [name for text in texts for name in _NO_MODULE.findall(text)]
    return next((name for name in names if _is_missing(name)), None)


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    """The error and what it came from, also if it was raised `from None` or in a doctest."""
    waiting, seen = [error], set[int]()
    while waiting:
        found = waiting.pop()
        if found is None or id(found) in seen:
            continue
        seen.add(id(found))
        yield found
        if isinstance(found, UnexpectedException):
            waiting.append(found.exc_info[1])
        waiting += getattr(found, "failures", ())  # of several lines of a doctest
        waiting += [found.__cause__, found.__context__]


def _is_missing(name: str) -> bool:
    try:
        found = find_spec(name)
    except (ImportError, ValueError):
        return True
    return found is None or found.origin is None  # a folder such as build/ is not a library


def _program(error: FileNotFoundError) -> str | None:
    """Program that `subprocess` did not find; None if a file was not found."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or trace.tb_frame.f_code.co_filename != subprocess.__file__:
        return None
    command: Any = trace.tb_frame.f_locals.get("args", "")  # on Windows it is one text by now
    words = command.split() if isinstance(command, str) else [os.fspath(x) for x in command]
    return words[0] if words and shutil.which(words[0]) is None else None


def is_sampled(node_id: str) -> bool:
    """Whether a test is in the sample; the same ones on every platform."""
    return crc32(node_id.replace("\\", "/").encode()) % ONE_IN == 0


class Missed:
    """Last finder of modules: it finds none, and notes the libraries that our code asked for in vain."""

    def __init__(self) -> None:
        self.names: list[str] = []

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        frame: Any = sys._getframe(1)
        while frame is not None and "importlib" in frame.f_code.co_filename:
            frame = frame.f_back
        if frame is not None and frame.f_code.co_filename.startswith(OURS) and path is None:
            self.names.append(name)


class CoreOnly:
    """Plugin: sorts out the tests that need more than the core has, and runs a sample of the others."""

    def __init__(self, sampled: bool) -> None:
        self.sampled = sampled
        self.missed = Missed()

    def pytest_configure(self) -> None:
        os.environ["PATH"] = str(Path(sys.executable).parent)
        sys.meta_path.append(self.missed)

    def pytest_unconfigure(self) -> None:
        sys.meta_path.remove(self.missed)

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(
        self, config: pytest.Config, items: list[pytest.Item]
    ) -> None:
        if not self.sampled:
            return
        files: set[Path] = set()
        chosen: list[pytest.Item] = []
        for item in items:
            if item.path not in files or is_sampled(item.nodeid):
                chosen.append(item)
            files.add(item.path)
        config.hook.pytest_deselected(items=[x for x in items if x not in set(chosen)])
        items[:] = chosen

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_make_collect_report(self) -> Generator[None, Any, pytest.CollectReport]:
        report = yield
        call = getattr(report, "call", None)
        if report.failed and call is not None and call.excinfo:
            _sort_out(report, needs(call.excinfo.value))
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_logstart(self) -> None:
        self.missed.names.clear()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, Any, pytest.TestReport]:
        report = yield
        if report.failed and call.excinfo:
            _sort_out(report, needs(call.excinfo.value) or next(iter(self.missed.names), None))
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> tuple[str, str, str] | None:
        return ("needs", "n", "NEEDS") if hasattr(report, "needs") else None

    @pytest.hookimpl(tryfirst=True)
    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        stats = terminalreporter.stats
        files = [x for x in stats.get("skipped", ()) if hasattr(x, "needs")]
        stats["skipped"] = [x for x in stats.get("skipped", ()) if x not in files]
        stats.setdefault("needs", []).extend(files)
        terminalreporter.section("test files and tests that need more than the core")
        for name, count in sorted(Counter(x.needs for x in stats["needs"]).items()):
            terminalreporter.write_line(f"{count:5} {name}")


def _sort_out(report: Any, missing: str | None) -> None:
    if missing is not None:
        report.outcome, report.needs = "skipped", missing
        # As of a skip: (file, line, reason). Workers send one report of several with the same reason.
        report.longrepr = (report.nodeid, 0, f"{report.nodeid} needs {missing}")
