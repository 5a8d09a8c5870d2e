"""Arguments of sin and cos as integer combinations of base angles, and back.

A base angle is a rational multiple of one monomial (`linear_form`): in sin(q/2)*cos(3*q) it is q/2.
Quarter turns are folded: cos(q + pi/2) is −sin(q).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import Any, Final, final

from .graph import PI_NODE, Expr, constant
from .linear_form import Monomial, linear_form
from .printing.reading_order import ordered_product, ordered_sum
from .rules import div, mul

PI_MONOMIAL: Final[Monomial] = frozenset({(PI_NODE, 1)})
MAX_MULTIPLE: Final = 6  # beyond this multiple of a base angle, each multiple is its own base angle


@final
@dataclass(frozen=True, slots=True)
class Turn:
    """Σ coefficient·monomial + quarters·π/2."""

    parts: Mapping[Monomial, Fraction]
    quarters: int


def turn(argument: Expr) -> Turn:
    """Split the argument of a sine or cosine into monomials and quarter turns."""
    parts = dict(linear_form(argument))
    halves = 2 * parts.pop(PI_MONOMIAL, Fraction(0))
    quarters = halves.numerator // halves.denominator
    if halves != quarters:
        parts[PI_MONOMIAL] = (halves - quarters) / 2
    return Turn(parts, quarters % 4)


def base_angles(turns: Iterable[Turn]) -> dict[tuple[Monomial, Fraction], tuple[Expr, int]]:
    """{(monomial, coefficient): (base angle, n)} with coefficient·monomial = n·(base angle)."""
    uses: dict[Monomial, set[Fraction]] = {}
    for t in turns:
        for m, c in t.parts.items():
            uses.setdefault(m, set()).add(c)
    table: dict[tuple[Monomial, Fraction], tuple[Expr, int]] = {}
    for m, coefficients in uses.items():
        unit = _common(coefficients)
        x = monomial_expr(m)
        for c in coefficients:
            own = abs(c) if max(abs(c) for c in coefficients) > MAX_MULTIPLE * unit else unit
            table[m, c] = mul(constant(own), x), int(c / own)
    return table


def _common(numbers: Iterable[Fraction]) -> Fraction:
    """Greatest rational of which all numbers are integer multiples."""
    top, bottom = 0, 1
    for x in numbers:
        top = gcd(top * x.denominator, x.numerator * bottom)
        bottom *= x.denominator
        shared = gcd(top, bottom)
        top, bottom = top // shared, bottom // shared
    return Fraction(top, bottom)


def monomial_expr(m: Monomial) -> Expr:
    """Convert a monomial of a linear form to an expression."""
    number = Fraction(1)
    exponents: dict[Expr, int] = {}
    for atom, e in m:
        k, x = _atom_expr(atom)
        number *= k**e
        exponents[x] = e
    top = ordered_product({x: e for x, e in exponents.items() if e > 0})
    bottom = ordered_product({x: -e for x, e in exponents.items() if e < 0})
    return mul(constant(number), div(top, bottom))


def _atom_expr(atom: Any) -> tuple[Fraction, Expr]:
    """(k, x) with atom = k·x; a sum x has whole coefficients."""
    if isinstance(atom, Expr):
        return Fraction(1), atom
    terms: frozenset[tuple[Monomial, Fraction]] = atom[1]
    k = _common(c for _, c in terms)
    return k, ordered_sum(mul(constant(c / k), monomial_expr(m)) for m, c in terms)


def combination(angles: Iterable[tuple[Expr, int]]) -> Expr:
    """Σ n·β as an expression."""
    return ordered_sum(mul(constant(n), angle) for angle, n in angles if n)
