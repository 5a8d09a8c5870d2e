"""Field of rational functions over the rationals, in which small linear systems are solved exactly.

The generators are the symbols and function values of the expressions, modulo sin² + cos² = 1
and (√p)² = p. A fraction is a pair of coprime polynomials (python-flint), so that no common factor
remains.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Any, Final, final

from ...algebra.expr import ONE, ZERO, Expr
from ...algebra.expr.closed_form.closed_form import closed_form
from ...algebra.expr.closed_form.polynomial import OverBudget
from ...algebra.expr.functions import COS, SIN, SQRT
from ...algebra.expr.graph import (
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
    constant,
)
from ...algebra.expr.walk import walk
from ...errors import EvaluationError

MOST_PRODUCTS: Final = 10_000  # of terms, in one multiplication

Quotient = tuple[Any, Any]  # coprime polynomials; the denominator is monic


@final
class RationalFunctions:
    """Field that contains the expressions, and further symbols.

    Operations raise OverBudget if polynomials become unreadably long.
    """

    def __init__(self, expressions: Iterable[Expr], symbols: Sequence[Expr] = ()) -> None:
        from flint import Ordering, fmpq, fmpq_mpoly_ctx

        self._fmpq: Any = fmpq
        nodes = walk([*symbols, *expressions])
        # Roots (outer before inner) and sines come first: lex order reduces their squares.
        roots = [n for n in reversed(nodes) if n.op == SQRT]
        others = [n for n in nodes if _is_generator(n) and n.op != SQRT]
        self._generators = [*roots, *sorted(others, key=lambda n: (n.op != SIN, n.op, n.h))]
        count = max(1, len(self._generators))
        context: Any = fmpq_mpoly_ctx.get(("x", count), Ordering.lex)
        self._context = context
        gens = dict(zip(self._generators, context.gens(), strict=False))
        self._index = {g: i for i, g in enumerate(self._generators)}
        self._gens: dict[Expr, Any] = gens
        self._known: dict[Expr, Quotient] = {}
        self.zero: Quotient = context.constant(0), context.constant(1)
        self.one: Quotient = context.constant(1), context.constant(1)
        cosines = {g.a: x for g, x in gens.items() if g.op == COS}
        # (number of a generator s, s² − p): s² + c² − 1, or √p
        self._relations: list[tuple[int, Any]] = [
            (self._index[g], x**2 + cosines[g.a] ** 2 - 1)
            for g, x in gens.items()
            if g.op == SIN and g.a in cosines
        ]
        for g in reversed(roots):  # inner before outer
            top, bottom = self.read(g.a)
            if bottom.is_constant():
                self._relations.insert(0, (self._index[g], gens[g] ** 2 - top))

    # -- arithmetic ------------------------------------------------------------------------------------
    def quotient(self, top: Any, bottom: Any) -> Quotient:
        """The fraction top/bottom in lowest terms."""
        top, bottom = self._reduced(top), self._reduced(bottom)
        for s, relation in self._relations:
            if bottom.degrees()[s] > 0:  # (a + b s)(a − b s) has no s
                other = self._conjugate(bottom, s)
                whole = self._times(bottom, other) % relation
                common = top.gcd(bottom)
                if common.degrees()[s] <= 0:
                    top, bottom = self._reduced(self._times(top, other)), self._reduced(whole)
        if bottom.is_zero():
            raise ZeroDivisionError
        if top.is_zero():
            return self.zero
        common = top.gcd(bottom)
        top, bottom = top / common, bottom / common
        lead = bottom.leading_coefficient()
        return top / lead, bottom / lead

    def add(self, a: Quotient, b: Quotient) -> Quotient:
        times = self._times
        return self.quotient(times(a[0], b[1]) + times(b[0], a[1]), times(a[1], b[1]))

    def subtract(self, a: Quotient, b: Quotient) -> Quotient:
        return self.add(a, (-b[0], b[1]))

    def multiply(self, a: Quotient, b: Quotient) -> Quotient:
        return self.quotient(self._times(a[0], b[0]), self._times(a[1], b[1]))

    def divide(self, a: Quotient, b: Quotient) -> Quotient:
        return self.multiply(a, (b[1], b[0]))

    def _times(self, p: Any, r: Any) -> Any:
        if len(p) * len(r) > MOST_PRODUCTS:
            raise OverBudget
        return p * r

    def _reduced(self, p: Any) -> Any:
        for s, relation in self._relations:
            if p.degrees()[s] > 1:
                p = p % relation
        return p

    def _conjugate(self, p: Any, s: int) -> Any:
        terms = {m: -c if m[s] % 2 else c for m, c in p.to_dict().items()}
        return self._context.from_dict(terms)

    # -- expressions -----------------------------------------------------------------------------------
    def read(self, e: Expr) -> Quotient:
        """The fraction of an expression; ZeroDivisionError if it divides by zero."""
        known = self._known
        for n in walk([e]):
            if n not in known:
                known[n] = self._of_node(n)
        return known[e]

    def _of_node(self, n: Expr) -> Quotient:
        known = self._known
        if n in self._gens:
            return self._gens[n], self.one[1]
        if n.op == CONST:
            number = self._fmpq(n.a.numerator, n.a.denominator)
            return self._context.constant(number), self.one[1]
        if n.op == NEG:
            top, bottom = known[n.a]
            return -top, bottom
        if n.op == POW:
            top, bottom = known[n.a]
            return self.quotient(top**n.b, bottom**n.b)
        operation = {
            ADD: self.add,
            SUB: self.subtract,
            MUL: self.multiply,
            DIV: self.divide,
        }[n.op]
        return operation(known[n.a], known[n.b])

    def write(self, x: Quotient) -> Expr:
        """A fraction as a short expression: closed forms of the factors of numerator and denominator."""
        top, bottom = x
        if top.is_zero():
            return ZERO
        scale, up = self._factored(top)
        below, down = self._factored(bottom)
        ratio = scale / below
        return up * constant(int(ratio.p)) / (down * constant(int(ratio.q)))

    def _factored(self, p: Any) -> tuple[Any, Expr]:
        number, factors = p.factor()
        product = ONE
        for f, k in factors:
            terms = f.to_dict()
            scale = self._fmpq(1)
            for c in terms.values():  # integers without a common divisor
                scale = scale * c.q / _gcd(scale.p, c.q)
            number = number / scale**k
            product = product * closed_form(self.polynomial(f * scale)) ** k
        return number, product

    def polynomial(self, p: Any) -> Expr:
        """A polynomial as an expression, term by term."""
        total = ZERO
        for m, c in p.to_dict().items():
            term = constant(int(c.p)) / constant(int(c.q))
            for g, k in zip(self._generators, m, strict=False):
                if k:
                    term = term * g ** int(k)
            total = total + term
        return total

    def coefficients(self, p: Any, x: Expr) -> list[Any]:
        """Coefficients of a polynomial in the generator x, of the highest power first."""
        i = self._index[x]
        parts: list[dict[Any, Any]] = [{} for _ in range(max(0, p.degrees()[i]) + 1)]
        for m, c in p.to_dict().items():
            parts[m[i]][(*m[:i], 0, *m[i + 1 :])] = c
        return [self._context.from_dict(part) for part in reversed(parts)]

    # -- linear equations ------------------------------------------------------------------------------
    def solve(
        self, A: Sequence[Sequence[Quotient]], B: Sequence[Sequence[Quotient]]
    ) -> tuple[list[list[Quotient]], Quotient]:
        """(X with A X = B, determinant of A) by elimination; ZeroDivisionError if A is singular."""
        n = len(A)
        rows = [[*a, *b] for a, b in zip(A, B, strict=True)]
        determinant = self.one
        for k in range(n):
            choices = [i for i in range(k, n) if not rows[i][k][0].is_zero()]
            if not choices:
                raise ZeroDivisionError
            pivot = min(choices, key=lambda i: len(rows[i][k][0]) + len(rows[i][k][1]))
            if pivot != k:
                rows[k], rows[pivot] = rows[pivot], rows[k]
                determinant = -determinant[0], determinant[1]
            p = rows[k][k]
            determinant = self.multiply(determinant, p)
            rows[k] = [self.divide(x, p) for x in rows[k]]
            for i in range(n):
                f = rows[i][k]
                if i != k and not f[0].is_zero():
                    pairs = zip(rows[i], rows[k], strict=True)
                    rows[i] = [self.subtract(x, self.multiply(f, y)) for x, y in pairs]
        return [r[n:] for r in rows], determinant


@contextmanager
def within_budget(place: str) -> Generator[None]:
    """Turn an exceeded budget into an error for users."""
    try:
        yield
    except OverBudget:
        raise EvaluationError(
            f"{place}: the polynomials in the parameters must stay short, but one product has more than "
            f"{MOST_PRODUCTS:,} terms; pass values={{…}} to linearize for some of the parameters."
        ) from None


def _gcd(a: Any, b: Any) -> Any:
    from math import gcd

    return gcd(int(a), int(b))


def _is_generator(n: Expr) -> bool:
    if n.op <= LAST_LEAF:
        return n.op != CONST
    return n.op >= FIRST_FUNCTION or n.op == ATAN2
