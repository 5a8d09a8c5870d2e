"""Results of a sweep on disk, so that an interrupted sweep can be resumed.

    folder/
        sweep.json            kind, version, and the name and digest of the function
        <digest>-<n>.result   result of a sample, named by the SHA-256 of its pickle; n numbers equal
                              samples

A result file has the SHA-256 of the rest (32 bytes), then the pickled result. The digest detects damage,
not forgery, and reading a pickle can run code. Therefore the folder and each file must belong to this
user and be closed to others, as in the cache of machine code, and links are not followed.
"""

from __future__ import annotations

import hashlib
import hmac
import inspect
import io
import json
import pickle
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path
from typing import Any, Final, cast, final

from ...basics.wording import brief
from ...errors import EquamoError, FileFormatError
from ...mechanics.equations.digests import robot_digest
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.storage import choices_to_data
from ...robot.formats.private_file import (
    Problem,
    folder_problem,
    make_private_folder,
    read_private,
    write_private,
)
from ...robot.model.robot import Robot

KIND: Final = "equamo sweep"
VERSION: Final = 1
HEAD: Final = "sweep.json"
SUFFIX: Final = ".result"
DIGEST: Final = hashlib.sha256().digest_size
PROTOCOL: Final = 5  # of pickle; fixed, so that samples keep their file names


@final
class SweepStore:
    """Folder with the results of one sweep."""

    def __init__(
        self, folder: Path, function: Callable[[Any], Any], samples: Sequence[Any]
    ) -> None:
        self.folder = folder
        self._names = list(_names(samples))
        _prepare(folder)
        self._check_function(function)

    def read(self) -> dict[int, Any]:
        """{index: result} of all finished samples; a damaged file counts as missing."""
        results: dict[int, Any] = {}
        for index, name in enumerate(self._names):
            data = _read_own(self.folder / name)
            if data is None or not hmac.compare_digest(data[:DIGEST], _sha(data[DIGEST:])):
                continue
            with suppress(Exception):  # a class that no longer exists: compute it again
                results[index] = pickle.loads(data[DIGEST:])
        return results

    def write(self, index: int, result: Any) -> None:
        """Store the result of a sample."""
        try:
            payload = pickle.dumps(result, PROTOCOL)
        except Exception as error:
            raise EquamoError(
                f"sweep: the result of sample {index}, {brief(result)}, cannot be stored "
                f"({error!s:.80}); return an object that can be pickled, or omit resume=."
            ) from None
        self._put(self._names[index], _sha(payload) + payload)

    def _put(self, name: str, data: bytes) -> None:
        """Write a file atomically."""
        try:
            write_private(self.folder / name, data)
        except OSError as error:
            raise EquamoError(
                f"sweep: {self.folder / name} cannot be written ({error.strerror or error}). Results "
                f"stored so far are kept; repeat the same call to resume."
            ) from None

    def _check_function(self, function: Callable[[Any], Any]) -> None:
        head = {
            "kind": KIND, "version": VERSION,
            "function": _name(function), "digest": _fingerprint(function),
        }  # fmt: skip
        data = _read_own(self.folder / HEAD)
        if data is None:
            self._put(HEAD, json.dumps(head, indent=1).encode())
            return
        try:
            stored: Any = json.loads(data)
        except (ValueError, RecursionError):
            stored = None
        if not isinstance(stored, dict) or cast(dict[str, Any], stored).get("kind") != KIND:
            raise EquamoError(
                f"sweep: {self.folder / HEAD} must be a file written by sweep; use another folder."
            )
        if stored != head:
            other = str(cast(dict[str, Any], stored).get("function"))
            changed = other != head["function"]
            origin = other[:80] if changed else "an earlier version of it"
            raise EquamoError(
                f"sweep: {self.folder} must have results of {head['function']}, got results of "
                f"{origin}. Use another folder, or delete {HEAD} in it if its results are still valid."
            )


# -- identity of functions and samples -----------------------------------------------------------------
def _definition(function: Any) -> Any:
    """The function itself, or the class of a callable object."""
    return function if hasattr(function, "__qualname__") else cast(Any, type(function))


def _name(function: Any) -> str:
    return f"{_definition(function).__module__}.{_definition(function).__qualname__}"


