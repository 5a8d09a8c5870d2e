"""Readable forms (sums of products of powers) and their prices, which measure readability.

The price counts operations as SymPy's `count_ops` does: every + − × ÷, power and function is one. A
pair of brackets costs as much as an operation. Ties are decided by fewer symbols, then fewer brackets,
then shorter numbers: of

    m*(a**2 + b*(b + 2*c))      and      m*(a**2 + b**2 + 2*b*c)

the second wins, with one more operation and one pair of brackets less. A nested fraction,
g*(m/M + 1)/L, costs more than a pair of brackets: g*(M + m)/(L*M) wins.

Factoring never introduces fractions: a number is only pulled out of a bracket if it cancels with no
denominator that stays inside. So m + 4*n is not 4*(m/4 + n).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from math import gcd, lcm
from typing import Final, final

from ..functions import COS, TABLE, sin, tan
from ..graph import (
    ADD,
    ATAN2,
    CONST,
    DIV,
    FIRST_FUNCTION,
    LAST_LEAF,
    MUL,
    NEG,
    ONE,
    POW,
    SUB,
    Expr,
    constant,
)
from ..printing.reading_order import ordered_product, ordered_sum
from ..rules import div, mul
from ..walk import walk

OPERATION: Final = 1 << 20
BRACKET: Final = OPERATION + (1 << 9)
NESTED: Final = BRACKET + OPERATION // 2  # a nested fraction
SYMBOL_PRICE: Final = 1 << 12
PLAIN_DENOMINATOR: Final = 16


@final
class Sum:
    """Sum of products, whose factors are generators (by number) or again sums."""

    __slots__ = ("has_fraction", "price", "terms")

    def __init__(self, terms: tuple[Product, ...], price: int, has_fraction: bool = False) -> None:
        self.terms: tuple[Product, ...] = terms
        self.price: int = price
        self.has_fraction: bool = has_fraction  # whether a term contains a generator 1/d


Factor = tuple["int | Sum", int]  # (base, exponent)
Number = int | Fraction  # an int if possible, which is faster
Product = tuple[Number, tuple[Factor, ...]]  # (coefficient, factors)


def whole(c: Number) -> Number:
    """Convert a number to int if it is an integer."""
    return c.numerator if c.denominator == 1 else c


def ratio(a: Number, b: Number) -> Number:
    """Exact quotient a/b."""
    c = Fraction(a) / b
    return c.numerator if c.denominator == 1 else c


def number_price(c: Number, alone: bool = False) -> int:
    """Price of a coefficient: 2·x and x/2 one operation, 2·x/3 two; 2/3 alone costs one."""
    size = c.numerator.bit_length() + c.denominator.bit_length()
    if alone:
        return (c.denominator != 1) * OPERATION + size
    if abs(c) == 1:
        return 0
    return (1 + (abs(c.numerator) != 1 and c.denominator != 1)) * OPERATION + size


@final
class Prices:
    """Prices of products and sums for given prices of the generators."""

    def __init__(
        self,
        generators: Sequence[int],
        reciprocals: frozenset[int] = frozenset(),
        inverse: Mapping[int, int] | None = None,
    ) -> None:
        self.generator: list[int] = list(generators)
        self.reciprocals = (
            reciprocals  # generators 1/d, priced as d: the division in x·(1/d) counts once
        )
        self.inverse: Mapping[int, int] | dict[int, int] = (
            inverse or {}
        )  # {number of 1/x: number of x}, for generators x
        self._sums: dict[frozenset[Product], Sum] = {}

    def base(self, b: int | Sum) -> int:
        return self.generator[b] if isinstance(b, int) else b.price + BRACKET

    def product(self, p: Product) -> int:
        c, factors = p
        if not factors:
            return number_price(c, alone=True)
        if len(factors) == 1 and factors[0][1] == 1 and isinstance(factors[0][0], Sum):
            return self.sum(((whole(c * d), f) for d, f in factors[0][0].terms)).price
        price = (len(factors) - 1) * OPERATION + number_price(c)
        for b, e in factors:
            price += self.base(b) + (e > 1) * OPERATION
        if self.reciprocals:
            below = sum(b in self.reciprocals for b, _ in factors)
            if below == len(factors):
                price += OPERATION
            elif below and any(isinstance(b, Sum) and b.has_fraction for b, _ in factors):
                price += NESTED
        return price

    def sum(self, products: Iterable[Product]) -> Sum:
        """Sum of products, without redundant brackets."""
        flat: list[Product] = []
        for c, factors in products:
            if len(factors) == 1 and factors[0][1] == 1 and isinstance(factors[0][0], Sum):
                inner = factors[0][0].terms
                flat += inner if c == 1 else [self._scaled(whole(c * d), f) for d, f in inner]
            else:
                flat.append((c, factors))
        key = frozenset(flat)
        known = self._sums.get(key)
        if known is None:
            price = (len(flat) - 1) * OPERATION
            for p in flat:
                price += self.product(p)
            has_fraction = bool(self.reciprocals) and any(map(self._has_fraction, flat))
            known = self._sums[key] = Sum(tuple(flat), price, has_fraction)
        return known

    def _has_fraction(self, p: Product) -> bool:
        return any(b.has_fraction if isinstance(b, Sum) else b in self.reciprocals for b, _ in p[1])

    def times(self, a: Product, b: Product) -> Product:
        """Product of two products, with its numbers placed where they cost least."""
        exponents: dict[int | Sum, int] = {}
        for base, e in (*a[1], *b[1]):
            exponents[base] = exponents.get(base, 0) + e
        form = self._scaled(whole(a[0] * b[0]), tuple(exponents.items()))
        return self._over_one_bar(form) if self.inverse else form

    def _over_one_bar(self, p: Product) -> Product:
        """(a + b·(1/x))·(1/d) as (a·x + b)·(1/x)·(1/d), if that is cheaper."""
        for b, e in p[1]:
            if isinstance(b, int) or not b.has_fraction:
                continue
            if not any(x in self.reciprocals for x, _ in p[1]):
                break
            powers: dict[int, int] = {}  # highest power of each 1/x in a term
            for x, k in (factor for _, factors in b.terms for factor in factors):
                if isinstance(x, int) and x in self.inverse:
                    powers[x] = max(k, powers.get(x, 0))
            outside = {x: k for x, k in p[1] if x is not b}
            inside = [(c, dict(factors)) for c, factors in b.terms]
            for r, k in powers.items():
                outside[r] = outside.get(r, 0) + k * e
                x = self.inverse[r]
                for _, factors in inside:
                    rest = k - factors.pop(r, 0)
                    if rest:
                        factors[x] = factors.get(x, 0) + rest
            total = self.sum((c, tuple(factors.items())) for c, factors in inside)
            form = self._scaled(p[0], (*outside.items(), (total, e)))
            if powers and self.product(form) < self.product(p):
                p = form
        return p

    def _scaled(self, c: Number, factors: tuple[Factor, ...], deep: bool = False) -> Product:
        """Cheapest of c·(a/2 + b)ⁿ, (c/2ⁿ)·(a + 2·b)ⁿ …

        If `deep`, numbers are also moved through nested brackets.
        """
        if len(factors) == 1 and factors[0][1] == 1:
            return c, factors
        for i, (b, e) in enumerate(factors):
            if isinstance(b, int):
                continue
            numbers = [d for d, _ in b.terms]
            scales: set[Number] = {abs(d) for d in numbers} | {1}
            if e == 1:
                scales.add(abs(ratio(1, c)))
            trials: list[Product] = []
            for k in _without_new_fractions(scales, c, e, numbers):
                terms = [(ratio(d, k), f) for d, f in b.terms]
                if deep:
                    terms = [self._scaled(d, f, deep=True) for d, f in terms]
                scaled = self.sum(terms)
                trials.append((whole(c * k**e), (*factors[:i], (scaled, e), *factors[i + 1 :])))
            decimal = any((c * d).denominator > PLAIN_DENOMINATOR for d, _ in b.terms)
            c, factors = min(trials, key=partial(self._number_key, decimal=decimal))
        return c, factors

    def _number_key(self, p: Product, decimal: bool) -> tuple[int, bool, int, bool]:
        """Sort key: fewest operations first; decimal numbers are kept, others become small."""
        price, in_front = self.product(p), abs(p[0]) != 1
        return price // OPERATION, decimal and in_front, price, in_front

    def to_expr(self, p: Product, generators: Sequence[Expr]) -> Expr:
        """Convert the form to an expression."""
        if len(p[1]) > 1 or not p[1] or p[1][0][1] > 1 or isinstance(p[1][0][0], int):
            return _expr(self._scaled(*p, deep=True), generators)
        terms = [self._scaled(*q, deep=True) for q in self.sum([p]).terms]
        coefficients: set[Number] = {abs(c) for c, _ in terms}  # a/2 + b/2 is written (a + b)/2

        def numbers(k: Number) -> int:
            return number_price(k) + sum(number_price(ratio(c, k)) for c, _ in terms)

        scales = [k for k in sorted(coefficients | {1}) if k == 1 or _leaves_brackets(k, terms)]
        k = min(scales, key=numbers)
        body = Sum(tuple((ratio(c, k), f) for c, f in terms), 0)
        return mul(constant(k), _sum_expr(body, generators))


def _without_new_fractions(
    scales: set[Number], c: Number, e: int, numbers: Sequence[Number]
) -> list[Number]:
    """Scales k, in order, for which c·kᵉ·(Σ (d/k)·x)ᵉ has no fraction that its factor cancels.

    If none of the given ones will do, the scale that makes all numbers d/k integers.
    """
    allowed = [
        k
        for k in sorted(scales)
        if _cancels_nothing(c * k**e, (ratio(d, k).denominator for d in numbers))
    ]
    return allowed or [ratio(1, lcm(*(d.denominator for d in numbers)))]


def _cancels_nothing(c: Number, denominators: Iterable[int]) -> bool:
    return all(gcd(c.numerator, n) == 1 for n in denominators)


def _leaves_brackets(k: Number, terms: Iterable[Product]) -> bool:
    """Whether k can be pulled out of a sum: its numbers become integers that cancel no fraction."""
    for c, factors in terms:
        number = ratio(c, k)
        inside = (d.denominator for b, _ in factors if isinstance(b, Sum) for d, _ in b.terms)
        if number.denominator != 1 or not _cancels_nothing(number, inside):
            return False
    return True


# -- from forms to expressions and their price -----------------------------------------------------
def _expr(p: Product, generators: Sequence[Expr]) -> Expr:
    """Convert a product to an expression; the recursion is as deep as the brackets."""
    c, factors = p
    above: dict[Expr, int] = {}
    below: dict[Expr, int] = {}
    for b, e in factors:
        x = generators[b] if isinstance(b, int) else _sum_expr(b, generators)
        if x.op == NEG:  # m - n may be -(n - m)
            c, x = c * (-1) ** e, x.a
        if x.op == DIV and x.a is ONE:
            below[x.b] = below.get(x.b, 0) + e
        else:
            above[x] = above.get(x, 0) + e
    for x in [x for x in below if x in above]:
        k = min(above[x], below[x])
        above[x] -= k
        below[x] -= k
    for x in [x for x in below if x.op == COS]:  # sin(β)/cos(β) = tan(β)
        k = min(below[x], above.get(sin(x.a), 0))
        if k:
            below[x] -= k
            above[sin(x.a)] -= k
            above[tan(x.a)] = k
    return mul(constant(c), div(ordered_product(above), ordered_product(below)))


def _sum_expr(s: Sum, generators: Sequence[Expr]) -> Expr:
    return ordered_sum(_expr(p, generators) for p in s.terms)


def price(expr: Expr, bracket: int = BRACKET) -> int:
    """Price of an expression written out: shared nodes count as often as they are written."""
    cost: dict[Expr, int] = {}
    order = walk([expr])
    for n in order:
        cost[n] = _node_price(n, cost, bracket)
    return cost[expr] + (NESTED * len(nested_fractions(order)) if bracket else 0)


def operations(expr: Expr) -> int:
    """Operations of an expression written out, as in SymPy's `count_ops`; a leading sign is free."""
    return price(expr, bracket=0) // OPERATION


