"""Outputs of a function as values in the shape of a quantity."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import final

from ....algebra.expr import ZERO, Expr
from ....algebra.expr.matrix import Matrix
from ....algebra.expr.substitute import substitute
from ....algebra.expr.vector import Vector
from ...programs.function import Output, indices
from ..comparison import shape_of
from ..values import Value


@final
@dataclass(frozen=True)
class Written:
    """Output in the shape of a quantity: its entries, the lines that write them, and what is missing."""

    value: Value  # 0 for missing entries
    lines: tuple[int, ...]  # row by row
    missing: frozenset[int] = frozenset()  # entries that the code does not write
    remark: str = ""


def written(output: Output, derived: Value, table: Mapping[Expr, Expr]) -> list[Written] | None:
    """The output in the shape of the quantity, one value per order of storage; None if the size does not
    match.

    A matrix in an array of one dimension may be stored row by row or column by column.
    """
    shape = shape_of(derived)
    count = 1
    for n in shape:
        count *= n
    places = indices(output.shape)
    if len(places) != count and not (len(output.shape) == 1 and len(places) < count):
        return None
    same = tuple(n for n in output.shape if n != 1) == tuple(n for n in shape if n != 1)
    flat = len(output.shape) == 1 and len(shape) == 2
    if not same and not flat:
        return None
    exprs = dict(zip(output.entries, substitute(list(output.entries.values()), table), strict=True))
    entries = [exprs.get(i) for i in places] + [None] * (count - len(places))
    lines = [output.lines.get(i, output.line) for i in places]
    lines += [output.line] * (count - len(places))
    if not flat or same:
        return [_arranged(derived, entries, lines, range(count), "")]
    n, m = shape
    rows = _arranged(derived, entries, lines, range(count), "")
    columns = [i + n * j for i in range(n) for j in range(m)]
    return [rows, _arranged(derived, entries, lines, columns, "stored column by column")]


def _arranged(
    derived: Value, entries: list[Expr | None], lines: list[int], order: range | list[int], remark: str
) -> Written:  # fmt: skip
    chosen = [entries[k] for k in order]
    flat = [ZERO if e is None else e for e in chosen]
    if isinstance(derived, Expr):
        value: Value = flat[0]
    elif isinstance(derived, Vector):
        value = Vector(flat)
    else:
        m = derived.shape[1]
        value = Matrix([flat[i : i + m] for i in range(0, len(flat), m)])
    missing = frozenset(i for i, e in enumerate(chosen) if e is None)
    return Written(value, tuple(lines[k] for k in order), missing, remark)
