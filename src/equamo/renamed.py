"""Old names that still work for one minor version, with a DeprecationWarning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")

GONE: Final = "0.3"  # the version in which the old names are not read any more


def warn_renamed(what: str, old: str, new: str, stacklevel: int = 2) -> None:
    """Warn the caller of our caller that a name of theirs is an old one.

    Args:
        what: Where the name is used, such as `simulate()`.
        old: The name that was used.
        new: Its name now.
        stacklevel: As that of `warnings.warn`, counted from our caller.

    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     warn_renamed("simulate()", "smooth", "smoothing")
    >>> print(caught[0].message)
    simulate(): 'smooth' is now 'smoothing'; the old name will be removed in version 0.3.
    """
    text = f"{what}: {old!r} is now {new!r}; the old name will be removed in version {GONE}."
    warnings.warn(text, DeprecationWarning, stacklevel=stacklevel + 1)


def renamed(**names: str) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorator of a function whose keyword arguments were renamed: old="new".

    >>> @renamed(smooth="smoothing")
    ... def run(smoothing=None):
    ...     return smoothing
    >>> with warnings.catch_warnings(action="ignore"):
    ...     run(smooth=1)
    1
    """

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        title = f"{getattr(function, '__qualname__', function)}()"

        @wraps(function)
        def call(*args: P.args, **kwargs: P.kwargs) -> R:
            given: dict[str, Any] = kwargs
            for old in names.keys() & given.keys():
                new = names[old]
                if new in given:
                    raise TypeError(f"{title}: {old!r} is the old name of {new!r}; give one.")
                warn_renamed(title, old, new)
                given[new] = given.pop(old)
            return function(*args, **kwargs)

        return call

    return decorate
