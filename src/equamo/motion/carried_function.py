"""A function that is sent to other processes: as bytes, read once in each of them.

What it carries (robots, equations, compiled code) is then made once in a worker, not for every sample.
"""

from __future__ import annotations

import hashlib
import pickle
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, final

from ..errors import EquamoError
from ..wording import brief

KEPT: Final = 8  # functions that a worker keeps

_functions: dict[bytes, Callable[[Any], Any]] = {}  # of this process, by digest


@final
@dataclass(frozen=True)
class Raised:
    """What a sample raised, so that it travels back like a result."""

    error: BaseException
    traceback: str


@final
@dataclass(frozen=True)
class Direct:
    """A function that is called as it is, in a thread of this process."""

    function: Callable[[Any], Any]

    def __call__(self, sample: Any) -> Any:
        return _attempt(self.function, sample)


@final
@dataclass(frozen=True)
class Carried:
    """A function as bytes."""

    digest: bytes
    payload: bytes

    def __call__(self, sample: Any) -> Any:
        function = _functions.get(self.digest)
        if function is None:
            try:
                function = pickle.loads(self.payload)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # a module that is not there, or not the same
                return Raised(_portable(error), traceback.format_exc())
            while len(_functions) >= KEPT:
                _functions.pop(next(iter(_functions)))
            _functions[self.digest] = function
        return _attempt(function, sample)


def carried(function: Callable[[Any], Any]) -> Carried:
    """The function as bytes: by name where processes can import it, else whole, by cloudpickle."""
    payload = _pickled(function)
    return Carried(hashlib.sha256(payload).digest(), payload)


def _pickled(function: Callable[[Any], Any]) -> bytes:
    problem = ""
    for dumps in _picklers(function):
        try:
            return dumps(function)
        except Exception as error:
            problem = f" ({error!s:.120})"
    raise EquamoError(
        f"sweep: {brief(function)} cannot be sent to another process{problem}. Write it as a function "
        f"or class at the top of a module, or install cloudpickle, or use a ThreadPoolExecutor."
    )


def _picklers(function: Callable[[Any], Any]) -> list[Callable[[Any], bytes]]:
    """What may turn it into bytes, the best first: `__main__` is another module in a worker."""
    try:
        import cloudpickle  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        return [pickle.dumps]
    whole: Callable[[Any], bytes] = cloudpickle.dumps  # pyright: ignore
    if "__main__" in (getattr(function, "__module__", ""), type(function).__module__):
        return [whole]
    return [pickle.dumps, whole]


def _attempt(function: Callable[[Any], Any], sample: Any) -> Any:
    try:
        return function(sample)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever it raises; sys.exit() ends the sample, not the sweep
        return Raised(_portable(error), traceback.format_exc())


def _portable(error: BaseException) -> BaseException:
    """The error itself if it survives being pickled, else one that says the same."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return EquamoError(f"{type(error).__name__}: {error}")
    return error
