"""Conversion of quantities that a user passes (numbers, text, SymPy) to expressions."""

from __future__ import annotations

import sys
from typing import Any

from ...basics.wording import brief, with_article
from ...errors import ExpressionError
from .graph import Expr
from .rules import operand


def as_expr(x: Any) -> Expr:
    """Convert a number, Fraction, text such as "m1*l1/2", SymPy expression or Expr to an Expr.

    >>> as_expr("m1*l1/2")
    l1*m1/2
    >>> as_expr(0.1)
    1/10
    """
    if isinstance(x, str):
        from .parse import parse

        return parse(x)
    return as_expr_with_domain(x)[0]


def as_expr_with_domain(x: Any) -> tuple[Expr, tuple[Expr, ...]]:
    """Convert a quantity, and list the nodes that must have a value wherever the original has one.

    For text and SymPy expressions the domain is that of the original. An Expr has lost roots and
    quotients that the rules removed on construction, so its list is empty.

    >>> as_expr_with_domain("x**2/x"), as_expr_with_domain(as_expr("x**2/x"))
    ((x, (1/x,)), (x, ()))
    """
    node = operand(x)
    if node is not None:
        return node, ()
    if isinstance(x, str):
        from .parse import parse_with_domain

        return parse_with_domain(x)
    sympy: Any = sys.modules.get("sympy")  # a SymPy object exists only if SymPy is loaded
    if sympy is not None and isinstance(x, sympy.Basic):
        from .sympy_bridge import from_sympy_with_domain

        return from_sympy_with_domain(x)
    raise ExpressionError(
        'A quantity must be a number, a Fraction, text such as "m1*l1/2", a SymPy expression or an '
        f"Expr, got {brief(x)} ({with_article(type(x).__name__)})."
    )
