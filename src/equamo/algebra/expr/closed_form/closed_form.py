"""Short readable forms: exact, on request, within a budget.

    cos(q1)*cos(q2) - sin(q1)*sin(q2)            →  cos(q1 + q2)
    m*s**2*sin(q)**2 + m*s**2*cos(q)**2          →  m*s**2

In three steps: the expression as a polynomial modulo s² + c² = 1 (`polynomial`), the shortest
factored form of that polynomial (`collect`), and a comparison of the result with the expression at
a point of a finite field (`fingerprint`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from math import lcm
from numbers import Real
from typing import Any, Final, final

from ....basics.wording import brief
from ....errors import ExpressionError
from ..angles import combination
from ..fingerprint import same
from ..functions import COS, SIN, TAN, apply_atan2, cos, sin
from ..graph import (
    ADD,
    ATAN2,
    CONST,
    FIRST_BINARY,
    FIRST_FUNCTION,
    LAST_LEAF,
    MUL,
    ONE,
    SUB,
    ZERO,
    Expr,
    constant,
)
from ..printing.reading_order import in_order
from ..rules import div, mul, power
from ..substitute import rebuild
from ..walk import walk
from .collect import Collector
from .forms import BRACKET, Prices, nested_fractions, operations, price, ratio
from .polynomial import OverBudget, TrigRing, Work
from .trigonometry import Angles, Poly

DEFAULT_BUDGET: Final = 1_000_000
UNITS_OF_TERM: Final = 5_000  # per term of the normal form
UNITS_OF_SEARCH: Final = 40  # per term that is rewritten in the search for a short form
ANGLE_BUDGET: Final = 50_000  # per argument such as R*a/L − R*b/L
MAX_DEGREE: Final = 60  # per generator


def closed_form(expr: Expr, budget: int = DEFAULT_BUDGET) -> Expr:
    """Short readable form of the expression, or the expression itself if the budget runs out.

    The budget counts work, not seconds, so that the result is the same everywhere. The normal form
    costs 1 per product of two terms and 5,000 per term of the result: with the default it can have 200
    terms. The search for its shortest form has the same budget again and costs 40 per rewritten term;
    when that runs out, the shortest form so far is taken. The default is enough for the Coriolis terms
    of an arm with three joints, in a second or two at most.

    >>> from equamo.algebra.expr import parse
    >>> closed_form(parse("cos(q1)*cos(q2) - sin(q1)*sin(q2)"))
    cos(q1 + q2)
    >>> closed_form(parse("(a + b)**2 - a**2"))
    b*(2*a + b)
    """
    form = closed_form_or_none(expr, budget)
    return expr if form is None else form


def closed_forms(exprs: Iterable[Expr], budget: int = DEFAULT_BUDGET) -> list[Expr]:
    """Closed forms of several expressions, with this budget for each."""
    return [closed_form(x, budget) for x in exprs]


def closed_form_or_none(expr: Expr, budget: int = DEFAULT_BUDGET) -> Expr | None:
    """Short readable form of the expression; None if the budget runs out.

    >>> from equamo.algebra.expr import parse
    >>> closed_form_or_none(parse("(a + b + c + d + e + f)**20")) is None
    True
    """
    return closed_form_and_work(expr, budget)[0]


def closed_form_and_work(expr: Expr, budget: int = DEFAULT_BUDGET) -> tuple[Expr | None, int]:
    """(closed form or None, work spent), to limit the total work for several expressions."""
    limits = _Budget(budget)
    try:
        form = _shortest(_with_closed_arguments(expr, limits), limits)
    except (OverBudget, ExpressionError):
        return None, limits.spent
    return expr if operations(expr) < operations(form) else in_order(form), limits.spent


@final
class _Budget:
    """Remaining work for normal forms and for the search."""

    def __init__(self, budget: int) -> None:
        if not isinstance(budget, Real) or budget != budget:
            raise ExpressionError(f"budget must be a number, got {brief(budget)}.")
        self.whole = budget
        self.work = Work(budget)
        self.search = Work(budget // UNITS_OF_SEARCH)

    @property
    def spent(self) -> int:
        """Work for the normal form and for the search."""
        left = self.work.left + UNITS_OF_SEARCH * max(self.search.left, 0)
        return 2 * self.whole - left


def _with_closed_arguments(expr: Expr, budget: _Budget) -> Expr:
    """Expression with the arguments of its functions in closed form.

    `linear_form` already normalises arguments of sin and cos, unless they contain functions.
    """
    new: dict[Expr, Expr] = {}
    nested: set[Expr] = set()  # nodes that contain a function
    order = walk([expr])
    budget.work.spend(len(order))
    for n in order:
        if n.op <= LAST_LEAF:
            new[n] = n
            continue
        a = new[n.a]
        b = new[n.b] if FIRST_BINARY <= n.op < FIRST_FUNCTION else None
        if n.op == ATAN2:
            assert b is not None
            new[n] = apply_atan2(_shortest_or_same(a, budget), _shortest_or_same(b, budget))
        else:
            if n.op >= FIRST_FUNCTION and (n.op not in (SIN, COS) or n.a in nested):
                a = _shortest_or_same(a, budget)
            new[n] = rebuild(n, a, b)
        if n.op >= ATAN2 or any(x in nested for x in n.args):
            nested.add(n)
    return new[expr]


def _is_plain(x: Expr) -> bool:
    """Whether x is a symbol, or a number times a symbol."""
    return x.op <= LAST_LEAF or (x.op == MUL and x.a.op == CONST and x.b.op <= LAST_LEAF)


def _shortest_or_same(expr: Expr, budget: _Budget) -> Expr:
    if expr.op <= LAST_LEAF:
        return expr
    try:
        return _shortest(expr, budget)
    except OverBudget:  # this argument is too long; the others may be short enough
        return expr


def _shortest(expr: Expr, budget: _Budget) -> Expr:
    """Shortest of the candidates; the expression itself if that candidate is not equal to it."""
    best: Expr | None = None
    for form in _candidates(expr, budget):
        if best is None or (price(form), form.h) < (price(best), best.h):
            best = form
    assert best is not None
    return best if same(expr, best) else expr


def _candidates(expr: Expr, budget: _Budget) -> Iterator[Expr]:
    yield from _from_ring(expr, budget)
    tangents = [n for n in walk([expr]) if n.op == TAN]
    if tangents:
        rational = expr.subs({n: div(sin(n.a), cos(n.a)) for n in tangents})
        yield from _from_ring(rational, budget)


def _from_ring(expr: Expr, budget: _Budget) -> Iterator[Expr]:
    ring = TrigRing(expr, budget.work)
    p = ring.result
    if p.is_zero():
        yield ZERO
        return
    reader = _Reader(ring, budget)
    if not ring.divisors:
        yield reader.read(p)
        return
    top, bottom = ring.over_factors(p)
    try:
        form = reader.read(p)
        yield form
        yield from _with_single_bars(form, budget)
    except OverBudget:
        if not bottom:
            raise
    yield ZERO if top.is_zero() else reader.quotient(top, bottom)


def _with_single_bars(form: Expr, budget: _Budget) -> Iterator[Expr]:
    """Form in which nested fractions in its terms are written with one fraction bar."""
    new: dict[Expr, Expr] = {}
    for n in nested_fractions(walk([form])):
        ring = TrigRing(n, budget.work)
        new[n] = _Reader(ring, budget).quotient(*ring.over_factors(ring.result))
    if new and form not in new:
        yield form.subs(new)


@final
class _Reader:
    """Converter of the polynomials of one ring to short expressions."""

    def __init__(self, ring: TrigRing, budget: _Budget) -> None:
        n = len(ring.generators)
        self._ring = ring
        self._budget = budget
        self._angles = Angles(n, ring.angles, self._new_angle)
        room = self._angles.size - n
        self._padding = bytes(room)
        self._generators: list[Expr] = [ZERO if g is None else g for g in ring.generators]
        self._generators += [ZERO] * room
        inverse = {
            r: d.degrees().index(1) for r, d in ring.divisors.items() if ring.is_generator(d)
        }
        prices = [price(g) for g in self._generators]
        self._prices = Prices(prices, frozenset(ring.divisors), inverse)
        self._collector = Collector(self._prices, self._angles)
        for index, d in ring.divisors.items():
            x = self.read(d)
            self._generators[index] = div(ONE, x)
            self._prices.generator[index] = price(x) + (BRACKET if x.op in (ADD, SUB) else 0)

    def _new_angle(self, vector: tuple[int, ...], s: int, c: int) -> None:
        angle = combination(zip(self._ring.base, vector, strict=True))
        if any(n and not _is_plain(x) for x, n in zip(self._ring.base, vector, strict=True)):
            angle = _shortest_or_same(angle, _Budget(ANGLE_BUDGET))  # R*a/L − R*b/L
        for index, x in ((s, sin(angle)), (c, cos(angle))):
            self._generators[index] = x
            self._prices.generator[index] = price(x)

    def quotient(self, top: Any, bottom: list[tuple[Any, int]]) -> Expr:
        """Short form of a fraction with the factors of its denominator."""
        below = ONE
        for d, k in bottom:
            below = mul(below, power(self.read(d), constant(k)))
        return div(self.read(top), below)

    def read(self, p: Any) -> Expr:
        """Shortest form found for a nonzero polynomial."""
        self._budget.work.spend(UNITS_OF_TERM * len(p))
        if max(p.degrees()) > MAX_DEGREE:
            raise OverBudget
        terms = p.to_dict()
        scale = lcm(*(int(c.q) for c in terms.values()))
        body: Poly = {bytes(m) + self._padding: int(c * scale) for m, c in terms.items()}
        c, factors = self._collector.search(body, self._budget.search)
        return self._prices.to_expr((ratio(c, scale), factors), self._generators)
