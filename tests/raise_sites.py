"""Which `raise` statements the tests reach, and whether their messages follow the pattern.

A message says what must hold, what was given and what to do. `RaiseSites` watches every error that is
created while tests run. `make test` writes what it reached to `REACHED`; `make test-ci` adds its own,
and fails unless every `raise` that builds an error was reached with a message that follows the pattern,
as does a run of all tests. `EXCEPTIONS` lists those that cannot be reached. `EQUAMO_RAISES=folder`
shows, after a run of some tests, what is still missing below src/equamo/folder.
"""

from __future__ import annotations

import ast
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from equamo.errors import EquamoError

PACKAGE = Path(__file__).parents[1] / "src" / "equamo"
FOLDER = f"{PACKAGE}{os.sep}"
REACHED = Path(__file__).parents[1] / "build" / "raises.json"
FIRST, SECOND = "not ci", "ci"  # what `make test` and `make test-ci` select by -m

# What a message contains that says what must hold, or what is the matter.
CUES = re.compile(
    r"\bmust\b|\bgot\b|\bunknown\b|\bno value\b|\bcannot\b|\bcould not\b|\bexpected\b|\bneeds?\b"
    r"|\btakes?\b|\bmissing\b|\bonly\b|\bat (most|least)\b|\bnot\b|\bno longer\b|\balready\b|\btwice\b"
    r"|\bfailed\b|\bdiverged\b|\bdamaged\b|\btoo (long|large|many|deep|deeply|small)\b|\bsingular\b"
    r"|\bdepends?\b|\bhas no\b|\bdiffers?\b|\bboth\b|\bmore than\b|\bpass\b|\buse\b"
    r"|\bambiguous\b",
    re.IGNORECASE,
)
# Wording that style.md rules out.
BANNED = re.compile(
    r"\bthere is no\b|\bis no [a-z]+\b|\bis none\b|\bnot given\b|\bit is not\b|\bare none\b|\bcannot be:"
    r"|\bis to be\b|\bare a list of\b|\bwhat is given\b",
    re.IGNORECASE,
)

# `raise` statements that no test can reach, as "file: source of the line", with the reason.
EXCEPTIONS: dict[str, str] = {}

# Raised in bridges to frameworks, which only `make test-bridges` has: reached there, not in `make test`.
BRIDGES = (
    "motion/frameworks/framework",
    "motion/frameworks/arguments",
    "motion/frameworks/pytorch",
    "motion/frameworks/jax",
    "motion/frameworks/casadi",
)
ONLY_BRIDGES = os.environ.get("EQUAMO_BRIDGES", "") not in ("", "0")

Site = tuple[str, int]  # file below src/equamo, first line of the statement


@cache
def _raises(path: Path) -> list[tuple[int, int, str]]:
    """(first line, last line, source) of each `raise` of a file that builds an error of ours."""
    source = path.read_text(encoding="utf-8")
    return [
        (node.lineno, node.end_lineno or node.lineno, ast.unparse(node))
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Raise) and node.exc is not None and _builds(node.exc)
    ]


def _builds(exc: ast.expr) -> bool:
    """Whether an error for users is made here: not a re-raise, a private or a built-in exception."""
    call = next((x for x in ast.walk(exc) if isinstance(x, ast.Call)), None)
    if call is None:
        return False
    name = ast.unparse(call.func)
    private = re.match(
        r"_[A-Z]|[a-z_.]*Exit$|Unlucky|OverBudget|LostError|RefusedError|(np\.linalg\.)?LinAlgError",
        name,
    )
    return not private and not hasattr(__import__("builtins"), name)


def sites() -> dict[Site, str]:
    """All `raise` statements that the tests should reach, with their source."""
    found: dict[Site, str] = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        for first, _, source in _raises(path):
            if f"{name}: {source}" not in EXCEPTIONS:
                found[name, first] = source
    return found


def off_pattern(message: str) -> str:
    """What is wrong with a message; empty if it follows the pattern."""
    message = re.sub(r"\n.*\n *\^$", "", message)  # the excerpt of a text, with a caret below it
    if not CUES.search(message):
        return "does not say what must hold"
    banned = BANNED.search(message)
    if banned:
        return f"contains {banned.group()!r}"
    if not re.search(r"[.?!…)\]'\"^]$", message.strip()):
        return "does not end like a sentence"
    return ""


