"""Short descriptions of values and counts for messages.

A message shows the value that the user passed. A short value is shown in full; a matrix, a controller
or a long list is described by its type and size.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

SHORT: Final = 60  # a value with a longer repr is described instead


def brief(value: object, limit: int = SHORT) -> str:
    """Describe a value in a message: its repr if that is one short line, else its type and size.

    A class can define its own short form by a method `_brief_(limit)`.

    >>> brief(-1), brief("q 1"), brief("q" * 100, limit=8)
    ('-1', "'q 1'", "'qqqqqqqq…' (100 characters)")
    >>> brief(list(range(100))), brief({}.fromkeys(range(40), 0.5))
    ('a list of 100 items', 'a dict of 40 items')
    """
    if isinstance(value, str):
        if len(value) <= limit:
            return repr(value)
        return f"{value[:limit] + '…'!r} ({len(value):,} characters)"
    own: Callable[[object, int], str] | None = getattr(type(value), "_brief_", None)
    if own is not None:
        return own(value, limit)
    try:
        text = repr(value)
    except Exception:
        text = ""  # the repr of a user's object can fail, and so can that of an int of 5,000 digits
    plain = text.isprintable() and " at 0x" not in text  # an address means nothing to a reader
    if text and len(text) <= limit and plain and not isinstance(value, type):
        return text
    try:
        return _described(value)
    except Exception:  # any other attribute of a user's object can fail too
        return with_article(type(value).__name__)


def _described(value: Any) -> str:
    """Type and size of a value."""
    if isinstance(value, BaseException):
        return f"{type(value).__name__}({brief(str(value))})"
    if isinstance(value, type):
        return f"the class {value.__name__:.60}"
    kind = with_article(type(value).__name__.removeprefix("nd"))  # NumPy's ndarray is an array
    name: object = getattr(value, "__qualname__", None)
    if callable(value) and isinstance(name, str) and len(name) <= SHORT:
        return f"{kind} {name}"
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple) and len(str(shape)) <= SHORT:  # pyright: ignore[reportUnknownArgumentType]
        return f"{kind} of shape {shape}"
    if isinstance(value, (list, tuple, dict, set, frozenset)):
        return f"{kind} of {counted(len(value), 'item')}"  # pyright: ignore[reportUnknownArgumentType]
    return kind


def with_article(noun: str) -> str:
    """Put the indefinite article before a noun.

    >>> with_article("entry"), with_article("unit"), with_article("frame")
    ('an entry', 'a unit', 'a frame')
    """
    return f"{'an' if noun[:1].lower() in 'aeio' else 'a'} {noun:.60}"


def counted(count: int, one: str, many: str = "") -> str:
    """Put a count before a noun; `many` is the plural if it is irregular.

    >>> counted(1, "body"), counted(0, "body"), counted(2, "degree of freedom")
    ('1 body', '0 bodies', '2 degrees of freedom')
    """
    return f"{count:,} {one if count == 1 else many or _plural(one)}"


def _plural(noun: str) -> str:
    """Plural of a noun; in "degree of freedom" the first word takes the ending."""
    first, of, rest = noun.partition(" of ")
    if first.endswith("y") and first[-2:-1] not in "aeiou":
        return f"{first[:-1]}ies{of}{rest}"
    return f"{first}s{of}{rest}"


def at_most(text: str, limit: int) -> str:
    """Cut a text at `limit` characters and append … with the full length.

    >>> at_most("abcdef", 3), at_most("abc", 3)
    ('abc… (6 characters in all)', 'abc')
    """
    return text if len(text) <= limit else f"{text[:limit]}… ({len(text):,} characters in all)"
