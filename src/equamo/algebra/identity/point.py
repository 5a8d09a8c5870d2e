"""Random points of a finite field at which expressions with angles have values.

Angles are rational points of the circle, cos = (1 − t²)/(1 + t²), sin = 2t/(1 + t²), one t per distinct
monomial over its common denominator; unit quaternions are rational points of the 3-sphere.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence, Set
from dataclasses import dataclass
from fractions import Fraction
from math import lcm
from random import Random
from typing import Any, Final, final

from ...errors import ExpressionError
from ..expr.functions import COS, SIN, SQRT, sqrt
from ..expr.graph import CONST, MAX_NUMBER_BITS, PI, PI_NODE, SYMBOL, Expr, constant
from ..expr.linear_form import Form, Monomial, linear_form
from ..expr.walk import above, symbols, walk
from .primes import ROUNDS, prime_with_roots, random_prime, square_root

_HALF_TURN: Final[Monomial] = frozenset({(PI_NODE, 1)})
_TRIG: Final = frozenset({SIN, COS})
_VARIABLE: Final = frozenset({SIN, COS, SYMBOL, PI, SQRT})  # nodes that a point is made for
Complex = tuple[int, int]


class Unlucky(ArithmeticError):  # noqa: N818
    """Unusable point or prime: a zero denominator, or no square root. Draw again."""

    def __init__(self, radical: Expr | None = None, existing: Iterable[Expr] = ()) -> None:
        super().__init__()
        self.radical = radical  # root that does not exist here
        self.existing: tuple[Expr, ...] = tuple(existing)  # roots of numbers that exist


class OutOfReach(ExpressionError):  # noqa: N818
    """Expressions that are legal, but that no point can be drawn for."""


@final
@dataclass(frozen=True, slots=True)
class Drawn:
    """Values of some symbols, and of some angles as points of the circle."""

    symbols: dict[Expr, int]
    circle: dict[Monomial, Complex]

    def updated(self, other: Drawn, changing: Set[Expr]) -> Drawn:
        """These values, with those of `other` if they depend on one of the symbols."""
        kept = {s: x for s, x in self.symbols.items() if s not in changing}
        angles = {m: z for m, z in self.circle.items() if changing.isdisjoint(_monomial_symbols(m))}
        return Drawn(other.symbols | kept, other.circle | angles)


@final
class Points:
    """Random points for a set of rewritten expressions."""

    def __init__(
        self,
        roots: Sequence[Expr],
        unit: Iterable[Sequence[Expr]],
        order: list[Expr] | None = None,  # walk(roots), if it was computed before
    ) -> None:
        self.unit: list[tuple[Expr, ...]] = [tuple(group) for group in unit]
        order = walk(roots) if order is None else order
        # Nodes below sin and cos need no values of their own.
        self.order: list[Expr] = above(order, roots, {n for n in order if n.op in _TRIG})
        order = [n for n in self.order if n.op in _VARIABLE]
        self.trig: list[Expr] = [n for n in order if n.op in _TRIG]
        self.angles: dict[Expr, dict[Monomial, Fraction]] = {}  # argument -> its monomials
        self.turns: dict[Expr, Fraction] = {}  # argument -> its multiple of an eighth turn, over π
        denominators: dict[Monomial, int] = {}
        known: dict[Expr, Form] = {}
        for n in self.trig:
            if n.a in self.angles:
                continue
            form = dict(linear_form(n.a, known))
            turn = form.get(_HALF_TURN, Fraction(0))
            if (4 * turn).denominator == 1:
                form.pop(_HALF_TURN, None)
            else:
                turn = Fraction(0)
            self.angles[n.a], self.turns[n.a] = form, turn
            for m, c in form.items():
                denominators[m] = d = lcm(denominators.get(m, 1), c.denominator)
                if d.bit_length() > MAX_NUMBER_BITS:
                    raise OutOfReach(
                        "The arguments of sin and cos must have a common denominator of at most "
                        f"{MAX_NUMBER_BITS} bits; write their numbers with fewer digits."
                    )
        self.denominators = denominators
        self.symbols: list[Expr] = [n for n in order if n.op in (SYMBOL, PI)]
        radicands = {n.a.a: n for n in order if n.op == SQRT and n.a.op == CONST}
        if any((2 * t).denominator != 1 for t in self.turns.values()):
            radicands[2] = sqrt(constant(2))
        # √2, √3 …, ascending: roots of primes before roots of large numbers that may be products
        self.number_roots: dict[int, Expr] = dict(sorted(radicands.items()))
        self.given: list[Expr] = [*self.trig, *radicands.values()]
        self.radicals: list[Expr] = [n for n in order if n.op == SQRT and n.a.op != CONST]
        # Bits that one degree adds to the coefficients when the points are written out: ½(z + 1/z)
        # on the circle, (1 ± t²)/(1 + t²) with n terms on the sphere.
        self.bits_per_degree: int = max(
            [2, *((len(group) - 1).bit_length() for group in self.unit)]
        )
        members = [x for group in self.unit for x in group]
        if any(len(group) < 2 for group in self.unit) or len(set(members)) < len(members):
            raise ExpressionError(
                "Each group of `unit` must have at least two symbols, and no symbol may occur twice."
            )
        for group in self.unit:
            if any(x.op != SYMBOL for x in group):
                raise ExpressionError("A group of `unit` must consist of symbols only.")
            hidden = {x for m in denominators for x, _ in m} & set(group)
            if hidden:
                raise OutOfReach(
                    f"A component of a unit vector must not be an angle, but {hidden.pop()!r} is both."
                )

    def degree(self, trig: Expr) -> int:
        """Degree of a sin or cos node on the product of the circles."""
        return sum(map(abs, self.multiples(trig.a).values()))

    def multiples(self, argument: Expr) -> dict[Monomial, int]:
        """An argument of sin or cos in multiples of the angles that are drawn, but for its turns."""
        return {m: self._multiple(m, c) for m, c in self.angles[argument].items()}

    def doublings(self) -> int:
        """Number of angle doublings per point: the bits of all multiples."""
        forms = self.angles.values()
        return sum(self._multiple(m, c).bit_length() for form in forms for m, c in form.items())

    def _multiple(self, m: Monomial, c: Fraction) -> int:
        """Express c as a multiple of the angle that is drawn for m."""
        return c.numerator * (self.denominators[m] // c.denominator)

    def prime(self, bits: int, random: Random, rounds: int = ROUNDS) -> tuple[int, dict[Expr, int]]:
        """Draw a random prime, with the roots of numbers modulo it, none of which is zero."""
        p = random_prime(bits, random, rounds)
        roots: dict[Expr, int] = {}
        for number, node in self.number_roots.items():
            r = square_root(number % p, p)
            if r == 0:
                raise Unlucky
            if r is None:
                raise Unlucky(node, roots)
            roots[node] = r if random.getrandbits(1) else p - r
        return p, roots

    def prime_with_roots(self, bits: int, random: Random) -> tuple[int, dict[Expr, int]]:
        """Draw a prime modulo which all roots of numbers exist, of at least so many bits.

        Not for proofs: these learn from roots that do not exist which of them are independent.
        """
        if not self.number_roots or min(self.number_roots) < 0:
            return self.prime(bits, random)
        p, roots = prime_with_roots(list(self.number_roots), bits, random)
        return p, dict(zip(self.number_roots.values(), roots, strict=True))

    def draw(
        self, p: int, roots: dict[Expr, int], random: Random, known: Drawn | None = None
    ) -> dict[Expr, Any]:
        """Draw values of all symbols, sines and cosines; roots of numbers are included.

        `known` are values drawn before, which are kept.
        """
        values: dict[Expr, Any] = {s: random.randrange(p) for s in self.symbols}
        values.update(roots)
        for group in self.unit:
            values.update(zip(group, _sphere_point(len(group), p, random), strict=True))
        circle = {m: _circle_point(p, random) for m in self.denominators}
        if known is not None:
            values.update(known.symbols)
            circle.update(known.circle)
        rotations: dict[Expr, Complex] = {}
        for argument, form in self.angles.items():
            z = self._turn(self.turns[argument], p, roots)
            for m, c in form.items():
                z = _times(z, _power(circle[m], self._multiple(m, c), p), p)
            rotations[argument] = z
        for n in self.trig:
            values[n] = rotations[n.a][0 if n.op == COS else 1]
        return values

    def draw_constants(self, p: int, constants: Set[Expr], random: Random) -> Drawn:
        """Values of the symbols, and of the angles, that depend only on `constants`."""
        held = {m for m in self.denominators if _monomial_symbols(m) <= constants}
        return Drawn(
            {s: random.randrange(p) for s in self.symbols if s in constants or s.op == PI},
            {m: _circle_point(p, random) for m in self.denominators if m in held},
        )

    def _turn(self, turn: Fraction, p: int, roots: dict[Expr, int]) -> Complex:
        """(cos, sin) of turn·π for a multiple of an eighth turn."""
        eighths = int(4 * turn) % 8
        quarter = ((1, 0), (0, 1), (-1, 0), (0, -1))[eighths // 2]
        if eighths % 2 == 0:
            return quarter
        half_root = roots[self.number_roots[2]] * pow(2, -1, p) % p
        return _times(quarter, (half_root, half_root), p)


def _monomial_symbols(m: Monomial) -> set[Expr]:
    """Symbols of the atoms of a monomial."""
    found: set[Expr] = set()
    for atom, _ in m:
        if isinstance(atom, Expr):
            found.update(symbols([atom]))
        else:  # ("sum", …), the reciprocal of a sum
            for part, _ in atom[1]:
                found |= _monomial_symbols(part)
    return found


def _circle_point(p: int, random: Random) -> Complex:
    t = random.randrange(p)
    w = pow(1 + t * t, -1, p)  # 1 + t² ≠ 0 since p ≡ 3 mod 4
    return (1 - t * t) * w % p, 2 * t * w % p


def _sphere_point(n: int, p: int, random: Random) -> list[int]:
    t = [random.randrange(p) for _ in range(n - 1)]
    norm = sum(x * x for x in t)
    if (1 + norm) % p == 0:
        raise Unlucky
    w = pow(1 + norm, -1, p)
    return [(1 - norm) * w % p, *(2 * x * w % p for x in t)]


def _times(a: Complex, b: Complex, p: int) -> Complex:
    return (a[0] * b[0] - a[1] * b[1]) % p, (a[0] * b[1] + a[1] * b[0]) % p


def _power(z: Complex, k: int, p: int) -> Complex:
    if k < 0:
        z, k = (z[0], -z[1]), -k
    result = (1, 0)
    while k:
        if k & 1:
            result = _times(result, z, p)
        z = _times(z, z, p)
        k >>= 1
    return result
