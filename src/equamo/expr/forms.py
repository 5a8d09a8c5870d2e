"""Readable forms, sums of products of powers, and the price of reading them.

The price counts operations as SymPy's `count_ops` does: every + − × ÷ and power is one, so is every
function. A pair of brackets costs as much as an operation, and decides between equals: of

    m*(a**2 + b*(b + 2*c))      and      m*(a**2 + b**2 + 2*b*c)

the second, with one operation more and one bracket less, is taken. The length of numbers decides last.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final, final

from .angles import sum_in_order
from .functions import TABLE
from .graph import (
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
from .rules import div, mul, power
from .walk import walk

OPERATION: Final = 1 << 20
BRACKET: Final = OPERATION + (1 << 9)
SYMBOL_PRICE: Final = 1 << 12


@final
class Sum:
    """A sum of products; its factors are generators, by number, or again sums."""

    __slots__ = ("price", "terms")

    def __init__(self, terms: tuple[Product, ...], price: int) -> None:
        self.terms = terms
        self.price = price


Factor = tuple["int | Sum", int]  # (base, exponent)
Number = int | Fraction  # an int where it is one: that is faster
Product = tuple[Number, tuple[Factor, ...]]  # (coefficient, factors)


def whole(c: Number) -> Number:
    return c.numerator if c.denominator == 1 else c


def ratio(a: Number, b: Number) -> Number:
    c = Fraction(a) / b
    return c.numerator if c.denominator == 1 else c


def number_price(c: Number, alone: bool = False) -> int:
    """Of a coefficient: 2·x one operation, x/2 one, 2·x/3 two; of a number by itself: 2/3 one."""
    size = c.numerator.bit_length() + c.denominator.bit_length() - 2
    if alone:
        return (c.denominator != 1) * OPERATION + size
    if abs(c) == 1:
        return 0
    return (1 + (abs(c.numerator) != 1 and c.denominator != 1)) * OPERATION + size


@final
class Prices:
    """Prices of products and sums, given the price of every generator."""

    def __init__(self, generators: Sequence[int], reciprocals: frozenset[int] = frozenset()) -> None:
        self.generator = list(generators)
        self.reciprocals = reciprocals  # generators 1/d, priced as d: in x·(1/d) the division is one
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
        if self.reciprocals and all(b in self.reciprocals for b, _ in factors):
            price += OPERATION
        return price

    def sum(self, products: Iterable[Product]) -> Sum:
        """The sum of products, brackets that stand alone removed."""
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
            known = self._sums[key] = Sum(tuple(flat), price)
        return known

    def times(self, a: Product, b: Product) -> Product:
        """The product of two products, powers of the same base added, numbers where they cost least."""
        exponents: dict[int | Sum, int] = {}
        for base, e in (*a[1], *b[1]):
            exponents[base] = exponents.get(base, 0) + e
        return self._scaled(whole(a[0] * b[0]), tuple(exponents.items()))

    def _scaled(self, c: Number, factors: tuple[Factor, ...]) -> Product:
        """c·(a/2 + b)ⁿ or (c/2ⁿ)·(a + 2·b)ⁿ …: the cheapest."""
        if len(factors) == 1 and factors[0][1] == 1:
            return c, factors
        for i, (b, e) in enumerate(factors):
            if isinstance(b, int):
                continue
            best: Product = c, factors
            price = self.product(best)
            scales = {abs(d) for d, _ in b.terms}
            if e == 1:
                scales.add(abs(ratio(1, c)))
            for k in sorted(scales - {1}):
                scaled = self.sum((ratio(d, k), f) for d, f in b.terms)
                trial = whole(c * k**e), (*factors[:i], (scaled, e), *factors[i + 1 :])
                trial_price = self.product(trial)
                if trial_price < price:
                    best, price = trial, trial_price
            c, factors = best
        return c, factors


# -- from forms to expressions and their price ---------------------------------------------------------
def to_expr(p: Product, generators: Sequence[Expr]) -> Expr:
    """The form as an expression. (Depth: that of the brackets, a few.)"""
    c, factors = p
    top = ONE
    bases = [
        (generators[b] if isinstance(b, int) else _sum_expr(b, generators), e) for b, e in factors
    ]
    bottom = ONE
    for x, e in sorted(bases, key=lambda pair: pair[0].h):
        if x.op == DIV and x.a is ONE:
            bottom = mul(bottom, power(x.b, constant(e)))
        else:
            top = mul(top, power(x, constant(e)))
    return mul(constant(c), div(top, bottom))


def _sum_expr(s: Sum, generators: Sequence[Expr]) -> Expr:
    return sum_in_order(to_expr(p, generators) for p in s.terms)


def price(expr: Expr) -> int:
    """The price of an expression written out (what is shared counts as often as it is written)."""
    cost: dict[Expr, int] = {}
    for n in walk([expr]):
        cost[n] = _node_price(n, cost)
    return cost[expr]


def _node_price(n: Expr, cost: dict[Expr, int]) -> int:
    op = n.op
    if op <= LAST_LEAF:
        return number_price(n.a, alone=True) if op == CONST else SYMBOL_PRICE
    if op == NEG:
        return cost[n.a]
    if op in (ADD, SUB):
        return cost[n.a] + cost[n.b] + OPERATION
    if op == POW:
        return cost[n.a] + OPERATION + _bracket(n.a)
    if op == MUL and n.a.op == CONST:
        if n.b.op in (ADD, SUB):  # a number is multiplied into a sum
            return _distributed(n, cost)
        return cost[n.b] + number_price(n.a.a)
    if op in (MUL, DIV):
        one_over = op == DIV and n.a is ONE
        return cost[n.a] + cost[n.b] + OPERATION + _bracket(n.a) + _bracket(n.b) - one_over * 0
    extra = OPERATION if op >= FIRST_FUNCTION and TABLE[op].name == "sqrt" else 0  # a power of 1/2
    inner = cost[n.a] + (cost[n.b] if op == ATAN2 else 0)
    return inner + OPERATION + extra


def _bracket(n: Expr) -> int:
    return BRACKET if n.op in (ADD, SUB) else 0


def _distributed(n: Expr, cost: dict[Expr, int]) -> int:
    """c·(x + y) as c·x + c·y: what SymPy makes of it."""
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
