"""Vectors of expressions; zeros are free, since the rules never build a product with one."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from operator import index
from types import GeneratorType
from typing import TYPE_CHECKING, Any, Final, overload

from ...basics.arguments import expect_function
from ...basics.extras import library
from ...basics.renamed import warn_renamed
from ...basics.waiting import waiting
from ...basics.wording import brief, counted
from ...errors import EntryIndexError, ExpressionError, ShapeError, UnknownNameError
from .convert import as_expr
from .graph import ZERO, Expr
from .rules import add, difference_of_products, mul, neg, operand, sub, sum_of_products

if TYPE_CHECKING:
    from .count import Count


_NOTHING: Final[Any] = object()  # default of an argument that was not passed
_ORDERED: Final = frozenset((tuple, list, map, GeneratorType))  # how entries are usually passed


def dot(a: Iterable[Expr], b: Iterable[Expr]) -> Expr:
    """Scalar product Σ aᵢ bᵢ."""
    return sum_of_products(a, b)


def each_closed_form(entries: Sequence[Expr], budget: int | None) -> list[Expr]:
    """Closed forms of entries; equal entries, as in a symmetric matrix, are computed once."""
    forms: dict[Expr, Expr] = {}
    with waiting("closed forms") as say:
        for k, x in enumerate(entries, 1):
            say(f"closed forms: {k} of {len(entries)}")
            if x not in forms:
                forms[x] = x.closed_form(budget)
    return [forms[x] for x in entries]


class Vector(Sequence[Expr]):
    """Immutable vector of expressions; entries by index, or by name if it has names.

    Args:
        entries: Quantities: numbers, text, expressions …
        names: One name per entry.

    Raises:
        ShapeError: The number of names differs from the number of entries.

    >>> Vector([1, "x", 0]) @ Vector(["y", 2, "z"])
    2*x + y
    """

    __slots__ = ("entries", "names")

    def __init__(self, entries: Iterable[Any], names: Sequence[str] | None = None) -> None:
        self.entries: tuple[Expr, ...] = tuple(
            [x if isinstance(x, Expr) else as_expr(x) for x in listed(entries, "entries")]
        )
        self.names: tuple[str, ...] | None = (
            None if names is None else tuple(listed(names, "names"))
        )
        if self.names is not None and len(self.names) != len(self.entries):
            raise ShapeError(
                f"A vector of {counted(len(self.entries), 'entry')} must have as many names, got "
                f"{len(self.names)}."
            )

    @staticmethod
    def of(entries: tuple[Expr, ...], names: tuple[str, ...] | None = None) -> Vector:
        """Vector of nodes without conversion or checks, for results of arithmetic."""
        v = object.__new__(Vector)
        v.entries, v.names = entries, names
        return v

    @property
    def shape(self) -> tuple[int]:
        """(number of entries,)"""
        return (len(self.entries),)

    @property
    def entry_names(self) -> tuple[str, ...]:
        """Subscript of each entry: its name, or its zero-based index.

        >>> Vector([1, 2], ["q1", "q2"]).entry_names, Vector([1, 2]).entry_names
        (('[q1]', '[q2]'), ('[0]', '[1]'))
        """
        return tuple(f"[{i}]" for i in self.names or range(len(self)))

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[Expr]:
        return iter(self.entries)

    @overload
    def __getitem__(self, i: int | str) -> Expr: ...
    @overload
    def __getitem__(self, i: slice) -> Vector: ...
    def __getitem__(self, i: int | str | slice) -> Expr | Vector:
        if isinstance(i, slice):
            return Vector(self.entries[i], None if self.names is None else self.names[i])
        return self.entries[position(i, self.names, len(self))]

    def _check(self, other: Vector) -> None:
        if not isinstance(other, Vector):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ExpressionError(
                f"Expected a Vector, got {brief(other)}; make one with eq.Vector."
            )
        if len(self) != len(other):
            raise ShapeError(
                f"Two vectors must have equal lengths, got {len(self)} and {len(other)}."
            )

    def __add__(self, other: Vector) -> Vector:
        self._check(other)
        return Vector.of(tuple(map(add, self.entries, other.entries)), self.names)

    def __sub__(self, other: Vector) -> Vector:
        self._check(other)
        return Vector.of(tuple(map(sub, self.entries, other.entries)), self.names)

    def __neg__(self) -> Vector:
        return Vector.of(tuple(map(neg, self.entries)), self.names)

    def __mul__(self, c: Any) -> Vector:
        k = operand(c)
        if k is None:
            return NotImplemented
        return Vector.of(tuple([mul(k, x) for x in self.entries]), self.names)

    __rmul__ = __mul__

    def __truediv__(self, c: Any) -> Vector:
        k = operand(c)
        return NotImplemented if k is None else Vector((x / k for x in self.entries), self.names)

    def __matmul__(self, other: Vector) -> Expr:
        """Scalar product."""
        if not isinstance(other, Vector):  # pyright: ignore[reportUnnecessaryIsInstance]
            return NotImplemented
        self._check(other)
        return sum_of_products(self.entries, other.entries)

    def cross(self, other: Vector) -> Vector:
        """Cross product of two 3-vectors."""
        if not isinstance(other, Vector) or len(self) != 3 or len(other) != 3:  # pyright: ignore
            size = f"{len(other)}" if isinstance(other, Vector) else brief(other)  # pyright: ignore
            raise ShapeError(
                f"The cross product takes two vectors of 3 entries, got {len(self)} and {size}."
            )
        (a, b, c), (x, y, z) = self.entries, other.entries
        return Vector.of((
            difference_of_products(b, z, c, y),
            difference_of_products(c, x, a, z),
            difference_of_products(a, y, b, x),
        ))  # fmt: skip

    @property
    def is_zero(self) -> bool:
        """Whether every entry is the number 0."""
        return all(x is ZERO for x in self.entries)

    def map(self, function: Callable[[list[Expr]], Iterable[Expr]]) -> Vector:
        """Vector of function(entries), with the same length and names."""
        expect_function("map: function", function, "entries")
        return Vector(function(list(self.entries)), self.names)

    def subs(self, replacements: Mapping[Any, Any]) -> Vector:
        """Copy with symbols replaced in every entry."""
        from .substitute import substitute

        return self.map(lambda e: substitute(e, replacements))

    def diff(self, x: Expr | str) -> Vector:
        """Derivative of every entry with respect to a symbol."""
        from .differentiate import derivative

        return self.map(lambda e: derivative(e, x))

    def closed_form(self, budget: int | None = None) -> Vector:
        """Copy with every entry in a short, readable form."""
        return self.map(lambda e: each_closed_form(e, budget))

    def operations(self) -> Count:
        """Operation count of all entries, with shared sub-expressions counted once."""
        from .count import count

        return count(self.entries)

    @overload
    def count(self, value: Any) -> int: ...
    @overload
    def count(self) -> Count: ...
    def count(self, value: Any = _NOTHING) -> int | Count:
        """Number of occurrences of a value, as in every sequence; without a value, `operations()`.

        >>> Vector(["x", 0, 0]).count(0)
        2
        """
        if value is _NOTHING:
            warn_renamed("Vector", "count()", "operations()")
            return self.operations()
        return self.entries.count(value)

    def sympy(self, simplify: bool = True) -> Any:
        """Convert to SymPy: the entries in closed form within the budget, or as they are."""
        from .sympy_bridge import to_sympy_all

        return library("sympy", "sympy()").Matrix(to_sympy_all(self.entries, simplify))

    def latex(self, short: bool = False, simplify: bool = True) -> str:
        """LaTeX of the entries in closed form; with `simplify=False`, as they are."""
        from .printing.latex_arrays import matrix_latex

        return matrix_latex([(x,) for x in self.entries], short, simplify)

    def _repr_latex_(self) -> str | None:
        from .printing.latex_arrays import repr_matrix

        return repr_matrix([(x,) for x in self.entries])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Vector) and self.entries == other.entries

    def __hash__(self) -> int:
        return hash(self.entries)

    def __repr__(self) -> str:
        """Entries; a summary if they are too long for an interactive session."""
        from .printing.text import size, texts

        entries = texts(self.entries)
        if entries is None:
            return f"<Vector of {len(self)}: {size(self.entries)}; print() writes its entries>"
        return f"Vector([{', '.join(entries)}])"

    def __str__(self) -> str:
        """All entries, each by its repr."""
        return f"Vector([{', '.join(repr(x) for x in self.entries)}])"

    def __reduce__(self) -> tuple[Callable[..., Any], tuple[Any, ...]]:
        from .store import dump

        return _load, (dump(self.entries), self.names)


def _load(stored: Any, names: tuple[str, ...] | None) -> Vector:
    from .store import load

    return Vector(load(stored), names)


def position(i: int | str, names: Sequence[str] | None, size: int) -> int:
    """Index of an entry that is given by number or by name."""
    if isinstance(i, str):
        if names is None or i not in names:
            raise UnknownNameError("entry", i, names or [])
        return names.index(i)
    try:
        i = index(i)
    except TypeError:
        choices = f" or one of {', '.join(names[:12])}" if names else ""
        raise ShapeError(f"An index must be a whole number{choices}, got {brief(i)}.") from None
    if not -size <= i < size:
        valid = f"from {-size} to {size - 1}" if size else "of an entry, and there are none"
        raise EntryIndexError(f"An index must be {valid}, got {brief(i)}.")
    return i


def listed(values: Any, what: str) -> Iterable[Any]:
    """Entries, rows or names in order; text and mappings are not taken apart.

    >>> listed("q1", "names")
    Traceback (most recent call last):
    equamo.errors.ShapeError: The names of a vector or matrix must be a list, got 'q1'; put it in [ ].
    """
    if type(values) in _ORDERED:
        return values
    same: object = values
    try:
        iter(values)  # also SymPy's matrices, which are not Iterable
        in_order = not isinstance(same, (str, bytes, Mapping, set))
    except TypeError:
        in_order = False
    if not in_order:
        raise ShapeError(
            f"The {what} of a vector or matrix must be a list, got {brief(values)}; put it in [ ]."
        )
    return values


def components(text: str) -> list[str]:
    """Split a text at the commas or blanks outside of parentheses and of names in backquotes.

    >>> components("atan2(y, x) 0 0"), components("`arm length` 0 0")
    (['atan2(y, x)', '0', '0'], ['`arm length`', '0', '0'])
    """
    depth, quoted, commas, blanks = 0, False, [-1], [-1]
    for i, c in enumerate(text):
        quoted ^= c == "`"
        if quoted:
            continue
        depth += (c == "(") - (c == ")")
        if depth == 0 and c == ",":
            commas.append(i)
        elif depth == 0 and c.isspace():
            blanks.append(i)
    cuts = commas if len(commas) > 1 else blanks
    parts = [text[i + 1 : j].strip() for i, j in zip(cuts, [*cuts[1:], len(text)], strict=True)]
    return parts if cuts is commas else [p for p in parts if p]


_VECTOR = 'A vector must have three components, in a list or as text such as "0 0 -g"'


def vector3(x: Any) -> Vector:
    """Convert a Vector, a sequence of three quantities, or text "L1 0 0" to a 3-vector.

    Raises:
        ShapeError: There are not three components.

    >>> vector3("L1 0 -g")
    Vector([L1, 0, -g])
    """
    original = x
    if isinstance(x, str):
        x = components(x)
    elif not isinstance(x, Iterable):
        raise ShapeError(f"{_VECTOR}, got {brief(x)}.")
    v = x if isinstance(x, Vector) else Vector(x)  # pyright: ignore[reportUnknownArgumentType]
    if len(v) != 3:
        has = counted(len(v), "component")
        raise ShapeError(f"{_VECTOR}, got {brief(original)}, which has {has}.")
    return v


ZERO3 = Vector([0, 0, 0])
