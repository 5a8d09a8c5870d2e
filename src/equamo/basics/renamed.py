"""Renamed arguments: old names work for one more minor version, with a DeprecationWarning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from ..errors import callers_level

P = ParamSpec("P")
R = TypeVar("R")

GONE: Final = "0.3"  # version in which the old names are removed


def warn_renamed(what: str, old: str, new: str) -> None:
    """Warn the caller of this package that an argument was renamed.

    Args:
        what: Function or file that takes the argument, such as `simulate()`.
        old: Old name, the one that was used.
        new: New name.

    >>> with warnings.catch_warnings(record=True, action="always") as caught:
    ...     warn_renamed("simulate()", "smooth", "smoothing")
    >>> print(caught[0].message)
    simulate(): 'smooth' is now 'smoothing'; the old name will be removed in version 0.3.
    """
    text = f"{what}: {old!r} is now {new!r}; the old name will be removed in version {GONE}."
    warnings.warn(text, DeprecationWarning, stacklevel=callers_level())


def renamed(
    when: Callable[[Any], bool] | None = None, /, **names: str
) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Decorate a function to accept old names of keyword arguments.

    Args:
        when: Condition on the value under which the old name is translated, for an old name that now
            belongs to another argument; always if None.
        names: New name of each old one, as old="new".

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
            arguments: dict[str, Any] = kwargs
            for old in names.keys() & arguments.keys():
                if when is not None and not when(arguments[old]):
                    continue
                new = names[old]
                if new in arguments:
                    raise TypeError(
                        f"{title}: {old!r} is the old name of {new!r}; pass {new!r} only."
                    )
                warn_renamed(title, old, new)
                arguments[new] = arguments.pop(old)
            return function(*args, **kwargs)

        return call

    return decorate
