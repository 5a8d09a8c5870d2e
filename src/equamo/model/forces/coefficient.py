"""Coefficients of force elements: what a user typed, refused where it cannot be."""

from __future__ import annotations

from typing import Any

from ...errors import ModelError
from ...expr import Expr, as_expr
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
