"""Order in which the operands of a node are written, and the places of its minus signs.

The graph is binary: a + (b + c) and (a + b) + c are different nodes. The order of the two operands of
a sum or product is free, their association is not: an operand that is itself a sum is written first,
and only a second one needs parentheses. Signs are free too: (-a) - b is the node of -(a + b).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Final, final

from ..functions import TABLE
from ..graph import (
    ADD,
    ATAN2,
    CONST,
    DIV,
    FIRST_FUNCTION,
    LAST_LEAF,
    MUL,
    NEG,
    ONE,
    PI,
    POW,
    SUB,
    SYMBOL,
    Expr,
)

SUM, PRODUCT, FACTOR, POWER, ATOM = range(5)  # how tightly a piece of text binds
_KEY_LENGTH: Final = 32  # characters by which operands are ordered

Key = tuple[tuple[int, int, str], ...]


def natural_key(text: str) -> Key:
    """Order of names in which l2 comes before l10.

    >>> sorted(["l10", "l2", "Lc", "k"], key=natural_key)
    ['k', 'l2', 'l10', 'Lc']
    """
    parts = re.findall(r"[0-9]+|[^0-9]+", text)
    parts = [(0, int(p), "") if p[0] in "0123456789" else (1, 0, p.casefold()) for p in parts]
    return (*parts, (-1, 0, text))  # a prefix comes first


@final
class Arrangement:
    """Order of the operands and possible places of a minus sign, for each node."""

    def __init__(self, order: Iterable[Expr], names: Mapping[Expr, str]) -> None:
        self.names: dict[Expr, str] = dict(names)
        self.lead: dict[Expr, str] = {}  # rough beginning of its text, by which operands are sorted
        self.length: dict[
            Expr, int
        ] = {}  # number of terms or factors that are written without parentheses
        self.swapped: set[Expr] = set()  # b before a
        self.unsigned: set[Expr] = set()  # sums without a minus sign at the outermost level
        self.flippable: set[Expr] = set()  # x with -x written without a sign: b - a, sin(b - a)
        self.backward: set[Expr] = set()  # a - b that reads better as (b - a), if the sign is free
        for n in self.names:
            self.lead[n] = self.names[n]
        for n in order:
            self._add(n)

    def binding(self, n: Expr) -> int:
        """Binding strength of the text of this node."""
        op = n.op
        if n in self.names or op in (SYMBOL, PI, ATAN2) or op >= FIRST_FUNCTION:
            return ATOM
        if op == CONST:
            return ATOM if n.a.denominator == 1 else PRODUCT
        return SUM if op in (ADD, SUB, NEG) else PRODUCT if op in (MUL, DIV) else POWER

    def is_sum(self, n: Expr) -> bool:
        return n.op in (ADD, SUB) and n not in self.names

    def is_product(self, n: Expr) -> bool:
        return n.op in (MUL, DIV) and n not in self.names

    def terms(self, n: Expr, minus: bool) -> tuple[tuple[Expr, bool], tuple[Expr, bool]]:
        """Two terms of the sum ±n in written order, each with its sign."""
        x, y = (n.a, minus), (n.b, minus != (n.op == SUB))
        if n in self.swapped:
            x, y = y, x
        if self._starts_with_minus(*x) and not self._starts_with_minus(*y):
            x, y = y, x
        return x, y

    def factors(self, n: Expr) -> tuple[Expr, list[tuple[str, Expr]]]:
        """First factor of a product and the following (operator, factor) pairs, last one first."""
        tail: list[tuple[str, Expr]] = []
        while self.is_product(n):
            if n.op == DIV:
                tail.append(("/", n.b))
                n = n.a
            else:
                first, second = (n.b, n.a) if n in self.swapped else (n.a, n.b)
                tail.append(("*", second))
                n = first
        return n, tail

    def is_backward(self, n: Expr) -> bool:
        """Whether -n is written without a sign and with a difference in its natural order."""
        return n in self.flippable and (n.a if n.op >= FIRST_FUNCTION else n) in self.backward

    def has_backward(self, n: Expr) -> bool:
        """Whether `is_backward` holds for n or one of its factors."""
        if n.op == MUL and n.a.op == CONST and n not in self.names:
            n = n.b
        first, tail = self.factors(n)
        return any(self.is_backward(f) for f in (first, *(f for _, f in tail)))

    def _starts_with_minus(self, n: Expr, minus: bool) -> bool:
        return minus and (n in self.unsigned or not self.is_sum(n))

    def _add(self, n: Expr) -> None:
        op, lead = n.op, self.lead
        if op <= LAST_LEAF:
            text = "pi" if op == PI else n.name if op == SYMBOL else f"{n.a}"
        elif op in (ADD, SUB):
            text = self._add_sum(n)
        elif op == MUL:
            text = lead[n.b] if n.a.op == CONST else self._add_product(n)
            self.length[n] = self.length.get(n.a, 1) + self.length.get(n.b, 1)
        elif op == DIV:
            text = lead[n.b] if n.a is ONE else lead[n.a]
            self.length[n] = self.length.get(n.a, 1) + 1
        elif op >= FIRST_FUNCTION:
            text = f"{TABLE[op].name}({lead[n.a]}"
            if TABLE[op].parity == "odd" and n.a in self.flippable:
                self.flippable.add(n)
        else:
            text = lead[n.a]
        if n in self.names:
            self.flippable.discard(n)
            self.backward.discard(n)
        else:
            lead[n] = text[:_KEY_LENGTH]

    def _add_sum(self, n: Expr) -> str:
        a, b = n.a, n.b
        if self.is_sum(a) or self.is_sum(b):
            size_a, size_b = (self.length[x] if self.is_sum(x) else 0 for x in (a, b))
            swap = size_b > size_a or (size_b == size_a and self._term_key(b) < self._term_key(a))
            self.length[n] = max(size_a, size_b) + 1
        else:
            swap = self._term_key(b) < self._term_key(a)
            self.length[n] = 2
            if n.op == SUB:
                self.flippable.add(n)
                if swap:
                    self.backward.add(n)
        if swap:
            self.swapped.add(n)
        if n.op == ADD and all(x in self.unsigned or not self.is_sum(x) for x in (a, b)):
            self.unsigned.add(n)
        (x, _), (y, _) = self.terms(n, False)
        return f"{self.lead[x]} {self.lead[y]}"

    def _term_key(self, n: Expr) -> tuple[bool, Key]:
        number = n.op in (CONST, PI) or (n.op == MUL and n.a.op == CONST and n.b.op == PI)
        return number and n not in self.names, natural_key(self.lead[n])

    def _add_product(self, n: Expr) -> str:
        a, b = n.a, n.b
        if self._factor_key(b) < self._factor_key(a):
            self.swapped.add(n)
            a, b = b, a
        return f"{self.lead[a]}*{self.lead[b]}"

    def _factor_key(self, n: Expr) -> tuple[int, int, int, Key]:
        """Sort key: longest product first, then pi, symbols, functions, sums, 1/x."""
        base = n.a if n.op == POW and n not in self.names else n
        kind = 3
        if base in self.names or base.op <= SYMBOL:
            kind = 0 if base.op <= PI else 1
        elif base.op >= ATAN2:
            kind = 2
        elif n.op == DIV and n.a is ONE:
            kind = 4
        chain = self.is_product(n) and kind != 4
        division = 1 if n.op == MUL else 2
        length = -self.length[n] if chain else 0
        return division if chain else 3, length, kind, natural_key(self.lead[n])
