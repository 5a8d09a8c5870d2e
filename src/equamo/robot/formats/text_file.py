"""Read users' files: regular files of bounded size, as bytes or as UTF-8 text.

A path can lead to an endless device, a pipe that nobody writes to, or a file larger than memory. All of
these are refused at once. Every file from a user is read through this module.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path
from typing import Any, BinaryIO, Final

from ...basics.wording import at_most, brief
from ...errors import FileFormatError

MOST_BYTES: Final = 32 << 20  # of a file written by a person or an exporter
# Endings that promise a format.
ENDINGS: Final = frozenset((
    ".bmp", ".c", ".cc", ".cpp", ".csv", ".doc", ".docx", ".eps", ".gif", ".gz", ".h", ".hpp",
    ".htm", ".html", ".ipynb", ".jpeg", ".jpg", ".js", ".json", ".m", ".md", ".mjcf", ".mjs",
    ".mp4", ".npy", ".npz", ".ods", ".odt", ".pdf", ".pickle", ".pkl", ".png", ".ps", ".ptx",
    ".py", ".rst", ".sdf", ".svg", ".tar", ".tex", ".toml", ".txt", ".typ", ".urdf", ".webp",
    ".xacro", ".xls", ".xlsx", ".xml", ".yaml", ".yml", ".zip",
))  # fmt: skip
_KINDS: Final = {
    stat.S_IFDIR: "a folder",
    stat.S_IFIFO: "a named pipe",
    stat.S_IFCHR: "a device",
    stat.S_IFBLK: "a device",
    stat.S_IFSOCK: "a socket",
}
# Without O_NONBLOCK, opening a pipe would wait for its writer; O_NOCTTY keeps the controlling terminal.
_FLAGS: Final = os.O_RDONLY | sum(
    getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NOCTTY", "O_NONBLOCK")
)


def read_text(path: str | os.PathLike[str], most: int = MOST_BYTES) -> str:
    """Read a UTF-8 file.

    Args:
        path: Path of a regular file, or of a link to one.
        most: Largest number of bytes that is read.

    Returns:
        The text, with "\\n" as line ends.

    Raises:
        FileFormatError: The file does not exist, is not a regular file, is too large or is not UTF-8.

    >>> read_text(".")
    Traceback (most recent call last):
    equamo.errors.FileFormatError: .: cannot be read: it must be a regular file, got a folder.
    """
    data = read_bytes(path, most)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise FileFormatError(
            f"{path}:{line}: the file must be text in UTF-8, got byte 0x{data[error.start]:02x}, which "
            "is not; save it as UTF-8."
        ) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def check_ending(path: str | Path, *endings: str) -> None:
    """Check that the name of a file does not promise another format than the one that is written.

    Args:
        path: Path of the file that will be written.
        *endings: Endings that name its format. Endings that name no format are accepted, too.

    Raises:
        FileFormatError: The ending is that of another format.

    >>> check_ending("krang.cert", ".json")
    >>> check_ending("a.pdf", ".json")
    Traceback (most recent call last):
    equamo.errors.FileFormatError: a.pdf: the name must end in .json, which is written, got .pdf.
    """
    if not isinstance(path, (str, os.PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance]
        return  # which `write_text` refuses
    name = Path(path)
    ending = name.suffix.lower()
    if ending in ENDINGS and ending not in endings:
        raise FileFormatError(
            f"{path}: the name must end in {endings[0]}, which is written, got {ending}."
        )


def write_text(path: str | Path, text: str, *endings: str) -> None:
    """Write a UTF-8 file, the same bytes on every platform; FileFormatError if that fails.

    If `endings` are given, the name must not have the ending of another format (`check_ending`).
    """
    if endings:
        check_ending(path, *endings)
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except (OSError, TypeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise FileFormatError(f"{shown(path)}: cannot be written: {reason}.") from None


def read_bytes(path: str | os.PathLike[str], most: int = MOST_BYTES) -> bytes:
    """Read a regular file of at most `most` bytes; FileFormatError otherwise."""
    try:
        with open_file(path, most) as file:
            data = file.read(most + 1)
    except (OSError, MemoryError) as error:
        raise _unreadable(path, error) from None
    if len(data) > most:  # the file has grown, or its kind does not report a size
        raise _too_large(path, most)
    return data


def open_file(path: str | os.PathLike[str], most: int = MOST_BYTES) -> BinaryIO:
    """Open a regular file of at most `most` bytes for reading; FileFormatError otherwise."""
    try:
        # Opening a device can change its state, so check before opening, and again after it.
        _check(path, os.stat(os.fspath(path)), most)
        handle = os.open(path, _FLAGS)
        try:
            _check(path, os.fstat(handle), most)
            return os.fdopen(handle, "rb")
        except BaseException:
            os.close(handle)
            raise
    except FileFormatError:
        raise
    except (OSError, TypeError, ValueError) as error:
        raise _unreadable(path, error) from None


def _check(path: Any, status: os.stat_result, most: int) -> None:
    if not stat.S_ISREG(status.st_mode):
        kind = _KINDS.get(stat.S_IFMT(status.st_mode), "another kind of entry")
        raise FileFormatError(f"{path}: cannot be read: it must be a regular file, got {kind}.")
    if status.st_size > most:
        raise _too_large(path, most)


def _too_large(path: Any, most: int) -> FileFormatError:
    return FileFormatError(
        f"{path}: cannot be read: a file must have at most {most:,} bytes, this one has more."
    )


def _unreadable(path: Any, error: Exception) -> FileFormatError:
    reason = getattr(error, "strerror", None) or error
    return FileFormatError(f"{at_most(shown(path), 500)}: cannot be read: {reason}.")


def shown(path: Any) -> str:
    """A path as it is written; anything else as in other messages."""
    return str(path) if isinstance(path, str | Path) else brief(path)
