"""Values of C and the memory in which they are stored.

Real numbers are expressions; integers are known numbers, because indices, loops and branches depend on
them. Memory consists of blocks: one for each variable, array and argument.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from ....algebra.expr import Expr, symbol
from ....basics.wording import brief
from ..function import Index, entry_name
from ..place import Place
from .types import REAL, ArrayOf, CType, PointerTo, cells, dimensions, flat

LARGEST: Final = 2**31 - 1  # the smallest range of int among today's compilers for controllers
MOST_CELLS: Final = 1_000_000


@final
@dataclass(frozen=True, slots=True)
class Integer:
    """A known integer."""

    value: int
    unsigned: bool = False


@final
@dataclass(frozen=True, slots=True)
class Text:
    """A string literal."""

    value: str


@final
@dataclass(frozen=True, slots=True)
class Opaque:
    """An integer argument: it may be passed on, but no result may depend on it."""

    name: str


@final
@dataclass(frozen=True, slots=True)
class Condition:
    """A comparison `difference op 0` that depends on the state."""

    op: str
    difference: Expr


@final
@dataclass(frozen=True, slots=True)
class Choice:
    """One of two values, selected by a condition on the state."""

    condition: Condition
    then: Value
    otherwise: Value


@final
@dataclass(frozen=True, slots=True)
class Pointer:
    """A place in a block; `target` is the type of what it points to."""

    block: Block
    offset: int
    target: CType
    const: bool = False

    def moved(self, steps: int) -> Pointer:
        """The pointer advanced by `steps` targets."""
        offset = self.offset + steps * cells(self.target)
        return Pointer(self.block, offset, self.target, self.const)


Value = Expr | Integer | Text | Opaque | Condition | Choice | Pointer | None


@final
class Block:
    """Cells of one variable, array or argument.

    Args:
        name: Its name in messages and in the names of symbols.
        kind: Type of the whole: a number, a pointer or an array.
        size: Number of cells; None for an argument whose size the code does not declare.
        argument: Whether a cell that is read before it is written is an input.
        const: Whether cells must not be written.
    """

    name: str
    kind: CType
    size: int | None
    argument: bool
    const: bool
    serial: int

    def __init__(
        self,
        name: str,
        kind: CType,
        size: int | None,
        argument: bool = False,
        const: bool = False,
        serial: int = 0,
    ) -> None:
        self.name, self.kind, self.size = name, kind, size
        self.element: CType = flat(kind)  # type of a cell
        self.inner: tuple[int, ...] = tuple(
            n or 1 for n in dimensions(kind)[1:]
        )  # lengths of the inner arrays
        self.argument, self.const, self.serial = argument, const, serial
        self.cells: dict[int, Value] = {}
        self.inputs: dict[int, Value] = {}  # contents of cells before they were written
        self.lines: dict[int, int] = {}  # of the last assignment
        self.places: list[Index] = []  # of the cells, if they are not in order

    def index(self, k: int) -> Index:
        """Index of cell k in the array of the code."""
        if self.places:
            return self.places[k]
        found: list[int] = []
        for length in reversed(self.inner):
            k, rest = divmod(k, length)
            found.insert(0, rest)
        return (k, *found)

    def load(self, k: int, place: Place) -> Value:
        """The value of a cell."""
        self._check(k, place)
        if k in self.cells:
            return self.cells[k]
        name = entry_name(self.name, self.index(k))
        if not self.argument:
            shown = self.name if self.size == 1 else name
            place.fail(f"{brief(shown)} must be assigned before it is read")
        if isinstance(self.element, PointerTo):
            value: Value = argument_pointer(name, self.element, self.serial)
        elif self.element == REAL:
            value = symbol(name)
        else:
            value = Opaque(name)
        self.cells[k] = self.inputs[k] = value
        return value

    def store(self, k: int, value: Value, place: Place) -> None:
        """Assign a cell; the value must have its type."""
        self._check(k, place)
        if self.const:
            place.fail(f"{brief(self.name)} is const and must not be assigned")
        self.cells[k] = value
        self.lines[k] = place.line

    def _check(self, k: int, place: Place) -> None:
        end = MOST_CELLS if self.size is None else self.size
        if not 0 <= k < end:
            place.fail(
                f"an index of {brief(self.name)} must be at least 0 and less than {end}, got {k}"
            )


def argument_pointer(name: str, kind: PointerTo, serial: int = 0) -> Pointer:
    """A pointer to an argument whose size is not declared."""
    whole = ArrayOf(kind.target, None, kind.const)
    block = Block(name, whole, None, argument=True, const=kind.const, serial=serial)
    return Pointer(block, 0, kind.target, kind.const)
