"""Substitution in one walk that rebuilds the changed nodes and keeps the others."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from ...basics.wording import brief
from ...errors import ExpressionError
from .functions import apply, apply_atan2
from .graph import (
    ADD,
    ATAN2,
    DIV,
    FIRST_BINARY,
    FIRST_FUNCTION,
    LAST_LEAF,
    MUL,
    NEG,
    POW,
    SUB,
    Expr,
    constant,
    symbol,
)
from .rules import add, div, mul, neg, power, sub
from .walk import walk

_BINARY = {ADD: add, SUB: sub, MUL: mul, DIV: div, ATAN2: apply_atan2}


def rebuild(node: Expr, a: Expr, b: Expr | None) -> Expr:
    """Apply the node's operation to other operands."""
    op = node.op
    if FIRST_BINARY <= op < FIRST_FUNCTION:
        assert b is not None
        return _BINARY[op](a, b)
    if op == NEG:
        return neg(a)
    if op == POW:
        return power(a, constant(node.b))
    return apply(op, a)


def check_replacements(replacements: Any) -> None:
    """Check that replacements are a mapping; ExpressionError otherwise."""
    if not isinstance(replacements, (dict, Mapping)):
        raise ExpressionError(
            f"subs takes a mapping, such as {{'m1': 2}}, got {brief(replacements)}."
        )


def substitute(outputs: Iterable[Expr], replacements: Mapping[Any, Any]) -> list[Expr]:
    """Replace symbols (by name or node) or whole nodes in every output, all at once.

    >>> from equamo.algebra.expr import parse
    >>> substitute([parse("x + y")], {"x": "y", "y": 2})
    [y + 2]
    """
    from .convert import as_expr

    check_replacements(replacements)
    new: dict[Expr, Expr] = {
        (symbol(k) if isinstance(k, str) else k): as_expr(v) for k, v in replacements.items()
    }
    roots = list(outputs)
    if not new:
        return roots
    for n in walk(roots):
        if n in new or n.op <= LAST_LEAF:
            continue
        a = new.get(n.a)
        if FIRST_BINARY <= n.op < FIRST_FUNCTION:
            b = new.get(n.b)
            if a is not None or b is not None:
                new[n] = rebuild(n, n.a if a is None else a, n.b if b is None else b)
        elif a is not None:
            new[n] = rebuild(n, a, None)
    return [new.get(y, y) for y in roots]
