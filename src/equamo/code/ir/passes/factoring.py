"""Factoring of sums: a·x + a·y = a·(x + y) saves a multiplication.

A sum is treated as a whole, with nested additions flattened if nothing else uses them. Only products
that this sum alone uses are changed, so no value is computed twice. The number of fused instructions
stays the same; processors without multiply-add save one multiplication each time.
"""

from __future__ import annotations

from collections import defaultdict

from ..builder import Builder
from ..program import Program
from .dead_code import dead_code
from .folding import folding
from .sums import Term, inner_sums, sum_of, terms_of
from .uses import uses


def factoring(program: Program) -> Program:
    """Factor out values that several terms of a sum share."""
    code = program.instructions
    users = uses(program)
    inner = inner_sums(program, users)
    sums: dict[int, tuple[list[Term], list[tuple[int, list[Term]]]]] = {}
    for i, (op, _, _) in enumerate(code):
        if op in ("add", "sub") and not inner[i]:
            terms = terms_of(program, inner, i)
            groups = _groups(program, users, terms)
            if groups:
                sums[i] = terms, groups
    if not sums:
        return dead_code(program)
    build, new = Builder(), list[int]()
    for i, (op, args, leaf) in enumerate(code):
        if i in sums:
            new.append(_rebuilt(program, build, new, *sums[i]))
        else:
            new.append(build.emit(op, tuple([new[a] for a in args]), leaf))
    return folding(build.finish(program, new))  # of c₁·x + c₂·x = (c₁ + c₂)·x


def _groups(
    program: Program, users: list[list[int]], terms: list[Term]
) -> list[tuple[int, list[Term]]]:
    """Groups (factor, terms), chosen greedily by the factor of most remaining products."""
    code = program.instructions
    open_terms = [t for t in terms if code[t[0]].op == "mul" and len(users[t[0]]) == 1]
    groups: list[tuple[int, list[Term]]] = []
    while len(open_terms) > 1:
        by_factor: dict[int, list[Term]] = defaultdict(list)
        for t in open_terms:
            for factor in set(code[t[0]].args):
                by_factor[factor].append(t)
        best = max(by_factor, key=lambda f: (len(by_factor[f]), -f), default=None)
        if best is None or len(by_factor[best]) < 2:
            return groups
        groups.append((best, by_factor[best]))
        open_terms = [t for t in open_terms if t not in by_factor[best]]
    return groups


def _rebuilt(
    program: Program,
    build: Builder,
    new: list[int],
    terms: list[Term],
    groups: list[tuple[int, list[Term]]],
) -> int:
    """Build the sum with its groups factored, each in the place of its first term."""
    code = program.instructions
    first = {group[0]: (factor, group) for factor, group in groups}
    gone = {t for _, group in groups for t in group[1:]}
    parts: list[Term] = []
    for t in terms:
        if t in gone:
            continue
        if t in first:
            factor, group = first[t]
            others = [(new[_other(code[i].args, factor)], minus) for i, minus in group]
            total, minus = sum_of(build, others)
            parts.append((build.emit("mul", (new[factor], total)), minus))
        else:
            parts.append((new[t[0]], t[1]))
    total, minus = sum_of(build, parts)
    return build.emit("neg", (total,)) if minus else total


def _other(args: tuple[int, ...], factor: int) -> int:
    a, b = args
    return b if a == factor else a
