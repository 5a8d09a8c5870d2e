"""An expression as a polynomial over the rationals, modulo s² + c² = 1, by python-flint.

The generators of a `TrigRing` are, in this order:

    √u                 for every square root                    (√u)² = u
    sin β, cos β       for every base angle β                   sin² β = 1 − cos² β
    1/d                for everything that is divided by        x·(1/x) = 1 for a generator x
    x, f(…)            symbols, and functions as they stand

A base angle is a rational multiple of one monomial of an argument: sin(q1 + q2) is a polynomial in the
sines and cosines of q1 and q2, cos(R*(a - b)/L) one in those of R*a/L and R*b/L. The work is counted
in products of terms, and ends with `OverBudget` when there is no more of it.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any, Final, final

from .angles import Turn, base_angles, turn
from .functions import COS, SIN, SQRT, cos, sin
from .graph import ADD, ATAN2, CONST, DIV, FIRST_FUNCTION, LAST_LEAF, MUL, NEG, POW, SUB, Expr
from .walk import walk

MAX_DIVISORS: Final = 40
MAX_FACTOR_TERMS: Final = 100  # of a denominator that is factored
Terms = dict[tuple[int, ...], Fraction]  # {exponents of the generators: coefficient}


class OverBudget(Exception):  # noqa: N818  (no error: the answer is "too large to be read")
    """The work takes more than the budget allows."""


@final
class Work:
    """What is left of a budget."""

    __slots__ = ("left",)

    def __init__(self, budget: int) -> None:
        self.left = budget

    def spend(self, units: int) -> None:
        self.left -= units
        if self.left < 0:
            raise OverBudget

    def spend_quietly(self, units: int) -> None:
        """Work that is cut short, not given up, when the budget ends."""
        self.left -= units


@final
class TrigRing:
    """The polynomials in which one expression can be written."""

    def __init__(self, expr: Expr, work: Work) -> None:
        from flint import Ordering, fmpq, fmpq_mpoly_ctx

        self.fmpq: Any = fmpq
        self.work = work
        self.order = _down_to_functions(expr)
        trig = [n for n in self.order if n.op in (SIN, COS)]
        self.turns: dict[Expr, Turn] = {n: turn(n.a) for n in trig}
        self.table = base_angles(self.turns.values())
        angles = sorted({beta for beta, _ in self.table.values()}, key=lambda x: x.h)
        roots = [n for n in reversed(self.order) if n.op == SQRT]
        divisors = len({n.b for n in self.order if n.op == DIV and n.b.op != CONST})
        spare = min(3 * divisors, MAX_DIVISORS)
        plain = [n for n in self.order if _is_generator(n)]
        plain.sort(key=lambda n: (n.op, n.a) if n.op <= LAST_LEAF else (n.op, n.h))

        # One generator after the other; those of `divisors` are named when they are met.
        self.generators: list[Expr | None] = [*roots]
        self.angles: list[tuple[int, int]] = []  # (index of sin β, index of cos β)
        self.angle_of: dict[Expr, int] = {}
        for beta in angles:
            self.angle_of[beta] = len(self.angles)
            self.angles.append((len(self.generators), len(self.generators) + 1))
            self.generators += [sin(beta), cos(beta)]
        self.base = angles
        self._next_divisor = len(self.generators)
        self._last_divisor = self._next_divisor + spare
        self.generators += [None] * spare
        self.generators += plain
        context = fmpq_mpoly_ctx.get(("x", max(1, len(self.generators))), Ordering.lex)
        self.context: Any = context
        gens: Any = context.gens()
        self.one: Any = context.constant(1)
        self.element: dict[Expr, Any] = {n: g for n, g in zip(self.generators, gens, strict=False) if n}
        self.divisors: dict[int, Any] = {}  # {index of the generator 1/d: d}
        # (index, index, polynomial): modulo which polynomial, where both indices occur (squared if equal)
        self.relations: list[tuple[int, int, Any]] = []
        for s, c in self.angles:
            self.relations.append((s, s, gens[s] ** 2 + gens[c] ** 2 - 1))
        self._gens = gens
        for n in self.order:
            if n not in self.element or n.op in (SIN, COS):
                self.element[n] = self._value(n)
            elif n.op == SQRT:
                i = roots.index(n)
                self.relations.insert(0, (i, i, gens[i] ** 2 - self.element[n.a]))
        self.result: Any = self.element[expr]

    # -- arithmetic --------------------------------------------------------------------------------
    def _value(self, n: Expr) -> Any:
        op = n.op
        value = self.element
        if op == CONST:
            return self.context.constant(self.fmpq(n.a.numerator, n.a.denominator))
        if op == NEG:
            return -value[n.a]
        if op in (ADD, SUB):
            a, b = value[n.a], value[n.b]
            self.work.spend(len(a) + len(b))
            return a + b if op == ADD else a - b
        if op == MUL:
            return self.product(value[n.a], value[n.b])
        if op == POW:
            return self.power(value[n.a], n.b)
        if op == DIV:
            return self.product(value[n.a], self._reciprocal(value[n.b]))
        return self._turned(self.turns[n], n.op)

    def product(self, a: Any, b: Any) -> Any:
        self.work.spend(len(a) * len(b))
        return self._reduced(a * b)

    def power(self, a: Any, n: int) -> Any:
        if len(a) == 1:
            return self._reduced(a**n)
        result = self.one
        for bit in bin(n)[2:]:
            result = self.product(result, result)
            if bit == "1":
                result = self.product(result, a)
        return result

    def _reduced(self, p: Any) -> Any:
        for i, j, relation in self.relations:
            degrees = p.degrees()
            if degrees[i] >= (2 if i == j else 1) and degrees[j]:
                self.work.spend(len(p))
                p = p % relation
        return p

    def _turned(self, t: Turn, op: int) -> Any:
        """sin or cos of Σ n·β + quarters·π/2, by (c + i s)ⁿ."""
        zero = self.one - self.one
        re, im = ((self.one, zero), (zero, self.one), (-self.one, zero), (zero, -self.one))[t.quarters]
        for part in t.parts.items():
            beta, n = self.table[part]
            s, c = self.angles[self.angle_of[beta]]
            y = self._gens[s] if n > 0 else -self._gens[s]
            x = self._gens[c]
            for _ in range(abs(n)):
                a, b = self.product(re, x) - self.product(im, y), self.product(re, y)
                re, im = a, b + self.product(im, x)
        return re if op == COS else im

    # -- division ----------------------------------------------------------------------------------
    def _reciprocal(self, d: Any) -> Any:
        if d.is_zero():
            raise OverBudget  # 1/0 under another name: nothing to be read here
        if d.is_constant():
            return self.context.constant(1 / d.leading_coefficient())
        top, bottom = self.as_fraction(d)
        if top.is_zero():
            raise OverBudget
        result = bottom
        if len(top) <= MAX_FACTOR_TERMS:
            number, factors = top.factor()
        else:
            number, factors = top.leading_coefficient(), [(top / top.leading_coefficient(), 1)]
        for f, k in factors:
            index = self._divisor(f)
            result = self.product(result, self._gens[index] ** k)
        return result * (1 / number)

    def _divisor(self, f: Any) -> int:
        for index, d in self.divisors.items():
            if d == f:
                return index
        if self._next_divisor == self._last_divisor:
            raise OverBudget
        index = self._next_divisor
        self._next_divisor += 1
        self.divisors[index] = f
        if len(f) == 1:
            i = next(i for i, e in enumerate(f.degrees()) if e)
            self.relations.append((index, i, self._gens[index] * f - 1))
        return index

    def as_fraction(self, p: Any) -> tuple[Any, Any]:
        """(numerator, denominator) without generators 1/d, common factors cancelled."""
        bottom = self.one
        for index, d in reversed(self.divisors.items()):
            k = p.degrees()[index]
            if not k:
                continue
            parts: list[Terms] = [{} for _ in range(k + 1)]
            for m, c in p.to_dict().items():
                parts[m[index]][(*m[:index], 0, *m[index + 1 :])] = c
            p = self.context.from_dict(parts[0])
            for part in parts[1:]:  # Σ p_j d^(k−j), by Horner's rule
                p = self.product(p, d) + self.context.from_dict(part)
            while k and (p % d).is_zero():
                p, k = p / d, k - 1
            bottom = self.product(bottom, self.power(d, k)) if k else bottom
        return p, bottom


def _is_generator(n: Expr) -> bool:
    if n.op <= LAST_LEAF:
        return n.op != CONST
    return (n.op >= FIRST_FUNCTION or n.op == ATAN2) and n.op not in (SIN, COS, SQRT)


def _down_to_functions(expr: Expr) -> list[Expr]:
    """The nodes below `expr`, operands first; of functions only a root is looked into."""
    order = walk([expr])
    below = {expr}
    for n in reversed(order):
        if n in below and (n.op < FIRST_FUNCTION or n.op == SQRT) and n.op != ATAN2:
            below.update(n.args)
    return [n for n in order if n in below]
