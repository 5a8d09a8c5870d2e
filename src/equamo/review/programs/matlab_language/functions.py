"""Functions of MATLAB on values, by their names."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Final

from ....algebra.expr import ONE, ZERO, Expr, sqrt
from ....algebra.expr.graph import constant
from ..parameter import Parameter
from ..place import Place
from ..scalar_functions import MATLAB_ONE, MATLAB_TWO, valued
from ..tensor import Array, elementwise, filled, joined
from .values import (
    Value,
    by_columns,
    count,
    in_columns,
    known,
    matrix,
    simple,
    transposed,
)

Call = Callable[[list[Value], Place], Value]


def _sizes(args: list[Value], place: Place) -> tuple[int, int]:
    """zeros(2), zeros(2, 3), zeros([2 3])"""
    if len(args) == 1:
        found = [count(x, place) for x in matrix(args[0], place).entries(place)]
    else:
        found = [count(x, place) for x in args]
    found = found * 2 if len(found) == 1 else found
    if len(found) != 2:
        place.fail(f"expected the number of rows and columns, got {len(found)} numbers")
    return found[0], found[1]


def _filled(entry: Expr) -> Call:
    def make(args: list[Value], place: Place) -> Value:
        return simple(filled(_sizes(args, place) if args else (1, 1), entry, place))

    return make


def _eye(args: list[Value], place: Place) -> Value:
    rows, columns = _sizes(args, place) if args else (1, 1)
    found = filled((rows, columns), ZERO, place)
    for k in range(min(rows, columns)):
        found.storage.values[k * columns + k] = ONE
    return simple(found)


def _whole(value: Value, place: Place) -> Array:
    if isinstance(value, Parameter):
        value.whole(place)
    return matrix(value, place)


def _reshape(args: list[Value], place: Place) -> Value:
    value, *sizes = args
    x = _whole(value, place)
    x.entries(place)
    entries = [e for e in (x.storage.values[k] for k in by_columns(x)) if e is not None]
    return simple(in_columns(entries, _sizes(sizes, place), place))


def _joined(axis: int) -> Call:
    def join(args: list[Value], place: Place) -> Value:
        parts = [x for x in (matrix(a, place) for a in args) if prod(x.shape)]
        return simple(joined(parts, axis, place)) if parts else Array.of((0, 0), [], place.line)

    return join


def _vectors(args: list[Value], place: Place) -> tuple[list[Expr], list[Expr], Array]:
    a, b = (_whole(x, place) for x in args)
    if 1 not in a.shape or prod(a.shape) != prod(b.shape) or 1 not in b.shape:
        place.fail(f"expected two vectors of the same length, got {a.shape} and {b.shape}")
    return a.entries(place), b.entries(place), a


def _cross(args: list[Value], place: Place) -> Array:
    a, b, like = _vectors(args, place)
    if len(a) != 3:
        place.fail(f"cross takes vectors of 3 entries, got {len(a)}")
    found = [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
    return Array.of(like.shape, found, place.line)


def _dot(args: list[Value], place: Place) -> Expr:
    a, b, _ = _vectors(args, place)
    return sum((x * y for x, y in zip(a, b, strict=True)), ZERO)


def _diag(args: list[Value], place: Place) -> Value:
    x = _whole(args[0], place)
    entries = x.entries(place)
    if 1 in x.shape:
        n = len(entries)
        found = filled((n, n), ZERO, place)
        for k, entry in enumerate(entries):
            found.storage.values[k * n + k] = entry
        return simple(found)
    n = min(x.shape)
    return Array.of((n, 1), [entries[k * x.shape[1] + k] for k in range(n)], place.line)


def _sum(args: list[Value], place: Place) -> Expr:
    x = _whole(args[0], place)
    if 1 not in x.shape:
        place.fail("sum takes a vector here; the sum over the columns of a matrix cannot be read")
    return sum(x.entries(place), ZERO)


def _trace(args: list[Value], place: Place) -> Expr:
    x = _whole(args[0], place)
    return sum((x.entries(place)[k * x.shape[1] + k] for k in range(min(x.shape))), ZERO)


def _norm(args: list[Value], place: Place) -> Expr:
    x = _whole(args[0], place)
    if 1 not in x.shape:
        place.fail("norm takes a vector here; the norm of a matrix cannot be read")
    return valued(place, sqrt, sum((e * e for e in x.entries(place)), ZERO))


def _size(args: list[Value], place: Place) -> Value:
    shape = _whole(args[0], place).shape
    if len(args) == 1:
        return Array.of((1, 2), [constant(n) for n in shape], place.line)
    axis = count(args[1], place)
    if axis not in (1, 2):
        place.fail(f"the axis of size must be 1 or 2, got {axis}")
    return constant(shape[axis - 1])


def _numel(args: list[Value], place: Place) -> Expr:
    return constant(prod(_whole(args[0], place).shape))


def _length(args: list[Value], place: Place) -> Expr:
    shape = _whole(args[0], place).shape
    return constant(max(shape) if prod(shape) else 0)


def _double(args: list[Value], place: Place) -> Value:
    return known(args[0], place)


def _one(name: str) -> Call:
    make = MATLAB_ONE[name]

    def apply(args: list[Value], place: Place) -> Value:
        x = known(args[0], place)
        if isinstance(x, Expr):
            return valued(place, make, x)
        return Array.of(x.shape, [valued(place, make, e) for e in x.entries(place)], place.line)

    return apply


def _two(name: str) -> Call:
    make = MATLAB_TWO[name]

    def apply(args: list[Value], place: Place) -> Value:
        x, y = (matrix(a, place) for a in args)
        return simple(elementwise(lambda p, q: valued(place, make, p, q), x, y, place))

    return apply


# {name: (least and most number of arguments, function)}
FUNCTIONS: Final[dict[str, tuple[int, int, Call]]] = {
    **{name: (1, 1, _one(name)) for name in MATLAB_ONE},
    **{name: (2, 2, _two(name)) for name in MATLAB_TWO},
    "zeros": (0, 2, _filled(ZERO)),
    "ones": (0, 2, _filled(ONE)),
    "eye": (0, 2, _eye),
    "reshape": (2, 3, _reshape),
    "horzcat": (0, 1000, _joined(1)),
    "vertcat": (0, 1000, _joined(0)),
    "transpose": (1, 1, lambda args, place: transposed(args[0], place)),
    "ctranspose": (1, 1, lambda args, place: transposed(args[0], place)),
    "cross": (2, 2, _cross),
    "dot": (2, 2, _dot),
    "diag": (1, 1, _diag),
    "sum": (1, 1, _sum),
    "trace": (1, 1, _trace),
    "norm": (1, 1, _norm),
    "size": (1, 2, _size),
    "numel": (1, 1, _numel),
    "length": (1, 1, _length),
    "double": (1, 1, _double),
}
