"""Functions of NumPy and of Python on values, by their names."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final

from ....algebra.expr import ZERO, Expr, sqrt
from ....basics.wording import brief
from ..parameter import Parameter
from ..place import Place
from ..scalar_functions import NUMPY_ONE, NUMPY_TWO, valued
from ..tensor import Array, elementwise
from .arrays import MAKERS, Call, diagonal, known, reshaped
from .values import (
    Value,
    array,
    binary,
    described,
    integer,
    is_list,
    real,
    scalar,
    sequence,
    unwrapped,
)


def _dot(call: Call) -> Value:
    a, b = (known(x, call.place) for x in call.take(2, 2))
    x, y = array(a, call.place), array(b, call.place)
    if x.shape == () or y.shape == ():
        return binary("Mult", a, b, call.place)
    return binary("MatMult", x, y, call.place)


def _matmul(call: Call) -> Value:
    a, b = call.take(2, 2)
    return binary("MatMult", a, b, call.place)


def _outer(call: Call) -> Array:
    a, b = (array(known(x, call.place), call.place) for x in call.take(2, 2))
    x, y = a.reshaped((prod(a.shape), 1)), b.reshaped((1, prod(b.shape)))
    return elementwise(lambda p, q: p * q, x, y, call.place, a.integer and b.integer)


def _cross(call: Call) -> Array:
    a, b = (array(known(x, call.place), call.place) for x in call.take(2, 2))
    if a.shape != (3,) or b.shape != (3,):
        call.place.fail(f"cross takes two vectors of 3 entries, got {a.shape} and {b.shape}")
    (x1, x2, x3), (y1, y2, y3) = a.entries(call.place), b.entries(call.place)
    found = [x2 * y3 - x3 * y2, x3 * y1 - x1 * y3, x1 * y2 - x2 * y1]
    return Array.of((3,), found, call.place.line, a.integer and b.integer)


def _transpose(call: Call) -> Array:
    (value,) = call.take(1, 1)
    return array(known(value, call.place), call.place).transposed


def _ravel(call: Call) -> Value:
    (value,) = call.take(1, 1)
    if isinstance(value, Parameter):
        return value
    x = array(value, call.place)
    return x.in_a_row((prod(x.shape),), call.place)


def _squeeze(call: Call) -> Value:
    (value,) = call.take(1, 1)
    x = array(known(value, call.place), call.place)
    return unwrapped(x.reshaped(tuple(n for n in x.shape if n != 1)), call.place)


def _sum(call: Call) -> Value:
    value, *rest = call.take(1, 2, "axis")
    if "axis" in call.named or (rest and isinstance(value, Array)):
        call.place.fail(f"{call.name} takes one array here; the sum over an axis cannot be read")
    total: Value = rest[0] if rest else 0
    items = value.entries(call.place) if isinstance(value, Array) else sequence(value, call.place)
    for item in items:
        total = binary("Add", total, item, call.place)
    return total


def _trace(call: Call) -> Value:
    return _sum(Call("trace", [diagonal(call)], {}, call.place))


def _norm(call: Call) -> Expr:
    (value,) = call.take(1, 1)
    x = array(known(value, call.place), call.place).entries(call.place)
    squares = sum((e * e for e in x), ZERO)
    return valued(call.place, sqrt, squares)


def _length(call: Call) -> int:
    (value,) = call.take(1, 1)
    return len(sequence(value, call.place))


def _range(call: Call) -> range:
    bounds = [integer(x, call.place) for x in call.take(1, 3)]
    if len(bounds) == 3 and bounds[2] == 0:
        call.place.fail("the step of range must not be 0")
    found = range(*bounds)
    if len(found) > 1_000_000:
        call.place.fail("a range must have at most 1,000,000 numbers")
    return found


def _float(call: Call) -> Expr:
    (value,) = call.take(1, 1)
    return real(value, call.place)


def _int(call: Call) -> int:
    (value,) = call.take(1, 1)
    return integer(value, call.place)


def _enumerate(call: Call) -> list[Value]:
    (value,) = call.take(1, 1)
    return list(enumerate(sequence(value, call.place)))


def _zip(call: Call) -> list[Value]:
    found = [sequence(x, call.place) for x in call.args]
    return list(zip(*found, strict=False))


def _list(call: Call) -> list[Value]:
    return sequence(call.take(1, 1)[0], call.place)


def _copy(call: Call) -> Array:
    (value,) = call.take(1, 1)
    return array(known(value, call.place), call.place).copy(call.place)


def _extreme(name: str) -> Callable[[Call], Value]:
    def find(call: Call) -> Value:
        items = [scalar(x, call.place) for x in call.take(2, 2)]
        if all(isinstance(x, int) for x in items):
            return (max if name == "fmax" else min)(int(x) for x in items if isinstance(x, int))
        return _two_numbers(Call(name, items, {}, call.place))

    return find


def _one_number(call: Call) -> Value:
    """sin, cos … of a number or of every entry of an array."""
    (value,) = call.take(1, 1)
    make = NUMPY_ONE[call.name]
    if isinstance(value, (Array, list, tuple)):
        x = array(value, call.place)
        entries = [valued(call.place, make, e) for e in x.entries(call.place)]
        keeps = x.integer and call.name in ("abs", "absolute", "square", "negative", "sign")
        return Array.of(x.shape, entries, call.place.line, keeps)
    if isinstance(value, int) and call.name in ("abs", "negative", "square", "absolute"):
        return {"negative": -value, "square": value * value}.get(call.name, abs(value))
    return valued(call.place, make, real(value, call.place))


def _two_numbers(call: Call) -> Value:
    a, b = call.take(2, 2)
    operators = {
        "add": "Add",
        "subtract": "Sub",
        "multiply": "Mult",
        "power": "Pow",
        "divide": "Div",
    }
    if call.name in operators:
        return binary(operators[call.name], a, b, call.place)
    make = NUMPY_TWO[call.name]
    if any(isinstance(x, (Array, list, tuple)) for x in (a, b)):
        x, y = array(a, call.place), array(b, call.place)
        return elementwise(lambda p, q: valued(call.place, make, p, q), x, y, call.place)
    return valued(call.place, make, real(a, call.place), real(b, call.place))


FUNCTIONS: Final[dict[str, Callable[[Call], Any]]] = {
    **dict.fromkeys(NUMPY_ONE, _one_number),
    **dict.fromkeys(NUMPY_TWO, _two_numbers),
    **MAKERS,
    "dot": _dot,
    "matmul": _matmul,
    "outer": _outer,
    "cross": _cross,
    "transpose": _transpose,
    "ravel": _ravel,
    "squeeze": _squeeze,
    "sum": _sum,
    "trace": _trace,
    "linalg.norm": _norm,
    "len": _length,
    "range": _range,
    "arange": lambda call: array(list(_range(call)), call.place),
    "float": _float,
    "float64": _float,
    "float32": _float,
    "int": _int,
    "enumerate": _enumerate,
    "zip": _zip,
    "list": _list,
    "tuple": lambda call: tuple(_list(call)),
    "copy": _copy,
    "max": _extreme("fmax"),
    "min": _extreme("fmin"),
}


def method(
    name: str, value: Value, args: list[Value], named: dict[str, Value], place: Place
) -> Value:
    """value.name(args)"""
    if isinstance(value, Parameter):
        if name in ("ravel", "flatten", "squeeze", "copy") and not args:
            return value
        value.whole(place)
    if is_list(value) and name == "append" and len(args) == 1:
        value.append(args[0])
        return None
    if not isinstance(value, Array):
        place.fail(f"the method {brief(name)} of {described(value)} cannot be read")
    if name == "reshape" and args and not named:
        return reshaped(value, args, place)
    if name == "flatten" and not args:
        return value.copy(place).reshaped((prod(value.shape),))
    if name in ("dot", "transpose", "ravel", "squeeze", "sum", "trace", "copy"):
        return FUNCTIONS[name](Call(name, [value, *args], named, place))
    if name in ("item", "tolist") and not args and prod(value.shape) == 1:
        return value.entries(place)[0]
    return place.fail(f"the method {brief(name)} of an array cannot be read")
