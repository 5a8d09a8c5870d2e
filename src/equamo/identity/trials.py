"""The random trials of a proof and the bound on their error, every part of it accounted for.

If e ≠ 0, its numerator N is a polynomial on a product of circles, spheres and lines. At a random
point modulo a random prime p of b bits it vanishes with chance at most

    2·deg N/p            (Schwartz and Zippel, circle by circle: a function of degree d on the circle
                          has at most 2d zeros)
  + bits/(b−1)/#primes   (p divides every coefficient of N: a number of so many bits has at most
                          bits/(b−1) prime factors of b bits)

With K square roots N is replaced by its norm, the product over their 2ᴷ signs, and the points where
every radicand is a square are at least 2⁻ᴷ⁻¹ of all (Weil). Functions that are not looked into are
new variables, one for each value of the argument, and equal radicands have one root; two different
arguments meet with the same chance as N vanishes, with the degree and bits of their difference.
Points with a zero denominator are drawn again; at least half of all points have none.

The sign of a square root. A root that fails to exist at some point where the roots before it exist
is no square in the field that they generate: both signs are conjugate and a random one decides.
Roots of different prime numbers are of this kind. For any other root both signs are tried at every
point; where such roots are nested there is no verdict.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import ceil, log2
from random import Random
from typing import Final, NamedTuple, final

from ..expr.evaluate import Modular, Tape
from ..expr.functions import SQRT, TABLE
from ..expr.graph import Expr
from ..expr.walk import walk
from ..wording import counted
from .degree import Degrees
from .point import Points, Unlucky
from .primes import COMPOSITE_BITS, SIZES, count_bits, square_root

_DRAWS: Final = 64  # points with a zero denominator before giving up
_MAX_ROOTS: Final = 10
_MAX_SIGNS: Final = 6  # roots that may depend on each other: all 2⁶ signs are tried
_FACTORED: Final = 1_000_000  # the root of a number below this is split into roots of primes
_COST: Final = {61: 1.0, 127: 1.7, 521: 6.0, 1279: 25.0, 2203: 70.0}  # of one trial, about


class Place(NamedTuple):
    """A point of a field, with all that was chosen on the way, and the outputs there."""

    p: int
    values: dict[Expr, int]  # of symbols, sines and cosines, roots of numbers
    roots: dict[int, int]  # of radicands; one sign or the other at random
    oracle: dict[tuple[int, ...], int]  # of functions that are not looked into
    radicands: dict[Expr, int]
    result: list[int]


@final
class Trials:
    """Which of `roots` vanish at random points; `reason` says why there is no answer, if so."""

    def __init__(
        self,
        roots: Sequence[Expr],
        order: list[Expr],  # walk(roots)
        unit: Sequence[Sequence[Expr]],
        error_bits: int,
        random: Random,
    ) -> None:
        self.random = random
        self.points = Points(roots, unit, order)
        self.tape = Tape(roots, self.points.given, self.points.order)
        self.degrees = Degrees(self.tape, self.points)
        self.roots_count = len(self.points.radicals) + len(self.points.number_roots)
        self.reason = ""
        self.bits, self.count = self._choose(error_bits)
        self.zero = [False] * len(roots)
        if not self.reason:
            self._run()

    # -- the bound -----------------------------------------------------------------------------------
    def degree(self, i: int) -> int:
        """Degree of root i, as counted in its error: twice that of its numerator on the circles."""
        return 2 * self.degrees.degree[self.tape.outputs[i]]

    def error(self, i: int, b: int) -> float:
        """log₂ of the chance that one trial with a prime of b bits errs on root i."""
        node = self.tape.outputs[i]
        return self._error(2 * self.degrees.degree[node], self.degrees.bits[node], b)

    def _error(self, degree: int, bits: int, b: int) -> float:
        """The same for a root of this degree (twice that on the circles) and these bits."""
        K, D = self.roots_count, self.degrees
        d, h = max(1, degree), bits
        # Conditioned on all radicands being squares and all denominators not zero.
        condition = (K + 1 if K else 0) + (1 if D.divisors else 0)
        terms = [
            log2(d) + K - (b - 1) + condition,
            log2(d + h) + K - log2(b - 1) - count_bits(b) + condition,
            COMPOSITE_BITS,
        ]
        if D.arguments:  # pairs of arguments, of either sign, and zero
            n = D.arguments + len(self.points.number_roots)
            pairs = n * (n + 1)
            d, h = max(1, 2 * D.argument_degree), D.argument_bits
            terms.append(log2(pairs * d) + K - (b - 1) + condition)
            terms.append(log2(pairs * (d + h)) + K - log2(b - 1) - count_bits(b) + condition)
        worst = max(terms)
        return worst + log2(sum(2.0 ** (t - worst) for t in terms))

    def bound(self, i: int) -> float:
        """log₂ of the error bound of root i after all trials."""
        return self.count * self.error(i, self.bits)

    def _choose(self, error_bits: int) -> tuple[int, int]:
        """Size of the primes and number of trials, after degree and height."""
        if self.roots_count > _MAX_ROOTS:
            self.reason = f"more than {_MAX_ROOTS} square roots"
            return SIZES[0], 0
        degree = 2 * max(self.degrees.degree[i] for i in self.tape.outputs)
        bits = max(self.degrees.bits[i] for i in self.tape.outputs)
        best: tuple[float, int, int] | None = None
        for b in SIZES:
            if not self._enough_points(b):
                continue
            worst = self._error(degree, bits, b)  # grows with both
            if worst > -8:
                continue
            n = ceil(error_bits / -worst)
            if best is None or n * _COST[b] < best[0]:
                best = (n * _COST[b], b, n)
        if best is None:
            self.reason = f"the degree is too large for primes of {SIZES[-1]} bits"
            return SIZES[-1], 0
        return best[1], best[2]

    def _enough_points(self, b: int) -> bool:
        """Weil's bound holds, and half of all points where the roots exist have no zero denominator."""
        K, D = self.roots_count, self.degrees
        radicands = 2 * sum(d + 1 for d in D.radicands)
        if radicands << K >= 1 << (b // 2 - 3):
            return False
        room = 2 * K + 1 if K else 0
        degree = max(1, 2 * sum(D.degree[f] for f in D.divisors))
        bits = D.number_bits + sum(D.bits[f] for f in D.divisors)
        return (
            log2(degree) + room <= b - 3
            and log2(degree + bits) + room - log2(b - 1) - count_bits(b) <= -3
        )

    # -- the trials ----------------------------------------------------------------------------------
    def _run(self) -> None:
        # The signs of these are independent: roots of primes, and roots that failed to exist.
        independent = {n for a, n in self.points.number_roots.items() if a < _FACTORED}
        all_roots = [*self.points.number_roots.values(), *self.points.radicals]
        # A root that may depend on others, and those below it.
        below = {
            n: {*walk([n.a])}.intersection(all_roots) for n in all_roots if n not in independent
        }
        zero = [True] * len(self.zero)
        for trial in range(self.count):
            for attempt in range(_DRAWS):
                place = self._draw(below, independent, patient=trial == attempt == 0)
                if place is None:
                    return
                unsure = [n for n in below if n not in independent]
                radicands = list(dict.fromkeys(place.radicands[n] for n in unsure))
                if len(radicands) > _MAX_SIGNS or any(below[n] - independent for n in unsure):
                    self.reason = "nested or many square roots that may depend on each other"
                    return
                results = self._all_signs(place, radicands)
                if results is not None:
                    break
            else:
                self.reason = "a denominator was zero for some signs of the square roots"
                return
            for result in results:
                zero = [z and not r for z, r in zip(zero, result, strict=True)]
        self.zero = zero

    def _all_signs(self, place: Place, radicands: Sequence[int]) -> list[list[int]] | None:
        """The outputs for every choice of signs, None where one of them has no value."""
        results = [place.result]
        for signs in list(product((1, -1), repeat=len(radicands)))[1:]:
            roots = dict(place.roots)
            for x, sign in zip(radicands, signs, strict=True):
                roots[x] *= sign
            values = dict(place.values)
            for number, n in self.points.number_roots.items():
                values[n] = roots[number % place.p]
            try:
                results.append(self._evaluate(place.p, values, roots, place.oracle, {}))
            except (Unlucky, ValueError):
                return None
        return results

    def _draw(
        self, below: dict[Expr, set[Expr]], independent: set[Expr], patient: bool
    ) -> Place | None:
        """A place where everything has a value. On the way, note which roots fail to exist though the
        roots below them are independent; if patient, go on for a while until every one did."""
        zero_denominators = 0
        found: Place | None = None
        draws_after = 0
        for _ in range(_DRAWS << min(self.roots_count + 1, _MAX_ROOTS)):
            try:
                p, number_roots = self.points.prime(self.bits, self.random)
                values = self.points.draw(p, number_roots, self.random)
                radicands = {n: n.a.a % p for n in number_roots}
                roots = {x: number_roots[n] for n, x in radicands.items()}
                oracle: dict[tuple[int, ...], int] = {}
                result = self._evaluate(p, values, roots, oracle, radicands)
                found = found or Place(p, values, roots, oracle, radicands, result)
                # A root of the same radicand as an independent one is no further root.
                known = {radicands[n] for n in independent}
                for n, inner in below.items():
                    if radicands[n] in known and inner <= independent:
                        independent.add(n)
            except Unlucky as unlucky:
                n = unlucky.radical
                if n is not None and n in below and below[n] <= independent:
                    independent.add(n)
            except ValueError:  # no inverse: a zero denominator
                zero_denominators += 1
                if zero_denominators >= _DRAWS and found is None:
                    break
            if found is not None:
                draws_after += 1
                if not patient or independent.issuperset(below) or draws_after > 40:
                    return found
        if found is not None:
            return found
        self.reason = (
            f"a denominator was zero at {counted(zero_denominators, 'random point')}"
            if zero_denominators else "no point was found where every square root exists"
        )  # fmt: skip
        return None

    def _evaluate(
        self, p: int, values: dict[Expr, int], roots: dict[int, int],
        oracle: dict[tuple[int, ...], int], radicands: dict[Expr, int],
    ) -> list[int]:  # fmt: skip
        def apply(node: Expr, *x: int) -> int:
            if node.op == SQRT:
                radicands[node] = x[0]
                if x[0] not in roots:
                    r = square_root(x[0], p)
                    if r is None:
                        raise Unlucky(node)
                    roots[x[0]] = r if self.random.getrandbits(1) else -r
                return roots[x[0]]
            sign, key = _canonical(node.op, x, p)
            if key not in oracle:
                oracle[key] = self.random.randrange(p)
            return sign * oracle[key]

        return self.tape.run(Modular(p, apply), values)


def _canonical(op: int, x: tuple[int, ...], p: int) -> tuple[int, tuple[int, ...]]:
    """(sign, key) of a function that is not looked into: f(−x) = ±f(x) and f(0) = 0 are kept."""
    row = TABLE.get(op)
    if row is None or row.parity is None:
        return 1, (op, *x)
    if x[0] == 0 and row.values.get(0) == 0:
        return 0, (op, 0)
    if x[0] > p // 2:
        return (-1 if row.parity == "odd" else 1), (op, p - x[0])
    return 1, (op, *x)
