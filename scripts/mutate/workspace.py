"""A private copy of the project: errors are put into it, and tests run in it.

The checkout is only read. The copy is a temporary folder with everything that tests look at; its `src`
comes first on the path of Python, also for the processes that tests start.
"""

from __future__ import annotations

import compileall
import contextlib
import os
import py_compile
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from types import TracebackType
from typing import NamedTuple

INSIDE = Path(__file__).with_name("inside")  # modules for the processes in the copy
LEFT_OUT = shutil.ignore_patterns(
    ".git", ".venv", "build", "dist", "__pycache__", ".*_cache", ".hypothesis", "*.egg-info"
)
# Plain assertions: pytest compiles the modules it rewrites by itself, whatever was compiled before.
# Plugins that are not used are not imported.
PYTEST = ["-m", "pytest", "-q", "--assert=plain"] + [
    f"-pno:{name}" for name in ("xdist", "xdist.looponfail", "platformdirs", "cacheprovider")
]
LARGEST = 6 << 30  # bytes of memory that a test process may take


class Ended(NamedTuple):
    """How a process ended: its exit code; or None, and why it was stopped."""

    code: int | None
    stopped: str
    output: str
    seconds: float


class StoppedError(Exception):
    """The run ends: a process in a workspace was stopped before it had a result."""


class Workspace:
    """A copy of a project in a temporary folder, deleted on exit.

    Args:
        project: the folder to copy; it has `src` and `tests`.
        stop: when it is set, a process that runs in the copy is ended with `StoppedError`.
        whole: copy everything, also compiled modules: the project is a prepared copy.
    """

    def __init__(
        self, project: Path, stop: threading.Event | None = None, *, whole: bool = False
    ) -> None:
        self.project = project
        self.ignore = None if whole else LEFT_OUT
        self.stop = stop or threading.Event()
        self._folder = tempfile.TemporaryDirectory(prefix="mutate-")
        self.root = Path(self._folder.name) / "project"

    def __enter__(self) -> Workspace:
        shutil.copytree(self.project, self.root, ignore=self.ignore)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._folder.cleanup()

    @property
    def source(self) -> Path:
        return self.root / "src"

    def compile(self) -> None:
        """Compile all modules so that a changed text is noticed by its content, not by its time."""
        for folder in (self.source, self.root / "tests"):
            compileall.compile_dir(
                folder, quiet=2, invalidation_mode=py_compile.PycInvalidationMode.CHECKED_HASH
            )

    def python(
        self, arguments: list[str], *, seconds: float, environment: dict[str, str] | None = None
    ) -> Ended:
        """Run Python in the copy; stop it and all it started after so many seconds."""
        start = time.monotonic()
        with tempfile.TemporaryFile() as output:
            process = subprocess.Popen(
                [sys.executable, *arguments],
                cwd=self.root,
                env=self._environment() | (environment or {}),
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
            try:
                stopped = self._watch(process, start + seconds)
            finally:
                _end_session(process.pid)
                code = process.wait()
            output.seek(0)
            text = output.read().decode(errors="replace")
        return Ended(None if stopped else code, stopped, text, time.monotonic() - start)

    def _environment(self) -> dict[str, str]:
        kept = {k: v for k, v in os.environ.items() if k not in ("CI", "PYTEST_ADDOPTS")}
        threads = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"), "1")
        # A wrong compiler must not leave its code where later runs find it.
        cache = {"EQUAMO_CACHE": str(self.root.parent / "cache")}
        path = os.pathsep.join([str(self.source), str(INSIDE)])
        # What was compiled before stays: only the changed module is compiled again.
        python = {"PYTHONPATH": path, "PYTHONHASHSEED": "0", "PYTHONDONTWRITEBYTECODE": "1"}
        return kept | threads | cache | python

    def _watch(self, process: subprocess.Popen[bytes], deadline: float) -> str:
        """Wait for a process; the reason to stop it, or '' if it ended."""
        pause = 0.02
        while process.poll() is None:
            if time.monotonic() > deadline:
                return "timeout"
            if _memory(process.pid) > LARGEST:
                return "memory"
            if self.stop.wait(pause):
                raise StoppedError
            pause = min(pause * 1.2, 0.2)
        return ""


def _memory(pid: int) -> int:
    """Bytes a process has in memory; 0 if the system does not say."""
    try:
        pages = int(Path(f"/proc/{pid}/statm").read_text().split()[1])
    except (OSError, IndexError):
        return 0
    return pages * os.sysconf("SC_PAGE_SIZE")


def _end_session(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
