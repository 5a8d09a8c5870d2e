"""Operators of C on values: integers as in C, exact real numbers, conditions if they are known."""

from __future__ import annotations

import operator
from collections.abc import Callable
from fractions import Fraction
from typing import Any, Final

from ....algebra.expr import ZERO, Expr, absolute, sign
from ....algebra.expr.graph import constant
from ....basics.wording import brief
from ..place import Place
from ..scalar_functions import compare, largest, smallest, valued
from .memory import LARGEST, Choice, Condition, Integer, Opaque, Pointer, Text, Value
from .types import CType, PointerTo, Scalar

_COMPARE: Final[dict[str, Callable[[Any, Any], bool]]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}
_REAL: Final[dict[str, Callable[[Expr, Expr], Expr]]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda a, b: a / b,
}
_OPPOSITE: Final = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}


def described(value: Value) -> str:
    """Description of a value, for messages."""
    match value:
        case Opaque(name):
            return f"the argument {brief(name)}, whose value is unknown"
        case Condition() | Choice():
            return "a value that depends on a condition on the state"
        case Pointer(block):
            return f"a pointer to {brief(block.name)}"
        case Text():
            return "a text"
        case Integer():
            return f"the integer {value.value}"
        case None:
            return "the result of a function without a result"
        case _:
            return f"the real number {brief(value)}"


def real(value: Value, place: Place) -> Expr:
    """A value as a real number."""
    if isinstance(value, Expr):
        return value
    if isinstance(value, Integer):
        return constant(value.value)
    found = _resolved(value) if isinstance(value, Choice) else None
    return place.fail(f"expected a number, got {described(value)}") if found is None else found


def integer(value: Value, place: Place) -> int:
    """A value as a known integer: an index, a length, a count."""
    if isinstance(value, Integer):
        return value.value
    return place.fail(f"expected a known integer, got {described(value)}")


def truth(value: Value, place: Place) -> bool:
    """Whether a condition holds."""
    match value:
        case Integer(number):
            return number != 0
        case Pointer():
            return True
        case Condition() | Choice():
            return place.fail(
                "a branch depends on the state; only code without such branches can be read"
            )
        case Expr() if value.value is not None:
            return bool(compare(operator.ne, value, ZERO, place))
        case Expr():
            return place.fail(
                f"a branch depends on {brief(value)}; only code without such branches can be read"
            )
        case _:
            return place.fail(f"expected a known condition, got {described(value)}")


def converted(value: Value, kind: CType, place: Place) -> Value:
    """A value converted for assignment to a type."""
    if isinstance(kind, Scalar) and kind.kind == "real":
        return real(value, place)
    if isinstance(kind, Scalar) and kind.kind in ("int", "unsigned"):
        if isinstance(value, Opaque):
            return value
        if isinstance(value, Expr):
            place.fail(
                f"a real number must not be converted to an integer, got {brief(value)}; "
                "rounding cannot be read"
            )
        return bounded(integer(value, place), kind.kind == "unsigned", place)
    if isinstance(kind, PointerTo):
        if value == Integer(0):  # the null pointer
            return value
        if isinstance(value, Pointer):
            if value.target != kind.target:
                place.fail(f"expected a pointer to {kind.target}, got one to {value.target}")
            if value.const and not kind.const:
                place.fail(f"a pointer to const must stay const, got {described(value)}")
            return Pointer(value.block, value.offset, value.target, kind.const)
        if isinstance(value, Text) and kind.target == Scalar("char"):
            return value
    return place.fail(f"expected a value of type {kind}, got {described(value)}")


def bounded(value: int, unsigned: bool, place: Place) -> Integer:
    """An integer in the range of its type."""
    if (unsigned and value < 0) or abs(value) > LARGEST:
        at_least = "0" if unsigned else f"-{LARGEST}"
        place.fail(f"an integer must be at least {at_least} and at most {LARGEST}, got {value}")
    return Integer(value, unsigned)


