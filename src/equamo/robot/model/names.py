"""Read the names that users type: plain names, names in backquotes, or symbols.

    "q1", "θ_R"      plain name: valid in an expression without backquotes
    "`left hip-1`"   any other name, in backquotes, as in an expression
    symbol(name)     name taken verbatim; file readers pass these

Anything else is an error: a formula in place of a name would define a symbol that no expression refers
to.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from ...algebra.expr import Expr, parse
from ...algebra.expr.functions import BY_NAME
from ...algebra.expr.parse import is_plain_name
from ...basics.arguments import items_of
from ...basics.wording import brief
from ...errors import EquamoError, ModelError

Names = str | Expr | Iterable[str | Expr]

_TOKEN: Final = re.compile(r"`[^`]*`|[^\s,]+")


def read_name(name: Any, what: str) -> str:
    """Read a name.

    Args:
        name: Plain name, name in backquotes, or symbol.
        what: How messages name it.

    Returns:
        The name.

    Raises:
        ModelError: It is not a name; for a formula the message says what to write instead.

    >>> read_name("q1", "revolute: the coordinate"), read_name("`q-1`", "revolute: the coordinate")
    ('q1', 'q-1')
    >>> read_name("q-1", "revolute: the coordinate")
    Traceback (most recent call last):
      ...
    equamo.errors.ModelError: revolute: the coordinate must be a name, got the formula 'q-1'; \
write 'q_1', or '`q-1`' for a name with these characters.
    """
    if isinstance(name, Expr) and name.is_symbol:
        return name.name
    if not isinstance(name, str):
        raise ModelError(f"{what} must be a name such as 'q1', got {brief(name)}.")
    text = name.strip()
    if is_plain_name(text):
        return text
    if len(text) > 2 and text[0] == text[-1] == "`" and "`" not in text[1:-1]:
        return text[1:-1]
    raise ModelError(f"{what} must be a name, got {_kind(text)}{brief(text)}{_advice(text)}.")


def read_names(names: Any, what: str) -> tuple[str, ...]:
    """Read names from a text separated by blanks or commas, from a sequence, or from one symbol.

    >>> read_names("x `left y`, z", "planar: a coordinate")
    ('x', 'left y', 'z')
    """
    if isinstance(names, str):
        names = split_names(names)
    listed = None if isinstance(names, Expr) else items_of(names)
    return tuple(read_name(x, what) for x in ([names] if listed is None else listed))


def split_names(text: str) -> list[str]:
    """Split a text at blanks and commas outside backquotes."""
    return _TOKEN.findall(text)


def written(name: str) -> str:
    """Text that `read_name` reads as this name.

    >>> written("q1"), written("q 1")
    ('q1', '`q 1`')
    """
    return name if is_plain_name(name) else f"`{name}`"


def label(names: Names) -> str:
    """Default name of an object that is named after its coordinates."""
    if isinstance(names, str):
        return names.replace("`", "")
    parts = (names,) if isinstance(names, Expr) else names
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
    """Suggest a plain name similar to the text, and the text in backquotes."""
    plain = re.sub(r"\W+", "_", text).strip("_")
    if match := re.fullmatch(r"([0-9]+)([^\W\d_]\w*)", text):  # 2q: a name starts with a letter
        plain = match[2] + match[1]
    choices = [repr(plain)] if is_plain_name(plain) and len(plain) < 60 else []
    if text not in ("", "pi") and "`" not in text and len(text) < 60 and text.isprintable():
        choices.append(f"{f'`{text}`'!r} for a name with these characters")
    return f"; write {', or '.join(choices)}" if choices else ""
