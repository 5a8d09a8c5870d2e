"""Find the line and column of every key and value of a TOML text.

tomllib returns the content of a file without positions; this scanner walks the same text and records
them. It relies on tomllib having accepted the text.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from typing import Final, NamedTuple, final

Path = tuple[str | int, ...]
_BARE: Final = re.compile(r"[A-Za-z0-9_-]+")
_BLANK: Final = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACES: Final = re.compile(r"[ \t]*")
_SCALAR: Final = re.compile(r"[^,\]}\s#][^,\]}\n#]*")


class Spot(NamedTuple):
    """Offsets of a key and of its value in the text."""

    key: int
    value: int


@final
class Positions:
    """Offsets of keys and values by path; array indices count from 0.

    >>> p = Positions('a = 1\\n[[claims]]\\nid = "x"\\n')
    >>> p.line_and_column(p.spots["claims", 0, "id"].value)
    (3, 6)
    """

    def __init__(self, text: str) -> None:
        self.text = text
        self._starts = [0, *(m.end() for m in re.finditer("\n", text))]  # offset of each line
        self.spots: dict[Path, Spot] = {}
        self._counts: dict[Path, int] = {}
        self._scan()

    def line_and_column(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both counted from 1."""
        line = bisect_right(self._starts, offset)
        return line, offset - self._starts[line - 1] + 1

    def lines(self) -> dict[Path, int]:
        """Line of each key, table and array element.

        >>> Positions('name = "a"\\n[[bodies]]\\nmass = 1').lines()
        {('name',): 1, ('bodies',): 2, ('bodies', 0): 2, ('bodies', 0, 'mass'): 3}
        """
        return {path: self.line_and_column(spot.key)[0] for path, spot in self.spots.items()}

    def nearest(self, path: Path) -> Spot | None:
        """Position of a path, or of the nearest table that contains it."""
        while path:
            if path in self.spots:
                return self.spots[path]
            path = path[:-1]
        return None

    def end(self, path: Path) -> int:
        """Offset after the value at a path.

        >>> Positions('mass = "m1"  # kg').end(("mass",))
        11
        """
        return self._value(self.spots[path].value, path)

    def content(self, path: Path, position: int) -> int | None:
        """Offset of a character of the text value at a path; None if the value is not text."""
        spot = self.spots.get(path)
        if spot is None or self.text[spot.value : spot.value + 1] not in ("'", '"'):
            return None
        quote = self._quote(spot.value)
        start = spot.value + len(quote)
        if len(quote) == 3 and self.text.startswith(("\n", "\r\n"), start):
            start = self.text.index("\n", start) + 1
        at = start
        for _ in range(position):  # an escape sequence is one character of the value
            escape = quote[0] == '"' and self.text[at : at + 1] == "\\"
            at += {"u": 6, "U": 10}.get(self.text[at + 1 : at + 2], 2) if escape else 1
        return at

    # -- the scan --------------------------------------------------------------------------------
    def _scan(self) -> None:
        at = self._skip(0)
        here: Path = ()
        while at < len(self.text):
            if self.text[at] == "[":
                at, here = self._header(at)
            else:
                at = self._pair(at, here)
            at = self._skip(at)

    def _skip(self, at: int) -> int:
        match = _BLANK.match(self.text, at)
        return match.end() if match else at

    def _header(self, at: int) -> tuple[int, Path]:
        double = self.text.startswith("[[", at)
        start = at
        at += 2 if double else 1
        keys: list[str | int] = []
        while True:
            at = self._spaces(at)
            key, at = self._key(at)
            keys.append(key)
            at = self._spaces(at)
            last = self.text[at] == "]"
            if tuple(keys) in self._counts and not (last and double):
                keys.append(self._counts[tuple(keys)])
            if last:
                break
            at += 1  # the dot
        path: Path = tuple(keys)
        if double:
            self._counts[path] = self._counts.get(path, -1) + 1
            self.spots.setdefault(path, Spot(start, start))
            path = (*path, self._counts[path])
        self.spots.setdefault(path, Spot(start, start))
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end, path

    def _spaces(self, at: int) -> int:
        match = _SPACES.match(self.text, at)
        return match.end() if match else at

    def _key(self, at: int) -> tuple[str, int]:
        if self.text[at] in "\"'":
            end = self._string_end(at)
            return self.text[at + 1 : end - 1], end
        match = _BARE.match(self.text, at)
        if match is None:  # cannot happen in a valid file
            return "", at + 1
        return match[0], match.end()

    def _pair(self, at: int, here: Path) -> int:
        start, path = at, here
        while True:
            key, at = self._key(self._spaces(at))
            path = (*path, key)
            at = self._spaces(at)
            if self.text[at : at + 1] != ".":
                break
            at += 1
        at = self._spaces(at + 1)  # the =
        self.spots.setdefault(path, Spot(start, at))
        return self._value(at, path)

    def _value(self, at: int, path: Path) -> int:
        c = self.text[at : at + 1]
        if c in ("'", '"'):
            return self._string_end(at)
        if c == "[":
            return self._array(at, path)
        if c == "{":
            return self._inline(at, path)
        match = _SCALAR.match(self.text, at)
        return match.end() if match else at + 1

    def _array(self, at: int, path: Path) -> int:
        at, i = self._skip(at + 1), 0
        while self.text[at] != "]":
            self.spots.setdefault((*path, i), Spot(at, at))
            at = self._skip(self._value(at, (*path, i)))
            i += 1
            if self.text[at] == ",":
                at = self._skip(at + 1)
        return at + 1

    def _inline(self, at: int, path: Path) -> int:
        at = self._skip(at + 1)
        while self.text[at] != "}":
            at = self._skip(self._pair(at, path))
            if self.text[at] == ",":
                at = self._skip(at + 1)
        return at + 1

    def _quote(self, at: int) -> str:
        mark = self.text[at]
        return mark * 3 if self.text.startswith(mark * 3, at) else mark

    def _string_end(self, at: int) -> int:
        quote = self._quote(at)
        at += len(quote)
        end = self.text.index(quote, at)
        while quote[0] == '"' and (escape := self.text.find("\\", at, end)) >= 0:
            at = escape + 2  # a quote after a backslash is part of the text
            end = self.text.index(quote, at)
        at = end + len(quote)
        while (
            len(quote) == 3 and self.text[at : at + 1] == quote[0]
        ):  # quotes that belong to the text
            at += 1
        return at
