"""The text of a file that somebody wrote."""

from __future__ import annotations

import os
from pathlib import Path

from ..errors import FileFormatError


def read_text(path: str | os.PathLike[str]) -> str:
    """The UTF-8 text of a file; FileFormatError where there is none."""
    try:
        return Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeError, ValueError) as error:
        raise FileFormatError(f"{os.fspath(path)}: cannot be read: {error}.") from None
