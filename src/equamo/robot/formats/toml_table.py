"""Typed access to the tables of a TOML file; each error names file, line, table and key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final, cast, final

from ...algebra.expr import Expr, as_expr, parse
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...basics.renamed import warn_renamed
from ...basics.wording import brief
from ...errors import EquamoError, FileFormatError, ParseError, UnknownNameError
from ..model.names import split_names
from .toml_positions import Path

MAX_LENGTH: Final = 20_000_000  # characters of a file
MAX_DIGITS: Final = 4_300  # of a number, with its exponent expanded
MAX_ENTRIES: Final = 100_000  # values in a file
_KINDS: Final[dict[type, str]] = {
    dict: "a table",
    list: "an array",
    bool: "a boolean",
    Fraction: "a number",
}


def parse_toml(text: str, file: str) -> dict[str, Any]:
    """Parse a file into plain data; decimal numbers are exact (0.1 is 1/10)."""
    if len(text) > MAX_LENGTH:
        raise FileFormatError(
            f"{file}: a TOML file must have at most {MAX_LENGTH:,} characters, got {len(text):,}."
        )
    try:
        data = tomllib.loads(text, parse_float=_exact)
    except ValueError as error:  # also too many digits, or a time zone offset out of range
        raise FileFormatError(f"{file}: not valid TOML: {error}.") from None
    except RecursionError:
        raise FileFormatError(
            f"{file}: arrays or tables must not be nested this deeply; flatten them."
        ) from None
    _check_size(data, file)
    return data


def _exact(text: str) -> Fraction:
    digits, _, exponent = text.lower().replace("_", "").partition("e")
    if not any(c.isdigit() for c in digits):
        raise ValueError(f"numbers must be finite, got {text}")
    if len(digits) > MAX_DIGITS or len(exponent) > 6 or abs(int(exponent or 0)) > MAX_DIGITS:
        raise ValueError(f"numbers must have at most {MAX_DIGITS} digits, got {text[:20]!r}…")
    return Fraction(digits) * Fraction(10) ** int(exponent or 0)


def _check_size(data: Any, file: str) -> None:
    stack, count = [data], 0
    while stack:
        x = stack.pop()
        count += 1
        if count > MAX_ENTRIES:
            raise FileFormatError(
                f"{file}: a TOML file must have at most {MAX_ENTRIES:,} values, this one has more."
            )
        if isinstance(x, dict):
            stack += cast(dict[str, Any], x).values()
        elif isinstance(x, list):
            stack += cast(list[Any], x)


@final
@dataclass(frozen=True)
class Table:
    """Table of a file, at a path from the root."""

    data: Mapping[str, Any]
    file: str
    lines: Mapping[Path, int]
    path: Path = ()

    # -- position --------------------------------------------------------------------------------
    def place(self, *more: str | int) -> str:
        """Place as messages name it: `arm.toml, line 12, bodies[2].joint.axis`."""
        path = (*self.path, *more)
        text = ""
        for part in path:
            if isinstance(part, int):
                text += f"[{part + 1}]"
            else:
                is_bare = re.fullmatch(r"[A-Za-z0-9_-]{1,40}", part)
                key = part if is_bare else brief(part, limit=40)
                text += f".{key}" if text else key
        line = next((n for i in range(len(path), 0, -1) if (n := self.lines.get(path[:i]))), None)
        return ", ".join(x for x in (self.file, f"line {line}" if line else "", text) if x)

    def error(self, message: str, *more: str | int) -> FileFormatError:
        error = FileFormatError(f"{self.place(*more)}: {message}")
        error.path = (*self.path, *more)
        return error

    def unknown(
        self, kind: str, name: str, valid: Iterable[str], *more: str | int
    ) -> UnknownNameError:
        """Error for a name that is not one of the valid ones; messages name the place of `more`."""
        error = UnknownNameError(kind, name, valid, self.place(*more))
        error.path = (*self.path, *(more or (name,)))
        return error

    def guarded(self, make: Callable[[], Any], *more: str | int) -> Any:
        """Result of `make()`; the place is prepended to errors of the model."""
        try:
            return make()
        except FileFormatError:  # already names the place
            raise
        except EquamoError as error:
            raise self.error(str(error), *more) from error
        except (ArithmeticError, ValueError) as error:  # from floats: root of a negative number
            raise self.error(f"a quantity could not be computed: {error}.", *more) from None

    # -- keys ------------------------------------------------------------------------------------
    def only(self, *valid: str) -> None:
        """Refuse all other keys."""
        for key in self.data:
            if key not in valid:
                raise self.unknown("key", key, valid)

    def renamed(self, **names: str) -> Table:
        """Table with old keys under their new names: old="new"."""
        data = dict(self.data)
        for old in names.keys() & data.keys():
            if names[old] in data:
                new = names[old]
                raise self.error(
                    f"{old!r} is the old name of {new!r}, got both; remove {old!r}.", old
                )
            warn_renamed(self.place(old), old, names[old])
            data[names[old]] = data.pop(old)
        return replace(self, data=data)

    def __contains__(self, key: str) -> bool:
        return key in self.data

    def _get(self, key: str) -> Any:
        if key not in self.data:
            raise self.error(f"key {key!r} is missing.")
        return self.data[key]

    def wrong(self, expected: str, value: Any, *more: str | int) -> FileFormatError:
        text = _KINDS.get(type(value)) or brief(value)  # pyright: ignore[reportUnknownArgumentType]
        return self.error(f"expected {expected}, got {text}.", *more)

    # -- values ----------------------------------------------------------------------------------
    def text(self, key: str, default: str | None = None) -> str:
        if key not in self.data and default is not None:
            return default
        x = self._get(key)
        if not isinstance(x, str):
            raise self.wrong("text in quotes", x, key)
        return x

    def flag(self, key: str) -> bool:
        x = self.data.get(key, False)
        if not isinstance(x, bool):
            raise self.wrong("true or false", x, key)
        return x

    def names(self, key: str) -> list[str]:
        """Names from a text, separated by blanks or commas, or from an array."""
        x = self._get(key)
        if isinstance(x, str):
            return split_names(x)
        if isinstance(x, list) and all(isinstance(n, str) for n in cast(list[Any], x)):
            return cast(list[str], x)
        raise self.wrong("names in quotes, or an array of them", x, key)

    def quantity(self, key: str, default: Any = None) -> Expr:
        """Quantity: a number, or text such as "m1*l1/2"."""
        if key not in self.data and default is not None:
            return as_expr(default)
        return self._quantity(self._get(key), key)

    def _quantity(self, x: Any, *more: str | int) -> Expr:
        if isinstance(x, str):
            try:
                return parse(x)
            except ParseError as error:
                raise self.error(str(error), *more) from error
        if isinstance(x, (int, Fraction)) and not isinstance(x, bool):
            return self.guarded(lambda: as_expr(x), *more)
        raise self.wrong('a number, or text such as "m1*l1/2"', x, *more)

    def quantities(self, key: str, *sizes: int) -> list[Expr]:
        """Quantities of an array or a text, separated by blanks or commas; `sizes` are valid counts."""
        entries = self._quantities(self._get(key), key)
        if sizes and len(entries) not in sizes:
            raise self.error(
                f"expected {' or '.join(map(str, sizes))} quantities, got {len(entries)}.", key
            )
        return entries

    def _quantities(self, x: Any, *more: str | int) -> list[Expr]:
        if isinstance(x, str):
            parts: list[Any] = x.split(",") if "," in x else x.split()
        elif isinstance(x, list):
            parts = cast(list[Any], x)
        else:
            raise self.wrong('text such as "L1 0 0", or an array', x, *more)
        return [self._quantity(p, *more, i) for i, p in enumerate(parts)]

    def vector(self, key: str, default: str | None = None) -> Vector:
        if key not in self.data and default is not None:
            return Vector(default.split())
        return Vector(self.quantities(key, 3))

    def rotation(self, key: str) -> Vector | Matrix | None:
        """Three angles, or three rows of three quantities; None if the key is missing."""
        if key not in self.data:
            return None
        x = self.data[key]
        if not isinstance(x, list) or not any(isinstance(r, list) for r in cast(list[Any], x)):
            return Vector(self.quantities(key, 3))
        rows = [self._quantities(r, key, i) for i, r in enumerate(cast(list[Any], x))]
        if [len(r) for r in rows] != [3, 3, 3]:
            lengths = ", ".join(str(len(r)) for r in rows)
            raise self.error("expected three angles, or three rows of three quantities, got rows of "
                             f"length {lengths}.", key)  # fmt: skip
        return Matrix(rows)

    # -- nested tables ---------------------------------------------------------------------------
    def table(self, key: str) -> Table:
        """Table under a key; empty if the key is missing."""
        x = self.data.get(key, {})
        if not isinstance(x, dict):
            raise self.wrong("a table", x, key)
        return Table(cast(dict[str, Any], x), self.file, self.lines, (*self.path, key))

    def tables(self, key: str) -> list[Table]:
        """Tables of an array."""
        x = self._get(key)
        if not isinstance(x, list):
            raise self.wrong("an array of tables", x, key)
        items = cast(list[Any], x)
        for i, item in enumerate(items):
            if not isinstance(item, dict):
                raise self.wrong("a table", item, key, i)
        return [Table(t, self.file, self.lines, (*self.path, key, i)) for i, t in enumerate(items)]

    def each(self, keys: Iterable[str] | None = None) -> dict[str, Expr]:
        """Quantities by key, for a table whose keys are names."""
        return {k: self.quantity(k) for k in (self.data if keys is None else keys)}
