"""Ordering of instructions for instruction parallelism and few live values.

Depth first from the last output to the first, the deeper of two operands first. Outputs of a tree are in
the order of its bodies, so a branch is finished before the next one begins: on a humanoid 190 values are
live at the same time instead of 495, and long chains start early. Within a few hundred instructions the
processor and LLVM's scheduler find the parallelism; list scheduling over the whole program was measured
too, and was slower on big robots (docs/project/decisions.md).

Several matrices, such as derivatives, are computed together: entries (i, j) and (j, i) of all of them
with the larger index first, since they need the same forces on body max(i, j). On the same humanoid, 290
values are then live at the same time, and 1700 if the matrices are computed one by one.
"""

from __future__ import annotations

from itertools import product

from ..builder import Builder
from ..program import Program
from .uses import depths


def ordering(program: Program) -> Program:
    """Reorder the instructions."""
    code, depth = program.instructions, depths(program)
    build, new = Builder(), dict[int, int]()
    for root in reversed(_roots(program)):
        stack = [root]
        while stack:
            i = stack[-1]
            if i in new:
                stack.pop()
                continue
            op, args, leaf = code[i]
            missing = sorted((a for a in args if a not in new), key=lambda a: depth[a])
            if missing:
                stack += missing  # with the deepest on top
            else:
                new[i] = build.emit(op, tuple(new[a] for a in args), leaf)
                stack.pop()
    return build.finish(program, new)


def _roots(program: Program) -> list[int]:
    """Values of all outputs; those of several matrices by the larger index of their entries."""
    if len(program.outputs) == 1:
        return list(program.outputs[0].values)
    roots: list[tuple[tuple[int, ...], int]] = []
    for k, y in enumerate(program.outputs):
        for place, i in zip(y.places or product(*map(range, y.shape)), y.values, strict=True):
            below = len(place) == 2 and place[0] > place[1]
            roots.append(((max(place, default=0), below, -k, *sorted(place)), i))
    return [i for _, i in sorted(roots)]
