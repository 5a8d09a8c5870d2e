"""Text of a source file, without characters that only some programs treat as line ends."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

from ...errors import FileFormatError
from ...robot.formats.text_file import read_bytes
from .place import Place

# They could turn a comment into code, or code into a comment.
_STRANGE: Final = re.compile("[\x00-\x08\x0b-\x1f\x7f\x85\u2028\u2029]")


def read_source(path: Path, name: str) -> str:
    """Read a file; errors refer to it by its name."""
    data = read_bytes(path)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeError as error:
        raise FileFormatError(f"{name}: cannot be read: {error}.") from None
    return plain(text, name)


def plain(text: str, name: str) -> str:
    r"""The text with "\n" as line ends.

    >>> plain("x = 1; // y\r\n", "x.c")
    'x = 1; // y\n'
    >>> plain("x = 1;\n// y\f x = 2;", "x.c")
    Traceback (most recent call last):
    equamo.errors.FileFormatError: x.c:2: source code must not contain the character '\x0c'.
    """
    text = text.replace("\r\n", "\n")
    strange = _STRANGE.search(text)
    if strange is not None:
        line = text.count("\n", 0, strange.start()) + 1
        Place(name, line).fail(f"source code must not contain the character {strange[0]!r}")
    return text
