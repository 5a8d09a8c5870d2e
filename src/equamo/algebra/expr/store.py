"""Conversion of expressions to plain data (numbers and text in a flat list) and back."""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from ...basics.wording import brief
from ...errors import ExpressionError
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

_FRACTION = re.compile(r"-?[0-9]+(/[0-9]+)?")
_DIGITS = 10_000  # limit for numerator and denominator together

Stored = tuple[list[list[Any]], list[int]]


def dump(outputs: Iterable[Expr]) -> Stored:
    """Convert to (nodes, outputs): each node is [word, operand numbers or text …], operands first.

    >>> from equamo.algebra.expr import parse
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
    """Rebuild the expressions of `dump` in this process.

    Raises:
        ExpressionError: The data is not output of `dump`: a node refers to a later one, say.
    """
    if not _is_list(stored) or len(stored) != 2 or not all(map(_is_list, stored)):
        raise ExpressionError(
            f"Stored expressions must be two lists, of nodes and of outputs, got {brief(stored)}."
        )
    made: list[Expr] = []
    for row in stored[0]:
        made.append(_node(row, made))
    return [_made(i, made) for i in stored[1]]


def _node(row: Any, made: list[Expr]) -> Expr:
    """Rebuild the node of a row from operands rebuilt before."""
    if not _is_list(row) or not row or not isinstance(row[0], str):
        raise _damaged(f"{brief(row)} is not an operation and its operands")
    word, operands = row[0], list(row[1:])
    if len(operands) != _operands(word):
        raise _damaged(f"{brief(row)} is not an operation and its operands")
    if word in _BINARY:
        return _BINARY[word](_made(operands[0], made), _made(operands[1], made))
    if word == "internal":
        if not all(isinstance(x, str) for x in operands):
            raise _damaged(f"{brief(row)} is not a purpose and a name")
        return internal(operands[0], operands[1])
    if word == "pow":
        base, exponent = operands
        if type(exponent) is not int:
            raise _damaged(f"{brief(exponent)} is not an exponent")
        return power(_made(base, made), constant(exponent))
    if word == "pi":
        return PI_NODE
    (operand,) = operands
    if word == "number":
        return constant(_number(operand))
    if word == "symbol":
        if not isinstance(operand, str):
            raise _damaged(f"{brief(operand)} is not a name")
        return symbol(operand)
    x = _made(operand, made)
    return neg(x) if word == "neg" else apply(BY_NAME[word].opcode, x)


def _operands(word: str) -> int:
    """Number of operands that the operation of a row takes."""
    if word in _BINARY or word in ("pow", "internal"):
        return 2
    if word == "pi":
        return 0
    if word in ("number", "symbol", "neg") or word in BY_NAME:
        return 1
    raise ExpressionError(f"A stored expression has an unknown operation {brief(word)}.")


def _made(i: Any, made: list[Expr]) -> Expr:
    if type(i) is not int or not 0 <= i < len(made):
        raise _damaged(f"{brief(i)} is not the number of an earlier node")
    return made[i]


def _number(text: Any) -> Fraction:
    """Read an exact number such as "-3/2"; exponents are refused, since they could be huge."""
    if not isinstance(text, str) or not _FRACTION.fullmatch(text) or len(text) > _DIGITS:
        raise _damaged(f"{brief(text)} is not a number")
    try:
        return Fraction(text)
    except (ValueError, ZeroDivisionError):  # too many digits, or a denominator of 0
        raise _damaged(f"{brief(text)} is not a number") from None


def _is_list(x: Any) -> bool:
    return isinstance(x, (list, tuple))


def _damaged(problem: str) -> ExpressionError:
    return ExpressionError(f"Stored expressions are damaged: {problem}.")


def load_one(stored: Stored) -> Expr:
    """Rebuild the single expression of `dump([e])`."""
    return load(stored)[0]
