"""Functions that CasADi generates:

    int f(const double** arg, double** res, long long* iw, double* w, int mem)

The file says in further functions, such as `f_name_in` and `f_sparsity_in`, what its arguments are
called and which of their entries are stored; these are run to find out. Matrices are stored by columns,
without the entries that are always zero.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from ....errors import FileFormatError
from ....expr import ZERO
from ..function import Argument, Function, Index, Output, Shape, indices
from ..place import Place
from . import arithmetic
from .arrays import arrays
from .memory import Block, Integer, Opaque, Pointer, Text, Value
from .types import INT, REAL, ArrayOf, PointerTo

if TYPE_CHECKING:
    from .file import CFile

MOST: Final = 10_000  # arguments or rows


def is_casadi(file: CFile, name: str) -> bool:
    """Whether a function has the arguments that CasADi gives it."""
    try:
        kinds = [kind for _, kind in file.parameters(name)]
    except FileFormatError:  # of a type that cannot be read
        return False
    reals = PointerTo(PointerTo(REAL, True), False), PointerTo(PointerTo(REAL, False), False)
    return kinds == [*reals, PointerTo(INT, False), PointerTo(REAL, False), INT]


def casadi_function(file: CFile, name: str) -> Function:
    """Run a function on symbols that have the names of its arguments."""
    place = file.place(file.functions[name].decl)
    takes = [_Array(file, name, "in", i, place) for i in range(_count(file, name, "in", place))]
    gives = [_Array(file, name, "out", i, place) for i in range(_count(file, name, "out", place))]
    (arg, arg_kind), (res, res_kind), (iw, iw_kind), (w, w_kind), (mem, _) = file.parameters(name)
    scope = {
        arg: _variable(file, arg, arg_kind, _pointers(arg, arg_kind, takes)),
        res: _variable(file, res, res_kind, _pointers(res, res_kind, gives)),
        iw: _variable(file, iw, iw_kind, _work(iw, iw_kind)),
        w: _variable(file, w, w_kind, _work(w, w_kind)),
        mem: _variable(file, mem, INT, Opaque(mem)),
    }
    file.run(name, scope)
    inputs = tuple(x.argument() for x in takes)
    return Function(name, inputs, tuple(x.output(place) for x in gives), place.file, place.line)


class _Array:
    """An argument or a result: its name, its shape and its memory."""

    def __init__(self, file: CFile, name: str, side: str, i: int, place: Place) -> None:
        label = _ask(file, f"{name}_name_{side}", i, place)
        found = _ask(file, f"{name}_sparsity_{side}", i, place)
        if not isinstance(label, Text) or not isinstance(found, Pointer):
            place.fail(
                f"{name}_name_{side} and {name}_sparsity_{side} must say what argument {i} is"
            )
        self.shape, places = _stored(found, place)
        kind = ArrayOf(REAL, max(1, len(places)), side == "in")
        self.block = Block(
            label.value, kind, len(places), argument=side == "in", const=side == "in"
        )
        self.block.places = places

    def argument(self) -> Argument:
        given, _ = arrays(self.block, self.shape)
        assert given is not None  # it is const: never written
        return given

    def output(self, place: Place) -> Output:
        _, written = arrays(self.block, self.shape)
        stored = set(self.block.places)
        zeros = {i: ZERO for i in indices(self.shape) if i not in stored}
        entries = zeros if written is None else {**zeros, **written.entries}
        lines = dict.fromkeys(entries, place.line)
        lines.update({} if written is None else written.lines)
        line = place.line if written is None else written.line
        return Output(self.block.name, self.shape, entries, lines, line)


def _variable(file: CFile, name: str, kind: PointerTo | object, value: Value) -> Block:
    block = file.block(name, kind)  # pyright: ignore[reportArgumentType]
    block.cells[0] = value
    return block


def _pointers(name: str, kind: object, parts: list[_Array]) -> Pointer:
    """An array of pointers to the arguments."""
    assert isinstance(kind, PointerTo)
    assert isinstance(kind.target, PointerTo)
    block = Block(name, ArrayOf(kind.target, None, False), None)  # longer: the rest is work memory
    for k, part in enumerate(parts):
        block.cells[k] = Pointer(part.block, 0, REAL, kind.target.const)
    return Pointer(block, 0, kind.target)


def _work(name: str, kind: object) -> Pointer:
    """Memory for intermediate results."""
    assert isinstance(kind, PointerTo)
    return Pointer(Block(name, ArrayOf(kind.target, None, False), None), 0, kind.target)


def _ask(file: CFile, name: str, i: int | None, place: Place) -> Value:
    """The result of a function of the file for argument i."""
    if not file.defines(name):
        place.fail(f"expected the function {name} next to a function of CasADi, but it is missing")
    parameters = file.parameters(name)
    if len(parameters) != (0 if i is None else 1):
        place.fail(f"{name} takes {len(parameters)} arguments, expected {0 if i is None else 1}")
    scope: dict[str, Block] = {}
    if i is not None:
        ((label, kind),) = parameters
        scope[label] = _variable(file, label, kind, Integer(i))
    return file.run(name, scope)[0].value


def _count(file: CFile, name: str, side: str, place: Place) -> int:
    count = arithmetic.integer(_ask(file, f"{name}_n_{side}", None, place), place)
    if not 0 <= count <= MOST:
        place.fail(f"{name}_n_{side} must be at least 0 and at most {MOST}, got {count}")
    return count


def _stored(found: Pointer, place: Place) -> tuple[Shape, list[Index]]:
    """The shape of a matrix and the index of each stored entry.

    The numbers are rows, columns, and 1 for a matrix without zeros; or else, for each column and one
    more, the number of entries before it, followed by the row of each entry.
    """

    def number(k: int) -> int:
        return arithmetic.integer(found.block.load(found.offset + k, place), place)

    rows, columns = number(0), number(1)
    if not (0 <= rows <= MOST and 0 <= columns <= MOST and rows * columns <= MOST**2):
        place.fail(f"a matrix must have at most {MOST} rows and columns, got {rows} x {columns}")
    if number(2) == 1:
        pairs = [(r, c) for c in range(columns) for r in range(rows)]
    else:
        starts = [number(2 + c) for c in range(columns + 1)]
        pairs = [
            (number(3 + columns + k), c)
            for c in range(columns)
            for k in range(starts[c], starts[c + 1])
        ]
    if columns == 1:  # a vector, or a number
        return ((), [() for _ in pairs]) if rows == 1 else ((rows,), [(r,) for r, _ in pairs])
    return (rows, columns), list(pairs)
