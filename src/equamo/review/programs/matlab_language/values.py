"""Values of MATLAB: numbers and matrices, which are copied when they are assigned.

A number is an expression; a matrix is an array with two axes. Entries are counted from 1, by columns.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from math import prod
from typing import Any, Final

from ....algebra.expr import ONE, ZERO, Expr
from ....algebra.expr.graph import constant
from ....basics.wording import brief
from ..function import Shape
from ..parameter import Parameter
from ..place import Place
from ..scalar_functions import compare, valued
from ..tensor import MOST_ENTRIES, Array, elementwise, filled, number, product_of

Value = Any  # Expr, Array with two axes, Parameter or str

_ELEMENTWISE: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {
    "+": operator.add,
    "-": operator.sub,
    ".*": operator.mul,
    "./": lambda a, b: a / b,
    ".\\": lambda a, b: b / a,
    ".^": lambda a, b: a**b,
}
_SCALAR: Final = {"*": ".*", "/": "./", "\\": ".\\", "^": ".^"}
_COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "~=": operator.ne,
    "!=": operator.ne,
}


def described(value: Value) -> str:
    """Description of a value, for messages."""
    if isinstance(value, Array):
        return f"a matrix of {value.shape[0]} x {value.shape[1]}"
    if isinstance(value, Parameter):
        return f"the argument {brief(value.name)}"
    if isinstance(value, Expr):
        return f"the number {brief(value)}"
    return brief(value)


def known(value: Value, place: Place) -> Expr | Array:
    """A number or a matrix; an argument of unknown shape is a number."""
    if isinstance(value, Parameter):
        return value.number(place)
    if isinstance(value, (Expr, Array)):
        return value
    return place.fail(f"expected a number or a matrix, got {described(value)}")


def matrix(value: Value, place: Place) -> Array:
    """A value as a matrix."""
    found = known(value, place)
    return number(found, place.line).reshaped((1, 1)) if isinstance(found, Expr) else found


def real(value: Value, place: Place) -> Expr:
    """A value as a number."""
    found = known(value, place)
    if isinstance(found, Expr):
        return found
    if found.shape == (1, 1):
        return found.entries(place)[0]
    return place.fail(f"expected a number, got {described(value)}")


def simple(value: Array) -> Value:
    """A matrix of one entry as a number."""
    if value.shape != (1, 1):
        return value
    x = value.storage.values[value.places[0]]
    return value if x is None else x


def count(value: Value, place: Place) -> int:
    """A value as a size or an index: a known whole number."""
    x = real(value, place).value
    if x is None or x.denominator != 1:
        place.fail(f"expected a known integer, got {described(value)}")
    return int(x)


def truth(value: Value, place: Place) -> bool:
    """Whether a condition holds."""
    x = real(value, place).value
    if x is None:
        place.fail(
            f"a branch depends on {described(value)}; only code without such branches can be read"
        )
    return _compared("~=", constant(x), ZERO, place)


def binary(op: str, a: Value, b: Value, place: Place) -> Value:
    """a op b"""
    if op in _COMPARE:
        return ONE if _compared(op, real(a, place), real(b, place), place) else ZERO
    x, y = known(a, place), known(b, place)
    scalars = isinstance(x, Expr), isinstance(y, Expr)
    if op == "*" and not any(scalars):
        return simple(product_of(matrix(x, place), matrix(y, place), place))
    if op == "^" and not all(scalars):
        place.fail("the power of a matrix cannot be read; write a product, or .^ for every entry")
    if (op == "/" and not scalars[1]) or (op == "\\" and not scalars[0]):
        place.fail("a linear solve cannot be read; only division by a number can")
    op = _SCALAR.get(op, op)
    if op not in _ELEMENTWISE:
        place.fail(f"the operator {op} cannot be read")
    make = _ELEMENTWISE[op]
    if isinstance(x, Expr) and isinstance(y, Expr):
        return valued(place, make, x, y)
    p, q = matrix(x, place), matrix(y, place)
    return elementwise(lambda s, t: valued(place, make, s, t), p, q, place)


def _compared(op: str, a: Expr, b: Expr, place: Place) -> bool:
    x, y = a.value, b.value
    if x is not None and y is not None and x.denominator == y.denominator == 1:
        return _COMPARE[op](x, y)
    found = compare(_COMPARE[op], a, b, place)
    if found is None:
        place.fail(
            f"the comparison {op} depends on the state; only code without such branches can be read"
        )
    return found


def negated(value: Value, place: Place) -> Value:
    """-value"""
    return binary("-", ZERO, value, place)


def transposed(value: Value, place: Place) -> Value:
    """value', of real numbers"""
    if isinstance(value, Parameter):
        value.whole(place)
    found = known(value, place)
    return found if isinstance(found, Expr) else found.transposed.copy(place)


def by_columns(value: Array) -> list[int]:
    """Positions of the entries in the storage, column by column."""
    rows, columns = value.shape
    return [value.places[r * columns + c] for c in range(columns) for r in range(rows)]


