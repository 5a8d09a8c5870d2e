"""Function: one function of a source file, as read into expressions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import final

from ...algebra.expr import Expr

Shape = tuple[int, ...]
Index = tuple[int, ...]


@final
@dataclass(frozen=True)
class Argument:
    """An input: the symbols that stand for its entries.

    Attributes:
        name: Its name in the code; a nested name is written with a dot.
        shape: () for a number, (n,) for a vector, (n, m) for a matrix. If the code does not declare a
            size, it is the smallest one with all entries that the code reads.
        symbols: One symbol per entry, row by row: `q` for a number, `q[0]` or `A[0][1]` for an entry,
            counted from zero in every language.
    """

    name: str
    shape: Shape
    symbols: tuple[Expr, ...]

    @property
    def entries(self) -> dict[Index, Expr]:
        """{index: symbol}"""
        return dict(zip(indices(self.shape), self.symbols, strict=True))


@final
@dataclass(frozen=True)
class Output:
    """An output: an expression for each entry that the code writes.

    Attributes:
        name: Its name in the code; the name of the function for a value without one.
        shape: As for an `Argument`.
        entries: {index: expression in the symbols of the arguments}.
        lines: {index: line of the last assignment to this entry}.
        line: The line of the last assignment to any entry.
    """

    name: str
    shape: Shape
    entries: Mapping[Index, Expr]
    lines: Mapping[Index, int]
    line: int

    @property
    def missing(self) -> tuple[Index, ...]:
        """Entries that the code leaves unwritten."""
        return tuple(i for i in indices(self.shape) if i not in self.entries)


@final
@dataclass(frozen=True)
class Function:
    """A function of a source file, read into expressions.

    Attributes:
        name: Its name.
        inputs: Its arguments, in the order of the code.
        outputs: Its results, in the order of the code.
        file: Name of the file in errors.
        line: The line on which the function begins.
    """

    name: str
    inputs: tuple[Argument, ...]
    outputs: tuple[Output, ...]
    file: str
    line: int


@final
@dataclass(frozen=True)
class Unread:
    """A public function of a source file that is not read.

    Attributes:
        name: Its name.
        line: The line on which it begins.
        reason: Why it is not read.
        refused: Whether it may compute something; otherwise it only describes another function.
    """

    name: str
    line: int
    reason: str
    refused: bool


def indices(shape: Shape) -> list[Index]:
    """All indices of a shape, row by row.

    >>> indices((2, 2)), indices(())
    ([(0, 0), (0, 1), (1, 0), (1, 1)], [()])
    """
    return list(product(*map(range, shape)))


def entry_name(name: str, index: Index) -> str:
    """Name of an entry: `q`, `q[0]`, `A[0][1]`."""
    return name + "".join(f"[{k}]" for k in index)
