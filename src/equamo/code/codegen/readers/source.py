"""Source: the text of a generated file, cut into tokens, and errors that name the file and the line."""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Final, NoReturn, final

from ....basics.wording import brief
from ....errors import FileFormatError

# Generated text is plain: what else occurs could mean something else to a compiler than to a reader
# (U+2028 ends a comment in JavaScript, a form feed is a blank in C, a lone \r ends a line in Python).
_STRANGE: Final = re.compile(rb"[^\n\x20-\x7e]")
COUNTING: Final = re.compile(r"0|[1-9]\d{0,8}")  # never octal


def decoded(data: bytes, name: str) -> str:
    """The text of a file: printable ASCII in lines that end with \\n or all with \\r\\n.

    >>> decoded(b"a\\r\\nb\\r\\n", "x.c")
    'a\\nb\\n'
    >>> decoded(b"a\\nb\\x00", "x.c")
    Traceback (most recent call last):
    equamo.errors.FileFormatError: x.c:2: generated code must be printable ASCII, got byte 0x00.
    """
    plain = data.replace(b"\r\n", b"\n")
    bad = _STRANGE.search(plain)
    if bad is not None:
        line = plain.count(b"\n", 0, bad.start()) + 1
        raise FileFormatError(
            f"{name}:{line}: generated code must be printable ASCII, got byte 0x{bad[0][0]:02x}."
        )
    return plain.decode("ascii")


@final
class Source:
    """Tokens of a text; blanks between them are left out.

    Args:
        data: The bytes of the file.
        path: Its name, for errors; the last part is `file`.
        pattern: One token, whatever it is: it must match every character but a blank.

    >>> source = Source(b"a = b;\\nc?", "x.c", re.compile(r"[a-z]|[^ \\n]"))
    >>> source.tokens[:4], source.next(["a", "="], 0)
    (['a', '=', 'b', ';'], 2)
    >>> source.next([";"], 5)
    Traceback (most recent call last):
    equamo.errors.FileFormatError: x.c:2: expected ';', got '?'.
    """

    path: str
    file: str

    def __init__(self, data: bytes, path: str, pattern: re.Pattern[str]) -> None:
        self.path, self.file = path, PurePath(path).name
        self._text, self._pattern = decoded(data, path), pattern
        # An empty token at the end is nothing that a rule accepts: no rule looks behind it.
        self.tokens: list[str] = [*pattern.findall(self._text), "", ""]

    def fail(self, i: int, message: str) -> NoReturn:
        """Raise an error that names the line of token i."""
        starts = [match.start() for match in self._pattern.finditer(self._text)]
        place = starts[i] if i < len(starts) else len(self._text)
        line = self._text.count("\n", 0, place) + 1
        raise FileFormatError(f"{self.path}:{line}: {message}.")

    def next(self, expected: list[str], i: int) -> int:
        """The position behind the expected tokens, which must stand at position i."""
        j = i + len(expected)
        if self.tokens[i:j] == expected:
            return j
        for k, text in enumerate(expected, i):
            if self.tokens[k : k + 1] != [text]:
                self.fail(k, f"expected {shown(text)}, got {shown(self.tokens[k])}")
        return j

    def count(self, i: int) -> int:
        """The number at position i: a size or an index."""
        token = self.tokens[i]
        if COUNTING.fullmatch(token) is None:
            self.fail(i, f"expected a size or an index, got {shown(token)}")
        return int(token)

    def end(self, i: int) -> None:
        """Nothing may stand at position i."""
        if i < len(self.tokens) - 2:
            self.fail(i, f"expected the end of the file, got {shown(self.tokens[i])}")


def shown(token: str) -> str:
    """A token in an error message."""
    return {"": "the end of the file", "\n": "the end of the line"}.get(token, brief(token))
