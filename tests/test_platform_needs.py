"""Tests that need POSIX or Linux are recognised by their code."""

from __future__ import annotations

import ast
import os
import signal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from platform_needs import needed_platform, runs_on

ROOT = Path(__file__).parents[1]
PROGRAM = "import os\nchild = os.fork()\n"


def kills(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)


def runs(pid: int) -> bool:
    return Path(f"/proc/{pid}/stat").exists()


class Killer:
    def end(self) -> None:
        kills(1)


def uses_a_class() -> None:
    Killer().end()


def uses_a_text() -> None:
    print(PROGRAM)


def uses_an_option() -> None:
    print(SimpleNamespace(start_new_session=True))


def in_a_closure() -> Any:
    return [runs(x) for x in (1, 2)]


def plain(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("text", encoding="utf-8")
    assert str(tmp_path).count(os.sep)


@pytest.mark.parametrize(
    ("function", "expected"),
    [(kills, "posix"), (uses_a_class, "posix"), (uses_a_text, "posix"), (uses_an_option, "posix"),
     (runs, "linux"), (in_a_closure, "linux"), (plain, None)],
)  # fmt: skip
def test_what_a_function_needs(function: Any, expected: str | None) -> None:
    assert needed_platform(function) == expected


@pytest.fixture
def pipe(tmp_path: Path) -> Path:
    os.mkfifo(tmp_path / "pipe")
    return tmp_path / "pipe"


def test_a_fixture_counts(pipe: Path, request: pytest.FixtureRequest) -> None:
    assert pipe.exists()
    assert [runs_on(request.node, x) for x in ("linux", "darwin", "win32")] == [True, True, False]


def test_a_test_without_needs_runs_everywhere(request: pytest.FixtureRequest) -> None:
    assert all(runs_on(request.node, x) for x in ("linux", "darwin", "win32"))


NEEDED = {  # by the default of the platform: cp1252 and "\\r\\n" on Windows
    "read_text": {"encoding"},
    "write_text": {"encoding", "newline"},
}


def test_the_product_names_encodings_and_line_ends() -> None:
    problems: list[str] = []
    for path in sorted((ROOT / "src").rglob("*.py")):
        text = path.read_text(encoding="utf-8")
        if not any(x in text for x in (".read_text(", ".write_text(", "subprocess.")):
            continue
        for call in ast.walk(ast.parse(text)):
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute):
                given = {str(k.arg) for k in call.keywords}
                needed = (
                    set()
                    if call.args and call.func.attr == "read_text"
                    else set(NEEDED.get(call.func.attr, ()))
                )
                if ast.unparse(call.func).startswith("subprocess.") and "text" in given:
                    needed = {"encoding"}
                if not needed <= given:
                    problems.append(f"{path.relative_to(ROOT)}:{call.lineno}: {needed - given}")
    assert problems == []
