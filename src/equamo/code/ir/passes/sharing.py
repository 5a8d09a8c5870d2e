"""Sharing of equal values, including a − b with b − a, and products in another order."""

from __future__ import annotations

from ..builder import Builder
from ..program import Program


def sharing(program: Program) -> Program:
    """Merge equal instructions, with operands of sums and products in a fixed order."""
    build = Builder()
    new: list[int] = []
    differences: dict[tuple[int, int], int] = {}
    for op, args, leaf in program.instructions:
        at = tuple([new[a] for a in args])
        if op == "sub":
            if (at[1], at[0]) in differences:
                new.append(build.emit("neg", (differences[at[1], at[0]],)))
                continue
            differences[at[0], at[1]] = len(build.instructions)
        new.append(build.emit(op, at, leaf))
        if op == "sub":
            differences[at[0], at[1]] = new[-1]
    return build.finish(program, new)
