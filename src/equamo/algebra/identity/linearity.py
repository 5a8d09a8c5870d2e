"""Coefficients of expressions that are linear in some symbols, with a proof that they are.

A derivative that does not contain x does not show that y is linear in x: that of sign(x) is 0, and so is
that of atan2(x, 0), although both jump. So functions of x are refused, and of what remains, a rational
function of x, y(x) = y(0) + (∂y/∂x) x is proved.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ...basics.wording import brief
from ...errors import ExpressionError
from ..expr.differentiate import as_symbol, jacobian
from ..expr.graph import ATAN2, FIRST_FUNCTION, LAST_LEAF, ZERO, Expr, internal
from ..expr.rules import add
from ..expr.substitute import substitute
from ..expr.vector import dot
from ..expr.walk import depends, walk
from .prove import differences, prove_all


def linear_coefficients(
    outputs: Iterable[Expr], xs: Sequence[Expr | str]
) -> tuple[list[list[Expr]], list[Expr]]:
    """Coefficients (A, b) of outputs y = A x + b that are proved to be linear in xs.

    Args:
        outputs: The expressions y.
        xs: The symbols x, or their names.

    Returns:
        A, one row per output and one column per symbol, and b. Neither depends on xs.

    Raises:
        ExpressionError: An output is not linear in xs, or contains a function of one of them.

    >>> from equamo.algebra.expr import parse
    >>> linear_coefficients([parse("m*ddq + g*m")], ["ddq"])
    ([[m]], [g*m])
    """
    roots, symbols = list(outputs), [as_symbol(x) for x in xs]
    parts, back = _parts_without(roots, symbols)
    y = substitute(roots, parts)
    A = jacobian(y, symbols)
    entries = [a for row in A for a in row]
    mask = depends(walk(entries), symbols)
    if any(mask[a] for a in entries):
        raise _not_linear(symbols, "one that is not linear")
    b = substitute(y, dict.fromkeys(symbols, ZERO))
    line = [add(dot(row, symbols), rest) for row, rest in zip(A, b, strict=True)]
    (proof,) = prove_all([differences(y, line)])
    if not proof:
        raise _not_linear(symbols, f"one whose linearity is not proved ({proof})")
    return [substitute(row, back) for row in A], substitute(b, back)


def _parts_without(
    roots: Sequence[Expr], symbols: Sequence[Expr]
) -> tuple[dict[Expr, Expr], dict[Expr, Expr]]:
    """Symbols for the largest parts of the roots that do not depend on the symbols, and back."""
    order = walk(roots)
    mask = depends(order, symbols)
    parts: dict[Expr, Expr] = {}
    for n in order:
        if not mask[n]:
            continue
        if n.op >= FIRST_FUNCTION or n.op == ATAN2:
            raise _not_linear(symbols, brief(n))
        for x in n.args:
            if x.op > LAST_LEAF and not mask[x] and x not in parts:
                parts[x] = internal("part", str(len(parts)))
    return parts, {s: x for x, s in parts.items()}


def _not_linear(symbols: Sequence[Expr], given: str) -> ExpressionError:
    names = ", ".join(x.name for x in symbols[:6])
    return ExpressionError(f"Every expression must be linear in {names}, got {given}.")
