"""The shortest factored form of a polynomial in sines, cosines and other generators.

A search, each step of which splits a polynomial P:

    P = number·monomial·Q          what all terms share
    P = Q₁·Q₂ⁿ …                   factors over the rationals (python-flint)
    P = d·Q + R                    d a monomial that several terms share
    P = D·Q + R                    D a sum that several terms share
    P = g·(a + b + …)² + R         a square in it
    P = another way to write P     `trigonometry`: other sines and cosines, angle sums, double angles

and goes on with the parts. What was solved once is remembered; several splits are tried, the more the
fewer terms there are. All choices are made in a fixed order: the same polynomial, the same form.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, product
from math import gcd, isqrt
from operator import add as plus, ge, itemgetter, sub
from typing import Any, Final, final

from .forms import OPERATION, Number, Prices, Product, ratio, whole
from .polynomial import OverBudget, Work
from .trigonometry import Angles, Poly, eliminated, sparse

ONE: Final = 1
MAX_FACTOR_TERMS: Final = 60


@final
class Collector:
    """Finds short forms of polynomials with the same generators."""

    def __init__(self, prices: Prices, angles: Angles, work: Work) -> None:
        from flint import Ordering, fmpz_mpoly_ctx

        self.prices = prices
        self.angles = angles
        self.work = work
        self._context: Any = fmpz_mpoly_ctx.get(("x", max(1, angles.size)), Ordering.lex)
        self._level = 0
        self._forms: dict[frozenset[tuple[bytes, int]], tuple[int, Product, int]] = {}
        self._open: set[frozenset[tuple[bytes, int]]] = set()
        self._factors: dict[frozenset[tuple[bytes, int]], list[tuple[Poly, int]]] = {}

    def search(self, p: Poly) -> Product:
        """The shortest form found within the work there is; the first level is always finished."""
        form = self.shortest(p)
        for self._level in range(1, len(LEVELS)):
            try:
                form = self.shortest(p)
            except OverBudget:
                break
        return form

    def shortest(self, p: Poly) -> Product:
        """The shortest form found on this level of a polynomial that is not zero."""
        number, monomial, body = content(p)
        return self.prices.times((number, generators_of(monomial)), self._body(body))

    def _body(self, p: Poly) -> Product:
        """Of a polynomial without common factors."""
        if len(p) == 1:
            return ONE, ()
        key = frozenset(p.items())
        level, best, lowest = self._forms.get(key) or (-1, None, 0)
        if best is not None and level >= self._level:
            return best
        if key in self._open or len(self._open) > MAX_DEPTH:  # a circle, or too deep: as it stands
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

    def _as_it_stands(self, p: Poly) -> Product:
        return ONE, ((self.prices.sum((v, generators_of(m)) for m, v in sorted(p.items())), 1),)

    def _candidates(self, p: Poly) -> Iterator[Product]:
        for scale, variant in self._variants(p):
            number, monomial, body = content(variant)
            outside = whole(scale * number), generators_of(monomial)
            for form in self._splits(body):
                yield self.prices.times(outside, form)

    # -- ways to write it --------------------------------------------------------------------------
    def _variants(self, p: Poly) -> list[tuple[Number, Poly]]:
        """The same polynomial in other sines and cosines, the most promising first."""
        found: dict[frozenset[tuple[bytes, int]], tuple[Number, Poly]] = {}

        def put(scale: Number, q: Poly | None) -> None:
            if q is not None:
                found.setdefault(frozenset(q.items()), (scale, q))

        put(ONE, p)
        angles = self.angles
        if angles.active(p):
            plain = angles.plain(p)
            self._spend(len(p) + len(plain))
            bases = [plain, *self._rebased(plain)]
            for base in bases:
                for scale, q in self._by_angle(base):
                    put(scale, q)
            active = angles.active(plain)
            merged = plain
            for _ in range(3):
                before = len(merged)
                for i, j in angles.together(merged, angles.active(merged)):
                    merged = angles.merged(merged, i, j)
                put(ONE, merged)
                if len(merged) == before:
                    break
            if len(active) <= 4:
                degree = max(
                    sum(m[s] + m[c] for s, c in (angles.pairs[i] for i in active)) for m in plain
                )
                put(ratio(1, 2**degree), angles.harmonics(plain, active) if degree <= 6 else None)
        price = {key: self._written_out(q) for key, (_, q) in found.items()}
        limit = price[frozenset(p.items())] if len(self._open) > 1 else max(price.values())
        keys = [key for key in found if price[key] <= limit]
        keys.sort(key=lambda key: (price[key], sorted(key)))
        return [found[key] for key in keys[: self._breadth(p, VARIANTS)]]

    def _by_angle(self, p: Poly) -> list[tuple[Number, Poly]]:
        angles = self.angles
        variants = [(ONE, p)]
        for i in angles.active(p):
            s, c = angles.pairs[i]
            if all(m[s] + m[c] < 2 for m in p):
                continue
            new = list(variants)
            for scale, q in variants:
                if any(m[c] > 1 for m in q):
                    new.append((scale, eliminated(q, c, s)))
                    new.append((scale, sparse(q, s, c)))
                if i < angles.base or True:
                    k = max((m[s] + m[c]) // 2 for m in q)
                    double = angles.doubled(q, i)
                    if double is not None:
                        new.append((ratio(scale, 2**k), double))
            variants = new[:MAX_BY_ANGLE]
        return variants

    def _rebased(self, plain: Poly) -> list[Poly]:
        """With sums and differences of angles as base angles, as long as that makes it shorter."""
        angles = self.angles
        out: list[Poly] = []
        p = plain
        for _ in range(3):
            best: Poly | None = None
            for i, j in angles.together(p, angles.active(p)):
                for a, b in ((i, j), (j, i)):
                    for sign in (1, -1):
                        q = angles.rebased(p, a, b, sign)
                        if q is not None and len(q) < len(best or p):
                            best = q
            if best is None:
                break
            p = best
            out.append(p)
        return out

    def _written_out(self, p: Poly) -> int:
        prices = self.prices
        return sum(prices.product((v, generators_of(m))) + OPERATION for m, v in p.items())

    # -- ways to split it --------------------------------------------------------------------------
    def _splits(self, p: Poly) -> Iterator[Product]:
        """Forms of a polynomial without common factors, as it is written."""
        self._spend(len(p))
        if len(p) == 1:
            yield ONE, ()
            return
        factors = self._factored(p)
        if factors:
            form: Product = ONE, ()
            for q, e in factors:
                c, f = self.shortest(q)
                form = self.prices.times(form, (c**e, tuple((b, n * e) for b, n in f)))
            yield form
        split = False
        for d in self._monomials(p):
            inside = {bytes(map(sub, m, d)): v for m, v in p.items() if all(map(ge, m, d))}
            rest = {m: v for m, v in p.items() if not all(map(ge, m, d))}
            split = True
            yield self._joined((ONE, generators_of(d)), self.shortest(inside), rest)
        for d, q, rest in self._sums(p):
            split = True
            yield self._joined(self.shortest(d), self.shortest(q), rest)
        for g, root, rest in self._squares(p):
            split = True
            c, f = self.shortest(root)
            yield self._joined(g, (c**2, tuple((b, 2 * n) for b, n in f)), rest)
        if not split or len(p) <= 4:
            yield self._as_it_stands(p)

    def _joined(self, a: Product, b: Product, rest: Poly) -> Product:
        """a·b + rest."""
        form = self.prices.times(a, b)
        if not rest:
            return form
        return ONE, ((self.prices.sum((form, self.shortest(rest))), 1),)

    def _factored(self, p: Poly) -> list[tuple[Poly, int]]:
        """The factors of a primitive polynomial, none if it is irreducible."""
        if len(p) > MAX_FACTOR_TERMS:
            return []
        top = bytes(map(max, *p))
        if any(e == 1 and sum(map(itemgetter(i), p)) == 1 for i, e in enumerate(top)):
            return []  # a generator that is only in one term, and there linear
        key = frozenset(p.items())
        known = self._factors.get(key)
        if known is None:
            number, factors = self._context.from_dict({tuple(m): v for m, v in p.items()}).factor()
            known = []
            if len(factors) > 1 or factors[0][1] > 1:
                known = [
                    ({bytes(m): int(v) for m, v in f.to_dict().items()}, int(e)) for f, e in factors
                ]
                known.sort(key=lambda f: sorted(f[0].items()))
                if number != 1:  # −1: primitive, of either sign
                    known.append(({self.angles.unit: int(number)}, 1))
            self._factors[key] = known
        return known

    def _monomials(self, p: Poly) -> list[bytes]:
        """What several terms share, by what sharing it saves."""
        saved: dict[bytes, int] = {}
        for i, top in enumerate(map(max, *p)):
            for e in range(1, top + 1):
                terms = [m for m in p if m[i] >= e]
                if len(terms) > 1:
                    d = bytes(map(min, *terms))
                    if d not in saved:
                        price = self.prices.product((ONE, generators_of(d))) + OPERATION
                        saved[d] = (len(terms) - 1) * price
        return sorted(saved, key=lambda d: (-saved[d], d))[: self._breadth(p, MONOMIALS)]

    def _sums(self, p: Poly) -> list[tuple[Poly, Poly, Poly]]:
        """(D, Q, R) with p = D·Q + R, D and Q of two or more terms, by what they save."""
        pairs: dict[tuple[bytes, bytes, int, int], dict[bytes, int]] = {}
        for (m, v), (n, w) in combinations(sorted(p.items()), 2):
            g = bytes(map(min, m, n))
            k = gcd(v, w) if v > 0 else -gcd(v, w)
            key = bytes(map(sub, m, g)), bytes(map(sub, n, g)), v // k, w // k
            pairs.setdefault(key, {})[g] = k
        found: dict[frozenset[tuple[bytes, int]], tuple[int, tuple[Poly, Poly, Poly]]] = {}
        for (u, v, a, b), q in pairs.items():
            if len(q) > 1:
                d, q, rest = _widened(p, {u: a, v: b}, q)
                if len(q) > 1 and rest:
                    saved = (len(q) - 1) * self._written_out(d) + (len(d) - 1) * self._written_out(q)
                    found[frozenset(d.items())] = saved, (d, q, rest)
        ranked = sorted(found.items(), key=lambda item: (-item[1][0], sorted(item[0])))
        return [split for _, (_, split) in ranked[: self._breadth(p, SUMS)]]

    def _squares(self, p: Poly) -> list[tuple[Product, Poly, Poly]]:
        """(g, a, R) with p = g·a² + R."""
        found: list[tuple[Product, Poly, Poly]] = []
        items = sorted(p.items())
        for (m, v), (n, w) in combinations(items, 2):
            cross = _square_root(bytes(map(plus, m, n)), v * w)
            if cross is None or abs(p.get(cross[0], 0)) != 2 * cross[1]:
                continue
            g = bytes(map(min, m, n))  # m/g and n/g are squares
            k = gcd(v, w) if v > 0 else -gcd(v, w)
            root: Poly = {}
            for t, c in items:  # every term that completes the square
                one = _square_root(bytes(map(sub, t, g)), ratio(c, k)) if all(map(ge, t, g)) else None
                if one is None:
                    continue
                signs = [
                    p.get(bytes(map(plus, map(plus, one[0], x), g)), 0) - 2 * k * one[1] * y * s
                    for x, y in root.items()
                    for s in (1, -1)
                ]
                if all(0 in pair for pair in zip(signs[::2], signs[1::2], strict=True)):
                    same = {s == 0 for s in signs[::2]}
                    if len(same) < 2:
                        root[one[0]] = one[1] if same != {False} else -one[1]
            rest = dict(p)
            for (x, y), (z, u) in product(root.items(), repeat=2):
                t = bytes(map(plus, map(plus, x, z), g))
                rest[t] = rest.get(t, 0) - k * y * u
            rest = {t: c for t, c in rest.items() if c}
            if len(rest) <= len(p) - 3:
                found.append(((k, generators_of(g)), root, rest))
        found.sort(key=lambda f: (len(f[2]), sorted(f[2].items())))
        return found[: self._breadth(p, SQUARES)]

    def _breadth(self, p: Poly, what: int) -> int:
        for size, *breadth in LEVELS[self._level]:
            if len(p) <= size:
                return breadth[what]
        return int(what <= MONOMIALS)

    def _spend(self, units: int) -> None:
        self.work.left -= units
        if self.work.left < 0 and self._level:
            raise OverBudget


VARIANTS, MONOMIALS, SUMS, SQUARES = range(4)
# How many of them are tried, for polynomials of up to so many terms.
LEVELS: Final = (
    ((6, 4, 1, 1, 1), (12, 3, 1, 1, 1), (24, 2, 1, 0, 0), (60, 2, 1, 0, 0)),
    ((6, 6, 2, 1, 1), (12, 4, 2, 1, 1), (24, 3, 1, 1, 1), (60, 2, 1, 0, 0)),
    ((6, 8, 3, 1, 1), (12, 6, 2, 1, 1), (24, 4, 2, 1, 1), (60, 3, 1, 1, 0)),
    ((6, 8, 4, 2, 1), (12, 6, 3, 2, 1), (24, 4, 2, 2, 1), (60, 3, 1, 1, 1)),
)
MAX_BY_ANGLE: Final = 32
MAX_DEPTH: Final = 40


def content(p: Poly) -> tuple[int, bytes, Poly]:
    """(number, monomial, body) with p = number·monomial·body, the number signed as the last term."""
    number = gcd(*p.values())
    if p[max(p)] < 0:
        number = -number
    monomial = bytes(map(min, *p)) if len(p) > 1 else next(iter(p))
    if any(monomial):
        return number, monomial, {bytes(map(sub, m, monomial)): v // number for m, v in p.items()}
    if number != 1:
        return number, monomial, {m: v // number for m, v in p.items()}
    return number, monomial, p


def generators_of(m: bytes) -> tuple[tuple[int, int], ...]:
    return tuple((i, e) for i, e in enumerate(m) if e)


def _widened(p: Poly, d: Poly, q: Poly) -> tuple[Poly, Poly, Poly]:
    """(D, Q, R): D with every term that is there for all terms of Q, each term of p used once."""
    used: set[bytes] = set()
    kept: Poly = {}
    for g, k in q.items():
        here = {bytes(map(plus, g, u)) for u in d}
        if not here & used:
            used |= here
            kept[g] = k
    first, k = next(iter(kept.items()))
    d = dict(d)
    for m, v in p.items():
        if m in used or not all(map(ge, m, first)) or v % k:
            continue
        u, a = bytes(map(sub, m, first)), v // k
        here = [bytes(map(plus, g, u)) for g in kept]
        if all(t not in used and p.get(t) == a * c for t, c in zip(here, kept.values(), strict=True)):
            d[u] = a
            used.update(here)
    return d, kept, {m: v for m, v in p.items() if m not in used}


def _square_root(m: bytes, v: Number) -> tuple[bytes, int] | None:
    """The root of a term, if it is the square of one with an integer coefficient."""
    if v <= 0 or v.denominator != 1 or any(e % 2 for e in m):
        return None
    root = isqrt(int(v))
    return (bytes(e // 2 for e in m), root) if root * root == v else None