def binary(op: str, a: Value, b: Value, place: Place) -> Value:
    """a op b"""
    if isinstance(a, Pointer) or isinstance(b, Pointer):
        return _pointers(op, a, b, place)
    if isinstance(a, Integer) and isinstance(b, Integer):
        return _integers(op, a, b, place)
    for one, other in ((a, b), (b, a)):
        if isinstance(one, Choice) and isinstance(other, (Integer, Choice)) and _whole(one):
            place.fail(f"integer arithmetic must not depend on the state, got {described(one)}")
    if op in _COMPARE:
        x, y = real(a, place), real(b, place)
        known = compare(_COMPARE[op], x, y, place)
        return Condition(op, x - y) if known is None else Integer(int(known))
    if op not in _REAL:
        place.fail(f"the operator {op} on real numbers cannot be read")
    return valued(place, _REAL[op], real(a, place), real(b, place))


def _integers(op: str, a: Integer, b: Integer, place: Place) -> Integer:
    x, y = a.value, b.value
    unsigned = a.unsigned or b.unsigned
    if unsigned:  # C converts both
        bounded(x, True, place)
        bounded(y, True, place)
    if op in _COMPARE:
        return Integer(int(_COMPARE[op](x, y)))
    if op in ("/", "%"):
        if y == 0:
            place.fail("an integer must not be divided by 0")
        quotient = int(Fraction(x, y))  # C rounds towards zero
        return bounded(quotient if op == "/" else x - quotient * y, unsigned, place)
    if op not in _REAL:
        place.fail(f"the operator {op} on integers cannot be read")
    result: Any = _REAL[op]
    return bounded(result(x, y), unsigned, place)


def _pointers(op: str, a: Value, b: Value, place: Place) -> Value:
    match a, b:
        case Pointer(), Integer(steps) if op in ("+", "-"):
            return a.moved(steps if op == "+" else -steps)
        case Integer(steps), Pointer() if op == "+":
            return b.moved(steps)
        case (Pointer(), Integer(0)) | (Integer(0), Pointer()) if op in ("==", "!="):
            return Integer(int(op == "!="))  # the null pointer
        case Pointer(), Pointer() if a.block is b.block and op in _COMPARE:
            return Integer(int(_COMPARE[op](a.offset, b.offset)))
        case _:
            return place.fail(f"{described(a)} {op} {described(b)} cannot be read")


def negated(value: Value, place: Place) -> Value:
    """!value"""
    if isinstance(value, Condition):
        return Condition(_OPPOSITE[value.op], value.difference)
    return Integer(int(not truth(value, place)))


def opposite(value: Value, place: Place) -> Value:
    """−value"""
    if isinstance(value, Integer):
        return bounded(-value.value, value.unsigned, place)
    return -real(value, place)


def _resolved(choice: Choice) -> Expr | None:
    """A choice that is an absolute value, a sign, a maximum or a minimum, as an expression."""
    x = choice.condition.difference
    below, at, above = (_branch(choice, x, s) for s in (-1, 0, 1))
    if below is None or at is None or above is None:
        return None
    vanishes = at is ZERO or at is x or at is -x  # at x = 0
    if above is -below and vanishes:
        if above is x or below is x:
            return absolute(x) if above is x else -absolute(x)
        if above.value is not None:
            return above * sign(x)
    if at is above or at is below:
        if above - below is x:
            return largest(above, below)
        if below - above is x:
            return smallest(above, below)
    return None


def _whole(value: Value) -> bool:
    """Whether a choice is between integers only: in C its type is an integer."""
    if isinstance(value, Choice):
        return _whole(value.then) and _whole(value.otherwise)
    return isinstance(value, Integer)


def _branch(value: Value, x: Expr, side: int) -> Expr | None:
    """Value of a choice if x has this sign; None if that is not a number."""
    while isinstance(value, Choice):
        y = value.condition.difference
        if y is not x and y is not -x:
            return None
        holds = _COMPARE[value.condition.op](side if y is x else -side, 0)
        value = value.then if holds else value.otherwise
    if isinstance(value, Integer):
        return constant(value.value)
    return value if isinstance(value, Expr) else None