def _fingerprint(function: Any) -> str:
    """Digest of the source and the data of a function, as far as they are available.

    The pickle would not do: it has only the name of a function that can be imported, and random numbers
    for a class that cannot.
    """
    try:
        source = inspect.getsource(_definition(function))
    except (OSError, TypeError):  # built in, or typed at a prompt
        source = getattr(getattr(function, "__code__", None), "co_code", b"")
    digest = hashlib.sha256()
    for part in (source, *_data(function)):
        with suppress(Exception):
            digest.update(_sha(_stable_pickle(part)))
    return digest.hexdigest()


class _StablePickler(pickle.Pickler):
    """Pickle of what an object is, without what it has computed so far and keeps."""

    def reducer_override(self, x: Any, /) -> Any:
        if isinstance(x, Robot):
            with suppress(FileFormatError):  # a force element of a class that files do not hold
                return str, (robot_digest(x),)
        elif isinstance(x, EquationsOfMotion):
            with suppress(FileFormatError):
                return str, (robot_digest(x.robot) + json.dumps(choices_to_data(x)),)
        elif type(x).__reduce__ is object.__reduce__:
            state: dict[str, Any] = getattr(x, "__dict__", {})
            kept = {n: y for n, y in state.items() if not _is_cached(x, n)}
            if len(kept) < len(state):
                return dict, (kept,)
        return NotImplemented


def _is_cached(x: Any, name: str) -> bool:
    return isinstance(inspect.getattr_static(x.__class__, name, None), cached_property)


def _stable_pickle(x: Any) -> bytes:
    stream = io.BytesIO()
    _StablePickler(stream, PROTOCOL).dump(x)
    return stream.getvalue()


def _data(function: Any) -> list[Any]:
    """Fields of an object, cells of a closure, default values, arguments of functools.partial."""
    data: list[Any] = []
    if not isinstance(function, type):
        data.append(function.__getstate__())
    for cell in getattr(function, "__closure__", None) or ():
        with suppress(ValueError):  # empty
            data.append(cell.cell_contents)
    names = ("__defaults__", "__kwdefaults__", "__self__", "func", "args", "keywords")
    return data + [getattr(function, n) for n in names if hasattr(function, n)]


def _names(samples: Sequence[Any]) -> Iterator[str]:
    """File names of the samples."""
    seen: dict[str, int] = {}
    for index, sample in enumerate(samples):
        try:
            digest = _sha(pickle.dumps(sample, PROTOCOL)).hex()
        except Exception as error:
            raise EquamoError(
                f"sweep: resume= needs samples that can be pickled; sample {index}, {brief(sample)}, "
                f"cannot ({error!s:.80})."
            ) from None
        count = seen[digest] = seen.get(digest, -1) + 1
        yield f"{digest}-{count}{SUFFIX}"


def _sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


# -- private files -------------------------------------------------------------------------------------
def _prepare(folder: Path) -> None:
    """Create the folder if necessary; raise an error if others own it or can enter it."""
    try:
        make_private_folder(folder)
        problem = folder_problem(folder)
    except OSError as error:
        raise EquamoError(
            f"sweep: resume={str(folder)!r} cannot be used ({error.strerror})."
        ) from None
    if problem == "another kind":
        raise EquamoError(f"sweep: resume={str(folder)!r} must be a folder, not a file or a link.")
    if problem is not None:
        raise _not_own(folder, problem)


def _not_own(path: Path, problem: Problem) -> EquamoError:
    if problem == "another kind":
        return EquamoError(f"sweep: {path} must be a plain file; use another folder.")
    if problem == "another owner":
        return EquamoError(
            f"sweep: {path} must belong to you, but belongs to another user; reading stored results can "
            f"run code. Use another folder."
        )
    mode = stat.S_IMODE(path.lstat().st_mode)
    return EquamoError(
        f"sweep: {path} must not be open to other users (mode {mode:o}), because reading stored results "
        f"can run code. If nobody else wrote there, run 'chmod -R go= {path}'."
    )


def _read_own(path: Path) -> bytes | None:
    """Content of a plain file that belongs to this user; None if it does not exist."""
    try:
        content = read_private(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise EquamoError(f"sweep: {path} cannot be read ({error.strerror}).") from None
    if isinstance(content, str):
        raise _not_own(path, content)
    return content
