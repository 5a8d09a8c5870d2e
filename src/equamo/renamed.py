"""Old names that still work for one minor version, with a DeprecationWarning."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from .errors import callers_level

P = ParamSpec("P")
R = TypeVar("R")

GONE: Final = "0.3"  # the version in which the old names are not read any more


def warn_renamed(what: str, old: str, new: str) -> None:
    """Warn whoever called this package that a name of theirs is an old one.

    Args:
        what: Where the name is used, such as `simulate()`.
        old: The name that was used.
        new: Its name now.

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
    """Decorator of a function whose keyword arguments were renamed: old="new".

    `when` says of which values: an old name may have become the name of something else.

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
                if when is not None and not when(given[old]):
                    continue
                new = names[old]
                if new in given:
                    raise TypeError(f"{title}: {old!r} is the old name of {new!r}; give one.")
                warn_renamed(title, old, new)
                given[new] = given.pop(old)
            return function(*args, **kwargs)

        return call

    return decorate
