"""Folders and files that only the current user can read and write.

Cached machine code and stored sweep results are executed when they are loaded. They are therefore used
only if the current user owns them and nobody else has access (0700, 0600). Links are not followed, and
pipes and devices are never waited for. docs/project/security.md describes what this defends against.
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
    """Create the folder, closed to other users, if it does not exist; OSError if that fails."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)


def folder_problem(folder: Path) -> Problem | None:
    """Reason not to trust a folder; None if the current user owns it and it is closed to others.

    A link to a folder is of "another kind".
    """
    status = folder.lstat()
    return _problem(status) if stat.S_ISDIR(status.st_mode) else "another kind"


def read_private(path: Path, most: float = inf) -> bytes | Problem:
    """Read a regular file that the current user owns and that is closed to others.

    Args:
        path: Path of the file.
        most: Largest number of bytes that is read.

    Returns:
        The bytes, or the reason why the file is not trusted.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     write_private(Path(folder) / "a", b"content")
    ...     read_private(Path(folder) / "a"), read_private(Path(folder))
    (b'content', 'another kind')
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        handle = os.open(path, flags | getattr(os, "O_BINARY", 0))
    except PermissionError:
        if path.is_dir():  # Windows opens files only
            return "another kind"
        raise
    try:
        # Check the open file, not its path: the path may refer to another file by now.
        status = os.fstat(handle)
        problem = _problem(status) if stat.S_ISREG(status.st_mode) else "another kind"
        if problem is not None or status.st_size > most:
            return problem or "too large"
        with open(handle, "rb", closefd=False) as file:
            return file.read()
    finally:
        os.close(handle)


def write_private(path: Path, data: bytes) -> None:
    """Write a file atomically; OSError if that fails."""
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
    if sys.platform == "win32":  # access lists instead of modes; user profiles are closed to others
        return None
    if status.st_uid != os.getuid():
        return "another owner"
    return "open to others" if stat.S_IMODE(status.st_mode) & 0o077 else None
