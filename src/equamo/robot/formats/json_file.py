"""Read the JSON files that equamo writes: a kind, a version and a digest that reveals damage."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final, cast

from ...basics.wording import brief
from ...errors import FileFormatError
from .text_file import read_text

MOST_BYTES: Final = 256 << 20  # of a file written by equamo; typical ones have a few million


def canonical(data: Any) -> bytes:
    """Bytes that the digest is computed from: JSON without blanks, with sorted keys."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def digest(data: Any) -> str:
    """SHA-256 of plain data."""
    return hashlib.sha256(canonical(data)).hexdigest()


def read_body(path: str | Path, kind: str, version: int, name: str) -> dict[str, Any]:
    """Read a JSON file of equamo and check its digest.

    Args:
        path: Path of the file.
        kind: Kind that the file must have.
        version: Version that the file must have.
        name: Key of the content.

    Returns:
        The content.

    Raises:
        FileFormatError: The file cannot be read, has another kind or version, or is damaged.
    """
    data = read_json(path, kind, version)
    body: Any = data.get(name)
    try:
        intact = isinstance(body, dict) and digest(body) == data.get("sha256")
        json.dumps(body, ensure_ascii=False).encode()  # fails for a lone surrogate
    except (RecursionError, UnicodeError):
        intact = False
    if not intact:
        raise FileFormatError(
            f"{path}: the file was changed or damaged: its digest does not match; create it again."
        )
    return cast(dict[str, Any], body)


def read_json(path: str | Path, kind: str, version: int) -> dict[str, Any]:
    """Read a JSON file of the given kind and version; FileFormatError otherwise."""
    try:
        data: Any = json.loads(read_text(path, MOST_BYTES))
    except FileFormatError:  # the file cannot be read at all
        raise
    except (ValueError, RecursionError):
        raise FileFormatError(f"{path}: the content must be JSON.") from None
    if not isinstance(data, dict) or data.get("kind") != kind:  # pyright: ignore
        raise FileFormatError(f"{path}: the file must be of kind {kind!r}.")
    if data.get("version") != version:  # pyright: ignore
        file_version = brief(data.get("version"))  # pyright: ignore
        raise FileFormatError(
            f"{path}: the version of the file must be {version}, got {file_version}; create the file "
            "again with this version of equamo."
        )
    return data  # pyright: ignore
