"""Choices of parameters that would make a wrong entry true, such as `holds if I_1 = I_2`."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import combinations
from typing import Final

from ...algebra.expr import TWO, ZERO, Expr
from ...algebra.expr.substitute import substitute
from ...algebra.expr.walk import symbols
from ...algebra.identity import prove_zero
from ...errors import ExpressionError
from .field import field_values
from .terms import monomial_count

MAX_SYMBOLS: Final = 16
MAX_FOUND: Final = 3


def holds_if(
    residual: Expr, derived: Expr, state: Collection[Expr], unit: Sequence[Sequence[Expr]],
    units: Mapping[Expr, str] | None = None,
) -> tuple[str, ...]:  # fmt: skip
    """Conditions a = b (same unit), a = 2*b or a = 0 on parameters for which the residual vanishes.

    >>> from equamo.algebra.expr import parse
    >>> holds_if(parse("(I_1 - I_2)*sin(phi)"), parse("I_1"), [parse("phi")], ())
    ('I_1 = I_2',)
    """
    names = [x for x in symbols([residual]) if x not in state][:MAX_SYMBOLS]
    table = units or {}
    choices: list[tuple[str, Expr, Expr]] = []
    for a, b in combinations(names, 2):
        if a in table and b in table and table[a] != table[b]:
            continue
        choices.append((f"{a} = {b}", a, b))
        choices += [(f"{a} = 2*{b}", a, TWO * b), (f"{b} = 2*{a}", b, TWO * a)]
    if monomial_count(residual) > 1:  # a single product vanishes with any of its factors
        choices += [(f"{a} = 0", a, ZERO) for a in names]
    candidates: list[tuple[str, Expr, Expr]] = []
    for text, x, y in choices:
        try:
            rest, whole = substitute([residual, derived], {x: y})
        except ExpressionError:  # a division by zero
            continue
        candidates.append((text, rest, whole))
    values = field_values([e for _, *pair in candidates for e in pair])
    conditions: list[str] = []
    for k, (text, rest, _) in enumerate(candidates):
        # A condition is of no interest if both sides vanish with it.
        if values[2 * k] == 0 and values[2 * k + 1] != 0 and prove_zero(rest, unit=unit):
            conditions.append(text)
            if len(conditions) == MAX_FOUND:
                break
    return tuple(conditions)
