"""Constraint: an equation, linear in the joint speeds, that the motion keeps (rolling, skating)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from ..errors import ConstraintError, ExpressionError
from ..expr import ZERO, Expr, as_expr
from ..expr.differentiate import linear_coefficients
from ..expr.matrix import Matrix


@final
@dataclass(frozen=True, slots=True)
class Constraint:
    """`equation` = 0, in coordinates, parameters and joint speeds (`dq1` for the coordinate q1)."""

    equation: Expr
    name: str


def constraint(equation: Any, name: str = "") -> Constraint:
    """A velocity constraint from text such as "dX0*sin(psi) - dY0*cos(psi)", or "left = right".

    >>> constraint("dx = R*dtheta").equation
    dx - R*dtheta
    """
    if isinstance(equation, str) and equation.count("=") == 1:
        left, right = equation.split("=")
        e = as_expr(left) - as_expr(right)
    else:
        e = as_expr(equation)
    return Constraint(e, name or str(e))


def constraint_matrix(constraints: Sequence[Constraint], speeds: Sequence[Expr]) -> Matrix:
    """A with A u = 0 for all constraints; an error names one that is not linear and homogeneous."""
    rows: list[list[Expr]] = []
    for c in constraints:
        try:
            A, rest = linear_coefficients([c.equation], list(speeds))
        except ExpressionError:
            raise ConstraintError(
                f"The constraint {c.name!r} is not linear in the speeds "
                f"{', '.join(x.name for x in speeds[:8])}; only constraints linear in them are kept."
            ) from None
        if rest[0] is not ZERO:
            from ..identity import prove_zero

            if not prove_zero(rest[0]):
                raise ConstraintError(
                    f"The constraint {c.name!r} has a term without a speed ({rest[0]!r:.40}): it would "
                    "move the robot by itself. Write it as a sum of speeds times coefficients."
                )
        if all(x is ZERO for x in A[0]):
            raise ConstraintError(
                f"The constraint {c.name!r} has no speed of this robot in it. "
                f"Its speeds: {', '.join(x.name for x in speeds)}."
            )
        rows.append(A[0])
    return Matrix(rows, [c.name for c in constraints], [x.name for x in speeds])
