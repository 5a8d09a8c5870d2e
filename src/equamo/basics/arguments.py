"""Checks of arguments that several layers share: text, flags, choices and lists.

A user can pass anything, also an object without a truth value (an array), a length or a text. So an
argument is not compared, looked up, iterated or used as a condition before its type is known.
"""

from __future__ import annotations

from collections.abc import Iterable
from inspect import signature
from operator import index
from typing import Any, cast

from ..errors import EquamoError
from .wording import brief


def is_one_of(value: object, names: Iterable[str]) -> bool:
    """Whether a value is one of some names; false for anything but text.

    >>> is_one_of("split", ("christoffel", "split")), is_one_of(["split"], ("christoffel", "split"))
    (True, False)
    """
    return isinstance(value, str) and value in names


def items_of(value: object) -> list[Any] | None:
    """Items of an iterable; None for anything else, also for an array without axes.

    >>> items_of((1, 2)), items_of(3)
    ([1, 2], None)
    """
    try:
        iterator = iter(cast(Iterable[Any], value))
    except TypeError:
        return None
    return list(iterator)


def text_or(value: Any, default: str) -> Any:
    """A default for None and empty text; anything else as it is, to be checked where it is used.

    >>> text_or("", "spring"), text_or("left", "spring")
    ('spring', 'left')
    """
    return default if value is None or (isinstance(value, str) and not value) else value


def flag(what: str, value: Any) -> bool:
    """True or False, also as a NumPy scalar, 0 or 1.

    >>> flag("latex: short", 1)
    True
    """
    if isinstance(value, bool) or (isinstance(value, int) and value in (0, 1)):
        return bool(value)
    if type(value).__module__ == "numpy" and type(value).__name__ in ("bool", "bool_"):
        return bool(value)
    raise EquamoError(f"{what} must be True or False, got {brief(value)}.")


def whole_number(what: str, value: Any, least: int, most: int | None = None) -> int:
    """A whole number in a range, also as a NumPy scalar.

    >>> whole_number("diff: times", 2, 0)
    2
    """
    try:
        number = None if isinstance(value, bool) else index(value)
    except TypeError:
        number = None
    if number is None or number < least or (most is not None and number > most):
        limits = f"≥ {least}" if most is None else f"from {least} to {most:,}"
        raise EquamoError(f"{what} must be a whole number {limits}, got {brief(value)}.")
    return number


def expect_function(place: str, function: Any, *arguments: str) -> None:
    """Raise an error if an argument cannot be called with some arguments, named in the message."""
    of = ", ".join(arguments)
    if not callable(function):
        raise EquamoError(f"{place} must be a function of ({of}), got {brief(function)}.")
    try:
        parameters = signature(function)
    except (TypeError, ValueError):  # may be unknown for a function not written in Python
        return
    try:
        parameters.bind(*arguments)
    except TypeError:
        name = getattr(function, "__name__", "a function")
        raise EquamoError(
            f"{place} must be a function of ({of}), got {name}{parameters!s:.80}."
        ) from None


def as_float(x: Any) -> float:
    """A number as a double; one of single precision is read as its shortest decimal.

    >>> as_float(1)
    1.0

    Raises:
        TypeError, ValueError, OverflowError: As by `float`.
    """
    single = type(x).__module__ == "numpy" and type(x).__name__ in ("float16", "float32")
    return float(str(x)) if single else float(x)
