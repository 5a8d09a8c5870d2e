"""Removal of values that no output needs."""

from __future__ import annotations

from ..builder import finished
from ..program import Instruction, Program


def dead_code(program: Program) -> Program:
    """Remove the values that no output depends on."""
    code = program.instructions
    needed = {i for y in program.outputs for i in y.values}
    for i in reversed(range(len(code))):
        if i in needed:
            needed.update(code[i].args)
    if len(needed) == len(code):
        return program
    # Equal instructions stay apart and operands in their order: no Builder is needed.
    new: dict[int, int] = {}
    kept: list[Instruction] = []
    for i, (op, args, leaf) in enumerate(code):
        if i in needed:
            new[i] = len(kept)
            kept.append(Instruction(op, tuple([new[a] for a in args]), leaf))
    return finished(program, kept, new)
