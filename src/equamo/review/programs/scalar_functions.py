"""Functions of real numbers: names in C, NumPy and MATLAB, mapped to expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from ...algebra.expr import (
    HALF,
    ONE,
    Expr,
    absolute,
    acos,
    asin,
    atan,
    atan2,
    cos,
    exp,
    log,
    sign,
    sin,
    sqrt,
    tan,
    tanh,
)
from ...basics.wording import brief
from ...errors import ExpressionError
from .place import Place

Scalar1 = Callable[[Expr], Expr]
Scalar2 = Callable[[Expr, Expr], Expr]


def largest(a: Expr, b: Expr) -> Expr:
    """max(a, b) = (a + b + |a − b|)/2"""
    return HALF * (a + b + absolute(a - b))


def smallest(a: Expr, b: Expr) -> Expr:
    """min(a, b) = (a + b − |a − b|)/2"""
    return HALF * (a + b - absolute(a - b))


def hypot(a: Expr, b: Expr) -> Expr:
    """√(a² + b²)"""
    return sqrt(a * a + b * b)


def _sinh(x: Expr) -> Expr:
    return HALF * (exp(x) - exp(-x))


def _cosh(x: Expr) -> Expr:
    return HALF * (exp(x) + exp(-x))


# The names that all three languages share.
ONE_ARGUMENT: Final[dict[str, Scalar1]] = {
    "sin": sin,
    "cos": cos,
    "tan": tan,
    "sqrt": sqrt,
    "exp": exp,
    "log": log,
    "tanh": tanh,
    "sinh": _sinh,
    "cosh": _cosh,
}
C_ONE: Final[dict[str, Scalar1]] = {
    **ONE_ARGUMENT,
    "asin": asin,
    "acos": acos,
    "atan": atan,
    "fabs": absolute,
}
C_TWO: Final[dict[str, Scalar2]] = {
    "pow": lambda a, b: a**b,
    "atan2": atan2,
    "hypot": hypot,
    "fmax": largest,
    "fmin": smallest,
}
NUMPY_ONE: Final[dict[str, Scalar1]] = {
    **C_ONE,  # the module math has the names of C
    "arcsin": asin,
    "arccos": acos,
    "arctan": atan,
    "abs": absolute,
    "absolute": absolute,
    "sign": sign,
    "square": lambda x: x * x,
    "reciprocal": lambda x: ONE / x,
    "negative": lambda x: -x,
}
NUMPY_TWO: Final[dict[str, Scalar2]] = {
    "pow": lambda a, b: a**b,
    "power": lambda a, b: a**b,
    "float_power": lambda a, b: a**b,
    "atan2": atan2,
    "arctan2": atan2,
    "hypot": hypot,
    "maximum": largest,
    "minimum": smallest,
    "fmax": largest,
    "fmin": smallest,
    "add": lambda a, b: a + b,
    "subtract": lambda a, b: a - b,
    "multiply": lambda a, b: a * b,
    "divide": lambda a, b: a / b,
}
MATLAB_ONE: Final[dict[str, Scalar1]] = {
    **ONE_ARGUMENT,
    "asin": asin,
    "acos": acos,
    "atan": atan,
    "abs": absolute,
    "sign": sign,
    "sec": lambda x: ONE / cos(x),
    "csc": lambda x: ONE / sin(x),
    "cot": lambda x: ONE / tan(x),
}
MATLAB_TWO: Final[dict[str, Scalar2]] = {
    "power": lambda a, b: a**b,
    "atan2": atan2,
    "hypot": hypot,
    "max": largest,
    "min": smallest,
    "plus": lambda a, b: a + b,
    "minus": lambda a, b: a - b,
    "times": lambda a, b: a * b,
    "rdivide": lambda a, b: a / b,
}


def compare(holds: Callable[[Any, Any], bool], a: Expr, b: Expr, place: Place) -> bool | None:
    """Compare two numbers; None if that depends on the state.

    The code computes with rounded numbers: there, 0.1 added ten times is not 1. Hence numbers
    that are almost equal are an error.

    >>> import operator
    >>> from equamo.algebra.expr import parse
    >>> here = Place("x.c", 4)
    >>> compare(operator.lt, parse("9"), parse("9.81"), here)
    True
    >>> compare(operator.lt, parse("0.1 + 0.9"), parse("1"), here)
    Traceback (most recent call last):
    equamo.errors.FileFormatError: x.c:4: numbers that are compared must differ by more than rounding
    errors, got 1 and 1; compare integers.
    """
    difference = valued(place, lambda: a - b).value
    if difference is None:
        return None
    scale = max(1, abs(a.value or 0), abs(b.value or 0))
    if abs(difference) * 10**6 <= scale:
        place.fail(
            f"numbers that are compared must differ by more than rounding errors, got {brief(a)} and "
            f"{brief(b)}; compare integers"
        )
    return holds(difference, 0)


def valued(place: Place, make: Callable[..., Expr], *args: Expr) -> Expr:
    """The value of an operation; an error at its place if it is undefined.

    >>> valued(Place("x.c", 7), lambda a: a / (a - a), ONE)
    Traceback (most recent call last):
    equamo.errors.FileFormatError: x.c:7: this expression has no value: Division by zero in an
    expression; the denominator must not be 0.
    """
    try:
        return make(*args)
    except ExpressionError as error:
        place.fail(f"this expression has no value: {str(error).rstrip('.')}")
