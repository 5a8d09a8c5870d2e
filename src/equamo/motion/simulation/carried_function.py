"""Functions sent to worker processes as bytes, which each process reads once.

The data of the function (robots, equations, compiled code) is then rebuilt once per worker, not once per
sample.
"""

from __future__ import annotations

import hashlib
import pickle
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, final

from ...basics.wording import brief
from ...errors import EquamoError

KEPT: Final = 8  # functions in the cache of a worker

_functions: dict[bytes, Callable[[Any], Any]] = {}  # of this process, by digest


@final
@dataclass(frozen=True)
class Raised:
    """Exception of a sample, returned to the parent process like a result."""

    error: BaseException
    traceback: str


@final
@dataclass(frozen=True)
class Direct:
    """Function that is called directly, in a thread of this process."""

    function: Callable[[Any], Any]

    def __call__(self, sample: Any) -> Any:
        return _attempt(self.function, sample)


@final
@dataclass(frozen=True)
class Carried:
    """Pickled function."""

    digest: bytes
    payload: bytes

    def __call__(self, sample: Any) -> Any:
        function = _functions.get(self.digest)
        if function is None:
            try:
                function = pickle.loads(self.payload)
            except KeyboardInterrupt:
                raise
            except BaseException as error:  # a module that is missing or has changed
                return Raised(_portable(error), traceback.format_exc())
            while len(_functions) >= KEPT:
                _functions.pop(next(iter(_functions)))
            _functions[self.digest] = function
        return _attempt(function, sample)


def carried(function: Callable[[Any], Any]) -> Carried:
    """Pickle a function: by name if processes can import it, otherwise by value with cloudpickle."""
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
        f"sweep: {brief(function)} cannot be sent to another process{problem}. Define it at the top "
        f"level of a module, install cloudpickle, or pass executor=ThreadPoolExecutor()."
    )


def _picklers(function: Callable[[Any], Any]) -> list[Callable[[Any], bytes]]:
    """Picklers to try, best first; `__main__` is a different module in a worker."""
    try:
        import cloudpickle  # pyright: ignore[reportMissingTypeStubs]
    except ImportError:
        return [pickle.dumps]
    by_value: Callable[[Any], bytes] = cloudpickle.dumps  # pyright: ignore
    if "__main__" in (getattr(function, "__module__", ""), type(function).__module__):
        return [by_value]
    return [pickle.dumps, by_value]


def _attempt(function: Callable[[Any], Any], sample: Any) -> Any:
    try:
        return function(sample)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # sys.exit() ends the sample, not the sweep
        return Raised(_portable(error), traceback.format_exc())


def _portable(error: BaseException) -> BaseException:
    """The error itself if it can be pickled, otherwise one with the same text."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return EquamoError(f"{type(error).__name__}: {error}")
    return error
