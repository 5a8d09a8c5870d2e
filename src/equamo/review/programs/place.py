"""Place: a line of a file, and the errors that name it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NoReturn, final

from ...errors import FileFormatError


@final
@dataclass(frozen=True, slots=True)
class Place:
    """A line of a file.

    >>> Place("arm.c", 3).fail("expected a number, got a text")
    Traceback (most recent call last):
    equamo.errors.FileFormatError: arm.c:3: expected a number, got a text.
    """

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file

    def fail(self, message: str) -> NoReturn:
        """Raise a FileFormatError that begins with the file and the line."""
        raise FileFormatError(f"{self}: {message}.")
