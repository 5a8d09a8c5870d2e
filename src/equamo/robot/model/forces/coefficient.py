"""Check the quantities of force elements."""

from __future__ import annotations

from typing import Any

from ....algebra.expr import ZERO, Expr, as_expr
from ....algebra.expr.vector import Vector
from ....algebra.expr.walk import symbols
from ....algebra.identity.linearity import linear_coefficients
from ....basics.wording import brief
from ....errors import ExpressionError, ModelError


def not_negative(what: str, value: Any, place: str) -> Expr:
    """Expression of a value; ModelError if it is a number below zero."""
    x = as_expr(value)
    if x.value is not None and x.value < 0:
        raise ModelError(f"The {what} of {place} must be ≥ 0, got {brief(value)}.")
    return x


def positive(what: str, value: Any, place: str) -> Expr:
    """Expression of a value; ModelError if it is a number that is not above zero."""
    x = as_expr(value)
    if x.value is not None and x.value <= 0:
        raise ModelError(f"The {what} of {place} must be greater than 0, got {brief(value)}.")
    return x


def check_linear(what: str, vector: Vector, place: str) -> None:
    """Check that each component is a sum of inputs times numbers; all its symbols are inputs.

    Such an element enters the equations only as B · inputs; any other term would be lost.
    """
    inputs = symbols(vector)
    try:
        _, rest = linear_coefficients(vector, inputs)
    except ExpressionError:
        rest = None
    if inputs and (rest is None or any(x is not ZERO for x in rest)):
        names = ", ".join(x.name for x in inputs)
        raise ModelError(
            f"The {what} of {place} must be linear in its inputs, which are all its symbols ({names}), "
            f"without a constant term, got {brief(vector)}; use a separate element for a constant, and "
            "joint_actuator(coordinate, input, gear=factor) for a symbolic factor."
        )
