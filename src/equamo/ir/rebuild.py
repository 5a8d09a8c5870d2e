"""Conversion of a Program back to expressions, on which the correctness of passes is proved."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from ..errors import EquamoError
from ..expr import Expr
from ..expr.functions import BY_NAME, apply, apply_atan2
from ..expr.graph import PI_NODE, constant
from .program import Program

_HALVES: Final = ("sine", "cosine")


def rebuild(program: Program) -> dict[str, list[Expr]]:
    """Rebuild the outputs as expressions in the symbols of the arguments.

    >>> from equamo.expr import parse, symbol
    >>> from equamo.ir.lower import lower
    >>> from equamo.ir.program import Argument
    >>> rebuild(lower("f", [Argument("x", (symbol("a"),))], {"y": parse("a**2 + 1")}))
    {'y': [a**2 + 1]}
    """
    value: list[Expr] = []
    pairs: set[int] = set()
    for i, (op, args, leaf) in enumerate(program.instructions):
        if op == "sincos":
            pairs.add(i)
        if (op in _HALVES) != (not pairs.isdisjoint(args)):
            raise EquamoError(
                f"Program {program.name!r}: {op} {args} at {i}: sine and cosine, and nothing else, take "
                "the pair of a sincos."
            )
        x = [value[i] for i in args]
        value.append(_node(program, op, x, leaf))
    if any(not pairs.isdisjoint(y.values) for y in program.outputs):
        raise EquamoError(
            f"Program {program.name!r}: the pair of a sincos is not a number to return."
        )
    return {y.name: [value[i] for i in y.values] for y in program.outputs}


def _node(
    program: Program, op: str, x: list[Expr], leaf: Fraction | tuple[int, int] | None
) -> Expr:
    if isinstance(leaf, Fraction):
        return constant(leaf)
    if isinstance(leaf, tuple):
        return program.arguments[leaf[0]].symbols[leaf[1]]
    match op, x:
        case "pi", []:
            return PI_NODE
        case "neg", [a]:
            return -a
        case "add", [a, b]:
            return a + b
        case "sub", [a, b]:
            return a - b
        case "mul", [a, b]:
            return a * b
        case "div", [a, b]:
            return a / b
        case "fma", [a, b, c]:
            return a * b + c
        case "fms", [a, b, c]:
            return a * b - c
        case "fnma", [a, b, c]:
            return c - a * b
        case "fnms", [a, b, c]:
            return -(a * b) - c
        case "atan2", [a, b]:
            return apply_atan2(a, b)
        case "sincos", [a]:
            return a  # the angle stands for the pair; sine and cosine select one of the two
        case "sine", [a]:
            return apply(BY_NAME["sin"].opcode, a)
        case "cosine", [a]:
            return apply(BY_NAME["cos"].opcode, a)
        case _:
            return apply(BY_NAME[op].opcode, x[0])
