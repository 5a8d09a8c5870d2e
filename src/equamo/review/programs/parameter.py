"""Parameter: a function argument whose shape the language does not declare.

Its use in the code determines its kind: a number, a vector with at least as many entries as are read, or
a record with fields. Two uses that contradict each other are an error, never a guess.
"""

from __future__ import annotations

from typing import Final, Literal, final

from ...algebra.expr import Expr, symbol
from ...basics.wording import brief
from .function import Argument, Index, Shape, entry_name, indices
from .place import Place

MOST: Final = 10_000  # entries of an argument

Use = Literal["number", "array", "record"]


@final
class Parameter:
    """An argument before its shape is known.

    >>> q = Parameter("q")
    >>> q.entry((1,), Place("x.m", 2))
    `q[1]`
    >>> q.arguments()[0].shape
    (2,)
    >>> q.number(Place("x.m", 3))
    Traceback (most recent call last):
    equamo.errors.FileFormatError: x.m:3: 'q' must be used in one way, but it was used as an array
    before and is used as a number here; pass its shape, as in shapes={'q': (2,)}.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self._use: Use | None = None
        self._length = 0
        self._exact = False
        self._fields: dict[str, Parameter] = {}

    def number(self, place: Place) -> Expr:
        """The symbol of a number."""
        self._is("number", place)
        return symbol(self.name)

    def entry(self, index: Index, place: Place) -> Expr:
        """The symbol of an entry of a vector; (k, 0) is the same as (k,)."""
        self._is("array", place)
        if len(index) == 2 and index[1] == 0:
            index = index[:1]
        if len(index) != 1:
            place.fail(
                f"the shape of the matrix {brief(self.name)} must be known; pass it, as in "
                f"shapes={{{self.name!r}: (3, 3)}}"
            )
        k = index[0]
        if not 0 <= k < (self._length if self._exact else MOST):
            place.fail(f"an index of {brief(self.name)} is not one of its entries, got {k}")
        self._length = max(self._length, k + 1)
        return symbol(entry_name(self.name, index))

    def entries(self, count: int, place: Place) -> list[Expr]:
        """All entries of a vector whose length is known to be `count`."""
        self._is("array", place)
        if self._length > count or (self._exact and self._length != count):
            place.fail(f"{brief(self.name)} must have {count} entries, but {self._length} are used")
        self._length, self._exact = count, True
        return [symbol(entry_name(self.name, (k,))) for k in range(count)]

    def field(self, name: str, place: Place) -> Parameter:
        """A field of a record."""
        self._is("record", place)
        return self._fields.setdefault(name, Parameter(f"{self.name}.{name}"))

    def whole(self, place: Place) -> Expr:
        """Error: this use needs the shape."""
        return place.fail(
            f"the shape of the argument {brief(self.name)} must be known here; pass it, as in "
            f"shapes={{{self.name!r}: (2,)}}"
        )

    def arguments(self) -> list[Argument]:
        """The argument, or one for each field of a record."""
        if self._use == "record":
            return [found for field in self._fields.values() for found in field.arguments()]
        if self._use == "array":
            return [sized(self.name, (self._length,))]
        return [sized(self.name, ())]

    def _is(self, use: Use, place: Place) -> None:
        if self._use not in (None, use):
            before, now = (_ARTICLE[u] for u in (self._use, use))
            place.fail(
                f"{brief(self.name)} must be used in one way, but it was used as {before} before and "
                f"is used as {now} here; pass its shape, as in shapes={{{self.name!r}: (2,)}}"
            )
        self._use = use


_ARTICLE: Final[dict[Use | None, str]] = {
    "number": "a number",
    "array": "an array",
    "record": "a record",
}


def sized(name: str, shape: Shape) -> Argument:
    """An argument whose shape is known."""
    symbols = tuple(symbol(entry_name(name, i)) for i in indices(shape))
    return Argument(name, shape, symbols)
