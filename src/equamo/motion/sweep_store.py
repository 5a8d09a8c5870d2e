"""Finished samples of a sweep on disk, so that an interrupted sweep goes on where it was.

    folder/
        sweep.json            kind, version, and the function the results are of: its name and digest
        <digest>-<n>.result   the result of a sample, named by the SHA-256 of its pickle; n tells equal
                              samples apart

A result file is SHA-256 of the rest (32 bytes), then the result by pickle. The digest finds damage, not
forgery: to read a pickle is to run code. Therefore the folder and each file must be this user's own and
closed to others, as in the cache of machine code, and links are not followed.
"""

from __future__ import annotations

import hashlib
import hmac
import inspect
import json
import pickle
import stat
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, cast, final

from ..errors import EquamoError
from ..formats.private_file import (
    Problem,
    folder_problem,
    make_private_folder,
    read_private,
    write_private,
)
from ..wording import brief

KIND: Final = "equamo sweep"
VERSION: Final = 1
HEAD: Final = "sweep.json"
SUFFIX: Final = ".result"
DIGEST: Final = hashlib.sha256().digest_size
PROTOCOL: Final = 5  # of pickle: a fixed one, so that samples keep their names


@final
class SweepStore:
    """The folder of one sweep."""

    def __init__(
        self, folder: Path, function: Callable[[Any], Any], samples: Sequence[Any]
    ) -> None:
        self.folder = folder
        self._names = list(_names(samples))
        _prepare(folder)
        self._check_function(function)

    def read(self) -> dict[int, Any]:
        """{index: result} of all samples that have one; a damaged one counts as missing."""
        found: dict[int, Any] = {}
        for index, name in enumerate(self._names):
            data = _read_own(self.folder / name)
            if data is None or not hmac.compare_digest(data[:DIGEST], _sha(data[DIGEST:])):
                continue
            with suppress(Exception):  # a class that is not there any more: it is computed again
                found[index] = pickle.loads(data[DIGEST:])
        return found

    def write(self, index: int, result: Any) -> None:
        """Keep the result of a sample."""
        try:
            payload = pickle.dumps(result, PROTOCOL)
        except Exception as error:
            raise EquamoError(
                f"sweep: the result of sample {index}, {brief(result)}, cannot be stored "
                f"({error!s:.80}); return something that pickle can write, or leave out resume=."
            ) from None
        self._put(self._names[index], _sha(payload) + payload)

    def _put(self, name: str, data: bytes) -> None:
        """Write a file that appears whole or not at all."""
        try:
            write_private(self.folder / name, data)
        except OSError as error:
            raise EquamoError(
                f"sweep: {self.folder / name} cannot be written ({error.strerror or error}); finished "
                f"samples are kept there, and the same call goes on with the others."
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
        except ValueError:
            stored = None
        if not isinstance(stored, dict) or cast(dict[str, Any], stored).get("kind") != KIND:
            raise EquamoError(
                f"sweep: {self.folder / HEAD} was not written by sweep; use another folder."
            )
        if stored != head:
            other = str(cast(dict[str, Any], stored).get("function"))
            changed = f"of {other[:80]}" if other != head["function"] else "of it before it changed"
            raise EquamoError(
                f"sweep: {self.folder} has results {changed}, and the function now is "
                f"{head['function']}. Use another folder; or delete {HEAD} there if the stored results "
                f"still hold."
            )


# -- which function, which sample ----------------------------------------------------------------------
def _named(function: Any) -> Any:
    """The function itself, or the class of an object that is called."""
    return function if hasattr(function, "__qualname__") else cast(Any, type(function))


def _name(function: Any) -> str:
    return f"{_named(function).__module__}.{_named(function).__qualname__}"


def _fingerprint(function: Any) -> str:
    """Digest of the source of a function and of what it carries, as far as both can be had.

    Not of its pickle: that has the name only of a function that can be imported, and random numbers of a
    class that cannot.
    """
    try:
        source = inspect.getsource(_named(function))
    except (OSError, TypeError):  # built in, or typed at a prompt
        source = getattr(getattr(function, "__code__", None), "co_code", b"")
    whole = hashlib.sha256()
    for part in (source, *_carried(function)):
        with suppress(Exception):
            whole.update(_sha(pickle.dumps(part, PROTOCOL)))
    return whole.hexdigest()


def _carried(function: Any) -> list[Any]:
    """Fields of an object, cells of a closure, default values; arguments of functools.partial."""
    found: list[Any] = []
    if not isinstance(function, type):
        found.append(function.__getstate__())
    for cell in getattr(function, "__closure__", None) or ():
        with suppress(ValueError):  # empty
            found.append(cell.cell_contents)
    names = ("__defaults__", "__kwdefaults__", "__self__", "func", "args", "keywords")
    return found + [getattr(function, n) for n in names if hasattr(function, n)]


def _names(samples: Sequence[Any]) -> Iterator[str]:
    """A file name for each sample."""
    seen: dict[str, int] = {}
    for index, sample in enumerate(samples):
        try:
            digest = _sha(pickle.dumps(sample, PROTOCOL)).hex()
        except Exception as error:
            raise EquamoError(
                f"sweep: resume= needs samples that pickle can write; sample {index}, {brief(sample)}, "
                f"is not ({error!s:.80})."
            ) from None
        count = seen[digest] = seen.get(digest, -1) + 1
        yield f"{digest}-{count}{SUFFIX}"


def _sha(data: bytes) -> bytes:
    return hashlib.sha256(data).digest()


# -- files that nobody else can write ------------------------------------------------------------------
def _prepare(folder: Path) -> None:
    """Make the folder if there is none; an error if others own it or can enter it."""
    try:
        make_private_folder(folder)
        problem = folder_problem(folder)
    except OSError as error:
        raise EquamoError(
            f"sweep: resume={str(folder)!r} cannot be used ({error.strerror})."
        ) from None
    if problem == "another kind":
        raise EquamoError(f"sweep: resume={str(folder)!r} must be a folder, and not a link to one.")
    if problem is not None:
        raise _not_own(folder, problem)


def _not_own(path: Path, problem: Problem) -> EquamoError:
    if problem == "another kind":
        return EquamoError(f"sweep: {path} is not a file.")
    if problem == "another owner":
        return EquamoError(
            f"sweep: {path} belongs to another user; stored results are read only if they are your own, "
            f"since to read them is to run code."
        )
    mode = stat.S_IMODE(path.lstat().st_mode)
    return EquamoError(
        f"sweep: {path} is open to other users (mode {mode:o}), and to read "
        f"stored results is to run code. If nobody else wrote there: chmod -R go= {path}"
    )


def _read_own(path: Path) -> bytes | None:
    """All bytes of a plain file of this user's; None if there is none."""
    try:
        found = read_private(path)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise EquamoError(f"sweep: {path} cannot be read ({error.strerror}).") from None
    if isinstance(found, str):
        raise _not_own(path, found)
    return found
