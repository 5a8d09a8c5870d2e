"""Cost of a Program: fused instructions, sines, registers, memory."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import final

from .program import FUSED, LEAVES, Program


@final
@dataclass(frozen=True, slots=True)
class Cost:
    """Cost of one evaluation. Signs count: after the passes each remaining sign is an instruction."""

    instructions: int  # arithmetic, with a multiply-add as one; without functions
    multiplications: int  # as in C: a multiply-add counts as one multiplication
    additions: int  # and one addition
    divisions: int
    sincos: int  # pairs, or single sines and cosines
    functions: int  # all others: roots, signs, logarithms …
    live: int  # most values that are live at the same time
    bytes: int  # read and written once, as float64

    @property
    def estimate(self) -> float:
        """Estimate for comparing programs, in instructions: a division 8, a sincos 30, others 20."""
        return self.instructions + 7 * self.divisions + 30 * self.sincos + 20 * self.functions


def cost(program: Program) -> Cost:
    """Count the operations of a program.

    >>> from equamo.algebra.expr import parse, symbol
    >>> from equamo.code.ir.lower import lower
    >>> from equamo.code.ir.passes import optimise
    >>> from equamo.code.ir.program import Argument
    >>> x = Argument("x", (symbol("a"), symbol("b")))
    >>> c = cost(optimise(lower("f", [x], {"y": parse("a*b + sin(a)*cos(a)")})))
    >>> c.instructions, c.multiplications, c.additions, c.sincos
    (2, 2, 1, 1)
    """
    ops = Counter(i.op for i in program.instructions)
    fused = sum(ops[f] for f in FUSED)
    sums = ops["add"] + ops["sub"]
    sincos = ops["sincos"] + ops["sin"] + ops["cos"]
    plain = ("neg", "add", "sub", "mul", "div", *FUSED)
    known = ops.total() - sum(ops[x] for x in (*plain, *LEAVES, "sine", "cosine"))
    inputs = sum(i.op == "input" for i in program.instructions)
    outputs = sum(len(y.values) for y in program.outputs)
    return Cost(
        sum(ops[x] for x in plain),
        ops["mul"] + fused,
        sums + fused,
        ops["div"],
        sincos,
        known - sincos,
        live(program),
        8 * (inputs + outputs),
    )


def live(program: Program) -> int:
    """Most values, without constants and inputs, that are live at the same time."""
    last: dict[int, int] = {}
    for i, (_, args, _) in enumerate(program.instructions):
        for a in args:
            last[a] = i
    ends: Counter[int] = Counter()
    alive = most = 0
    for i, (op, _, _) in enumerate(program.instructions):
        alive -= ends.pop(i, 0)
        if op not in LEAVES and i in last:
            alive += 1
            ends[last[i]] += 1
        most = max(most, alive + (i not in last and op not in LEAVES))
    return most
