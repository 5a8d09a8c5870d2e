"""Expressions as plain data (numbers and text in a flat list) and back, for pickle and files."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from ..errors import ExpressionError
from ..wording import brief
from .functions import BY_NAME, TABLE, apply, apply_atan2
from .graph import (
    ADD,
    ATAN2,
    CONST,
    DIV,
    FIRST_FUNCTION,
    MUL,
    NEG,
    PI,
    PI_NODE,
    POW,
    SUB,
    SYMBOL,
    Expr,
    constant,
    internal,
    symbol,
)
from .rules import add, div, mul, neg, power, sub
from .walk import walk

_WORD = {
    CONST: "number", PI: "pi", SYMBOL: "symbol", NEG: "neg", POW: "pow",
    ADD: "add", SUB: "sub", MUL: "mul", DIV: "div", ATAN2: "atan2",
}  # fmt: skip
_BINARY = {"add": add, "sub": sub, "mul": mul, "div": div, "atan2": apply_atan2}

Stored = tuple[list[list[Any]], list[int]]


def dump(outputs: Iterable[Expr]) -> Stored:
    """(nodes, outputs): each node is [word, operand numbers or text …], operands first.

    >>> from equamo.expr import parse
    >>> dump([parse("x + 1/2")])
    ([['number', '1/2'], ['symbol', 'x'], ['add', 0, 1]], [2])
    """
    roots = list(outputs)
    nodes: list[list[Any]] = []
    number: dict[Expr, int] = {}
    for n in walk(roots):
        op = n.op
        if op == CONST:
            row: list[Any] = ["number", str(n.a)]
        elif op == SYMBOL:
            row = ["symbol", n.a] if n.b is None else ["internal", n.b, n.a]
        elif op == PI:
            row = ["pi"]
        elif op == POW:
            row = ["pow", number[n.a], n.b]
        elif op == NEG or op >= FIRST_FUNCTION:
            row = [_WORD.get(op) or TABLE[op].name, number[n.a]]
        else:
            row = [_WORD[op], number[n.a], number[n.b]]
        number[n] = len(nodes)
        nodes.append(row)
    return nodes, [number[y] for y in roots]


def load(stored: Stored) -> list[Expr]:
    """The expressions of `dump`, re-made in this process."""
    made: list[Expr] = []
    for word, *operands in stored[0]:
        if word in _BINARY:
            i, j = map(int, operands)
            node = _BINARY[word](made[i], made[j])
        elif word == "number":
            node = constant(Fraction(str(operands[0])))
        elif word == "symbol":
            node = symbol(str(operands[0]))
        elif word == "internal":
            node = internal(str(operands[0]), str(operands[1]))
        elif word == "neg":
            node = neg(made[int(operands[0])])
        elif word == "pow":
            node = power(made[int(operands[0])], constant(int(operands[1])))
        elif word == "pi":
            node = PI_NODE
        elif word in BY_NAME:
            node = apply(BY_NAME[word].opcode, made[int(operands[0])])
        else:
            raise ExpressionError(f"A stored expression has an unknown operation {brief(word)}.")
        made.append(node)
    return [made[i] for i in stored[1]]


def load_one(stored: Stored) -> Expr:
    """The one expression of `dump([e])`."""
    return load(stored)[0]
