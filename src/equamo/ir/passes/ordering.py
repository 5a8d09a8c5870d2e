"""Ordering of instructions for instruction parallelism and few live values.

Depth first from the last output to the first, the deeper of two operands first. Outputs of a tree are in
the order of its bodies, so a branch is finished before the next one begins: on a humanoid 190 values are
live at the same time instead of 495, and long chains start early. Within a few hundred instructions the
processor and LLVM's scheduler find the parallelism; list scheduling over the whole program was measured
too, and was slower on big robots (docs/decisions.md).
"""

from __future__ import annotations

from ..builder import Builder
from ..program import Program
from .uses import depths


def ordering(program: Program) -> Program:
    """Reorder the instructions."""
    code, depth = program.instructions, depths(program)
    build, new = Builder(), dict[int, int]()
    for root in reversed([i for y in program.outputs for i in y.values]):
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
