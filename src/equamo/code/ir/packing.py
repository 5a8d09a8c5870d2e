"""Packed functions: only the entries of each matrix that can differ from zero, and their places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Final

from ...algebra.expr import ZERO, Expr
from ...algebra.expr.vector import Vector
from .function import Function, Result, Value, entries_of

SUFFIX: Final = "_packed"


def packed(f: Function) -> Function:
    """Function that returns only those entries of each matrix that can differ from zero.

    The values of a matrix become a vector, row by row; `Result.places` has the row and column of each.
    An entry is omitted if its node is the constant 0 in one of the alternatives, or if it is above the
    diagonal of a symmetric matrix. Numbers and vectors stay as they are.

    >>> from equamo.algebra.expr import symbol
    >>> from equamo.algebra.expr.matrix import Matrix
    >>> from equamo.code.ir.program import Argument
    >>> x = Argument("x", (symbol("a"), symbol("b")))
    >>> f = Function("f", (x,), (Result("y", (2, 2)),), (lambda: Matrix([["a", 0], [0, "b"]]),), dict)
    >>> packed(f).name, packed(f).results[0].shape, packed(f).results[0].places
    ('f_packed', (2,), ((0, 0), (1, 1)))
    """
    computed = [list(f.outputs(way).values()) for way in f.ways]
    kept = [_kept(y, [values[k] for values in computed]) for k, y in enumerate(f.results)]
    results = tuple(map(_packed_result, f.results, kept))
    return replace(
        f,
        name=f.name + SUFFIX,
        results=results,
        ways=tuple(partial(_chosen, values, kept) for values in computed),
        unpacked=f,
        specified=None,
    )


def unpack(f: Function, entries: Sequence[Expr]) -> list[Expr]:
    """Entries of the whole matrices from those of a packed function; all others are 0."""
    found: list[Expr] = []
    for y, given in zip(f.results, f.split(entries), strict=True):
        if y.places is None:
            found += given
            continue
        _, columns = y.whole
        dense = [ZERO] * (y.whole[0] * columns)
        for (i, j), x in zip(y.places, given, strict=True):
            dense[i * columns + j] = x
            if y.symmetric:
                dense[j * columns + i] = x
        found += dense
    return found


def _kept(y: Result, values: Sequence[Value]) -> list[int] | None:
    """Positions of the entries that are kept; None for a result that is not a matrix."""
    if len(y.shape) != 2:
        return None
    columns = y.shape[1]
    entries = list(zip(*map(entries_of, values), strict=True))
    return [
        k
        for k, one in enumerate(entries)
        if ZERO not in one and not (y.symmetric and k % columns > k // columns)
    ]


def _packed_result(y: Result, kept: list[int] | None) -> Result:
    if kept is None:
        return y
    places = tuple(divmod(k, y.shape[1]) for k in kept)
    return replace(y, shape=(len(kept),), places=places, whole=y.shape)


def _chosen(values: Sequence[Value], kept: Sequence[list[int] | None]) -> tuple[Value, ...]:
    return tuple(
        x if places is None else Vector([entries_of(x)[k] for k in places])
        for x, places in zip(values, kept, strict=True)
    )
