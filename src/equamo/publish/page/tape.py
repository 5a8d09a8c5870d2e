"""Tape: expressions as plain data, which a small interpreter in the page evaluates and prints.

One entry per node, operands before their use:

    ops   one letter each: c constant   i pi    s symbol   n −a      ^ aᵇ (b a number)
                          + − * / a, b         t atan2    f function number b of a
    a, b  numbers of operands, of the constant, of the symbol

The symbols come first: coordinates, speeds, accelerations, inputs, external loads, parameters.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any, Final, final

from ...algebra.expr.functions import BY_NAME, TABLE
from ...algebra.expr.graph import ADD, ATAN2, CONST, DIV, MUL, NEG, PI, POW, SUB, SYMBOL, Expr
from ...algebra.expr.walk import walk
from ...errors import UnknownNameError

_LETTER: Final = {
    CONST: "c", PI: "i", SYMBOL: "s", NEG: "n", POW: "^", ADD: "+", SUB: "-", MUL: "*", DIV: "/",
    ATAN2: "t",
}  # fmt: skip
FUNCTIONS: Final = tuple(BY_NAME)


@final
class Tape:
    """Nodes of several expressions, each stored once.

    >>> from equamo.algebra.expr import parse, symbol
    >>> tape = Tape([symbol("a"), symbol("b")])
    >>> tape.add([parse("a*b + 1/2")]), tape.ops
    ([4], 'ssc*+')
    """

    def __init__(self, symbols: Sequence[Expr]) -> None:
        self._at: dict[Expr, int] = {}
        self._symbol = {s: k for k, s in enumerate(symbols)}
        self._constants: dict[Fraction | int, int] = {}
        self._ops: list[str] = []
        self._a: list[int] = []
        self._b: list[int] = []
        for s in symbols:
            self._append(s)

    def __len__(self) -> int:
        return len(self._ops)

    def __contains__(self, node: Expr) -> bool:
        return node in self._at

    def __getitem__(self, node: Expr) -> int:
        return self._at[node]

    @property
    def ops(self) -> str:
        """Letters of all nodes."""
        return "".join(self._ops)

    def add(self, exprs: Iterable[Expr]) -> list[int]:
        """Add expressions to the tape; return their positions."""
        roots = list(exprs)
        for node in walk(roots, stop=self._at):
            self._append(node)
        return [self._at[e] for e in roots]

    def data(self) -> dict[str, Any]:
        """Convert to plain data."""
        return {
            "ops": self.ops,
            "a": self._a,
            "b": self._b,
            "constants": [[_exact(c), float(c)] for c in self._constants],
            "functions": FUNCTIONS,
        }

    def _append(self, n: Expr) -> None:
        op, a, b = n.op, 0, 0
        if op == CONST:
            a = self._constants.setdefault(n.a, len(self._constants))
        elif op == SYMBOL:
            if n not in self._symbol:
                names = [s.name for s in self._symbol]
                raise UnknownNameError("symbol", n.name, names, "the page")
            a = self._symbol[n]
        elif op == POW:
            a, b = self._at[n.a], n.b
        elif op in _LETTER and op not in (PI, NEG):
            a, b = self._at[n.a], self._at[n.b]
        elif op != PI:
            a = self._at[n.a]
            b = 0 if op == NEG else FUNCTIONS.index(TABLE[op].name)
        self._at[n] = len(self._ops)
        self._ops.append(_LETTER.get(op, "f"))
        self._a.append(a)
        self._b.append(b)


def _exact(value: Fraction | int) -> str:
    """Write a number exactly: as a decimal if that is short, else as p/q.

    >>> _exact(Fraction(1, 3)), _exact(Fraction(5, 16)), _exact(7)
    ('1/3', '0.3125', '7')
    """
    exact = Fraction(value)
    p, q = exact.numerator, exact.denominator
    if q == 1:
        return str(p)
    twos = (q & -q).bit_length() - 1
    fives, rest = 0, q >> twos
    while rest % 5 == 0:
        rest //= 5
        fives += 1
    places = max(twos, fives)
    if rest != 1 or places > 24 or q < 10:
        return f"{p}/{q}"
    digits = str(abs(p) * 10**places // q).rjust(places + 1, "0")
    return f"{'-' * (p < 0)}{digits[:-places]}.{digits[-places:]}"
