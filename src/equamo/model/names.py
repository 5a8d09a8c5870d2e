"""Names that a user types: text that is a plain name, text in backquotes, or a symbol.

    "q1", "θ_R"      a plain name: what an expression may hold without backquotes
    "`left hip-1`"   any other name, in backquotes, as in an expression
    symbol(name)     a name that is taken as it is; file readers hand these on

Anything else is an error: a formula where a name must stand would make a symbol that no expression
means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final, cast

from ..errors import EquamoError, ModelError
from ..expr import Expr, parse
from ..expr.functions import BY_NAME
from ..expr.parse import is_plain_name
from ..wording import brief

Names = str | Expr | Iterable[str | Expr]

_TOKEN: Final = re.compile(r"`[^`]*`|[^\s,]+")


def read_name(given: Any, what: str) -> str:
    """The name that was given for `what`; ModelError says what to write instead of a formula.

    >>> read_name("q1", "revolute: the coordinate"), read_name("`q-1`", "revolute: the coordinate")
    ('q1', 'q-1')
    >>> read_name("q-1", "revolute: the coordinate")
    Traceback (most recent call last):
      ...
    equamo.errors.ModelError: revolute: the coordinate must be a name, got the formula 'q-1'; \
write 'q_1', or '`q-1`' for a name with these characters.
    """
    if isinstance(given, Expr) and given.is_symbol:
        return given.name
    if not isinstance(given, str):
        raise ModelError(f"{what} must be a name such as 'q1', got {brief(given)}.")
    text = given.strip()
    if is_plain_name(text):
        return text
    if len(text) > 2 and text[0] == text[-1] == "`" and "`" not in text[1:-1]:
        return text[1:-1]
    raise ModelError(f"{what} must be a name, got {_kind(text)}{brief(text)}{_advice(text)}.")


def read_names(given: Any, what: str) -> tuple[str, ...]:
    """Names in one text with blanks or commas between them, in a sequence, or one symbol.

    >>> read_names("x `left y`, z", "planar: a coordinate")
    ('x', 'left y', 'z')
    """
    if isinstance(given, str):
        given = split_names(given)
    elif isinstance(given, Expr) or not isinstance(given, Iterable):
        given = (given,)
    return tuple(read_name(x, what) for x in cast(Iterable[Any], given))


def split_names(text: str) -> list[str]:
    """Names of a text, as they stand there; blanks and commas between backquotes belong to a name."""
    return _TOKEN.findall(text)


def written(name: str) -> str:
    """Text that `read_name` reads as this name.

    >>> written("q1"), written("q 1")
    ('q1', '`q 1`')
    """
    return name if is_plain_name(name) else f"`{name}`"


def label(given: Names) -> str:
    """What a thing is called that is named after its coordinates, where it has no name of its own."""
    if isinstance(given, str):
        return given.replace("`", "")
    parts = (given,) if isinstance(given, Expr) else given
    return " ".join(label(x) if isinstance(x, str) else x.name for x in parts)


def _kind(text: str) -> str:
    if text in BY_NAME or text == "atan2":
        return "the function "
    try:
        e = parse(text[:1000])
    except EquamoError:
        return ""
    return "the number " if e.value is not None or not e.symbols() else "the formula "


def _advice(text: str) -> str:
    """A plain name like the text, and the text in backquotes."""
    plain = re.sub(r"\W+", "_", text).strip("_")
    if found := re.fullmatch(r"([0-9]+)([^\W\d_]\w*)", text):  # 2q: a name starts with a letter
        plain = found[2] + found[1]
    choices = [repr(plain)] if is_plain_name(plain) and len(plain) < 60 else []
    if text not in ("", "pi") and "`" not in text and len(text) < 60 and text.isprintable():
        choices.append(f"{f'`{text}`'!r} for a name with these characters")
    return f"; write {', or '.join(choices)}" if choices else ""
