"""Conversion of a Program back to expressions, on which the correctness of passes is proved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Final

from ...algebra.expr import Expr
from ...algebra.expr.functions import BY_NAME, apply, apply_atan2
from ...algebra.expr.graph import PI_NODE, constant
from ...algebra.expr.rules import add, div, mul, neg, sub
from ...errors import EquamoError
from .program import Program

_HALVES: Final = ("sine", "cosine")


def _function(name: str) -> Callable[[Expr], Expr]:
    return partial(apply, BY_NAME[name].opcode)


_UNARY: Final[Mapping[str, Callable[[Expr], Expr]]] = {
    **{name: _function(name) for name in BY_NAME},
    "neg": neg,
    "sincos": lambda a: a,  # the angle stands for the pair; sine and cosine select one of the two
    "sine": _function("sin"),
    "cosine": _function("cos"),
}
_BINARY: Final[Mapping[str, Callable[[Expr, Expr], Expr]]] = {
    "add": add, "sub": sub, "mul": mul, "div": div, "atan2": apply_atan2,
}  # fmt: skip
_FUSED: Final[Mapping[str, Callable[[Expr, Expr, Expr], Expr]]] = {
    "fma": lambda a, b, c: add(mul(a, b), c),
    "fms": lambda a, b, c: sub(mul(a, b), c),
    "fnma": lambda a, b, c: sub(c, mul(a, b)),
    "fnms": lambda a, b, c: sub(neg(mul(a, b)), c),
}
_NODES: Final[Mapping[str, Callable[..., Expr]]] = {**_UNARY, **_BINARY, **_FUSED}


def rebuild(program: Program) -> dict[str, list[Expr]]:
    """Rebuild the outputs as expressions in the symbols of the arguments.

    >>> from equamo.algebra.expr import parse, symbol
    >>> from equamo.code.ir.lower import lower
    >>> from equamo.code.ir.program import Argument
    >>> rebuild(lower("f", [Argument("x", (symbol("a"),))], {"y": parse("a**2 + 1")}))
    {'y': [a**2 + 1]}
    """
    value: list[Expr] = []
    append = value.append
    pairs: set[int] = set()
    for i, (op, args, leaf) in enumerate(program.instructions):
        if not args:
            append(_leaf(program, leaf))
            continue
        if (op in _HALVES) != (not pairs.isdisjoint(args)):
            raise EquamoError(
                f"Program {program.name!r}: {op} {args} at {i}: the pair of a sincos must be used "
                "by sine and cosine only, and they must use nothing else."
            )
        if op == "sincos":
            pairs.add(i)
        append(_NODES[op](*[value[a] for a in args]))
    if any(not pairs.isdisjoint(y.values) for y in program.outputs):
        raise EquamoError(
            f"Program {program.name!r}: an output must be a number, got the pair of a sincos."
        )
    return {y.name: [value[i] for i in y.values] for y in program.outputs}


def _leaf(program: Program, leaf: Fraction | tuple[int, int] | None) -> Expr:
    if isinstance(leaf, tuple):
        return program.arguments[leaf[0]].symbols[leaf[1]]
    return PI_NODE if leaf is None else constant(leaf)
