"""Random trials of a proof, and the bound on the probability that they err.

docs/theory/proofs.md has the theorem and its proof. In short: if e is not 0 at some state where it is
defined, its numerator N is not zero on a product of circles, spheres and lines. At a random point
modulo a random prime p of b bits it vanishes with probability at most

    2·deg N/p            (Schwartz and Zippel, circle by circle: a function of degree d on the circle
                          has at most 2d zeros)
  + bits/(b−1)/#primes   (p divides every coefficient of N: a number of so many bits has at most
                          bits/(b−1) prime factors of b bits)

With K square roots N is replaced by its norm, a product over at most 2ᴷ signs. Opaque functions are
new variables, one per value of the argument, and equal radicands have the same root; two different
arguments coincide with the probability that N vanishes, with the degree and bits of their difference.
An unusable point (a zero denominator, a root that does not exist) is drawn again: a trial makes at
most `draws` draws, and any of them can be the one that errs. So one trial errs with at most `draws`
times that probability, all trials with the product; the probability that a "prime" is composite is
added once, for all primes of the proof.

The sign of a square root. If a root does not exist at a point where the independent roots before it
exist and are not zero, its radicand is not a square in the field that they generate: this is certain,
and holds for all trials. Such roots are independent, all their signs are conjugate, and any one
decides. Roots of different prime numbers are of this kind. For any other root both signs are tried at
every point; if such roots are nested, the verdict is undecided.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import ceil, log2
from random import Random
from typing import Final, NamedTuple, final

from ...basics.wording import brief, counted
from ..expr.evaluate import Modular, Tape
from ..expr.functions import SQRT, TABLE
from ..expr.graph import Expr
from ..expr.walk import walk
from .degree import Degrees
from .point import Points, Unlucky
from .primes import SIZES, composite_bits, count_bits, rounds_for, square_root
from .proof import log2_sum

_MAX_ROOTS: Final = 10
_MAX_SIGNS: Final = 6  # most roots that may depend on each other: all 2⁶ signs are tried
_FACTORED: Final = 1_000_000  # the root of a number below this is split into roots of primes
_COST: Final = {
    61: 1.0,
    127: 1.7,
    521: 6.0,
    1279: 25.0,
    2203: 70.0,
}  # cost of one trial, by bits
_MAX_WORK: Final = 3e6  # limit for angles in all trials, a few seconds
_SPARE_BITS: Final = 28  # composite "primes" are 2²⁸ times less likely than the requested bound
_PATIENCE: Final = 40  # further draws, to find points where the remaining roots do not exist
_FAILURES: Final = 20  # of the same kind before giving up


class Place(NamedTuple):
    """Point of a finite field, with all random choices and the outputs there."""

    p: int
    values: dict[Expr, int]  # symbols, sines and cosines, roots of numbers
    roots: dict[int, int]  # radicand -> root, of random sign
    oracle: dict[tuple[int, ...], int]  # values of opaque functions
    radicands: dict[Expr, int]
    result: list[int]


@final
class Trials:
    """Trials whether `roots` vanish at random points; `reason` says why there is no verdict."""

    bits: int
    count: int
    zero: list[bool]
    reason: str

    def __init__(
        self,
        roots: Sequence[Expr],
        order: list[Expr],  # walk(roots)
        unit: Sequence[Sequence[Expr]],
        error_bits: int,
        random: Random,
    ) -> None:
        self.random = random
        self.points: Points = Points(roots, unit, order)
        self.tape: Tape = Tape(roots, self.points.given, self.points.order)
        self.degrees: Degrees = Degrees(self.tape, self.points)
        # In order of evaluation.
        self.radicals: list[Expr] = [*self.points.number_roots.values(), *self.points.radicals]
        self.draws: int = self._most_draws()
        self.reason = ""
        self.bits, self.count = self._choose(error_bits)
        primes = self.count * self.draws + _PATIENCE
        self.rounds: int = rounds_for(self.bits, error_bits + _SPARE_BITS + log2(primes))
        self.composite: float = log2(primes) + composite_bits(self.bits, self.rounds)
        self.zero = [False] * len(roots)
        # Roots of different prime numbers are independent.
        self._independent = {n for a, n in self.points.number_roots.items() if a < _FACTORED}
        self._below: dict[Expr, set[Expr]] = {}  # roots nested in a root that may be dependent
        self._existed: set[Expr] = set()
        self._failures: dict[Expr, int] = {}  # failures of roots that never existed
        self._zero_denominators = self._zero_for_a_sign = 0
        self._prime: tuple[int, dict[Expr, int]] = 0, {}
        self._points_left = 0  # points still to be drawn with this prime
        if not self.reason:
            self._run()

    # -- the bound -----------------------------------------------------------------------------------
    def degree(self, i: int) -> int:
        """Degree of root i in the error bound: twice that of its numerator on the circles."""
        return 2 * self.degrees.degree[self.tape.outputs[i]]

    def error(self, i: int, b: int) -> float:
        """log₂ of the probability that one trial with a prime of b bits errs on root i."""
        node = self.tape.outputs[i]
        return self._error(self.degrees.degree[node], self.degrees.bits[node], b)

    def _error(self, degree: int, bits: int, b: int) -> float:
        """log₂ of the same probability for a root of this degree and these bits."""
        K, D = len(self.radicals), self.degrees
        terms = [*self._vanishing(degree, bits, b)]
        n = D.arguments + len(self.points.number_roots)
        if n:  # pairs of arguments of either sign, and each argument with 0 and with 1
            numbers = max((a.bit_length() for a in self.points.number_roots), default=0)
            meeting = self._vanishing(D.argument_degree, max(D.argument_bits, numbers) + 1, b)
            terms += [log2(n * (n + 1)) + t for t in meeting]
        return log2_sum(terms) + K + log2(self.draws)

    def _vanishing(self, degree: int, bits: int, b: int) -> tuple[float, float]:
        """log₂ of the probabilities that a polynomial without roots vanishes: at the point, modulo p."""
        height = max(1, bits + self.points.bits_per_degree * degree)
        at_the_point = log2(max(1, 2 * degree)) - (b - 1)
        return at_the_point, log2(height) - log2(b - 1) - count_bits(b)

    def bound(self, i: int) -> float:
        """log₂ of the error bound of root i after all trials."""
        return log2_sum([self.count * self.error(i, self.bits), self.composite])

    def _most_draws(self) -> int:
        """Most draws of one trial, enough to succeed almost always.

        K roots exist together at one point in 2ᴷ, or at none.
        """
        if self.radicals:
            return 32 << min(len(self.radicals), _MAX_ROOTS)
        return 4 if self.degrees.divisors else 1

    def _choose(self, error_bits: int) -> tuple[int, int]:
        """Choose the size of the primes and the number of trials by degree and height."""
        if len(self.radicals) > _MAX_ROOTS:
            self.reason = f"more than {_MAX_ROOTS} square roots"
            return SIZES[0], 0
        degree = max(self.degrees.degree[i] for i in self.tape.outputs)
        bits = max(self.degrees.bits[i] for i in self.tape.outputs)
        doublings = self.points.doublings()
        best: tuple[float, int, int] | None = None
        for b in SIZES:
            if not self._enough_points(b):
                continue
            worst = self._error(degree, bits, b)  # grows with both
            if worst > -8:
                continue
            n = ceil((error_bits + 1) / -worst)  # one bit for composite "primes"
            if n * _COST[b] * doublings > _MAX_WORK:
                self.reason = "multiples of angles with too many digits"
                continue
            if best is None or n * _COST[b] < best[0]:
                best = (n * _COST[b], b, n)
        if best is None:
            self.reason = self.reason or f"the degree is too large for primes of {SIZES[-1]} bits"
            return SIZES[-1], 0
        self.reason = ""
        return best[1], best[2]

    def _enough_points(self, b: int) -> bool:
        """Whether usable points are frequent; the error bound does not depend on it.

        Weil's bound must hold, and half of all points where the roots exist must have no zero
        denominator.
        """
        K, D = len(self.radicals), self.degrees
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
        others = [n for n in self.radicals if n not in self._independent]
        self._below = {n: {*walk([n.a])}.intersection(self.radicals) for n in others}
        zero = [True] * len(self.zero)
        for trial in range(self.count):
            results = self._trial(patience=0 if trial else _PATIENCE)
            if results is None:
                return
            for result in results:
                zero = [z and not r for z, r in zip(zero, result, strict=True)]
        self.zero = zero

    def _trial(self, patience: int) -> list[list[int]] | None:
        """Outputs at one point for every sign that must be tried; None if `reason` is set."""
        self._points_left = 0  # every trial has its own primes
        self._zero_denominators = self._zero_for_a_sign = 0
        for _ in range(self.draws):
            place = self._draw()
            if place is not None:
                for _ in range(patience):
                    if self._independent.issuperset(self.radicals):
                        break
                    self._draw()
                patience = 0
                results = self._all_signs(place)
                if results is not None:
                    return results
            if self.reason:
                return None
        if self._zero_for_a_sign:
            self.reason = "a denominator was zero for some signs of the square roots"
        elif self._zero_denominators:
            self.reason = (
                f"a denominator was zero at {counted(self._zero_denominators, 'random point')}"
            )
        else:
            self.reason = "no point was found where every square root exists"
        return None

    def _draw(self) -> Place | None:
        """Draw a point, None if an output is undefined there; record which roots exist or fail."""
        radicands: dict[Expr, int] = {}
        try:
            if not self._points_left:
                self._prime = self.points.prime(self.bits, self.random, self.rounds)
                # Long primes are expensive, and with many roots most points are unusable.
                self._points_left = max(1, self.bits // 32, (1 << len(self.radicals)) // 16)
            self._points_left -= 1
            p, number_roots = self._prime
            values = self.points.draw(p, number_roots, self.random)
            radicands.update((n, n.a.a % p) for n in number_roots)
            roots = {1: 1} | {x: number_roots[n] for n, x in radicands.items()}
            oracle: dict[tuple[int, ...], int] = {}
            result = self._evaluate(p, values, roots, oracle, radicands)
        except Unlucky as unlucky:
            self._existed.update(radicands, unlucky.existing)
            if unlucky.radical is not None:
                self._failed(unlucky.radical, radicands)
            return None
        except ValueError:  # no inverse: a zero denominator
            self._existed.update(radicands)
            self._zero_denominators += 1
            if self._zero_denominators == _FAILURES:
                self.reason = f"a denominator was zero at {_FAILURES} random points"
            return None
        self._existed.update(radicands)
        return Place(p, values, roots, oracle, radicands, result)

    def _failed(self, n: Expr, radicands: dict[Expr, int]) -> None:
        """Record that root n does not exist where those before it, of these radicands, do.

        If one of those is zero this says nothing: d = (√(a²·d)/a)² fails to be a square only where
        a = 0.
        """
        if n in self._below and self._below[n] <= self._independent and all(radicands.values()):
            self._independent.add(n)
        if n not in self._existed:
            self._failures[n] = count = self._failures.get(n, 0) + 1
            if count % (1 + self.bits // 521) == 0:
                self._points_left = 0  # it may exist modulo other primes
            if count == _FAILURES:
                self.reason = f"the square root of {brief(n.a)} exists at no point that was drawn"

    def _all_signs(self, place: Place) -> list[list[int]] | None:
        """Outputs for every sign of the dependent roots.

        None if one of them is undefined, or if `reason` says why they cannot all be tried.
        """
        settled = set(self._independent)
        known = {0, 1, *(place.radicands[n] for n in settled)}
        # A root of the same radicand as an independent one is not a further root.
        for n in self.radicals:
            if n not in settled and place.radicands[n] in known and self._below[n] <= settled:
                settled.add(n)
        unsure = [n for n in self.radicals if n not in settled]
        radicands = list(dict.fromkeys(place.radicands[n] for n in unsure))
        if len(radicands) > _MAX_SIGNS or any(self._below[n] - settled for n in unsure):
            self.reason = "nested or many square roots that may depend on each other"
            return None
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
                self._zero_for_a_sign += 1
                if self._zero_for_a_sign >= _FAILURES:
                    self.reason = "a denominator was zero for some signs of the square roots"
                return None
        return results

    def _evaluate(
        self, p: int, values: dict[Expr, int], roots: dict[int, int],
        oracle: dict[tuple[int, ...], int], radicands: dict[Expr, int],
    ) -> list[int]:  # fmt: skip
        def apply(node: Expr, *x: int) -> int:
            if node.op == SQRT:
                if x[0] not in roots:
                    r = square_root(x[0], p)
                    if r is None:
                        raise Unlucky(node)
                    roots[x[0]] = r if self.random.getrandbits(1) else -r
                radicands[node] = x[0]
                return roots[x[0]]
            sign, key = _canonical(node.op, x, p)
            if key not in oracle:
                oracle[key] = self.random.randrange(p)
            return sign * oracle[key]

        return self.tape.run(Modular(p, apply), values)


def _canonical(op: int, x: tuple[int, ...], p: int) -> tuple[int, tuple[int, ...]]:
    """(sign, key) of an opaque function, so that f(−x) = ±f(x) and f(0) = 0 hold."""
    row = TABLE.get(op)
    if row is None or row.parity is None:
        return 1, (op, *x)
    if x[0] == 0 and row.values.get(0) == 0:
        return 0, (op, 0)
    if x[0] > p // 2:
        return (-1 if row.parity == "odd" else 1), (op, p - x[0])
    return 1, (op, *x)
