"""Merging of sin and cos of the same value into one sincos pair."""

from __future__ import annotations

from ..builder import Builder
from ..program import Program


def sincos(program: Program) -> Program:
    """Compute sine and cosine of the same angle as one pair."""
    code = program.instructions
    both = {args[0] for op, args, _ in code if op == "sin"} & {
        args[0] for op, args, _ in code if op == "cos"
    }
    build = Builder()
    new: list[int] = []
    for op, args, leaf in code:
        at = tuple([new[a] for a in args])
        if op in ("sin", "cos") and args[0] in both:
            pair = build.emit("sincos", at)
            new.append(build.emit("sine" if op == "sin" else "cosine", (pair,)))
        else:
            new.append(build.emit(op, at, leaf))
    return build.finish(program, new)
