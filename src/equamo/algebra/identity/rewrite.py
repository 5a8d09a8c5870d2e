"""Rewriting before a proof: tan, abs, √x²ᵏ, and sin and cos of inverse functions.

The result contains rational operations, sin and cos of plain angles, square roots, and functions that
the proof treats as opaque.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from ...errors import ExpressionError
from ..expr.functions import ABS, BY_NAME, COS, SIN, SQRT, TAN, cos, sign, sin, sqrt
from ..expr.graph import (
    ATAN2,
    CONST,
    FIRST_BINARY,
    FIRST_FUNCTION,
    LAST_LEAF,
    MUL,
    ONE,
    POW,
    ZERO,
    Expr,
    constant,
)
from ..expr.linear_form import Form, linear_form
from ..expr.rules import add, div, mul, neg, power, sub
from ..expr.substitute import rebuild
from ..expr.walk import walk

_ASIN: Final = BY_NAME["asin"].opcode
_ACOS: Final = BY_NAME["acos"].opcode
_ATAN: Final = BY_NAME["atan"].opcode
_INVERSE: Final = {_ASIN, _ACOS, _ATAN, ATAN2}
_REWRITTEN: Final = {TAN, ABS, SQRT, *_INVERSE}
_MAX_MULTIPLE: Final = 32  # cos(k·atan2(…)) is expanded up to this k


def rewrite(outputs: Iterable[Expr]) -> list[Expr]:
    """Rewrite the outputs without tan, abs and, if possible, inverse functions.

    >>> from equamo.algebra.expr import parse
    >>> rewrite([parse("cos(atan2(y, x))")])
    [x/sqrt(x**2 + y**2)]
    """
    return rewrite_with_walk(outputs)[0]


def rewrite_with_walk(outputs: Iterable[Expr]) -> tuple[list[Expr], list[Expr]]:
    """Rewrite the outputs; return (rewritten outputs, a walk over them)."""
    roots = list(outputs)
    order = walk(roots)
    if _REWRITTEN.isdisjoint({n.op for n in order}):
        return roots, order
    new: dict[Expr, Expr] = {}
    known: dict[Expr, Form] = {}
    for n in order:
        if n.op <= LAST_LEAF:
            new[n] = n
            continue
        try:
            if FIRST_BINARY <= n.op < FIRST_FUNCTION:
                new[n] = rebuild(n, new[n.a], new[n.b])
            else:
                new[n] = _unary(n, new[n.a], known)
        except ExpressionError:  # a division by zero appears: defined nowhere, left unchanged
            new[n] = n
    rewritten = [new[y] for y in roots]
    return rewritten, walk(rewritten)


def _unary(n: Expr, x: Expr, known: dict[Expr, Form]) -> Expr:
    if n.op == TAN:
        c, s = _cos_sin(x, known)
        return div(s, c)
    if n.op == ABS:
        return mul(x, sign(x))
    if n.op in (SIN, COS):
        c, s = _cos_sin(x, known)
        return c if n.op == COS else s
    if n.op == SQRT:
        return _square_root(x)
    return rebuild(n, x, None)


def _square_root(x: Expr) -> Expr:
    if x.op == MUL and x.a.op == CONST:  # √(c·x) = √c·√x, c > 0
        return mul(sqrt(x.a), _square_root(x.b))
    if x.op == POW and x.b % 2 == 0:  # √x²ᵏ = |x|ᵏ
        k = x.b // 2
        root = power(x.a, constant(k))
        return mul(root, sign(x.a)) if k % 2 else root
    return sqrt(x)


def _cos_sin(x: Expr, known: dict[Expr, Form]) -> tuple[Expr, Expr]:
    """(cos x, sin x), with integer multiples of inverse functions in x resolved."""
    parts: list[tuple[Expr, int]] = []
    for monomial, factor in linear_form(x, known).items():
        atoms: Sequence[tuple[object, int]] = list(monomial)
        if len(atoms) != 1 or factor.denominator != 1 or abs(factor) > _MAX_MULTIPLE:
            continue
        atom, exponent = atoms[0]
        if exponent == 1 and isinstance(atom, Expr) and atom.op in _INVERSE:
            parts.append((atom, int(factor)))
    for atom, k in parts:
        x = sub(x, mul(constant(k), atom))
    if linear_form(x, known):
        c, s = cos(x), sin(x)
    else:
        c, s = ONE, ZERO
    for atom, k in parts:
        c1, s1 = _of_inverse(atom)
        if k < 0:
            s1 = neg(s1)
        for _ in range(abs(k)):
            c, s = sub(mul(c, c1), mul(s, s1)), add(mul(s, c1), mul(c, s1))
    return c, s


def _of_inverse(n: Expr) -> tuple[Expr, Expr]:
    """(cos n, sin n) of an inverse function n."""
    if n.op == ATAN2:
        r = _square_root(add(mul(n.b, n.b), mul(n.a, n.a)))
        return div(n.b, r), div(n.a, r)
    u = n.a
    if n.op == _ATAN:
        r = _square_root(add(ONE, mul(u, u)))
        return div(ONE, r), div(u, r)
    w = _square_root(sub(ONE, mul(u, u)))
    return (w, u) if n.op == _ASIN else (u, w)
