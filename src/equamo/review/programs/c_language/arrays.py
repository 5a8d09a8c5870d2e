"""Arrays that a C function read and wrote, as arguments and outputs."""

from __future__ import annotations

from math import prod

from ....algebra.expr import Expr, symbol
from ..function import Argument, Index, Output, Shape, entry_name, indices
from ..place import Place
from . import arithmetic
from .memory import Block, Integer, Pointer, Value
from .types import REAL, PointerTo


def arrays(block: Block, shape: Shape | None = None) -> tuple[Argument | None, Output | None]:
    """An array as an argument if it was read or not used, and as an output if it was written.

    Args:
        block: The array, or an array of pointers to rows.
        shape: Its shape if known.
    """
    read: dict[Index, Value] = {}
    written: dict[Index, tuple[Value, int]] = {}
    for row, part in _parts(block):
        read.update({(*row, *part.index(k)): x for k, x in part.inputs.items()})
        for k, line in part.lines.items():
            written[(*row, *part.index(k))] = part.cells[k], line
    if any(not isinstance(x, Expr) for x in read.values()):
        read = {}  # integers, on which no result depends
    entries: dict[Index, Expr] = {}
    for index, (value, line) in written.items():
        if isinstance(value, (Expr, Integer)):
            entries[index] = arithmetic.real(value, Place(block.name, line))
    if shape is None:
        shape = _shape(block, [*read, *entries])
    given = result = None
    if read or (not written and block.element in (REAL, PointerTo(REAL, True))):
        symbols = tuple(symbol(entry_name(block.name, i)) for i in indices(shape))
        given = Argument(block.name, shape, symbols)
    if entries:
        lines = {index: written[index][1] for index in entries}
        result = Output(block.name, shape, entries, lines, max(lines.values()))
    return given, result


def _parts(block: Block) -> list[tuple[Index, Block]]:
    """The array itself, or the rows to which its pointers point."""
    if not isinstance(block.element, PointerTo):
        return [((), block)]
    rows = [(k, row.block) for k, row in block.inputs.items() if isinstance(row, Pointer)]
    return [((k, *index), part) for k, row in rows for index, part in _parts(row)]


def _shape(block: Block, seen: list[Index]) -> Shape:
    """The declared shape, completed by the entries that were seen."""
    if block.size is not None:
        return (block.size // prod(block.inner), *block.inner)
    depth = max((len(i) for i in seen), default=1 + len(block.inner))
    lengths = tuple(1 + max((i[d] for i in seen), default=-1) for d in range(depth))
    return (*lengths[: depth - len(block.inner)], *block.inner)
