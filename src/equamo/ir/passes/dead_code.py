"""Removal of values that no output needs."""

from __future__ import annotations

from ..builder import Builder
from ..program import Program


def dead_code(program: Program) -> Program:
    """Remove the values that no output depends on."""
    code = program.instructions
    needed = {i for y in program.outputs for i in y.values}
    for i in reversed(range(len(code))):
        if i in needed:
            needed.update(code[i].args)
    build = Builder()
    new: dict[int, int] = {}
    for i, (op, args, leaf) in enumerate(code):
        if i in needed:
            new[i] = build.emit(op, tuple(new[a] for a in args), leaf)
    return build.finish(program, new)
