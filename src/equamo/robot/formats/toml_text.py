"""Text of values, keys and tables of TOML files."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from ...algebra.expr import Expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...errors import FileFormatError
from ..model.names import written

_ESCAPES: Final = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}

Value = Any  # value of a TOML key: text, number, bool, list or dict
Entry = dict[str, Value]


def quoted(x: str) -> str:
    """Text in quotes, with escapes."""

    def escape(c: str) -> str:
        return _ESCAPES.get(c) or (c if c.isprintable() or c == " " else f"\\U{ord(c):08x}")

    return '"' + "".join(map(escape, x)) + '"'


def comment(x: str) -> str:
    """Text of a comment, in one line.

    >>> comment("a\\nb")
    'a b'
    """
    return "".join(c if c.isprintable() else " " for c in x)


def key_text(x: str) -> str:
    """Key, in quotes if it is not a bare one."""
    return x if re.fullmatch(r"[A-Za-z0-9_-]+", x) else quoted(x)


def value_text(x: Value) -> str:
    """Value as TOML writes it."""
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, str):
        return quoted(x)
    if isinstance(x, Mapping):
        inside = ", ".join(f"{key_text(k)} = {value_text(v)}" for k, v in x.items())  # pyright: ignore
        return f"{{ {inside} }}" if inside else "{}"
    if isinstance(x, (list, tuple)):
        return f"[{', '.join(value_text(v) for v in x)}]"  # pyright: ignore
    return x.text if isinstance(x, Decimal) else str(x)


class Decimal:
    """Number to be written with a decimal point in TOML."""

    def __init__(self, text: str) -> None:
        self.text = text


def number(x: Fraction | int | float) -> Value:
    """Integer, or decimal if that is exact and short, or text such as "1/3"."""
    exact = Fraction(repr(x)) if isinstance(x, float) else Fraction(x)
    if exact.denominator == 1 and abs(exact.numerator) < 10**15:
        return int(exact)
    digits, n = 0, exact.denominator
    for p in (2, 5):
        k = 0
        while n % p == 0:
            n, k = n // p, k + 1
        digits = max(digits, k)
    if n != 1 or digits > 24:
        return str(exact)
    whole, rest = divmod(abs(exact.numerator) * 10**digits // exact.denominator, 10**digits)
    return Decimal(f"{'-' * (exact < 0)}{whole}.{rest:0{digits}d}" if digits else f"{exact}.0")


def quantity(e: Expr) -> Value:
    """Number, or the text of an expression."""
    return expression(e) if e.value is None else number(e.value)


def expression(e: Expr) -> str:
    """Text of an expression; FileFormatError if it is too long."""
    text = str(e)
    if text.startswith("<"):
        raise FileFormatError(f"An expression must fit into a text file, got {text}.")
    return text


def quantities(expressions: Iterable[Expr]) -> Value:
    """One text separated by blanks, or an array if a quantity contains blanks or commas."""
    entries = list(expressions)
    texts = [expression(e) for e in entries]
    if all(not re.search(r"[\s,]", t) for t in texts):
        return " ".join(texts)
    return [quantity(e) for e in entries]


def vector(v: Vector) -> Value:
    """Vector as text or array."""
    return quantities(v)


def matrix(A: Matrix) -> Value:
    """Matrix as an array of rows."""
    return [[quantity(e) for e in row] for row in A.rows]


def names(names: Sequence[str]) -> str:
    """Names separated by blanks, in backquotes if necessary."""
    return " ".join(map(written, names))


def assignments(entry: Entry) -> list[str]:
    """One line per key."""
    return [f"{key_text(k)} = {value_text(v)}" for k, v in entry.items()]


def section(name: str, entry: Mapping[str, Value]) -> list[str]:
    """Lines of a table; none if it is empty."""
    return ["", f"[{key_text(name)}]", *assignments(dict(entry))] if entry else []


def as_read(x: Value) -> Any:
    """Value as the reader returns it."""
    if isinstance(x, Decimal):
        return Fraction(x.text)
    if isinstance(x, dict):
        return {k: as_read(v) for k, v in x.items()}  # pyright: ignore
    return [as_read(v) for v in x] if isinstance(x, list) else x  # pyright: ignore
