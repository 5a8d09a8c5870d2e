"""Whatever a user types as a quantity, as an expression."""

from __future__ import annotations

import sys
from typing import Any

from ..errors import ExpressionError
from ..wording import brief, with_article
from .graph import Expr
from .rules import operand


def as_expr(x: Any) -> Expr:
    """A number, Fraction, text such as "m1*l1/2", SymPy expression or Expr, as Expr.

    >>> as_expr("m1*l1/2")
    l1*m1/2
    >>> as_expr(0.1)
    1/10
    """
    node = operand(x)
    if node is not None:
        return node
    if isinstance(x, str):
        from .parse import parse

        return parse(x)
    sympy: Any = sys.modules.get("sympy")  # a SymPy object exists only if SymPy is loaded
    if sympy is not None and isinstance(x, sympy.Basic):
        from .sympy_bridge import from_sympy

        return from_sympy(x)
    raise ExpressionError(
        f"{brief(x)} ({with_article(type(x).__name__)}) is not a quantity. Valid: a number, a Fraction, "
        'text such as "m1*l1/2", a SymPy expression or an Expr.'
    )
