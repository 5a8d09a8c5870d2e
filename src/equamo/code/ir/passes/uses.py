"""Uses and depths of values."""

from __future__ import annotations

from ..program import Program


def uses(program: Program) -> list[list[int]]:
    """Instructions that use each value; an output counts as the instruction −1."""
    users: list[list[int]] = [[] for _ in program.instructions]
    for i, (_, args, _) in enumerate(program.instructions):
        for a in args:
            users[a].append(i)
    for y in program.outputs:
        for i in y.values:
            users[i].append(-1)
    return users


def depths(program: Program) -> list[int]:
    """Length of the longest chain of instructions below each value."""
    depth: list[int] = []
    for _, args, _ in program.instructions:
        depth.append(1 + max((depth[a] for a in args), default=-1))
    return depth
