"""Division of the outputs of a program into parts of similar cost, for several threads per state."""

from __future__ import annotations

from collections.abc import Iterable

from ...ir.program import Program
from .thread import Entry


def divided(program: Program, count: int) -> tuple[frozenset[Entry], ...]:
    """At most `count` parts, each with neighbours in the order of computation.

    Entries that are computed one after the other share most of their work. A new part begins when the
    added work exceeds the limit, which is the smallest that yields `count` parts.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.code.ir.functions import functions
    >>> from equamo.robot.library import load
    >>> program = functions(derive(load("rr_arm")))["mass_matrix"].program()
    >>> [len(part) for part in divided(program, 2)]
    [3, 1]
    """
    entries = sorted(
        (value, (k, e))
        for k, y in enumerate(program.outputs, len(program.arguments))
        for e, value in enumerate(y.values)
    )
    if count <= 1 or len(entries) <= 1:
        return (frozenset(entry for _, entry in entries),)
    low, high = 1, len(program.instructions)
    best = _grouped(program, entries, high)
    while low < high:
        limit = (low + high) // 2
        found = _grouped(program, entries, limit)
        if len(found) <= count:
            best, high = found, limit
        else:
            low = limit + 1
    return tuple(frozenset(part) for part in best)


def _grouped(
    program: Program, entries: Iterable[tuple[int, Entry]], limit: int
) -> list[list[Entry]]:
    """Parts whose programs have at most `limit` instructions, if one entry alone has no more."""
    parts: list[list[Entry]] = []
    needed: set[int] = set()
    for value, entry in entries:
        more = _needs(program, value, needed)
        if not parts or len(needed) + len(more) > limit:
            parts.append([])
            needed, more = set[int](), _needs(program, value, set())
        needed |= more
        parts[-1].append(entry)
    return parts


def _needs(program: Program, value: int, known: set[int]) -> set[int]:
    """Instructions that a value needs, except those already known."""
    found: set[int] = set()
    stack = [value]
    while stack:
        i = stack.pop()
        if i not in known and i not in found:
            found.add(i)
            stack += program.instructions[i].args
    return found
