"""Sums as a whole: nested additions and subtractions, flattened if nothing else uses them."""

from __future__ import annotations

from ..builder import Builder
from ..program import Program

Term = tuple[int, bool]  # a value, and whether it is subtracted


def inner_sums(program: Program, users: list[list[int]]) -> list[bool]:
    """Whether each value is part of one larger sum, and used nowhere else."""
    return [
        op in ("add", "sub") and len(users[i]) == 1 and _is_sum(program, users[i][0])
        for i, (op, _, _) in enumerate(program.instructions)
    ]


def _is_sum(program: Program, i: int) -> bool:
    return i >= 0 and program.instructions[i].op in ("add", "sub")


def terms_of(program: Program, inner: list[bool], root: int) -> list[Term]:
    """Terms of a sum, left to right."""
    terms: list[Term] = []
    stack: list[Term] = [(root, False)]
    while stack:
        i, minus = stack.pop()
        if i != root and not inner[i]:
            terms.append((i, minus))
            continue
        op, (a, b), _ = program.instructions[i]
        stack += [(b, minus != (op == "sub")), (a, minus)]
    return terms


def sum_of(build: Builder, terms: list[Term]) -> Term:
    """Build Σ ± terms as (value, sign); the sign of a sum of subtracted terms stays outside."""
    value, minus = terms[0]
    for x, taken in terms[1:]:
        if taken == minus:
            value = build.emit("add", (value, x))
        elif minus:
            value, minus = build.emit("sub", (x, value)), False
        else:
            value = build.emit("sub", (value, x))
    return value, minus