class RaiseSites:
    """Plugin: notes each error at the `raise` that is building it; judges at the end of the session."""

    def __init__(self) -> None:
        # By file and line that was being executed: the first message off the pattern, or any. Which of
        # the lines are of a `raise` is found out at the end: errors occur in the depth of a recursion.
        self.lines: dict[Site, str] = {}
        self.judges = False  # whether this run must have reached all

    def note(self, error: EquamoError) -> None:
        frame: Any = sys._getframe(2)
        rows: list[tuple[str, int, str]] = []
        while frame is not None:
            path = frame.f_code.co_filename
            if "equamo" in path and path.startswith(FOLDER):
                rows.append(
                    (path.removeprefix(FOLDER).replace(os.sep, "/"), frame.f_lineno, str(error))
                )
            frame = frame.f_back
        self.add(rows)

    def pytest_sessionstart(self) -> None:
        def noted(error: EquamoError, *args: Any) -> None:
            Exception.__init__(error, *args)
            limit = sys.getrecursionlimit()
            sys.setrecursionlimit(limit + 500)  # an error may be made just below the limit
            try:
                self.note(error)
            finally:
                sys.setrecursionlimit(limit)

        EquamoError.__init__ = noted

    @pytest.hookimpl(optionalhook=True)  # unknown without xdist
    def pytest_testnodedown(self, node: Any) -> None:
        self.add(getattr(node, "workeroutput", {}).get("raises", ()))

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(session.config, "workeroutput"):
            session.config.workeroutput["raises"] = self.rows()
            return
        selection = _selection(session.config)
        if selection == FIRST:
            self.save()
        self.judges = selection == "" or (selection == SECOND and self.load())
        if self.judges and session.exitstatus == 0 and self.problems():
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def save(self) -> None:
        REACHED.parent.mkdir(exist_ok=True)
        kept = {"sources": _sources(), "raises": self.rows()}
        REACHED.write_text(json.dumps(kept), encoding="utf-8")

    def load(self) -> bool:
        """Add what `make test` reached; False if it did not run on the same sources."""
        kept = json.loads(REACHED.read_text(encoding="utf-8")) if REACHED.exists() else {}
        self.add(kept.get("raises", ()))
        return kept.get("sources") == _sources()

    def rows(self) -> list[tuple[str, int, str]]:
        return [(*site, message) for site, message in self.lines.items()]

    def add(self, rows: Iterable[tuple[str, int, str]]) -> None:
        for file, line, message in rows:
            if (file, line) not in self.lines or off_pattern(message):
                self.lines[file, line] = message

    def reached(self) -> dict[Site, str]:
        """The `raise` statements that were executed, each with a message."""
        found: dict[Site, str] = {}
        for (file, line), message in self.lines.items():
            for first, last, _ in _raises(PACKAGE / file):
                if first <= line <= last and ((file, first) not in found or off_pattern(message)):
                    found[file, first] = message
        return found

    def problems(self, below: str = "") -> list[str]:
        """One line per `raise` that was not reached or whose message is off the pattern."""
        lines: list[str] = []
        reached = self.reached()
        for (file, line), source in sites().items():
            chosen = file.startswith(below) if below else file.startswith(BRIDGES) == ONLY_BRIDGES
            if not chosen:
                continue
            if (file, line) not in reached:
                lines.append(f"src/equamo/{file}:{line}: not reached by a test: {source[:100]}")
            elif off_pattern(reached[file, line]):
                message = reached[file, line]
                lines.append(f"src/equamo/{file}:{line}: {off_pattern(message)}: {message[:200]}")
        return lines

    def pytest_terminal_summary(self, terminalreporter: Any, config: pytest.Config) -> None:
        below = os.environ.get("EQUAMO_RAISES")
        if below is None and _selection(config) == SECOND and not self.judges:
            terminalreporter.write_line("raise statements: not judged; run make test first")
        if below is None and not self.judges:
            return
        below = below or ""
        lines = self.problems(below)
        terminalreporter.section(f"raise statements below src/equamo/{below}")
        for line in lines:
            terminalreporter.write_line(line)
        terminalreporter.write_line(f"{len(lines)} to mend")


def _selection(config: pytest.Config) -> str | None:
    """What a whole run selects: "" (everything), `FIRST` or `SECOND`; None if only some tests run."""
    chosen = config.option.keyword or config.option.deselect
    from_settings = config.args_source is pytest.Config.ArgsSource.TESTPATHS
    whole = (from_settings or ONLY_BRIDGES) and not chosen
    return config.option.markexpr if whole else None


def _sources() -> str:
    """Digest of the package."""
    found = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        found.update(path.read_bytes())
    return found.hexdigest()
