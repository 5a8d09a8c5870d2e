"""Array: numbers in rows and columns, as NumPy and MATLAB have them. A view shares its storage."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import product
from math import prod
from typing import Final, final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.graph import constant
from .function import Index, Shape, indices
from .place import Place

MOST_ENTRIES: Final = 1_000_000


@final
class Storage:
    """Numbers that arrays share, and the line on which each was assigned."""

    def __init__(self, values: list[Expr | None], line: int) -> None:
        self.values = values
        self.lines: list[int] = [line] * len(values)
        self.fixed = ""  # why entries must not be assigned; empty if they may


@final
class Array:
    """An array of expressions.

    Args:
        shape: Its shape.
        storage: Where its entries are.
        places: Position of each entry in the storage, row by row; all of them in order by default.
        integer: Whether NumPy would store integers and truncate assigned values.

    >>> from equamo.algebra.expr import symbols
    >>> A = Array.of((2, 2), symbols("a b c d"), 1)
    >>> A.transposed.entries(Place("x.py", 1))
    [a, c, b, d]
    """

    __slots__ = ("integer", "places", "shape", "storage")

    integer: bool
    shape: Shape
    storage: Storage

    def __init__(
        self,
        shape: Shape,
        storage: Storage,
        places: Sequence[int] | None = None,
        integer: bool = False,
    ) -> None:
        self.shape, self.storage, self.integer = shape, storage, integer
        self.places: range | Sequence[int] = range(prod(shape)) if places is None else places

    @classmethod
    def of(
        cls, shape: Shape, entries: Sequence[Expr | None], line: int, integer: bool = False
    ) -> Array:
        """An array with its own storage."""
        return cls(shape, Storage(list(entries), line), None, integer)

    # -- contents ------------------------------------------------------------------------------------
    def entries(self, place: Place) -> list[Expr]:
        """All entries, row by row; each must have a value."""
        values = self.storage.values
        found: list[Expr] = []
        for k in self.places:
            x = values[k]
            if x is None:
                place.fail("an entry of an array must be assigned before it is read")
            found.append(x)
        return found

    def lines(self) -> list[int]:
        """Lines of the last assignments."""
        return [self.storage.lines[k] for k in self.places]

    def by_index(self, place: Place) -> dict[Index, Expr]:
        """{index: entry}"""
        return dict(zip(indices(self.shape), self.entries(place), strict=True))

    def copy(self, place: Place) -> Array:
        """The same entries in a separate storage."""
        return Array.of(self.shape, self.entries(place), place.line, self.integer)

    # -- views ---------------------------------------------------------------------------------------
    def view(self, chosen: Sequence[Sequence[int]], shape: Shape) -> Array:
        """The entries with chosen indices along each axis, in another shape."""
        strides = [prod(self.shape[d + 1 :]) for d in range(len(self.shape))]
        places = [
            self.places[sum(k * s for k, s in zip(index, strides, strict=True))]
            for index in product(*chosen)
        ]
        return Array(shape, self.storage, places, self.integer)

    def reshaped(self, shape: Shape) -> Array:
        """A view with the same entries, row by row."""
        return Array(shape, self.storage, self.places, self.integer)

    def in_a_row(self, shape: Shape, place: Place) -> Array:
        """Result of NumPy's reshape: a view if the entries are in order, otherwise a copy."""
        first = self.places[0] if len(self.places) else 0
        if list(self.places) == list(range(first, first + len(self.places))):
            return self.reshaped(shape)
        found = self.copy(place).reshaped(shape)
        found.storage.fixed = "whether NumPy copies its entries depends on how they are stored"
        return found

    @property
    def transposed(self) -> Array:
        """A view with rows and columns exchanged."""
        if len(self.shape) < 2:
            return self
        rows, columns = self.shape
        places = [self.places[r * columns + c] for c in range(columns) for r in range(rows)]
        return Array((columns, rows), self.storage, places, self.integer)

    # -- assignment ----------------------------------------------------------------------------------
    def assign(self, value: Expr | int | Array, place: Place) -> None:
        """Assign all entries."""
        storage = self.storage
        if storage.fixed:
            place.fail(f"this array must not be changed: {storage.fixed}")
        whole = isinstance(value, int) or (isinstance(value, Array) and value.integer)
        if self.integer and not whole:
            place.fail(
                "this array holds integers and must not be assigned a real number, which NumPy would "
                "truncate; make it an array of real numbers, for example with 0.0"
            )
        array = value if isinstance(value, Array) else number(value, place.line)
        entries = spread(array, self.shape, place)
        for k, x in zip(self.places, entries, strict=True):
            storage.values[k] = x
            storage.lines[k] = place.line


