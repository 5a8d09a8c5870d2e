"""All small errors that can be put into a module: where, what stands there, what is put in its place.

An error replaces a span of the source; the rest of the text stays as it is. Not touched are docstrings
and other texts, type hints, what an exception or a warning says, decorators, imports, `__all__`,
assertions and code for type checkers only: no test could or should notice a change there.
"""

from __future__ import annotations

import ast
from collections import Counter
from dataclasses import dataclass
from pathlib import PurePath

from .edits import Finder
from .source_text import SourceText


@dataclass(frozen=True)
class Mutant:
    """One error: the bytes from `start` to `end` of a file become `after`.

    `was` and `now` are the lines concerned, before and after; `number` tells equal ones apart.
    """

    file: str
    line: int
    kind: str
    start: int
    end: int
    after: str
    was: str
    now: str
    number: int

    @property
    def key(self) -> str:
        """Names the error as long as its lines stay the same, wherever they move."""
        return key(self.file, self.was, self.now, self.number)

    @property
    def package(self) -> str:
        return package_of(self.file)

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.after.encode() + source[self.end :]


def package_of(file: str) -> str:
    """Package of a file of src/equamo or tests: wing and folder.

    >>> package_of("src/equamo/code/ir/lower.py"), package_of("tests/cli/test_new.py")
    ('code/ir', 'cli')
    """
    parts = file.removeprefix("src/").split("/")[1:-1]
    return "/".join(parts[:2]) or "equamo"


def key(file: str, was: str, now: str, number: int) -> str:
    """The name of an error: file, lines before and after, and which of several such ones."""
    return f"{file} | {was} | {now} | {number}"


def mutants(source: bytes, file: str) -> list[Mutant]:
    """Every error for one module, in the order of the text."""
    text = SourceText(source)
    numbers: Counter[tuple[str, str]] = Counter()
    found: list[Mutant] = []
    finder = Finder(text, PurePath(file).stem)
    edits = {(e.start, e.end, e.after): e for e in finder.edits(ast.parse(source))}
    for edit in sorted(edits.values(), key=lambda e: (e.start, e.end, e.after)):
        was, now = text.lines(edit.start, edit.end, edit.after)
        if was == now:
            continue  # two equal arguments change places
        numbers[was, now] += 1
        line = source.count(b"\n", 0, edit.start) + 1
        found.append(Mutant(file, line, *edit, was, now, numbers[was, now]))
    return found
