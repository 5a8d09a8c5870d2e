"""What every fuzz target shares: a reader, valid documents, changed documents, and what must hold.

A document is bytes, whatever the reader takes: a failure is stored as a plain file (`regressions.py`).
"""

from __future__ import annotations

import atexit
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from shutil import rmtree
from tempfile import mkdtemp
from typing import Any

from hypothesis import strategies as st

from equamo.errors import EquamoError
from raise_sites import off_pattern

CPU_SECONDS = 60  # of one document: far above what any of them needs, so that only a hang is found


class TookTooLongError(Exception):
    """A reader used more processor time than any document of its size may need."""


class MiswordedError(Exception):
    """The reader refused a document with a message that does not follow our pattern."""


@dataclass(frozen=True)
class Reader:
    """A reader of text or bytes from outside.

    `read` takes a document, and raises only errors of ours; it also checks what must hold of the result.
    `seeds` are valid documents, the smallest first. `make test` takes `examples` documents.
    """

    name: str
    read: Callable[[bytes], object]
    documents: st.SearchStrategy[bytes]
    seeds: Sequence[bytes]
    examples: int = 8

    def check(self, data: bytes) -> bool:
        """Whether the document was read (True) or refused (False); any other outcome is an error."""
        try:
            with _limited():
                self.read(data)
        except EquamoError as error:
            fault = off_pattern(str(error))
            if fault:
                raise MiswordedError(f"{fault}: {error}") from error
            return False
        return True


class Lazy(Sequence[Any]):
    """Documents that are made when the first is needed, not when the tests are collected."""

    def __init__(self, make: Callable[[], Sequence[bytes]]) -> None:
        self._made = cache(lambda: tuple(make()))

    def __len__(self) -> int:
        return len(self._made())

    def __getitem__(self, k: Any) -> Any:
        return self._made()[k]


@contextmanager
def _limited() -> Iterator[None]:
    """Raise TookTooLongError when the processor time is used up, where the system can tell."""
    timed = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
    if not timed:
        yield
        return

    def stop(*_: Any) -> None:
        raise TookTooLongError(f"more than {CPU_SECONDS} s of processor time")

    before = signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, CPU_SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


@contextmanager
def accepted() -> Iterator[None]:
    """Checks of what was read: an error of ours is a failure here, not a refusal of the document."""
    try:
        yield
    except EquamoError as error:
        raise AssertionError(f"refused after it was read: {error}") from error


@cache
def folder() -> Path:
    """A folder for files of this process; it goes with the process."""
    path = mkdtemp(prefix="equamo-fuzz-")
    atexit.register(rmtree, path, ignore_errors=True)
    return Path(path)


def file(data: bytes, name: str) -> Path:
    """A file with this content."""
    path = folder() / name
    path.write_bytes(data)
    return path


def text(data: bytes) -> str:
    """The text of a document; bytes that are not UTF-8 become U+FFFD."""
    return data.decode("utf-8", "replace")
