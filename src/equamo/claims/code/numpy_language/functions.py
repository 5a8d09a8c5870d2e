"""Functions of NumPy and of Python on values, by their names."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, Final, final

from ....expr import ONE, ZERO, Expr, sqrt
from ....wording import brief
from ..function import Shape
from ..parameter import Parameter
from ..place import Place
from ..scalar_functions import NUMPY_ONE, NUMPY_TWO, valued
from ..tensor import Array, elementwise, filled, joined
from .values import (
    Value,
    array,
    binary,
    described,
    integer,
    real,
    scalar,
    sequence,
    unwrapped,
)

_REAL_TYPES: Final = {"float", "float64", "float32", "double", "d", "f8", "float_", "object"}
_INTEGER_TYPES: Final = {"int", "int64", "int32", "int_", "i8", "i4"}


@final
class Call:
    """The arguments of a call."""

    def __init__(self, name: str, args: list[Value], named: dict[str, Value], place: Place) -> None:
        self.name, self.args, self.named, self.place = name, args, named, place

    def take(self, least: int, most: int, *names: str) -> list[Value]:
        """The arguments by position; only these may be named."""
        extra = [n for n in self.named if n not in names]
        if extra or not least <= len(self.args) <= most:
            given = f"{len(self.args)} arguments" + (f" and {', '.join(extra)}=" if extra else "")
            count = f"{least}" if least == most else f"{least} to {most}"
            self.place.fail(f"{self.name} takes {count} arguments here, got {given}")
        return self.args


def _shape(value: Value, place: Place) -> Shape:
    items = sequence(value, place) if isinstance(value, (list, tuple)) else [value]
    return tuple(integer(n, place) for n in items)


def _whole(call: Call) -> bool | None:
    """Whether dtype= is an integer; None if it is not there."""
    kind = call.named.get("dtype")
    if kind is None:
        return None
    if kind in _REAL_TYPES or kind in _INTEGER_TYPES:
        return kind in _INTEGER_TYPES
    return call.place.fail(f"dtype must be a real or an integer type, got {brief(kind)}")


def _array(call: Call) -> Value:
    value, *_ = call.take(1, 2, "dtype", "copy")
    if len(call.args) == 2:
        call.named["dtype"] = call.args[1]
    whole = _whole(call)
    if isinstance(value, Parameter):  # an argument, which is never written: a copy is as good
        if whole:
            call.place.fail("dtype must be a real type; NumPy would cut off what an argument holds")
        return value
    found = array(value, call.place)
    if whole and not found.integer:
        call.place.fail("dtype must be a real type for these entries; NumPy would cut them off")
    if call.name == "asarray" and found is value and whole in (None, found.integer):
        return found
    result = found.copy(call.place)
    result.integer = found.integer if whole is None else whole
    return result


def _known(value: Value, place: Place) -> Value:
    """An argument of the function as a whole must have a known shape."""
    if isinstance(value, Parameter):
        value.whole(place)
    return value


def _filled(entry: Expr | None) -> Callable[[Call], Array]:
    def make(call: Call) -> Array:
        shape, *_ = call.take(1, 1, "dtype")  # zeros((2, 2)), zeros(3)
        return filled(_shape(shape, call.place), entry, call.place, bool(_whole(call)))

    return make


def _like(entry: Expr | None) -> Callable[[Call], Array]:
    def make(call: Call) -> Array:
        value, *_ = call.take(1, 1, "dtype")
        like = array(_known(value, call.place), call.place)
        whole = _whole(call)
        return filled(like.shape, entry, call.place, like.integer if whole is None else whole)

    return make


def _full(call: Call) -> Array:
    shape, value = call.take(2, 2, "dtype")
    whole = isinstance(value, int) and _whole(call) is not False
    return filled(_shape(shape, call.place), real(value, call.place), call.place, whole)


def _eye(call: Call) -> Array:
    size, *_ = call.take(1, 1, "dtype")
    n = integer(size, call.place)
    result = filled((n, n), ZERO, call.place, bool(_whole(call)))
    for k in range(n):
        result.storage.values[k * n + k] = ONE
    return result


def _diag(call: Call) -> Array:
    (value,) = call.take(1, 1)
    x = array(_known(value, call.place), call.place)
    entries = x.entries(call.place)
    if len(x.shape) == 2:
        n = min(x.shape)
        return Array.of((n,), [entries[k * x.shape[1] + k] for k in range(n)], call.place.line)
    result = filled((len(entries), len(entries)), ZERO, call.place, x.integer)
    for k, entry in enumerate(entries):
        result.storage.values[k * len(entries) + k] = entry
    return result


def _dot(call: Call) -> Value:
    a, b = (_known(x, call.place) for x in call.take(2, 2))
    x, y = array(a, call.place), array(b, call.place)
    if x.shape == () or y.shape == ():
        return binary("Mult", a, b, call.place)
    return binary("MatMult", x, y, call.place)


def _matmul(call: Call) -> Value:
    a, b = call.take(2, 2)
    return binary("MatMult", a, b, call.place)


def _outer(call: Call) -> Array:
    a, b = (array(_known(x, call.place), call.place) for x in call.take(2, 2))
    x, y = a.reshaped((prod(a.shape), 1)), b.reshaped((1, prod(b.shape)))
    return elementwise(lambda p, q: p * q, x, y, call.place, a.integer and b.integer)


def _cross(call: Call) -> Array:
    a, b = (array(_known(x, call.place), call.place) for x in call.take(2, 2))
    if a.shape != (3,) or b.shape != (3,):
        call.place.fail(f"cross takes two vectors of 3 entries, got {a.shape} and {b.shape}")
    (x1, x2, x3), (y1, y2, y3) = a.entries(call.place), b.entries(call.place)
    found = [x2 * y3 - x3 * y2, x3 * y1 - x1 * y3, x1 * y2 - x2 * y1]
    return Array.of((3,), found, call.place.line, a.integer and b.integer)


def _reshape(call: Call) -> Array:
    value, *sizes = call.take(2, 4)
    return reshaped(array(_known(value, call.place), call.place), sizes, call.place)


def reshaped(value: Array, sizes: list[Value], place: Place) -> Array:
    """value.reshape(sizes); one of them may be -1."""
    shape = list(_shape(sizes[0] if len(sizes) == 1 else tuple(sizes), place))
    count = prod(value.shape)
    if shape.count(-1) == 1:
        rest = prod(n for n in shape if n != -1)
        shape[shape.index(-1)] = count // rest if rest else 0
    if len(shape) > 2 or prod(shape) != count or min(shape, default=0) < 0:
        place.fail(f"an array of shape {value.shape} must keep its size, got reshape to {shape}")
    return value.in_a_row(tuple(shape), place)


def _joined(call: Call, axis: int | None) -> Array:
    parts, *rest = call.take(1, 2, "axis")
    found = [array(_known(x, call.place), call.place) for x in sequence(parts, call.place)]
    if not found:
        call.place.fail(f"{call.name} takes at least one array")
    if axis is None:
        chosen = rest[0] if rest else call.named.get("axis", 0)
        axis = integer(chosen, call.place)
        axis += len(found[0].shape) if axis < 0 else 0
    if not 0 <= axis < max(1, len(found[0].shape)) or not found[0].shape:
        call.place.fail(f"{call.name}: the axis {axis} is not one of the arrays")
    return joined(found, axis, call.place)


def _vstack(call: Call) -> Array:
    (parts,) = call.take(1, 1)
    found = [array(_known(x, call.place), call.place) for x in sequence(parts, call.place)]
    rows = [x if len(x.shape) == 2 else x.reshaped((1, prod(x.shape))) for x in found]
    return _joined(Call("vstack", [rows], {}, call.place), 0)


def _hstack(call: Call) -> Array:
    (parts,) = call.take(1, 1)
    found = [array(_known(x, call.place), call.place) for x in sequence(parts, call.place)]
    flat = [x.reshaped((1,)) if x.shape == () else x for x in found]
    axis = 1 if flat and len(flat[0].shape) == 2 else 0
    return _joined(Call("hstack", [flat], {}, call.place), axis)


def _column_stack(call: Call) -> Array:
    (parts,) = call.take(1, 1)
    found = [array(_known(x, call.place), call.place) for x in sequence(parts, call.place)]
    columns = [x if len(x.shape) == 2 else x.reshaped((prod(x.shape), 1)) for x in found]
    return _joined(Call("column_stack", [columns], {}, call.place), 1)


def _block(call: Call) -> Array:
    (parts,) = call.take(1, 1)
    lines = sequence(parts, call.place)
    nested = all(isinstance(x, list) for x in lines)
    rows = [
        _hstack(Call("block", [[_two(x, call.place) for x in sequence(line, call.place)]], {}, call.place))
        for line in (lines if nested else [lines])
    ]  # fmt: skip
    found = _vstack(Call("block", [rows], {}, call.place))
    return found if nested else found.reshaped((found.shape[1],))


def _two(value: Value, place: Place) -> Array:
    """An array with two axes."""
    x = array(_known(value, place), place)
    return x if len(x.shape) == 2 else x.reshaped((1, prod(x.shape)))


def _transpose(call: Call) -> Array:
    (value,) = call.take(1, 1)
    return array(_known(value, call.place), call.place).transposed


def _ravel(call: Call) -> Value:
    (value,) = call.take(1, 1)
    if isinstance(value, Parameter):
        return value
    x = array(value, call.place)
    return x.in_a_row((prod(x.shape),), call.place)


def _squeeze(call: Call) -> Value:
    (value,) = call.take(1, 1)
    x = array(_known(value, call.place), call.place)
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
    return _sum(Call("trace", [_diag(call)], {}, call.place))


def _norm(call: Call) -> Expr:
    (value,) = call.take(1, 1)
    x = array(_known(value, call.place), call.place).entries(call.place)
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
    return array(_known(value, call.place), call.place).copy(call.place)


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
    "array": _array,
    "asarray": _array,
    "zeros": _filled(ZERO),
    "ones": _filled(ONE),
    "empty": _filled(None),
    "zeros_like": _like(ZERO),
    "ones_like": _like(ONE),
    "empty_like": _like(None),
    "full": _full,
    "eye": _eye,
    "identity": _eye,
    "diag": _diag,
    "dot": _dot,
    "matmul": _matmul,
    "outer": _outer,
    "cross": _cross,
    "reshape": _reshape,
    "concatenate": lambda call: _joined(call, None),
    "vstack": _vstack,
    "hstack": _hstack,
    "column_stack": _column_stack,
    "block": _block,
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
    if isinstance(value, list) and name == "append" and len(args) == 1:
        items: list[Value] = value
        items.append(args[0])
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
