"""JSON files of ours: a kind, a version, and a digest of the content, which finds damage."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any, Final, cast

from ..errors import FileFormatError
from ..wording import brief
from .text_file import read_text

MOST_BYTES: Final = 256 << 20  # of a file that we wrote; real ones have a few million


def canonical(data: Any) -> bytes:
    """The bytes a digest is taken over: JSON without blanks, keys sorted."""
    return json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True).encode()


def digest(data: Any) -> str:
    """SHA-256 of plain data."""
    return hashlib.sha256(canonical(data)).hexdigest()


def read_body(path: str | Path, kind: str, version: int, name: str) -> dict[str, Any]:
    """The content of a JSON file of ours, its digest checked."""
    data = read_json(path, kind, version)
    body: Any = data.get(name)
    try:
        intact = isinstance(body, dict) and digest(body) == data.get("sha256")
        json.dumps(body, ensure_ascii=False).encode()  # half a surrogate pair is not text
    except (RecursionError, UnicodeError):
        intact = False
    if not intact:
        raise FileFormatError(
            f"{path}: the digest does not match, the file was changed or damaged."
        )
    return cast(dict[str, Any], body)


def read_json(path: str | Path, kind: str, version: int) -> dict[str, Any]:
    """A JSON file of a kind and version of ours."""
    try:
        data: Any = json.loads(read_text(path, MOST_BYTES))
    except FileFormatError:  # it cannot be read at all
        raise
    except (ValueError, RecursionError):
        raise FileFormatError(f"{path}: is not JSON.") from None
    if not isinstance(data, dict) or data.get("kind") != kind:  # pyright: ignore
        raise FileFormatError(f"{path}: is not a file of {kind}.")
    if data.get("version") != version:  # pyright: ignore
        found = data.get("version")  # pyright: ignore
        version_found = brief(found)  # pyright: ignore[reportUnknownArgumentType]
        raise FileFormatError(f"{path}: has version {version_found}, this equamo reads {version}.")
    return data  # pyright: ignore
