"""Comparison of printed and derived values, entry by entry."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Final, final

from ...algebra.expr import Expr
from ...algebra.expr.closed_form.closed_form import closed_form
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...algebra.identity import Proof, prove_all
from ...basics.wording import brief, counted
from .claim import Claim, Place
from .limits import whole_number
from .values import Value, entries_of

BUDGET: Final = 200_000  # of the closed form of a residual or a corrected entry
Unit = Sequence[Sequence[Expr]]


@final
@dataclass(frozen=True)
class Comparison:
    """Two values of the same shape, and a proof for each entry."""

    labels: tuple[str, ...]
    printed: tuple[Expr, ...]
    derived: tuple[Expr, ...]
    proofs: tuple[Proof, ...]

    @property
    def proved(self) -> bool:
        return all(self.proofs)

    @property
    def score(self) -> int:
        """Number of proved entries that are not 0 on both sides."""
        rows = zip(self.proofs, self.printed, self.derived, strict=True)
        return sum(bool(p) and (a.value != 0 or b.value != 0) for p, a, b in rows)

    @property
    def weight(self) -> int:
        """Number of entries that are not 0 on both sides."""
        rows = zip(self.printed, self.derived, strict=True)
        return sum(a.value != 0 or b.value != 0 for a, b in rows)


def labels_of(x: Value) -> list[str]:
    """Labels of the entries: 1 … n of a vector, i,j of a matrix, empty for a scalar."""
    if isinstance(x, Expr):
        return [""]
    if isinstance(x, Vector):
        return [str(i + 1) for i in range(len(x))]
    n, m = x.shape
    return [f"{i + 1},{j + 1}" for i in range(n) for j in range(m)]


def shape_of(x: Value) -> tuple[int, ...]:
    """Shape of a value; () for a scalar."""
    return () if isinstance(x, Expr) else x.shape


def same_shape(printed: Value, derived: Value) -> tuple[Value, Value]:
    """Both values; a matrix with one row or column becomes a vector if the other is one."""
    if isinstance(printed, Vector) and isinstance(derived, Matrix) and 1 in derived.shape:
        derived = Vector(derived.entries)
    if isinstance(derived, Vector) and isinstance(printed, Matrix) and 1 in printed.shape:
        printed = Vector(printed.entries)
    return printed, derived


def compare(
    printed: Value, derived: Value, unit: Unit, seed: int, labels: Sequence[str] = (),
    positive: Collection[Expr] = (),
) -> Comparison:  # fmt: skip
    """Compare two values of the same shape, with a proof per entry."""
    left, right = entries_of(printed), entries_of(derived)
    gaps = [[a - b] for a, b in zip(left, right, strict=True)]
    proofs = prove_all(gaps, unit=unit, seed=seed, positive=positive)
    names = tuple(labels) or tuple(labels_of(printed))
    return Comparison(names, tuple(left), tuple(right), tuple(proofs))


def short(e: Expr) -> Expr:
    """Closed form if it fits the budget, otherwise the expression itself."""
    return closed_form(e, BUDGET)


def part_of_quantity(claim: Claim, derived: Value, place: Place) -> tuple[Value, list[str]]:
    """Printed entries of the quantity, and their labels."""
    marks = claim.entries
    if not marks:
        return derived, labels_of(derived)
    if isinstance(derived, Expr):
        raise place.error("a scalar has no entries; remove `entries`.")
    if len(marks) == 1 and marks[0].startswith(("row ", "column ")):
        word, _, which = marks[0].partition(" ")
        if not isinstance(derived, Matrix):
            raise place.error("a vector has no rows and columns; use one index.")
        if word == "row":
            i = _index(which, derived.shape[0], derived.row_names, place)
            return derived.row(i), [f"{i + 1},{j + 1}" for j in range(derived.shape[1])]
        j = _index(which, derived.shape[1], derived.column_names, place)
        return derived.column(j), [f"{i + 1},{j + 1}" for i in range(derived.shape[0])]
    if len(marks) != len(derived.shape):
        raise place.error(
            f"expected {counted(len(derived.shape), 'index', 'indices')}, found {len(marks)}."
        )
    if isinstance(derived, Vector) or len(marks) == 1:
        assert isinstance(derived, Vector)
        i = _index(marks[0], len(derived), derived.names, place)
        return derived[i], [str(i + 1)]
    i = _index(marks[0], derived.shape[0], derived.row_names, place)
    j = _index(marks[1], derived.shape[1], derived.column_names, place)
    return derived[i, j], [f"{i + 1},{j + 1}"]


def _index(mark: str, size: int, names: Sequence[str] | None, place: Place) -> int:
    if names is not None and mark in names:
        return list(names).index(mark)
    if (n := whole_number(mark, size)) is not None:
        return n - 1
    choices = f" or one of {', '.join(names)}" if names else ""
    raise place.error(f"unknown entry {brief(mark)}; expected a number from 1 to {size}{choices}.")
