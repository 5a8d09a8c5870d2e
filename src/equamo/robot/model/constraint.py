"""Velocity constraints: equations, linear in the joint speeds, for rolling or skating."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, final

from ...algebra.expr import ZERO, Expr, as_expr
from ...algebra.expr.differentiate import directional
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.walk import symbols
from ...algebra.identity import prove_zero
from ...algebra.identity.linearity import linear_coefficients
from ...basics.arguments import text_or
from ...basics.wording import brief
from ...errors import ConstraintError, EquamoError, ExpressionError, UnknownNameError


@final
@dataclass(frozen=True, slots=True)
class Constraint:
    """Constraint `equation` = 0 in coordinates, parameters and joint speeds (`dq1` for q1)."""

    equation: Expr  # linear in the joint speeds; 0 on every motion
    name: str  # unique in the robot


def constraint(equation: Any, name: str = "") -> Constraint:
    """Make a velocity constraint.

    Args:
        equation: Expression that must be 0, such as "dX0*sin(psi) - dY0*cos(psi)", or "left = right".
        name: Name of the constraint; by default its equation.

    Returns:
        The constraint.

    Raises:
        ParseError: The equation cannot be parsed.

    >>> constraint("dx = R*dtheta").equation
    dx - dtheta*R
    """
    if isinstance(equation, str) and equation.count("=") == 1:
        left, right = equation.split("=")
        e = as_expr(left) - as_expr(right)
    else:
        e = as_expr(equation)
    return Constraint(e, text_or(name, str(e)))


def constraint_matrix(
    constraints: Sequence[Constraint], speeds: Sequence[Expr], kind: str = "constraint"
) -> Matrix:
    """Matrix A of the constraints A u = 0.

    Args:
        constraints: The constraints.
        speeds: Joint speeds u.
        kind: How messages name a constraint.

    Returns:
        One row per constraint, one column per joint speed.

    Raises:
        ConstraintError: A constraint is not linear and homogeneous in the joint speeds.

    >>> constraint_matrix([constraint("dx = R*dtheta")], [as_expr("dx"), as_expr("dtheta")])
    Matrix([[1, -R]])
    """
    rows: list[list[Expr]] = []
    for c in constraints:
        try:
            A, rest = linear_coefficients([c.equation], list(speeds))
        except ExpressionError:
            raise ConstraintError(
                f"The {kind} {c.name!r} must be linear in the joint speeds; write it as a sum of speeds "
                f"times coefficients in coordinates and parameters. Joint speeds: {_list(speeds)}."
            ) from None
        if rest[0] is not ZERO and not prove_zero(rest[0]):
            raise _inhomogeneous(c, kind, rest[0], speeds, all(x is ZERO for x in A[0]))
        if all(x is ZERO for x in A[0]):
            raise ConstraintError(
                f"The {kind} {c.name!r} must depend on a joint speed of the robot. Valid: "
                f"{_list(speeds)}."
            )
        rows.append(A[0])
    return Matrix(rows, [c.name for c in constraints], [x.name for x in speeds])


def _inhomogeneous(
    c: Constraint, kind: str, rest: Expr, speeds: Sequence[Expr], no_speed: bool
) -> EquamoError:
    """Error for an equation that has a term without a speed."""
    rate = {x.name[1:]: x for x in speeds if x.name.startswith("d")}
    used = symbols([rest])
    if no_speed and any(x.name in rate for x in used):
        e = directional([rest], {x: rate[x.name] for x in used if x.name in rate})[0].closed_form()
        return ConstraintError(
            f"The {kind} {c.name!r} must be an equation in joint speeds, got one in coordinates; use "
            f"its time derivative: {e} = 0."
        )
    for x in used:
        if x.name.startswith("d") and x.name[1:] and x.name not in rate:
            return UnknownNameError(
                "joint speed", x.name, [u.name for u in speeds], f"the {kind} {c.name!r}"
            )
    return ConstraintError(
        f"The {kind} {c.name!r} must hold at rest, got a term without a speed ({brief(rest)}); write it "
        "as a sum of speeds times coefficients."
    )


def _list(speeds: Sequence[Expr]) -> str:
    return ", ".join(x.name for x in speeds[:12]) + (", …" if len(speeds) > 12 else "")
