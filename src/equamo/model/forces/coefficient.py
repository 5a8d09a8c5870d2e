"""Quantities of force elements: what a user typed, refused where it cannot be."""

from __future__ import annotations

from typing import Any

from ...errors import ExpressionError, ModelError
from ...expr import ZERO, Expr, as_expr
from ...expr.differentiate import linear_coefficients
from ...expr.vector import Vector
from ...expr.walk import symbols
from ...wording import brief


def not_negative(what: str, given: Any, place: str) -> Expr:
    """An expression; ModelError where it is a number below zero."""
    x = as_expr(given)
    if x.value is not None and x.value < 0:
        raise ModelError(f"The {what} of {place} is not negative; {brief(given)} is.")
    return x


def positive(what: str, given: Any, place: str) -> Expr:
    """An expression; ModelError where it is a number that is zero or below."""
    x = as_expr(given)
    if x.value is not None and x.value <= 0:
        raise ModelError(f"The {what} of {place} is positive; {brief(given)} is not.")
    return x


def check_linear(what: str, given: Vector, place: str) -> None:
    """ModelError unless each component is a sum of inputs times numbers: all its symbols are inputs.

    B · inputs is all that such an element puts into the equations; another term would be lost.
    """
    inputs = symbols(given)
    try:
        _, rest = linear_coefficients(given, inputs)
    except ExpressionError:
        rest = None
    if inputs and (rest is None or any(x is not ZERO for x in rest)):
        names = ", ".join(x.name for x in inputs)
        raise ModelError(
            f"The {what} of {place} must be linear in its inputs, which are all its symbols ({names}), "
            f"without a constant term, got {brief(given)}. Put a constant into an element of its own; a "
            "factor with a name is a gear: joint_actuator(coordinate, input, gear=factor)."
        )
