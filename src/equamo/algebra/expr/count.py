"""Operation counts of expressions, with shared sub-expressions counted once."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import final

from .functions import COS, SIN
from .graph import ADD, ATAN2, DIV, FIRST_FUNCTION, MUL, NEG, POW, SUB, Expr
from .walk import walk


@final
@dataclass(frozen=True, slots=True)
class Count:
    """Operation count of a set of outputs; a sign is free, so a − b counts as one addition."""

    multiplications: int  # products of two operands
    additions: int  # sums and differences of two operands
    divisions: int  # quotients
    sincos: int  # pairs: sin and cos of one angle count once
    functions: int  # all other functions
    instructions: int  # with fused multiply-adds, as a processor with FMA executes; without sincos

    @property
    def total(self) -> int:
        """Number of multiplications and additions."""
        return self.multiplications + self.additions


def count(outputs: Iterable[Expr]) -> Count:
    """Count the operations of all outputs together.

    >>> from equamo.algebra.expr import parse
    >>> count([parse("a*sin(x) + b*cos(x)")])
    Count(multiplications=2, additions=1, divisions=0, sincos=1, functions=0, instructions=2)
    """
    roots = list(outputs)
    order = walk(roots)
    uses: dict[Expr, int] = {}
    for x in [x for n in order for x in n.args] + roots:
        uses[x] = uses.get(x, 0) + 1
    mults = adds = divs = functions = fused = 0
    angles: set[Expr] = set()
    for n in order:
        op = n.op
        if op == MUL:
            mults += 1
        elif op in (ADD, SUB):
            adds += 1
            fused += any(_product_used_once(x, uses) for x in (n.a, n.b))
        elif op == POW:
            mults += n.b.bit_length() - 1 + n.b.bit_count() - 1
        elif op == DIV:
            divs += 1
        elif op in (SIN, COS):
            angles.add(n.a)
        elif op >= FIRST_FUNCTION or op == ATAN2:
            functions += 1
    return Count(mults, adds, divs, len(angles), functions, mults + adds + divs + functions - fused)


def _product_used_once(x: Expr, uses: dict[Expr, int]) -> bool:
    while x.op == NEG:
        if uses[x] > 1:
            return False
        x = x.a
    return x.op == MUL and uses[x] == 1