def in_columns(entries: Sequence[Expr], shape: Shape, place: Place) -> Array:
    """A matrix from its entries column by column."""
    rows, columns = shape
    if rows * columns != len(entries):
        place.fail(f"a matrix of {rows} x {columns} must have as many entries, got {len(entries)}")
    ordered = [entries[c * rows + r] for r in range(rows) for c in range(columns)]
    return Array.of(shape, ordered, place.line)


def spaced(bounds: Sequence[Value], place: Place) -> Array:
    """first:last or first:step:last"""
    numbers = [real(x, place).value for x in bounds]
    if any(n is None for n in numbers):
        place.fail("the numbers of a range must be known")
    found: list[Any] = numbers
    first, step, last = found if len(found) == 3 else (found[0], 1, found[1])
    if step == 0:
        place.fail("the step of a range must not be 0")
    length = max(0, (last - first) // step + 1)
    if length > MOST_ENTRIES:
        place.fail(f"a range must have at most {MOST_ENTRIES:,} numbers")
    entries = [constant(first + k * step) for k in range(int(length))]
    return Array.of((1, len(entries)), entries, place.line)


Selector = Sequence[int] | None  # None: all of the axis


def selected(value: Array, chosen: list[Selector], place: Place, shapes: list[Shape]) -> Array:
    """value(i), value(i, j); `shapes` are those of the indices."""
    rows, columns = value.shape
    if len(chosen) == 2:
        axes = [range(n) if c is None else c for c, n in zip(chosen, value.shape, strict=True)]
        for axis, length in zip(axes, value.shape, strict=True):
            _inside(axis, length, place)
        return value.view(axes, (len(axes[0]), len(axes[1]))).copy(place)
    entries = [value.storage.values[k] for k in by_columns(value)]
    if chosen[0] is None:  # A(:)
        return Array.of((len(entries), 1), entries, place.line)
    _inside(chosen[0], len(entries), place)
    found = [entries[k] for k in chosen[0]]
    vector, n = 1 in value.shape and 1 in shapes[0], len(found)
    if vector and value.shape != (1, 1):  # an index vector takes the direction of the vector
        shape = (1, n) if rows == 1 and columns != 1 else (n, 1)
    else:
        shape = shapes[0]
        if 1 not in shape:
            place.fail("a matrix of indices cannot be read")
    return Array.of(shape, found, place.line)


def _inside(axis: Sequence[int], length: int, place: Place) -> None:
    for k in axis:
        if not 0 <= k < length:
            place.fail(f"an index must be at least 1 and at most {length}, got {k + 1}")


def replaced(before: Array | None, chosen: list[Selector], value: Value, place: Place) -> Array:
    """The matrix after value(i, j) = …; it grows if necessary, filled with zeros."""
    target = before or Array.of((0, 0), [], place.line)
    if len(chosen) == 1:
        chosen = _two_axes(target, chosen[0], place)
    axes = [range(n) if c is None else c for c, n in zip(chosen, target.shape, strict=True)]
    if any(k < 0 for axis in axes for k in axis):
        place.fail("an index must be at least 1")
    shape = tuple(max([n, *(k + 1 for k in a)]) for a, n in zip(axes, target.shape, strict=True))
    grown = filled(shape, ZERO, place)
    rows, columns = target.shape
    for r in range(rows):
        for c in range(columns):
            old, new = target.places[r * columns + c], r * shape[1] + c
            grown.storage.values[new] = target.storage.values[old]
            grown.storage.lines[new] = target.storage.lines[old]
    part = grown.view(axes, (len(axes[0]), len(axes[1])))
    new_value = matrix(value, place)
    if prod(new_value.shape) == 0:
        place.fail("entries must not be removed by assigning []")
    if new_value.shape != (1, 1) and new_value.shape != part.shape:
        if 1 not in part.shape or 1 not in new_value.shape:
            place.fail(f"expected a matrix of shape {part.shape}, got one of {new_value.shape}")
        if prod(part.shape) != prod(new_value.shape):
            place.fail(f"expected a matrix of shape {part.shape}, got one of {new_value.shape}")
        new_value = new_value.reshaped(part.shape)  # a row fits a column
    part.assign(new_value, place)
    return grown


def _two_axes(target: Array, chosen: Selector, place: Place) -> list[Selector]:
    """The row and the column of a single index."""
    rows, columns = target.shape
    if chosen is None:
        place.fail("A(:) = … cannot be read; write A(:, :) = …")
    if rows * columns == 0 or rows == 1:
        return [[0], chosen]
    if columns == 1:
        return [chosen, [0]]
    if len(chosen) == 1 and 0 <= chosen[0] < rows * columns:
        return [[chosen[0] % rows], [chosen[0] // rows]]
    return place.fail(f"an index of a matrix must be at least 1 and at most {rows * columns}")
