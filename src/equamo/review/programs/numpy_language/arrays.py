"""Functions of NumPy that make, reshape and join arrays."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Final, final

from ....algebra.expr import ONE, ZERO, Expr
from ....basics.wording import brief
from ..function import Shape
from ..parameter import Parameter
from ..place import Place
from ..tensor import Array, filled, joined
from .values import Value, array, integer, real, sequence

_REAL_TYPES: Final = {"float", "float64", "float32", "double", "d", "f8", "float_", "object"}
_INTEGER_TYPES: Final = {"int", "int64", "int32", "int_", "i8", "i4"}


@final
class Call:
    """The arguments of a call."""

    name: str
    args: list[Value]
    named: dict[str, Value]
    place: Place

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
    """Whether dtype= is an integer; None if it is missing."""
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
    if isinstance(value, Parameter):  # an argument, which is never written, so a copy is equivalent
        if whole:
            call.place.fail("dtype must be a real type; NumPy would truncate the argument")
        return value
    found = array(value, call.place)
    if whole and not found.integer:
        call.place.fail("dtype must be a real type for these entries; NumPy would truncate them")
    if call.name == "asarray" and found is value and whole in (None, found.integer):
        return found
    result = found.copy(call.place)
    result.integer = found.integer if whole is None else whole
    return result


def known(value: Value, place: Place) -> Value:
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
        like = array(known(value, call.place), call.place)
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


def diagonal(call: Call) -> Array:
    """np.diag: a vector as a diagonal matrix, or the diagonal of a matrix."""
    (value,) = call.take(1, 1)
    x = array(known(value, call.place), call.place)
    entries = x.entries(call.place)
    if len(x.shape) == 2:
        n = min(x.shape)
        return Array.of((n,), [entries[k * x.shape[1] + k] for k in range(n)], call.place.line)
    result = filled((len(entries), len(entries)), ZERO, call.place, x.integer)
    for k, entry in enumerate(entries):
        result.storage.values[k * len(entries) + k] = entry
    return result


def _reshape(call: Call) -> Array:
    value, *sizes = call.take(2, 4)
    return reshaped(array(known(value, call.place), call.place), sizes, call.place)


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
    found = [array(known(x, call.place), call.place) for x in sequence(parts, call.place)]
    if not found:
        call.place.fail(f"{call.name} takes at least one array")
    if axis is None:
        chosen = rest[0] if rest else call.named.get("axis", 0)
        axis = integer(chosen, call.place)
        axis += len(found[0].shape) if axis < 0 else 0
    if not 0 <= axis < max(1, len(found[0].shape)) or not found[0].shape:
        call.place.fail(f"{call.name}: the axis must be one of the first array, got {axis}")
    return joined(found, axis, call.place)


def _vstack(call: Call) -> Array:
    (parts,) = call.take(1, 1)
    found = [array(known(x, call.place), call.place) for x in sequence(parts, call.place)]
    rows = [x if len(x.shape) == 2 else x.reshaped((1, prod(x.shape))) for x in found]
    return _joined(Call("vstack", [rows], {}, call.place), 0)


def _hstack(call: Call) -> Array:
    (parts,) = call.take(1, 1)
    found = [array(known(x, call.place), call.place) for x in sequence(parts, call.place)]
    flat = [x.reshaped((1,)) if x.shape == () else x for x in found]
    axis = 1 if flat and len(flat[0].shape) == 2 else 0
    return _joined(Call("hstack", [flat], {}, call.place), axis)


def _column_stack(call: Call) -> Array:
    (parts,) = call.take(1, 1)
    found = [array(known(x, call.place), call.place) for x in sequence(parts, call.place)]
    columns = [x if len(x.shape) == 2 else x.reshaped((prod(x.shape), 1)) for x in found]
    return _joined(Call("column_stack", [columns], {}, call.place), 1)


def _block(call: Call) -> Array:
    (parts,) = call.take(1, 1)
    lines = sequence(parts, call.place)
    nested = all(isinstance(x, list) for x in lines)
    rows = [
        _hstack(Call("block", [[_two(x, call.place) for x in row]], {}, call.place))
        for row in ([sequence(line, call.place) for line in lines] if nested else [lines])
    ]
    found = _vstack(Call("block", [rows], {}, call.place))
    return found if nested else found.reshaped((found.shape[1],))


def _two(value: Value, place: Place) -> Array:
    """An array with two axes."""
    x = array(known(value, place), place)
    return x if len(x.shape) == 2 else x.reshaped((1, prod(x.shape)))


MAKERS: Final[dict[str, Callable[[Call], Value]]] = {
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
    "diag": diagonal,
    "reshape": _reshape,
    "concatenate": lambda call: _joined(call, None),
    "vstack": _vstack,
    "hstack": _hstack,
    "column_stack": _column_stack,
    "block": _block,
}
