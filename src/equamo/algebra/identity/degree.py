"""Degree and height of expressions, tracked over a tape; they determine the error bound of a proof.

Each node is N/(Δᵏ·F): N a polynomial with integer coefficients on the product of the circles, Δ the
common denominator of all numbers, F a product of divisor nodes ("denominators as sets of factors").
Tracked are the degree of N and the bits of the sum of its coefficients' absolute values.

    product   degrees, bits and denominators add
    sum       brought to the common denominator, then the maximum (bits: plus one)
    quotient  (N₁/F₁)/(N₂/F₂) = N₁F₂/(F₁·N₂), common factors of F₁ and F₂ cancelled
    root      √(N/F) = √(N·F)/F
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Sized
from fractions import Fraction
from math import lcm
from typing import Final, Protocol, final

from ..expr.functions import COS, SIN, SQRT
from ..expr.graph import ADD, ATAN2, CONST, DIV, MUL, NEG, POW, SUB, Expr
from .point import Points

Factors = Mapping[int, int]  # divisor (its number on the tape) -> exponent
_NONE: Final[Factors] = {}
_ANGLE_BITS: Final = 2
_TOO_MUCH: Final = 1 << 2400  # too much for any prime in use, so counting stops


class Steps(Protocol):
    """A tape: leaves, then (operation, operand, operand or exponent)."""

    @property
    def leaves(self) -> Sequence[Expr]: ...
    @property
    def steps(self) -> Sequence[tuple[int, int, int]]: ...
    @property
    def nodes(self) -> Sized: ...


@final
class Degrees:
    """Degree and bits of the numerator of every node of a tape."""

    arguments: int
    number_bits: int
    argument_degree: int
    argument_bits: int

    def __init__(self, tape: Steps, points: Points) -> None:
        n = len(tape.nodes)
        self.degree: list[int] = [0] * n
        self.bits: list[int] = [0] * n
        self.scale: list[int] = [0] * n  # k
        self.factors: list[Factors] = [_NONE] * n
        # Equal denominators are one object, so that those of two operands are looked at once, by
        # identity: there are few of them, and many sums and products.
        self._same: dict[frozenset[tuple[int, int]], Factors] = {frozenset(): _NONE}
        self._sums: dict[tuple[int, int], tuple[Factors, int, int, int, int]] = {}
        self._products: dict[tuple[int, int], Factors] = {}
        self.divisors: set[int] = set()
        self.radicands: list[int] = []  # degrees of the radicands
        # Square roots, and functions that the proof treats as opaque, are functions of their
        # argument's value: their number, and the size of the difference of two arguments.
        self.arguments = 0
        self.argument_degree = 0
        self.argument_bits = 0
        numbers: list[Fraction] = [Fraction(x.a) for x in tape.leaves if x.op == CONST]
        delta = lcm(1, *(x.denominator for x in numbers))
        self.number_bits = self._delta_bits = delta.bit_length()
        for i, x in enumerate(tape.leaves):
            if x.op == CONST:  # an integer, or n·(Δ/d)/Δ
                whole = x.a.denominator == 1
                self.scale[i] = 0 if whole else 1
                self.bits[i] = (x.a if whole else int(x.a * delta)).bit_length()
            elif x.op in (SIN, COS):
                self.degree[i] = points.degree(x)
                self.bits[i] = _ANGLE_BITS
            elif x.op == SQRT:
                self.bits[i] = x.a.a.bit_length()
            else:
                self.degree[i] = 1
        self._run(tape)

    def _run(self, tape: Steps) -> None:
        """Run the common steps in one loop; `_step` does the others."""
        degree, bits, scale, factors = self.degree, self.bits, self.scale, self.factors
        w = self._delta_bits
        for i, (op, a, b) in enumerate(tape.steps, start=len(tape.leaves)):
            if op == MUL:
                degree[i] = degree[a] + degree[b]
                bits[i] = bits[a] + bits[b]
                scale[i] = scale[a] + scale[b]
                if factors[a] is not _NONE or factors[b] is not _NONE:
                    factors[i] = self._merge(factors[a], factors[b])
                if degree[i] > _TOO_MUCH or bits[i] > _TOO_MUCH:
                    degree[i] = bits[i] = _TOO_MUCH
            elif (op == ADD or op == SUB) and factors[a] is factors[b]:  # noqa: SIM109
                d, e = degree[a], degree[b]
                degree[i] = d if d > e else e
                k, l = scale[a], scale[b]
                if k > l:
                    h, g, scale[i] = bits[a], bits[b] + (k - l) * w, k
                else:
                    h, g, scale[i] = bits[a] + (l - k) * w, bits[b], l
                bits[i] = 1 + (h if h > g else g)
                factors[i] = factors[a]
            else:
                self._step(i, op, a, b)
                if degree[i] > _TOO_MUCH or bits[i] > _TOO_MUCH:
                    degree[i] = bits[i] = _TOO_MUCH

    def _step(self, i: int, op: int, a: int, b: int) -> None:
        degree, bits, scale, factors = self.degree, self.bits, self.scale, self.factors
        if op in (ADD, SUB):
            self._sum(i, a, b)
        elif op == NEG:
            degree[i], bits[i], scale[i], factors[i] = degree[a], bits[a], scale[a], factors[a]
        elif op == POW:
            degree[i], bits[i], scale[i] = b * degree[a], b * bits[a], b * scale[a]
            factors[i] = self._one({f: b * e for f, e in factors[a].items()})
        elif op == DIV:
            self._quotient(i, a, b)
        elif op == SQRT:
            d, h = self._padding(factors[a])
            self.radicands.append(degree[a] + d)
            degree[i], scale[i], factors[i] = degree[a] + d, scale[a], factors[a]
            bits[i] = bits[a] + h + scale[a] * self._delta_bits
            self._argument(a)
        else:  # a new variable
            degree[i] = 1
            self._argument(a)
            if op == ATAN2:
                self._argument(b)

    def _argument(self, x: int) -> None:
        d, h = self._padding(self.factors[x])
        h += self.scale[x] * self._delta_bits
        self.arguments += 1
        # N₁/F₁ − N₂/F₂ has the numerator N₁F₂ − N₂F₁
        self.argument_degree = max(self.argument_degree, 2 * (self.degree[x] + d))
        self.argument_bits = max(self.argument_bits, 2 * (self.bits[x] + h) + 1)

    def _padding(self, factors: Factors) -> tuple[int, int]:
        """Degree and bits of a product of the divisors' numerators."""
        d = h = 0
        for f, e in factors.items():
            d += e * self.degree[f]
            h += e * self.bits[f]
        return d, h

    def _sum(self, i: int, a: int, b: int) -> None:
        common, da, ha, db, hb = self._common(self.factors[a], self.factors[b])
        self.degree[i] = max(self.degree[a] + da, self.degree[b] + db)
        self.scale[i] = k = max(self.scale[a], self.scale[b])
        w = self._delta_bits
        ha += self.bits[a] + (k - self.scale[a]) * w
        hb += self.bits[b] + (k - self.scale[b]) * w
        self.bits[i] = 1 + max(ha, hb)
        self.factors[i] = common

    def _common(self, Fa: Factors, Fb: Factors) -> tuple[Factors, int, int, int, int]:
        """The common denominator; degree and bits of what each of the two lacks of it."""
        key = id(Fa), id(Fb)  # both are kept alive by `_same`
        found = self._sums.get(key)
        if found is None:
            both = dict(Fa)
            for f, e in Fb.items():
                if e > both.get(f, 0):
                    both[f] = e
            common = self._one(both)
            found = (common, *self._missing(Fa, common), *self._missing(Fb, common))
            self._sums[key] = found
        return found

    def _one(self, factors: Factors) -> Factors:
        """The one object of all that are equal."""
        return self._same.setdefault(frozenset(factors.items()), factors)

    def _missing(self, F: Factors, common: Factors) -> tuple[int, int]:
        """Degree and bits of the factors that F lacks of the common denominator."""
        d = h = 0
        for f, e in common.items():
            lacks = e - F.get(f, 0)
            if lacks:
                d += lacks * self.degree[f]
                h += lacks * self.bits[f]
        return d, h

    def _quotient(self, i: int, a: int, b: int) -> None:
        Fa, Fb = self.factors[a], self.factors[b]
        self.divisors.add(b)
        up = {f: e - Fa.get(f, 0) for f, e in Fb.items() if e > Fa.get(f, 0)}
        down = {f: e - Fb.get(f, 0) for f, e in Fa.items() if e > Fb.get(f, 0)}
        d, h = self._padding(up)
        self.degree[i] = self.degree[a] + d
        self.bits[i] = self.bits[a] + h + self.scale[b] * self._delta_bits
        self.scale[i] = self.scale[a]
        self.factors[i] = self._merge(self._one(down), self._one({b: 1}))

    def _merge(self, a: Factors, b: Factors) -> Factors:
        """The product of two denominators."""
        if not a:
            return b
        if not b:
            return a
        key = id(a), id(b)
        found = self._products.get(key)
        if found is None:
            out = dict(a)
            for f, e in b.items():
                out[f] = out.get(f, 0) + e
            found = self._products[key] = self._one(out)
        return found
