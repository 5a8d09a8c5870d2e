"""Compute equal values once: also a − b where there is b − a, and a product with one of its factors."""

from __future__ import annotations

from ..builder import Builder
from ..program import Program


def sharing(program: Program) -> Program:
    """The program with equal instructions merged, operands of sums and products in one order."""
    build = Builder()
    new: list[int] = []
    differences: dict[tuple[int, int], int] = {}
    for op, args, leaf in program.instructions:
        at = tuple(new[a] for a in args)
        if op == "sub":
            if (at[1], at[0]) in differences:
                new.append(build.emit("neg", (differences[at[1], at[0]],)))
                continue
            differences[at[0], at[1]] = len(build.instructions)
        new.append(build.emit(op, at, leaf))
        if op == "sub":
            differences[at[0], at[1]] = new[-1]
    return build.finish(program, new)
