"""Random corruptions of a Program, and an interpreter of programs in floats."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

from equamo.algebra.expr import Expr
from equamo.code.ir.program import ARITY, FUSED, LEAVES, Instruction, Program

BINARY = ("add", "sub", "mul", "div")
OPERATIONS: dict[str, Callable[..., Any]] = {
    "neg": lambda a: -a,
    "add": lambda a, b: a + b,
    "sub": lambda a, b: a - b,
    "mul": lambda a, b: a * b,
    "div": lambda a, b: a / b,
    "fma": lambda a, b, c: a * b + c,
    "fms": lambda a, b, c: a * b - c,
    "fnma": lambda a, b, c: c - a * b,
    "fnms": lambda a, b, c: -a * b - c,
    "sincos": lambda a: (math.sin(a), math.cos(a)),
    "sine": lambda p: p[0],
    "cosine": lambda p: p[1],
    "sign": lambda a: math.copysign(1, a) if a else 0,
    "abs": abs,
    "atan2": math.atan2,
}


def run(program: Program, state: Mapping[Expr, float]) -> list[float]:
    """The outputs of a program at a state, in floats."""
    value: list[Any] = []
    for op, args, leaf in program.instructions:
        if isinstance(leaf, Fraction):
            value.append(float(leaf))
        elif isinstance(leaf, tuple):
            value.append(state[program.arguments[leaf[0]].symbols[leaf[1]]])
        elif op == "pi":
            value.append(math.pi)
        else:
            function = OPERATIONS.get(op) or getattr(math, op)
            value.append(function(*(value[i] for i in args)))
    return [float(value[i]) for y in program.outputs for i in y.values]


def corrupted(program: Program, random: Random) -> tuple[str, Program]:
    """(what was done, the program with one instruction or its outputs changed)"""
    kinds: list[tuple[str, Callable[[Program, Random], Program]]] = [
        ("operation", _operation),
        ("operand", _operand),
        ("leaf", _leaf),
        ("outputs", _outputs),
    ]
    kind, change = random.choice(kinds)
    return kind, change(program, random)


def _changed(program: Program, i: int, new: Instruction) -> Program:
    code = list(program.instructions)
    code[i] = new
    return replace(program, instructions=tuple(code))


def _choose(program: Program, random: Random, fits: Callable[[Instruction], bool]) -> int | None:
    found = [i for i, x in enumerate(program.instructions) if fits(x)]
    return random.choice(found) if found else None


def _operation(program: Program, random: Random) -> Program:
    groups: Sequence[tuple[str, ...]] = (BINARY, FUSED, ("sine", "cosine"), ("sin", "cos"))
    i = _choose(program, random, lambda x: any(x.op in group for group in groups))
    if i is None:
        return program
    x = program.instructions[i]
    (group,) = [g for g in groups if x.op in g]
    return _changed(program, i, x._replace(op=random.choice([op for op in group if op != x.op])))


def _operand(program: Program, random: Random) -> Program:
    i = _choose(program, random, lambda x: ARITY[x.op] > 0)
    if i is None:
        return program
    x = program.instructions[i]
    args = list(x.args)
    args[random.randrange(len(args))] = random.randrange(i)
    return _changed(program, i, x._replace(args=tuple(args)))


def _leaf(program: Program, random: Random) -> Program:
    i = _choose(program, random, lambda x: x.op in LEAVES and x.leaf is not None)
    if i is None:
        return program
    x = program.instructions[i]
    if isinstance(x.leaf, Fraction):  # by little, or by its sign
        new: Any = random.choice([x.leaf * Fraction(10**6 + 1, 10**6), -x.leaf, x.leaf + 1])
    else:
        assert x.leaf is not None
        argument = random.randrange(len(program.arguments))
        new = argument, random.randrange(len(program.arguments[argument]))
    return _changed(program, i, x._replace(leaf=new))


def _outputs(program: Program, random: Random) -> Program:
    (y,) = program.outputs
    values = list(y.values)
    i, j = random.randrange(len(values)), random.randrange(len(values))
    if random.random() < 0.5:
        values[i], values[j] = values[j], values[i]
    else:
        values[i] = random.randrange(len(program.instructions))
    return replace(program, outputs=(replace(y, values=tuple(values)),))
