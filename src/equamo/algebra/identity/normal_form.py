"""Expressions as straight-line programs need them: + − × ÷ and roots of variables, nothing else.

Cosine and sine of an angle are two variables on a circle, sums of angles are written by the addition
formulas, and a function that the proof does not look into is a variable. Two such functions, or roots,
of arguments that are equal in another form become one; that the arguments are equal is then a lemma.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Final, final

from ...basics.wording import at_most, brief
from ..expr.fingerprint import same
from ..expr.functions import COS, SIN, SQRT, TABLE, sqrt
from ..expr.graph import (
    ATAN2,
    CONST,
    FIRST_BINARY,
    FIRST_FUNCTION,
    ONE,
    PI,
    SYMBOL,
    ZERO,
    Expr,
    constant,
    internal,
)
from ..expr.linear_form import Monomial
from ..expr.rules import add, mul, neg, sub
from ..expr.substitute import rebuild
from .point import Points
from .rewrite import rewrite_with_walk

_LONGEST: Final = 80  # characters of the name of a variable
Pair = tuple[Expr, Expr]  # cosine and sine; or the two sides of a lemma


@final
@dataclass
class NormalForm:
    """Expressions in normal form, the circles of their angles, and the lemmas that they rest on."""

    outputs: list[Expr]
    circles: dict[str, Pair]  # name of the angle -> its cosine and sine
    lemmas: list[Pair]  # arguments that were taken to be equal


def normal_form(outputs: Iterable[Expr], unit: Sequence[Sequence[Expr]] = ()) -> NormalForm:
    """The outputs in normal form; `unit` are groups of symbols whose squares sum to 1.

    >>> from equamo.algebra.expr import parse
    >>> form = normal_form([parse("cos(2*q)*tanh(u)")])
    >>> list(form.circles), [x.a for x in form.circles["q"]]
    (['q'], ['cos(q)', 'sin(q)'])
    """
    roots, order = rewrite_with_walk(outputs)
    points = Points(roots, unit, order)
    writer = _Writer(points)
    for n in points.order:
        writer.write(n)
    return NormalForm([writer.new[y] for y in roots], writer.circles.by_name, writer.lemmas)


class _Circles:
    """Cosine and sine of every argument, by those of its monomials."""

    def __init__(self, points: Points) -> None:
        self.points = points
        self.by_name: dict[str, Pair] = {}
        self._base = {m: self._circle(m, d) for m, d in points.denominators.items()}
        self._known: dict[Expr, Pair] = {}

    def _circle(self, m: Monomial, denominator: int) -> Pair:
        """Two variables for the monomial over its common denominator."""
        name = fresh(_monomial_name(m, denominator), self.by_name)
        self.by_name[name] = internal("circle", f"cos({name})"), internal("circle", f"sin({name})")
        return self.by_name[name]

    def of(self, argument: Expr) -> Pair:
        """(cos, sin) of an argument that occurs in the expressions."""
        if argument not in self._known:
            z = _turn(self.points.turns[argument])
            for m, k in self.points.multiples(argument).items():
                z = _times(z, _power(self._base[m], k))
            self._known[argument] = z
        return self._known[argument]


@dataclass
class _Writer:
    points: Points
    new: dict[Expr, Expr] = field(default_factory=dict[Expr, Expr])
    lemmas: list[Pair] = field(default_factory=list[Pair])

    def __post_init__(self) -> None:
        self.circles = _Circles(self.points)
        # (operation, arguments before and after, what it became)
        self._functions: dict[int, list[tuple[Expr, tuple[Expr, ...], Expr]]] = {}
        self._names: dict[str, Any] = {}

    def write(self, n: Expr) -> None:
        """The normal form of a node whose operands have theirs."""
        op = n.op
        if op in (CONST, SYMBOL):
            self.new[n] = n
        elif op == PI:
            self.new[n] = internal("number", "pi")
        elif op in (SIN, COS):
            self.new[n] = self.circles.of(n.a)[0 if op == COS else 1]
        elif op >= FIRST_FUNCTION or op == ATAN2:
            self.new[n] = self._function(n)
        elif FIRST_BINARY <= op < FIRST_FUNCTION:
            self.new[n] = rebuild(n, self.new[n.a], self.new[n.b])
        else:
            self.new[n] = rebuild(n, self.new[n.a], None)

    def _function(self, n: Expr) -> Expr:
        old = (n.a, n.b) if n.op == ATAN2 else (n.a,)
        arguments = tuple(self.new[x] for x in old)
        known = self._functions.setdefault(n.op, [])
        parity = None if n.op in (SQRT, ATAN2) else TABLE[n.op].parity
        for before, args, became in known:
            others = (before.a, before.b) if n.op == ATAN2 else (before.a,)
            if args == arguments:
                return became
            if all(map(_same, others, old)):
                self.lemmas += zip(args, arguments, strict=True)
                return became
            if parity is not None and _same(neg(others[0]), old[0]):
                self.lemmas.append((neg(args[0]), arguments[0]))
                return neg(became) if parity == "odd" else became
        if n.op == SQRT:
            made = sqrt(arguments[0])
        else:
            name = fresh(brief(n, _LONGEST), self._names)
            self._names[name] = made = internal("function", name)
        known.append((n, arguments, made))
        return made


def _same(a: Expr, b: Expr) -> bool:
    """Whether two arguments seem to be equal; two different symbols never are."""
    if a is b:
        return True
    return (a.op != SYMBOL or b.op != SYMBOL) and same(a, b)


def _turn(turn: Fraction) -> Pair:
    """(cos, sin) of turn·π for a multiple of an eighth turn"""
    eighths = int(4 * turn) % 8
    quarter = ((ONE, ZERO), (ZERO, ONE), (neg(ONE), ZERO), (ZERO, neg(ONE)))[eighths // 2]
    if eighths % 2 == 0:
        return quarter
    half_root = mul(sqrt(constant(2)), constant(Fraction(1, 2)))
    return _times(quarter, (half_root, half_root))


def _times(a: Pair, b: Pair) -> Pair:
    """cos and sin of a sum of angles"""
    return sub(mul(a[0], b[0]), mul(a[1], b[1])), add(mul(a[0], b[1]), mul(a[1], b[0]))


def _power(z: Pair, k: int) -> Pair:
    """cos and sin of k times an angle"""
    if k < 0:
        z, k = (z[0], neg(z[1])), -k
    result = (ONE, ZERO)
    while k:
        if k & 1:
            result = _times(result, z)
        z, k = _times(z, z) if k > 1 else z, k >> 1
    return result


def _monomial_name(m: Monomial, denominator: int) -> str:
    factors = sorted(
        (brief(atom, _LONGEST) if isinstance(atom, Expr) else "sum", e) for atom, e in m
    )
    over = [f"{x}**{-e}" if e < -1 else x for x, e in factors if e < 0]
    over += [str(denominator)] if denominator > 1 else []
    up = "*".join(f"{x}**{e}" if e > 1 else x for x, e in factors if e > 0) or "1"
    below = "*".join(over)
    return at_most(
        f"{up}/({below})" if len(over) > 1 else f"{up}/{below}" if over else up, _LONGEST
    )


def fresh(name: str, taken: Container[str]) -> str:
    """The name, with a number if it is taken."""
    if name not in taken:
        return name
    k = 2
    while f"{name} no. {k}" in taken:
        k += 1
    return f"{name} no. {k}"
