"""Disk cache of machine code: bytes by key, used only after their digest is checked.

An entry is one file, named by the SHA-256 of its key:

    magic and version   digest                          header                       payload
    8 bytes             SHA-256 of the key and of       length (8 bytes), then the   bytes
                        all that follows                meta data as JSON

LLVM can end the process on a damaged object, so `get` returns exactly the bytes that were `put` under
this key, or nothing. The folder is used only if the user owns it and it is closed to others (0700), and
so is each file in it (0600): anybody who can write there can make this process run code, and the digest
is not secret. Disk errors are never raised: with a full disk, a read-only home or a lost race the code
is compiled again. docs/project/security.md lists the attacks that are and are not covered.
"""

from __future__ import annotations

import hashlib
import hmac
import json
import os
import stat
import sys
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, final

from ...basics.wording import brief
from ...errors import EquamoError
from ...robot.formats.private_file import (
    UNFINISHED,
    folder_problem,
    make_private_folder,
    read_private,
    write_private,
)

MAGIC: Final = b"equamo\x00\x01"  # the last byte is the version of the layout
DIGEST: Final = hashlib.sha256().digest_size
DEFAULT_SIZE: Final = 256 * 2**20  # bytes
MOST_DIGITS: Final = 18  # of EQUAMO_CACHE_SIZE: up to an exabyte
SUFFIX: Final = ".entry"
_STALE: Final = 3600  # seconds after which an unfinished file is abandoned


@final
@dataclass(frozen=True)
class Entry:
    """Cache entry: plain meta data and the bytes."""

    meta: Mapping[str, Any] = field(hash=False)
    payload: bytes


@final
class Cache:
    """Cache of bytes by key on disk; `folder` is None if there is no usable folder.

    The folder is EQUAMO_CACHE (`off`: no cache) or the user's cache folder; at most EQUAMO_CACHE_SIZE
    bytes (default 256 MiB) are kept, and the least recently used entries are removed first.

    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as home:
    ...     cache = Cache(Path(home) / "equamo")
    ...     cache.put("panda", b"machine code", {"lanes": 4})
    ...     print(cache.get("panda"), cache.get("talos"))
    Entry(meta={'lanes': 4}, payload=b'machine code') None
    """

    def __init__(self, folder: Path | None = None, size: int | None = None) -> None:
        self.size: int = _size() if size is None else size
        chosen = folder or _chosen_folder()
        self.folder: Path | None = chosen if chosen and _prepare(chosen) else None

    @property
    def enabled(self) -> bool:
        """Whether there is a usable folder."""
        return self.folder is not None

    def get(self, key: bytes | str) -> Entry | None:
        """Entry of this key; None if it is missing or damaged."""
        path = self._path(key)
        if path is None:
            return None
        try:
            data = read_private(path, self.size)
        except OSError:
            return None
        if isinstance(data, str):  # not this user's file, so it is not removed
            return None
        entry = _unpack(key, data)
        if entry is None:
            _remove(path)
        else:
            with suppress(OSError):
                os.utime(path)  # the time of the last use
        return entry

    def put(self, key: bytes | str, payload: bytes, meta: Mapping[str, Any] | None = None) -> None:
        """Store bytes under a key, atomically."""
        path = self._path(key)
        data = _pack(key, payload, dict(meta or {}))
        if path is None or len(data) > self.size:
            return
        with suppress(OSError):
            write_private(path, data)
            self._make_room(path)

    def clear(self) -> None:
        """Remove all entries."""
        for path, _ in self._files():
            _remove(path)

    def _path(self, key: bytes | str) -> Path | None:
        # Checked every time, since another program may have opened the folder to others.
        if self.folder is None or not _is_private(self.folder):
            return None
        return self.folder / (hashlib.sha256(_bytes(key)).hexdigest() + SUFFIX)

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        if self.folder is None or not _is_private(self.folder):
            return
        try:
            with os.scandir(self.folder) as files:
                found = [f for f in files if f.name.endswith((SUFFIX, UNFINISHED))]
        except OSError:
            return
        for file in found:
            try:
                status = file.stat(follow_symlinks=False)
            except OSError:  # another process was faster
                continue
            if stat.S_ISREG(status.st_mode):
                yield Path(file.path), status

    def _make_room(self, newest: Path) -> None:
        """Remove least recently used entries until the rest fits; keep the newest."""
        files = sorted(self._files(), key=lambda file: file[1].st_mtime_ns, reverse=True)
        now = max((status.st_mtime for _, status in files), default=0)
        total = next((status.st_size for path, status in files if path == newest), 0)
        for path, status in files:
            if path == newest:
                continue
            if path.suffix == UNFINISHED and now - status.st_mtime <= _STALE:
                continue  # being written
            total += status.st_size
            if total > self.size or path.suffix == UNFINISHED:
                _remove(path)


