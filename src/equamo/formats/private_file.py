"""Folders and files that only this user can read and write.

Cached machine code and stored results of sweeps are run when they are read. So they are used only if
this user owns them and nobody else can enter (0700, 0600); links are not followed, and no pipe or device
is waited for. docs/security.md says what is defended against, and what is not.
"""

from __future__ import annotations

import os
import stat
import sys
import tempfile
from contextlib import suppress
from math import inf
from pathlib import Path
from typing import Final, Literal

UNFINISHED: Final = ".part"  # suffix of a file that is being written

Problem = Literal["another kind", "another owner", "open to others", "too large"]


def make_private_folder(folder: Path) -> None:
    """Make the folder, closed to others, if there is none; an OSError if that fails."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def folder_problem(folder: Path) -> Problem | None:
    """Why a folder is not this user's own and closed to others; a link to one is another kind."""
    status = folder.lstat()
    return _problem(status) if stat.S_ISDIR(status.st_mode) else "another kind"


def read_private(path: Path, most: float = inf) -> bytes | Problem:
    """All bytes of a plain file, at most so many, or why it is not read: it must be this user's own and
    closed to others.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_private(Path(folder) / "a", b"content")
    ...     read_private(Path(folder) / "a"), read_private(Path(folder))
    (b'content', 'another kind')
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    try:
        # Of the open file, not of its name: the name may be another file by now.
        status = os.fstat(handle)
        found = _problem(status) if stat.S_ISREG(status.st_mode) else "another kind"
        if found is not None or status.st_size > most:
            return found or "too large"
        with open(handle, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def write_private(path: Path, data: bytes) -> None:
    """Write a file that appears whole or not at all; an OSError if that fails."""
    handle, unfinished = tempfile.mkstemp(suffix=UNFINISHED, dir=path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        os.replace(unfinished, path)
    except BaseException:
        with suppress(OSError):
            os.unlink(unfinished)
        raise


def _problem(status: os.stat_result) -> Problem | None:
    if sys.platform == "win32":  # access lists, not modes: the user's profile is closed to others
        return None
    if status.st_uid != os.getuid():
        return "another owner"
    return "open to others" if stat.S_IMODE(status.st_mode) & 0o077 else None
