"""Files of the user's own: entries of the cache of machine code, and stores of sweeps."""

import os
from random import Random

from equamo.code.jit.cache import Cache
from equamo.motion.simulation.sweep_store import HEAD, SweepStore
from fuzz.documents import documents
from fuzz.edits import edit_bytes, edit_json
from fuzz.reader import Lazy, Reader, folder


def _private(name: str) -> Cache:
    return Cache(folder() / name)


def _entry() -> bytes:
    cache = _private("cache")
    cache.put("key", b"code", {"lanes": 4, "name": "f"})
    (path,) = (folder() / "cache").iterdir()
    return path.read_bytes()


def read_entry(data: bytes) -> None:
    """What was put is got, or nothing."""
    cache = _private("cache")
    cache.put("key", b"code", {})
    (path,) = (folder() / "cache").iterdir()
    path.write_bytes(data)
    found = cache.get("key")
    assert found is None or found.payload == b"code"


def square(x: int) -> int:
    return x * x


def _store() -> SweepStore:
    return SweepStore(folder() / "sweep", square, [1, 2])


def _head() -> bytes:
    _store()
    return (folder() / "sweep" / HEAD).read_bytes()


def _write(name: str, data: bytes) -> None:
    path = folder() / "sweep" / name
    path.write_bytes(data)
    os.chmod(path, 0o600)


def read_head(data: bytes) -> None:
    valid = HEADS[0]  # makes the folder
    _write(HEAD, data)
    try:
        _store()
    finally:
        _write(HEAD, valid)


def read_result(data: bytes) -> None:
    """A damaged result counts as missing."""
    valid = HEADS[0]
    _write(HEAD, valid)
    store = _store()
    store.write(0, 1)
    (path,) = (x for x in (folder() / "sweep").iterdir() if x.suffix == ".result")
    good = path.read_bytes()
    _write(path.name, data)
    assert store.read() in ({}, {0: 1})
    _write(path.name, good)


def _result() -> bytes:
    store = _store()
    store.write(0, 1)
    (path,) = (x for x in (folder() / "sweep").iterdir() if x.suffix == ".result")
    return path.read_bytes()


def edit_digest(data: bytes, r: Random) -> bytes:
    """A bit of the digest."""
    i = r.randrange(max(len(data), 1))
    return data[:i] + bytes([data[i] ^ 1]) + data[i + 1 :] if data else data


ENTRIES, HEADS, RESULTS = (
    Lazy(lambda: [_entry()]),
    Lazy(lambda: [_head()]),
    Lazy(lambda: [_result()]),
)
READERS = [
    Reader("cache_entry", read_entry, documents(ENTRIES, edit_bytes, edit_digest), ENTRIES),
    Reader("sweep_head", read_head, documents(HEADS, edit_json, edit_bytes), HEADS),
    Reader("sweep_result", read_result, documents(RESULTS, edit_digest, anywhere=()), RESULTS),
]
