"""Coefficients of force elements: what a user typed, refused where it cannot be."""

from __future__ import annotations

from typing import Any

from ...errors import ModelError
from ...expr import Expr, as_expr


def not_negative(what: str, given: Any, place: str) -> Expr:
    """An expression; ModelError where it is a number below zero."""
    x = as_expr(given)
    if x.value is not None and x.value < 0:
        raise ModelError(f"The {what} of {place} is not negative; {given!r:.40} is.")
    return x


def positive(what: str, given: Any, place: str) -> Expr:
    """An expression; ModelError where it is a number that is zero or below."""
    x = as_expr(given)
    if x.value is not None and x.value <= 0:
        raise ModelError(f"The {what} of {place} is positive; {given!r:.40} is not.")
    return x