def number(value: Expr | int, line: int) -> Array:
    """A number as an array without axes."""
    whole = isinstance(value, int)
    return Array.of((), [constant(value) if whole else value], line, whole)


def filled(shape: Shape, value: Expr | None, place: Place, integer: bool = False) -> Array:
    """An array of equal entries."""
    if prod(shape) > MOST_ENTRIES or any(n < 0 for n in shape) or len(shape) > 2:
        place.fail(
            f"an array must have at most two axes and at most {MOST_ENTRIES:,} entries, got the shape "
            f"{shape}"
        )
    return Array.of(shape, [value] * prod(shape), place.line, integer)


def spread(array: Array, shape: Shape, place: Place) -> list[Expr]:
    """Entries of an array that is repeated along axes of length 1 to have a shape."""
    entries = array.entries(place)
    if array.shape == shape:
        return entries
    own = (1,) * (len(shape) - len(array.shape)) + array.shape
    fits = len(own) == len(shape) and all(a in (1, n) for a, n in zip(own, shape, strict=True))
    if not fits:
        place.fail(f"an array of shape {array.shape} must fit the shape {shape}")
    strides = [0 if own[d] == 1 else prod(own[d + 1 :]) for d in range(len(own))]
    return [entries[sum(k * s for k, s in zip(i, strides, strict=True))] for i in indices(shape)]


def elementwise(
    make: Callable[[Expr, Expr], Expr], a: Array, b: Array, place: Place, integer: bool = False
) -> Array:
    """make(a, b) entry by entry; axes of length 1 are repeated."""
    depth = max(len(a.shape), len(b.shape))
    first = (1,) * (depth - len(a.shape)) + a.shape
    second = (1,) * (depth - len(b.shape)) + b.shape
    if any(m != n and 1 not in (m, n) for m, n in zip(first, second, strict=True)):
        place.fail(f"the shapes {a.shape} and {b.shape} must fit each other")
    shape = tuple(n if m == 1 else m for m, n in zip(first, second, strict=True))
    pairs = zip(spread(a, shape, place), spread(b, shape, place), strict=True)
    return Array.of(shape, [make(x, y) for x, y in pairs], place.line, integer)


def product_of(a: Array, b: Array, place: Place) -> Array:
    """The matrix product; a vector is a row on the left and a column on the right."""
    if not a.shape or not b.shape:
        place.fail("a matrix product takes arrays, got a number")
    rows = a if len(a.shape) == 2 else a.reshaped((1, *a.shape))
    columns = b if len(b.shape) == 2 else b.reshaped((*b.shape, 1))
    (n, m), (k, p) = rows.shape, columns.shape
    if m != k:
        place.fail(f"a matrix product must have fitting shapes, got {a.shape} and {b.shape}")
    x, y = rows.entries(place), columns.entries(place)
    entries: list[Expr] = []
    for r in range(n):
        for c in range(p):
            total = ZERO
            for j in range(m):
                total = total + x[r * m + j] * y[j * p + c]
            entries.append(total)
    shape = a.shape[:-1] + (b.shape[1:] if len(b.shape) == 2 else ())
    return Array.of(shape, entries, place.line, a.integer and b.integer)


def joined(parts: Sequence[Array], axis: int, place: Place) -> Array:
    """Arrays with the same number of axes, joined along an axis."""
    first = parts[0].shape
    for part in parts:
        same = [n for d, n in enumerate(part.shape) if d != axis]
        if len(part.shape) != len(first) or same != [n for d, n in enumerate(first) if d != axis]:
            place.fail(f"joined arrays must have fitting shapes, got {first} and {part.shape}")
    length = sum(part.shape[axis] for part in parts)
    shape = (*first[:axis], length, *first[axis + 1 :])
    whole = all(part.integer for part in parts)
    entries: list[Expr] = []
    if axis == 0:
        entries = [x for part in parts for x in part.entries(place)]
        return Array.of(shape, entries, place.line, whole)
    rows = [part.entries(place) for part in parts]
    for r in range(shape[0]):
        for part, row in zip(parts, rows, strict=True):
            width = part.shape[1]
            entries += row[r * width : (r + 1) * width]
    return Array.of(shape, entries, place.line, whole)
