"""Search for the shortest factored form of a polynomial in sines, cosines and other generators.

Each step of the search splits a polynomial P:

    P = number·monomial·Q          common factor of all terms
    P = Q₁·Q₂ⁿ …                   factors over the rationals (python-flint)
    P = d·Q + R                    d a monomial that several terms share      (`splits`)
    P = D·Q + R                    D a sum that several terms share
    P = k·g·(a + b + …)² + R       a square
    P in other sines and cosines   angle sums, double angles …                (`variants`)

and continues with the parts. Solved polynomials are cached. The first level tries few splits, so it is
fast; each further level tries more, while the budget lasts. All choices are made in a fixed order: the
same polynomial always gets the same form.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from math import gcd, lcm
from operator import itemgetter
from typing import Any, Final, final

from .forms import OPERATION, Factor, Prices, Product, number_price, ratio, whole
from .polynomial import OverBudget, Work
from .splits import Key, by_monomial, by_square, by_sum, content
from .trigonometry import Angles, Poly
from .variants import Scaled, variants

VARIANTS, MONOMIALS, SUMS, SQUARES = range(4)
# Number of splits of each kind that are tried, per level, for polynomials of up to so many terms.
LEVELS: Final = (
    ((6, (4, 1, 1, 1)), (12, (3, 1, 1, 1)), (24, (2, 1, 0, 0)), (60, (2, 1, 0, 0))),
    ((6, (6, 2, 1, 1)), (12, (4, 2, 1, 1)), (24, (3, 1, 1, 1)), (60, (2, 1, 0, 0))),
    ((6, (8, 3, 1, 1)), (12, (6, 2, 1, 1)), (24, (4, 2, 1, 1)), (60, (3, 1, 1, 0))),
    ((6, (8, 4, 2, 1)), (12, (6, 3, 2, 1)), (24, (4, 2, 2, 1)), (60, (3, 1, 1, 1))),
)
LONG: Final = (1, 1, 0, 0)  # the same for longer polynomials
SHORT_SUM: Final = 4  # a sum of up to so many terms is also tried unchanged
MAX_FACTOR_TERMS: Final = 60
MAX_DEPTH: Final = 40
SPLIT: Final = 4  # units of work per term that is split; a term that is only rewritten takes 1
NOTHING: Final[Product] = (1, ())


@final
class Collector:
    """Search for short forms of polynomials with the same generators."""

    def __init__(self, prices: Prices, angles: Angles) -> None:
        self.prices = prices
        self.angles = angles
        self._work = Work(0)
        self._level = 0
        self._forms: dict[Key, tuple[int, Product, int]] = {}  # (level, form, price)
        self._open: set[Key] = set()  # polynomials in progress, to detect cycles
        self._factors: dict[Key, list[tuple[Poly, int]]] = {}
        self._monomial_prices: dict[bytes, int] = {}

    def search(self, p: Poly, work: Work) -> Product:
        """Shortest form found for a nonzero polynomial; the first level is always finished."""
        self._work = work
        self._level = 0
        form = self._shortest(p)
        for self._level in range(1, len(LEVELS)):
            try:
                form = self._shortest(p)
            except OverBudget:
                break
        return form

    def _shortest(self, p: Poly) -> Product:
        number, monomial, body = content(p)
        return self._times((number, _generators(monomial)), self._body(body))

    def _body(self, p: Poly) -> Product:
        """Shortest form on this level of a polynomial without common factors."""
        if len(p) == 1:
            return NOTHING
        key = frozenset(p.items())
        level, best, lowest = self._forms.get(key) or (-1, None, 0)
        if best is not None and level >= self._level:
            return best
        if key in self._open or len(self._open) > MAX_DEPTH:  # a cycle, or too deep
            return best or self._as_it_stands(p)
        self._open.add(key)
        try:
            for form in self._candidates(p):
                price = self.prices.product(form)
                if best is None or price < lowest:
                    best, lowest = form, price
        finally:
            self._open.discard(key)
        assert best is not None
        self._forms[key] = self._level, best, lowest
        return best

    def _candidates(self, p: Poly) -> Iterator[Product]:
        for scale, variant in self._variants(p):
            number, monomial, body = content(variant)
            outside: Product = whole(scale * number), _generators(monomial)
            for form in self._splits(body):
                yield self._times(outside, form)

    def _variants(self, p: Poly) -> list[Scaled]:
        """Same polynomial in other sines and cosines, the most promising first.

        Only variants of the polynomial that the search began with may be longer than the original.
        """
        priced: dict[Key, tuple[int, Scaled]] = {}
        for k, q in variants(self.angles, p):
            self._spend(len(q))
            key = frozenset(q.items())
            if key not in priced:
                priced[key] = self._written_out(q), (k, q)
        longest = priced[frozenset(p.items())][0] if len(self._open) > 1 else None
        ranked = sorted(priced.items(), key=lambda item: (item[1][0], sorted(item[0])))
        kept = [v for _, (price, v) in ranked if longest is None or price <= longest]
        return kept[: self._breadth(p)[VARIANTS]]

    def _splits(self, p: Poly) -> Iterator[Product]:
        """Forms of a polynomial without common factors, in its present sines and cosines."""
        self._spend(SPLIT * len(p))
        if len(p) == 1:
            yield NOTHING
            return
        factors = self._factored(p)
        if factors:
            form = NOTHING
            for q, e in factors:
                form = self._times(form, _power(self._shortest(q), e))
            yield form
        _, monomials, sums, squares = self._breadth(p)
        whole_sum = len(p) <= SHORT_SUM
        split = False
        for d, inside, rest in by_monomial(p, self._written_out)[:monomials]:
            split = True
            yield self._joined((1, _generators(d)), self._shortest(inside), rest)
        for d, q, rest in by_sum(p, self._written_out)[:sums] if sums else ():
            yield self._joined(self._shortest(d), self._shortest(q), rest)
        for k, g, root, rest in by_square(p)[:squares] if squares else ():
            yield self._joined((k, _generators(g)), _power(self._shortest(root), 2), rest)
        if whole_sum or not split:
            yield self._as_it_stands(p)

    def _as_it_stands(self, p: Poly) -> Product:
        return 1, ((self.prices.sum((v, _generators(m)) for m, v in sorted(p.items())), 1),)

    def _joined(self, a: Product, b: Product, rest: Poly) -> Product:
        """a·b + rest."""
        form = self._times(a, b)
        if not rest:
            return form
        return 1, ((self.prices.sum((form, self._shortest(rest))), 1),)

    def _times(self, a: Product, b: Product) -> Product:
        """Product a·b, with 2·sin β·cos β as sin 2β if that is shorter."""
        form = self.prices.times(a, b)
        exponents = dict(form[1])
        for i, (s, c) in enumerate(self.angles.pairs):
            k = min(exponents.get(s, 0), exponents.get(c, 0))
            found = self.angles.derived(tuple(2 * n for n in self.angles.vectors[i])) if k else None
            if found is None:
                continue
            trial = dict(exponents)
            trial[s], trial[c] = trial[s] - k, trial[c] - k
            double = self.angles.pairs[found[0]][0]
            trial[double] = trial.get(double, 0) + k
            factors = tuple((x, e) for x, e in trial.items() if e)
            shorter = self.prices.times((ratio(form[0], 2**k), factors), NOTHING)
            if self.prices.product(shorter) <= self.prices.product(form) - OPERATION:
                form, exponents = shorter, dict(shorter[1])
        return form

    def _factored(self, p: Poly) -> list[tuple[Poly, int]]:
        """Factors of a polynomial without common factors; empty if it is irreducible."""
        top = bytes(map(max, *p))
        if len(p) > MAX_FACTOR_TERMS or any(
            e == 1 and sum(map(itemgetter(i), p)) == 1 for i, e in enumerate(top)
        ):
            return []  # irreducible: a generator occurs in one term only, and linearly
        key = frozenset(p.items())
        known = self._factors.get(key)
        if known is None:
            known = self._factors[key] = _factors(p, [i for i, e in enumerate(top) if e])
        return known

    # -- prices and work ---------------------------------------------------------------------------
    def _written_out(self, p: Poly) -> int:
        """Price of the sum written out, with one operation per term."""
        return sum(self._monomial_price(m) + number_price(v) + OPERATION for m, v in p.items())

    def _monomial_price(self, m: bytes) -> int:
        price = self._monomial_prices.get(m)
        if price is None:
            price = self._monomial_prices[m] = self.prices.product((1, _generators(m)))
        return price

    def _breadth(self, p: Poly) -> tuple[int, ...]:
        return next((b for size, b in LEVELS[self._level] if len(p) <= size), LONG)

    def _spend(self, units: int) -> None:
        self._work.left -= units
        if self._work.left < 0 and self._level:
            raise OverBudget


def _generators(m: bytes) -> tuple[Factor, ...]:
    return tuple((i, e) for i, e in enumerate(m) if e)


def _power(p: Product, n: int) -> Product:
    return p[0] ** n, tuple((b, n * e) for b, e in p[1])


def _factors(p: Poly, used: list[int]) -> list[tuple[Poly, int]]:
    """Factors without a common divisor of their numbers, with exponents, and a number if it is not 1.

    Over the rationals, since python-flint compares integer factors by C integers when it sorts them.
    """
    from flint import Ordering, fmpq_mpoly_ctx, fmpz

    context: Any = fmpq_mpoly_ctx.get(("x", len(used)), Ordering.lex)
    number, factors = context.from_dict(
        {tuple(m[i] for i in used): fmpz(v) for m, v in p.items()}
    ).factor()
    if len(factors) == 1 and factors[0][1] == 1:
        return []
    none = bytes(len(next(iter(p))))
    found: list[tuple[Poly, int]] = []
    for f, e in factors:
        numbers = {m: Fraction(int(v.p), int(v.q)) for m, v in f.to_dict().items()}
        scale = lcm(*(v.denominator for v in numbers.values()))
        shared = gcd(*(int(v * scale) for v in numbers.values()))
        number = number * fmpz(shared) ** int(e) / fmpz(scale) ** int(e)
        q: Poly = {}
        for m, v in numbers.items():
            full = bytearray(none)
            for i, x in zip(used, m, strict=True):
                full[i] = x
            q[bytes(full)] = int(v * scale) // shared
        found.append((q, int(e)))
    found.sort(key=lambda factor: sorted(factor[0].items()))
    return found if number == 1 else [*found, ({none: int(number.p)}, 1)]
