"""An argument of sin and cos as a rational combination of distinct monomials.

`R*(a - b)/L` is R·a/L − R·b/L: two monomials. A node that does not expand within the limits on terms
and digits, or is not a polynomial, is a monomial by itself: the result is always correct, at worst
coarse.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, Final

from .graph import ADD, CONST, DIV, MAX_NUMBER_BITS, MUL, NEG, POW, SUB, Expr

# {(atom, exponent), …}; an atom is a node, or ("sum", …) for the reciprocal of a sum
Monomial = frozenset[tuple[Any, int]]
LinearForm = Mapping[Monomial, Fraction]
Form = dict[Monomial, Fraction]

ONE_RADIAN: Final[Monomial] = frozenset()
# Terms of a product, atoms of a monomial, and the largest exponent that is multiplied out.
LIMIT: Final = 200
MAX_TERMS: Final = 300  # of a sum
_ARITHMETIC: Final = (ADD, SUB, NEG, MUL, DIV, POW)


def linear_form(x: Expr, known: dict[Expr, Form] | None = None) -> LinearForm:
    """{monomial: coefficient} with x = Σ coefficient·monomial.

    `known` caches the forms of all nodes below x, for further arguments that share them.

    >>> from equamo.algebra.expr import parse
    >>> sorted(map(str, linear_form(parse("R*(a - b)/L/2")).values()))
    ['-1/2', '1/2']
    """
    form: dict[Expr, Form] = {} if known is None else known
    # Nodes below a function are not visited, so that nested functions take linear time.
    stack = [x]
    while stack:
        n = stack[-1]
        if n not in form:
            waiting = [a for a in n.args if a not in form] if n.op in _ARITHMETIC else []
            if waiting:
                stack += waiting
                continue
            result = _combined(n, form)
            if result is None or len(result) > MAX_TERMS:
                result = {frozenset({(n, 1)}): Fraction(1)}
            form[n] = result
        stack.pop()
    return form[x]


def _combined(n: Expr, form: Mapping[Expr, Form]) -> Form | None:
    """Form of a node from those of its operands; None if it has none or is too large."""
    op = n.op
    if op == CONST:
        return {ONE_RADIAN: Fraction(n.a)} if n.a else {}
    if op in (ADD, SUB):
        return _sum(form[n.a], form[n.b], 1 if op == ADD else -1)
    if op == NEG:
        return {m: -c for m, c in form[n.a].items()}
    if op == MUL:
        return _product(form[n.a], form[n.b])
    if op == POW and n.b <= LIMIT:
        return _power(form[n.a], n.b)
    if op == DIV:
        return _product(form[n.a], _reciprocal(form[n.b]))
    return None


def _too_long(c: Fraction, times: int = 1) -> bool:
    return max(c.numerator.bit_length(), c.denominator.bit_length()) * times > MAX_NUMBER_BITS


def _sum(a: Form, b: Form, sign: int) -> Form | None:
    out = dict(a)
    for m, c in b.items():
        total = out[m] + sign * c if m in out else sign * c
        if _too_long(total):
            return None
        if total:
            out[m] = total
        else:
            out.pop(m, None)
    return out


def _times(m: Monomial, n: Monomial) -> Monomial:
    exponents: dict[Any, int] = dict(m)
    for atom, e in n:
        exponents[atom] = exponents.get(atom, 0) + e
    return frozenset((atom, e) for atom, e in exponents.items() if e)


def _product(a: Form, b: Form | None) -> Form | None:
    if b is None or len(a) * len(b) > LIMIT:
        return None
    if max(map(len, a), default=0) + max(map(len, b), default=0) > LIMIT:
        return None
    out: Form | None = {}
    for m, c in a.items():
        out = _sum(out, {_times(m, n): c * d for n, d in b.items()}, 1)
        if out is None:
            return None
    return out


def _power(a: Form, n: int) -> Form | None:
    if len(a) == 1:  # of one monomial
        ((m, c),) = a.items()
        if _too_long(c, n):
            return None
        return {frozenset((atom, e * n) for atom, e in m): c**n}
    out: Form | None = {ONE_RADIAN: Fraction(1)}
    for _ in range(n):
        out = None if out is None else _product(out, a)
    return out


def _reciprocal(a: Form) -> Form | None:
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
