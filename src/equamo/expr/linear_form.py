"""An argument of sin and cos as a rational combination of distinct monomials.

`R*(a - b)/L` is R·a/L − R·b/L: two monomials. What does not expand within the limit (or is no
polynomial) is a monomial by itself, so the answer is always right, at worst coarse.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from .graph import ADD, CONST, DIV, MUL, NEG, PI, POW, SUB, SYMBOL, Expr
from .walk import walk

# {(atom, exponent), …}; an atom is a node, or ("sum", …) for the reciprocal of a sum
Monomial = frozenset[tuple[Any, int]]
LinearForm = Mapping[Monomial, Fraction]

ONE_RADIAN: Final[Monomial] = frozenset()
LIMIT: Final = 200  # terms, and the largest exponent that is multiplied out


def linear_form(x: Expr) -> LinearForm:
    """{monomial: coefficient} with x = Σ coefficient·monomial.

    >>> from equamo.expr import parse
    >>> sorted(map(str, linear_form(parse("R*(a - b)/L/2")).values()))
    ['-1/2', '1/2']
    """
    form: dict[Expr, dict[Monomial, Fraction]] = {}
    for n in walk([x]):
        op = n.op
        result: dict[Monomial, Fraction] | None = None
        if op == CONST:
            result = {ONE_RADIAN: Fraction(n.a)} if n.a else {}
        elif op in (ADD, SUB):
            result = _sum(form[n.a], form[n.b], 1 if op == ADD else -1)
        elif op == NEG:
            result = {m: -c for m, c in form[n.a].items()}
        elif op == MUL:
            result = _product(form[n.a], form[n.b])
        elif op == POW and n.b <= LIMIT:
            result = _power(form[n.a], n.b)
        elif op == DIV:
            result = _product(form[n.a], _reciprocal(form[n.b]))
        elif op in (SYMBOL, PI):
            result = {frozenset({(n, 1)}): Fraction(1)}
        form[n] = {frozenset({(n, 1)}): Fraction(1)} if result is None else result
    return form[x]


def _sum(
    a: dict[Monomial, Fraction], b: dict[Monomial, Fraction], sign: int
) -> dict[Monomial, Fraction]:
    out = dict(a)
    for m, c in b.items():
        total = out.get(m, Fraction(0)) + sign * c
        if total:
            out[m] = total
        else:
            del out[m]
    return out


def _times(m: Monomial, n: Monomial) -> Monomial:
    exponents: dict[Any, int] = dict(m)
    for atom, e in n:
        exponents[atom] = exponents.get(atom, 0) + e
    return frozenset((atom, e) for atom, e in exponents.items() if e)


def _product(
    a: dict[Monomial, Fraction], b: dict[Monomial, Fraction] | None
) -> dict[Monomial, Fraction] | None:
    if b is None or len(a) * len(b) > LIMIT:
        return None
    out: dict[Monomial, Fraction] = {}
    for m, c in a.items():
        out = _sum(out, {_times(m, n): c * d for n, d in b.items()}, 1)
    return out


def _power(a: dict[Monomial, Fraction], n: int) -> dict[Monomial, Fraction] | None:
    if len(a) == 1:  # of one monomial
        ((m, c),) = a.items()
        return {frozenset((atom, e * n) for atom, e in m): c**n}
    out: dict[Monomial, Fraction] | None = {ONE_RADIAN: Fraction(1)}
    for _ in range(n):
        out = None if out is None else _product(out, a)
    return out


def _reciprocal(a: dict[Monomial, Fraction]) -> dict[Monomial, Fraction] | None:
    if not a:
        return None
    if len(a) == 1:
        ((m, c),) = a.items()
        return {frozenset((atom, -e) for atom, e in m): 1 / c}
    # 1/(L + d) and 1/(2L + 2d) share an atom: the sum is scaled to sum of |coefficients| 1, its
    # sign fixed by a coefficient that does not depend on the order of the terms.
    scale = sum((abs(c) for c in a.values()), Fraction(0))
    atom = ("sum", frozenset((m, c / scale) for m, c in a.items()))
    flipped = ("sum", frozenset((m, -c / scale) for m, c in a.items()))
    if _positive_terms(flipped[1]) > _positive_terms(atom[1]):
        atom, scale = flipped, -scale
    return {frozenset({(atom, -1)}): 1 / scale}


def _positive_terms(terms: frozenset[tuple[Monomial, Fraction]]) -> tuple[int, Fraction]:
    positive = [c for _, c in terms if c > 0]
    return len(positive), sum(positive, Fraction(0))
