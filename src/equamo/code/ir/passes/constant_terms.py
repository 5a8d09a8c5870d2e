"""Constant terms of a sum, (x + 1) + y + 2, are one number: x + 3 + y.

It stays where the first of them was, which may be the start of a chain of multiply-adds.
"""

from __future__ import annotations

from fractions import Fraction

from ..builder import Builder
from ..program import Program
from .dead_code import dead_code
from .sums import Term, inner_sums, sum_of, terms_of
from .uses import uses


def constant_terms(program: Program) -> Program:
    """Add up the numbers in every sum."""
    code = program.instructions
    inner = inner_sums(program, uses(program))
    build, new = Builder(), list[int]()
    changed = False
    for i, (op, args, leaf) in enumerate(code):
        if op in ("add", "sub") and not inner[i]:
            terms = terms_of(program, inner, i)
            if sum(code[t].op == "constant" for t, _ in terms) > 1:
                new.append(_rebuilt(program, build, new, terms))
                changed = True
                continue
        new.append(build.emit(op, tuple([new[a] for a in args]), leaf))
    return dead_code(build.finish(program, new)) if changed else program


def _rebuilt(program: Program, build: Builder, new: list[int], terms: list[Term]) -> int:
    """Build a sum with its constant terms added up, in the place of the first one."""
    total, place = Fraction(0), None
    parts: list[Term] = []
    for i, minus in terms:
        op, _, number = program.instructions[i]
        if op != "constant":
            parts.append((new[i], minus))
            continue
        assert isinstance(number, Fraction)
        total += -number if minus else number
        place = len(parts) if place is None else place
    if total or not parts:
        parts.insert(place or 0, (build.constant(abs(total)), total < 0))
    value, minus = sum_of(build, parts)
    return build.emit("neg", (value,)) if minus else value