def _bytes(key: bytes | str) -> bytes:
    return key.encode() if isinstance(key, str) else key


def _digest(key: bytes | str, body: bytes) -> bytes:
    """SHA-256 over key and content; the length makes the split into (key, content) unique."""
    name = _bytes(key)
    return hashlib.sha256(MAGIC + len(name).to_bytes(8, "little") + name + body).digest()


def _pack(key: bytes | str, payload: bytes, meta: dict[str, Any]) -> bytes:
    header = json.dumps(meta, sort_keys=True, allow_nan=False).encode()
    body = len(header).to_bytes(8, "little") + header + payload
    return MAGIC + _digest(key, body) + body


def _unpack(key: bytes | str, data: bytes) -> Entry | None:
    """Entry, if its digest matches key and content, else None."""
    start = len(MAGIC) + DIGEST
    body = data[start:]
    if len(body) < 8 or not data.startswith(MAGIC):
        return None
    if not hmac.compare_digest(data[len(MAGIC) : start], _digest(key, body)):
        return None
    end = 8 + int.from_bytes(body[:8], "little")
    return Entry(json.loads(body[8:end]), body[end:])


def _remove(path: Path) -> None:
    with suppress(OSError):
        path.unlink(missing_ok=True)


def _prepare(folder: Path) -> bool:
    """Create the folder if it does not exist; return whether it can be used."""
    try:
        make_private_folder(folder)
    except OSError:
        return False
    return _is_private(folder) and os.access(folder, os.R_OK | os.W_OK | os.X_OK)


def _is_private(folder: Path) -> bool:
    """Whether this is a folder, not a link, that the user owns and nobody else can enter."""
    try:
        return folder_problem(folder) is None
    except OSError:
        return False


_START: Final = Path.cwd() if os.path.isdir(os.curdir) else Path("/")  # a relative path stays there


def _chosen_folder() -> Path | None:
    chosen = os.environ.get("EQUAMO_CACHE", "")
    if chosen.strip().lower() in ("off", "0", "no", "false"):
        return None
    try:
        return _START / Path(chosen).expanduser() if chosen else _platform_folder()
    except (OSError, RuntimeError):  # no home
        return None


def _platform_folder() -> Path | None:
    """Cache folder of this user on this platform."""
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) / "equamo" / "Cache" if local else None
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "equamo"
    shared = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG specification requires that relative paths are ignored.
    return (Path(shared) if shared.startswith("/") else Path.home() / ".cache") / "equamo"


def _size() -> int:
    text = os.environ.get("EQUAMO_CACHE_SIZE", "").strip()
    if not text:
        return DEFAULT_SIZE
    if not text.isdecimal() or len(text) > MOST_DIGITS:
        raise EquamoError(
            f"EQUAMO_CACHE_SIZE must be a number of bytes with at most {MOST_DIGITS} digits, such as "
            f"268435456, got {brief(text)}."
        )
    return int(text)