def nested_fractions(order: Iterable[Expr]) -> list[Expr]:
    """Fractions whose numerator has a sum with a fraction as a factor: g*(m/M + 1)/L.

    `order` lists operands before their users. A number below the bar does not make a fraction.
    """
    nested: list[Expr] = []
    fractions: set[Expr] = set()  # products and sums with a fraction in them
    brackets: set[Expr] = set()  # products with such a sum as a factor
    for n in order:
        if n.op == DIV and n.b.op != CONST:
            fractions.add(n)
            if n.a in brackets:
                nested.append(n)
        algebraic = n.op in (ADD, SUB, NEG, MUL, DIV, POW)
        if fractions and algebraic and any(x in fractions for x in n.args):
            fractions.add(n)
            if n.op in (ADD, SUB) or any(x in brackets for x in n.args):
                brackets.add(n)
    return nested


def _node_price(n: Expr, cost: dict[Expr, int], bracket: int) -> int:
    op = n.op
    if op <= LAST_LEAF:
        return number_price(n.a, alone=True) if op == CONST else SYMBOL_PRICE
    if op == NEG:
        return cost[n.a]
    if op in (ADD, SUB):
        return cost[n.a] + cost[n.b] + OPERATION
    if op == POW:
        return cost[n.a] + OPERATION + (bracket if n.a.op in (ADD, SUB) else 0)
    if op == MUL and n.a.op == CONST:
        if n.b.op in (ADD, SUB):  # a number is multiplied into a sum
            return _distributed(n, cost)
        return cost[n.b] + number_price(n.a.a)
    if op in (MUL, DIV):
        brackets = (n.a.op in (ADD, SUB)) + (n.b.op in (ADD, SUB))
        return cost[n.a] + cost[n.b] + OPERATION + bracket * brackets
    extra = OPERATION if op >= FIRST_FUNCTION and TABLE[op].name == "sqrt" else 0  # a power of 1/2
    inner = cost[n.a] + (cost[n.b] if op == ATAN2 else 0)
    return inner + OPERATION + extra


def _distributed(n: Expr, cost: dict[Expr, int]) -> int:
    """Price of c·(x + y) as c·x + c·y, which is what SymPy makes of it."""
    total = 0
    stack = [(Fraction(n.a.a), n.b)]
    count = 0
    while stack:
        c, x = stack.pop()
        if x.op in (ADD, SUB):
            stack += [(c, x.a), (c, x.b)]
        elif x.op == NEG:
            stack.append((c, x.a))
        elif x.op == CONST:
            total += number_price(c * x.a, alone=True)
            count += 1
        elif x.op == MUL and x.a.op == CONST:
            stack.append((c * x.a.a, x.b))
        else:
            total += cost[x] + number_price(c)
            count += 1
    return total + (count - 1) * OPERATION
