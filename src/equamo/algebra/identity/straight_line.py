"""Expressions as one straight-line program, in the language that `checker/check.py` reads.

Registers are numbered: numbers, symbols, circles and spheres first, then one for each instruction.

    a + b   a - b   a * b   a / b   root a        of registers before it

Negation is 0 − a and a power is a chain of products, so that the checker needs to know neither.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Final, final

from ..expr.functions import SQRT
from ..expr.graph import ADD, CONST, DIV, MUL, NEG, POW, SUB, SYMBOL, ZERO, Expr
from ..expr.walk import walk
from .degree import Degrees
from .normal_form import fresh
from .point import Points

_SIGN: Final = {ADD: "+", SUB: "-", MUL: "*", DIV: "/"}


@final
class StraightLine:
    """A program that computes expressions in normal form.

    >>> from equamo.algebra.expr import parse
    >>> line = StraightLine([parse("a**3/b")])
    >>> line.numbers, line.symbols, line.program()
    (['0'], ['a', 'b'], ['1 * 1', '1 * 3', '4 / 2'])
    """

    def __init__(
        self,
        outputs: Iterable[Expr],
        circles: Iterable[Sequence[Expr]] = (),
        spheres: Iterable[Sequence[Expr]] = (),
    ) -> None:
        order = walk([ZERO, *outputs])
        circle_groups, sphere_groups = list(circles), list(spheres)
        grouped = [x for group in (*circle_groups, *sphere_groups) for x in group]
        members = set(grouped)
        numbers = [n for n in order if n.op == CONST]
        free = [n for n in order if n.op == SYMBOL and n not in members]
        free.sort(key=lambda n: (n.b or "", n.a))
        names: dict[str, Expr] = {}
        for n in (*free, *grouped):
            names[fresh(_name(n), names)] = n
        called = {n: name for name, n in names.items()}
        self.numbers: list[str] = [str(Fraction(n.a)) for n in numbers]
        self.symbols: list[str] = [called[n] for n in free]
        self.circles: list[list[str]] = [[called[x] for x in group] for group in circle_groups]
        self.spheres: list[list[str]] = [[called[x] for x in group] for group in sphere_groups]
        self.leaves: list[Expr] = [*numbers, *free, *grouped]
        self.steps: list[tuple[int, int, int]] = []
        self._register = {n: i for i, n in enumerate(self.leaves)}
        for n in order:
            if n not in self._register:
                self._register[n] = self._write(n)

    def __getitem__(self, e: Expr) -> int:
        """The register of an output or of a part of one."""
        return self._register[e]

    def __len__(self) -> int:
        return len(self.leaves) + len(self.steps)

    def program(self) -> list[str]:
        """The instructions as text."""
        return [f"root {a}" if op == SQRT else f"{a} {_SIGN[op]} {b}" for op, a, b in self.steps]

    def sizes(self, pairs: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """(degree, degree + height) of the difference of each pair of registers.

        The height is that of docs/theory/proofs.md: the bits of the sum of all coefficients, written so
        that no variable of a circle or sphere is squared but one.
        """
        tape = _Tape(self.leaves, [*self.steps, *((SUB, a, b) for a, b in pairs)])
        degrees = Degrees(tape, Points([ZERO], ()))
        largest = max(map(len, (*self.circles, *self.spheres)), default=1)
        per_two = (largest - 1).bit_length()  # bits for each two degrees
        ends = range(len(self), len(tape.nodes))
        return [
            (d, d + degrees.bits[i] + (d * per_two + 1) // 2)
            for i, d in ((i, degrees.degree[i]) for i in ends)
        ]

    def _write(self, n: Expr) -> int:
        op, at = n.op, self._register
        if op == NEG:
            return self._emit(SUB, at[ZERO], at[n.a])
        if op == SQRT:
            return self._emit(SQRT, at[n.a], at[n.a])
        if op == POW:
            return self._power(at[n.a], n.b)
        assert op in _SIGN, "not in normal form"
        return self._emit(op, at[n.a], at[n.b])

    def _power(self, a: int, k: int) -> int:
        result = a
        for bit in f"{k:b}"[1:]:
            result = self._emit(MUL, result, result)
            if bit == "1":
                result = self._emit(MUL, a, result)
        return result

    def _emit(self, op: int, a: int, b: int) -> int:
        self.steps.append((op, a, b))
        return len(self) - 1


@final
class _Tape:
    """Tape for `Degrees`."""

    def __init__(self, leaves: list[Expr], steps: list[tuple[int, int, int]]) -> None:
        self.leaves, self.steps = leaves, steps
        self.nodes = range(len(leaves) + len(steps))


def _name(n: Expr) -> str:
    """Name of a symbol; of an invented one, with its purpose unless the name says it."""
    return n.a if n.b in (None, "circle", "function", "number") else f"{n.b} {n.a}"
