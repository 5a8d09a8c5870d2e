"""Values of Python code: numbers, arrays, sequences, and how operators combine them.

A Python integer stays one, since indices and loops need it; every other number is an expression.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final, TypeGuard

from ....algebra.expr import ZERO, Expr
from ....algebra.expr.graph import MAX_NUMBER_BITS, constant
from ....basics.wording import brief
from ..parameter import Parameter
from ..place import Place
from ..scalar_functions import compare, valued
from ..tensor import Array, elementwise, joined, number, product_of

Value = Any  # int, Expr, Array, Parameter, list, tuple, dict, str, range, slice, None or ...
Number = Expr | int

DEEPEST: Final = 2  # axes of an array
_REAL: Final[dict[str, Callable[[Any, Any], Any]]] = {
    "Add": operator.add,
    "Sub": operator.sub,
    "Mult": operator.mul,
    "Div": lambda a, b: a / b,
    "Pow": lambda a, b: a**b,
}
_COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "Lt": operator.lt,
    "LtE": operator.le,
    "Gt": operator.gt,
    "GtE": operator.ge,
    "Eq": operator.eq,
    "NotEq": operator.ne,
}


def is_list(value: Value) -> TypeGuard[list[Value]]:
    """Whether a value is a list."""
    return isinstance(value, list)


def is_dict(value: Value) -> TypeGuard[dict[str, Value]]:
    """Whether a value is a dictionary."""
    return isinstance(value, dict)


def is_items(value: Value) -> TypeGuard[list[Value] | tuple[Value, ...]]:
    """Whether a value is a list or a tuple."""
    return isinstance(value, (list, tuple))


def described(value: Value) -> str:
    """Description of a value, for messages."""
    if isinstance(value, Array):
        return f"an array of shape {value.shape}"
    if isinstance(value, Parameter):
        return f"the argument {brief(value.name)}"
    if isinstance(value, Expr):
        return f"the number {brief(value)}"
    return brief(value)


def scalar(value: Value, place: Place) -> Number:
    """A value as a number."""
    if isinstance(value, Parameter):
        return value.number(place)
    if isinstance(value, Array) and value.shape == ():
        return value.entries(place)[0]
    if isinstance(value, (Expr, int)):
        return value
    return place.fail(f"expected a number, got {described(value)}")


def real(value: Value, place: Place) -> Expr:
    """A value as an expression."""
    found = scalar(value, place)
    return valued(place, lambda: constant(int(found))) if isinstance(found, int) else found


def integer(value: Value, place: Place) -> int:
    """A value as a known integer."""
    if isinstance(value, int):
        return int(value)
    return place.fail(f"expected a known integer, got {described(value)}")


def array(value: Value, place: Place) -> Array:
    """A value as an array: a number, an array, or nested lists of numbers."""
    if isinstance(value, Array):
        return value
    if is_items(value):
        parts = [array(x, place) for x in sequence(value, place)]
        if not parts:
            return Array.of((0,), [], place.line)
        if len(parts[0].shape) >= DEEPEST:
            place.fail(f"an array must have at most {DEEPEST} axes")
        if any(part.shape != parts[0].shape for part in parts):
            shapes = ", ".join(str(part.shape) for part in parts[:6])
            place.fail(f"the rows of an array must have one shape, got {shapes}")
        return joined([part.reshaped((1, *part.shape)) for part in parts], 0, place)
    if isinstance(value, range):
        return array(list(value), place)
    return number(scalar(value, place), place.line)


def sequence(value: Value, place: Place) -> list[Value]:
    """The items over which a loop runs: those of a sequence, or the rows of an array."""
    if is_items(value) or isinstance(value, range):
        return list(value)
    if isinstance(value, Array) and value.shape:
        return [row(value, k) for k in range(value.shape[0])]
    if isinstance(value, Parameter):
        value.whole(place)
    return place.fail(f"expected a sequence, got {described(value)}")


def row(value: Array, k: int) -> Value:
    """value[k]"""
    rest = value.shape[1:]
    found = value.view([[k], *(range(n) for n in rest)], rest)
    return found if rest else _only(found)


def _only(value: Array) -> Value:
    """A number of an array; an entry without a value stays an array, which fails when it is used."""
    x = value.storage.values[value.places[0]]
    return value if x is None else x


def truth(value: Value, place: Place) -> bool:
    """Whether a condition holds."""
    if isinstance(value, (Expr, Parameter, Array)):
        known = value.value if isinstance(value, Expr) else None
        if known is None:
            place.fail(
                f"a branch depends on {described(value)}; only code without such branches can be read"
            )
        return bool(compare(operator.ne, constant(known), ZERO, place))
    return bool(value)


def compared(op: str, a: Value, b: Value, place: Place) -> bool:
    """a op b, which must be decided by known numbers."""
    if op in ("Is", "IsNot") and (a is None or b is None):
        return (a is b) == (op == "Is")
    if op in ("Eq", "NotEq") and isinstance(a, str) and isinstance(b, str):
        return (a == b) == (op == "Eq")
    if op in ("Eq", "NotEq") and is_items(a) and is_items(b):  # shapes
        known = [[integer(x, place) for x in items] for items in (a, b)]
        return (known[0] == known[1]) == (op == "Eq")
    if op not in _COMPARE:
        place.fail(f"the comparison {op} cannot be read")
    x, y = scalar(a, place), scalar(b, place)
    if isinstance(x, int) and isinstance(y, int):
        return _COMPARE[op](x, y)
    found = compare(_COMPARE[op], real(x, place), real(y, place), place)
    if found is None:
        place.fail(
            f"a comparison depends on {described(x)} and {described(y)}; only code without such "
            "branches can be read"
        )
    return found


def binary(op: str, a: Value, b: Value, place: Place) -> Value:
    """a op b"""
    if op == "MatMult":
        for one in (a, b):
            if isinstance(one, Parameter):
                one.whole(place)
        return unwrapped(product_of(array(a, place), array(b, place), place), place)
    if isinstance(a, Array) or isinstance(b, Array):
        if op not in _REAL:
            place.fail(f"the operator {op} on arrays cannot be read")
        x, y = array(a, place), array(b, place)
        whole = x.integer and y.integer and op != "Div"
        if whole and op == "Pow" and any(e.value is None or e.value < 0 for e in y.entries(place)):
            place.fail(
                "integers of NumPy must not have a negative exponent; write 2.0 for a real 2"
            )
        return elementwise(lambda p, q: valued(place, _REAL[op], p, q), x, y, place, whole)
    if is_list(a) and is_list(b) and op == "Add":
        return [*a, *b]
    if is_list(a) and isinstance(b, int) and op == "Mult":
        if len(a) * b > 10_000:
            place.fail("a list must have at most 10,000 items")
        return a * b
    x, y = scalar(a, place), scalar(b, place)
    if isinstance(x, int) and isinstance(y, int):
        return _integers(op, x, y, place)
    if op not in _REAL:
        place.fail(f"the operator {op} on real numbers cannot be read")
    return valued(place, _REAL[op], real(x, place), real(y, place))


def _integers(op: str, x: int, y: int, place: Place) -> Number:
    if op in ("FloorDiv", "Mod", "Div") and y == 0:
        place.fail("an integer must not be divided by 0")
    if op == "FloorDiv":
        return x // y
    if op == "Mod":
        return x % y
    if op == "Div":
        return valued(place, lambda: constant(Fraction(x, y)))
    if op == "Pow" and (y < 0 or abs(x).bit_length() * y > MAX_NUMBER_BITS):
        return valued(place, _REAL[op], constant(x), constant(y))
    if op not in _REAL or max(abs(x), abs(y)).bit_length() > MAX_NUMBER_BITS:
        place.fail(f"the operator {op} on these integers cannot be read")
    return int(_REAL[op](x, y))


def unwrapped(value: Array, place: Place) -> Value:
    """An array without axes as a number."""
    return value.entries(place)[0] if value.shape == () else value
