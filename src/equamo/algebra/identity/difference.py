"""`residual`: the difference of two expressions, in closed form if the budget allows."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...errors import ShapeError
from ..expr.closed_form.closed_form import DEFAULT_BUDGET, closed_form, closed_forms
from ..expr.convert import as_expr
from ..expr.matrix import Matrix
from ..expr.rules import sub
from ..expr.vector import Vector


def residual(a: Any, b: Any, budget: int | None = None) -> Any:
    """Difference a − b of two quantities, each entry in closed form if the budget allows.

    Args:
        a: Left side: a scalar, Vector or Matrix.
        b: Right side, of the same shape.
        budget: Limit on the work per entry, as in `Expr.closed_form`.

    Returns:
        An Expr, Vector or Matrix.

    Raises:
        ShapeError: The two sides have different shapes.

    >>> residual("2*sin(x)*cos(x)", "sin(2*x)")
    0
    >>> residual("m*(a + b)**2", "m*a**2 + m*b**2")
    2*a*b*m
    """
    limit = DEFAULT_BUDGET if budget is None else budget
    if isinstance(a, (Vector, Matrix)):
        if type(a) is not type(b) or a.shape != b.shape:
            raise ShapeError(
                "Both sides of residual() must have the same shape, got "
                f"{a.shape} and {getattr(b, 'shape', ())}."
            )
        difference: Vector | Matrix = a - b
        return difference.map(partial(closed_forms, budget=limit))
    return closed_form(sub(as_expr(a), as_expr(b)), limit)
