"""Conversion of an expression to a polynomial over the rationals modulo s² + c² = 1 (python-flint).

The generators of a `TrigRing` are, in this order:

    √u                 for every square root                    (√u)² = u
    sin β, cos β       for every base angle β                   sin² β = 1 − cos² β
    1/d                for every divisor                        x·(1/x) = 1 for a generator x
    x, f(…)            symbols, and all other functions

A base angle is a rational multiple of one monomial of an argument: sin(q1 + q2) is a polynomial in
the sines and cosines of q1 and q2, cos(R*(a - b)/L) one in those of R*a/L and R*b/L. The work is
counted in products of terms; `OverBudget` is raised when the budget is spent.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, final

from ..angles import Turn, base_angles, turn
from ..functions import COS, SIN, SQRT, cos, sin
from ..graph import (
    ADD,
    ATAN2,
    CONST,
    DIV,
    FIRST_FUNCTION,
    LAST_LEAF,
    MUL,
    NEG,
    POW,
    SUB,
    SYMBOL,
    Expr,
)
from ..walk import walk

MAX_DIVISORS: Final = 40
DIVISORS_OF_ONE: Final = 3  # expected number of factors of a denominator
MAX_FACTOR_TERMS: Final = 100  # a longer denominator is not factored
Terms = dict[tuple[int, ...], Fraction]  # {exponents of the generators: coefficient}


class OverBudget(Exception):  # noqa: N818  (not an error: the result is too large to be readable)
    """The work exceeds the budget."""


@final
class Work:
    """Remaining budget."""

    __slots__ = ("left",)

    left: int

    def __init__(self, budget: int) -> None:
        self.left = budget

    def spend(self, units: int) -> None:
        """Subtract these units; raise OverBudget if fewer are left."""
        if units > self.left:
            raise OverBudget
        self.left -= units


@final
class TrigRing:
    """Ring of polynomials that contains one expression."""

    def __init__(self, expr: Expr, work: Work) -> None:
        from flint import Ordering, fmpq, fmpq_mpoly_ctx

        self._fmpq: Any = fmpq
        self._work = work
        order = _down_to_functions(expr)
        self._turns: dict[Expr, Turn] = {n: turn(n.a) for n in order if n.op in (SIN, COS)}
        self._table = base_angles(self._turns.values())
        self.base: list[Expr] = sorted(
            {beta for beta, _ in self._table.values()}, key=lambda x: x.h
        )
        roots = [n for n in reversed(order) if n.op == SQRT]
        plain = sorted(filter(_is_generator, order), key=_generator_key)
        divided_by = {n.b for n in order if n.op == DIV and n.b.op != CONST}
        room = min(DIVISORS_OF_ONE * len(divided_by), MAX_DIVISORS)

        # The generators; those of divisors are added when they occur.
        first = len(roots)
        self.angles: list[tuple[int, int]] = [
            (first + 2 * i, first + 2 * i + 1) for i in range(len(self.base))
        ]
        self.generators: list[Expr | None] = [*roots]
        for beta in self.base:
            self.generators += [sin(beta), cos(beta)]
        self._free = list(range(len(self.generators), len(self.generators) + room))
        self.divisors: dict[int, Any] = {}  # {number of the generator 1/d: d}
        self.generators += [*[None] * room, *plain]
        self._context: Any = fmpq_mpoly_ctx.get(("x", max(1, len(self.generators))), Ordering.lex)
        self._gens: Any = self._context.gens()
        self._one: Any = self._context.constant(1)
        # (i, j, r): polynomials with generators i and j in one term (i squared, if i = j) modulo r
        self._relations: list[tuple[int, int, Any]] = [
            (s, s, self._gens[s] ** 2 + self._gens[c] ** 2 - 1) for s, c in self.angles
        ]
        value = dict(zip(roots, self._gens, strict=False))
        value.update(zip(plain, self._gens[len(self.generators) - len(plain) :], strict=False))
        self._polynomials: dict[Expr, Any] = value
        for n in order:
            if n not in value:
                value[n] = self._polynomial(n)
            elif n.op == SQRT:
                i = roots.index(n)
                self._relations.insert(0, (i, i, self._gens[i] ** 2 - value[n.a]))
        self.result: Any = value[expr]

    # -- arithmetic --------------------------------------------------------------------------------
    def _polynomial(self, n: Expr) -> Any:
        op = n.op
        value = self._polynomials
        if op == CONST:
            return self._context.constant(self._fmpq(n.a.numerator, n.a.denominator))
        if op == NEG:
            return -value[n.a]
        if op in (ADD, SUB):
            a, b = value[n.a], value[n.b]
            self._work.spend(len(a) + len(b))
            return a + b if op == ADD else a - b
        if op == MUL:
            return self._product(value[n.a], value[n.b])
        if op == POW:
            return self._power(value[n.a], n.b)
        if op == DIV:
            return self._product(value[n.a], self._reciprocal(value[n.b]))
        sine, cosine = self._sine_and_cosine(self._turns[n])
        return sine if op == SIN else cosine

    def _product(self, a: Any, b: Any) -> Any:
        self._work.spend(1 + len(a) * len(b))
        return self._reduced(a * b)

    def _power(self, a: Any, n: int) -> Any:
        if len(a) == 1:
            return self._reduced(a**n)
        result = self._one
        for bit in bin(n)[2:]:
            result = self._product(result, result)
            if bit == "1":
                result = self._product(result, a)
        return result

    def _reduced(self, p: Any) -> Any:
        degrees = p.degrees()
        for i, j, relation in self._relations:
            if degrees[i] >= (2 if i == j else 1) and degrees[j]:
                self._work.spend(len(p))
                p = p % relation
                degrees = p.degrees()
        return p

    def _sine_and_cosine(self, t: Turn) -> tuple[Any, Any]:
        """Sine and cosine of Σ n·β + quarters·π/2, by (c + i·s)ⁿ."""
        one, zero = self._one, self._one - self._one
        im, re = ((zero, one), (one, zero), (zero, -one), (-one, zero))[t.quarters]
        for part in t.parts.items():
            beta, n = self._table[part]
            s, c = self.angles[self.base.index(beta)]
            x, y = self._gens[c], self._gens[s] if n > 0 else -self._gens[s]
            for _ in range(abs(n)):
                re, im = (
                    self._product(re, x) - self._product(im, y),
                    self._product(re, y) + self._product(im, x),
                )
        return im, re

    # -- division ----------------------------------------------------------------------------------
    def _reciprocal(self, d: Any) -> Any:
        if d.is_zero():
            raise OverBudget  # the divisor is zero in disguise: no readable form
        if d.is_constant():
            return self._context.constant(1 / d.leading_coefficient())
        top, bottom = self._as_fraction(d)
        if top.is_zero():
            raise OverBudget
        result = bottom
        if len(top) <= MAX_FACTOR_TERMS:
            number, factors = top.factor()
        else:
            number, factors = top.leading_coefficient(), [(top / top.leading_coefficient(), 1)]
        for f, k in factors:
            index = self._divisor(f)
            result = self._product(result, self._gens[index] ** k)
        return result * (1 / number)

    def _divisor(self, f: Any) -> int:
        for index, d in self.divisors.items():
            if d == f:
                return index
        if not self._free:
            raise OverBudget
        index = self._free.pop(0)
        self.divisors[index] = f
        if len(f) == 1:
            i = next(i for i, e in enumerate(f.degrees()) if e)
            self._relations.append((index, i, self._gens[index] * f - 1))
        return index

    def is_generator(self, d: Any) -> bool:
        """Whether a divisor is one of the generators."""
        return d in self._gens

    def _as_fraction(self, p: Any) -> tuple[Any, Any]:
        """(numerator, denominator) without generators 1/d, common factors cancelled."""
        top, factors = self.over_factors(p)
        bottom = self._one
        for d, k in factors:
            bottom = self._product(bottom, self._power(d, k))
        return top, bottom

    def over_factors(self, p: Any) -> tuple[Any, list[tuple[Any, int]]]:
        """(numerator, [(factor of the denominator, exponent), …]), common factors cancelled."""
        bottom: list[tuple[Any, int]] = []
        for index, d in reversed(self.divisors.items()):
            k = p.degrees()[index]
            if k < 1:  # −1, if p is zero
                continue
            parts: list[Terms] = [{} for _ in range(k + 1)]
            for m, c in p.to_dict().items():
                parts[m[index]][(*m[:index], 0, *m[index + 1 :])] = c
            p = self._context.from_dict(parts[0])
            for part in parts[1:]:  # Σ p_j d^(k−j), by Horner's rule
                p = self._product(p, d) + self._context.from_dict(part)
            p, k = _cancelled(p, d, k)
            if k:
                bottom.append((d, k))
        if len(bottom) > 1:  # m + n is not recognised as a factor while p is still 1 + n·(1/m)
            again, bottom = bottom, []
            for d, k in again:
                p, k = _cancelled(p, d, k)
                if k:
                    bottom.append((d, k))
        return p, bottom


def _cancelled(p: Any, d: Any, k: int) -> tuple[Any, int]:
    """Numerator and exponent of p/dᵏ after cancellation."""
    while k and (p % d).is_zero():
        p, k = p / d, k - 1
    return p, k


def _generator_key(n: Expr) -> tuple[int, str | int]:
    return n.op, n.name if n.op == SYMBOL else str(n.a) if n.op <= LAST_LEAF else n.h


def _is_generator(n: Expr) -> bool:
    if n.op <= LAST_LEAF:
        return n.op != CONST
    return (n.op >= FIRST_FUNCTION or n.op == ATAN2) and n.op not in (SIN, COS, SQRT)


def _down_to_functions(expr: Expr) -> list[Expr]:
    """Nodes below `expr`, operands first; of all functions only roots are descended into."""
    order = walk([expr])
    below = {expr}
    for n in reversed(order):
        if n in below and (n.op < FIRST_FUNCTION or n.op == SQRT) and n.op != ATAN2:
            below.update(n.args)
    return [n for n in order if n in below]
