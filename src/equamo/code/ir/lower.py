"""Lowering of the graph to a Program: one instruction per node, operands first."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ...algebra.expr import Expr
from ...algebra.expr.functions import TABLE
from ...algebra.expr.graph import ADD, ATAN2, CONST, DIV, MUL, NEG, PI, POW, SUB, SYMBOL
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import walk
from ...errors import UnknownNameError
from ...mechanics.kinematics.quantity_name import QuantityName
from .builder import Builder
from .program import Argument, Output, Program

_BINARY = {ADD: "add", SUB: "sub", MUL: "mul", DIV: "div", ATAN2: "atan2"}


def lower(
    name: str,
    arguments: Iterable[Argument],
    outputs: Mapping[str, Expr | Vector | Matrix | Sequence[Expr]],
    names: Mapping[Expr, QuantityName] | None = None,
) -> Program:
    """Lower `outputs` to a program in `arguments`; `names` are those of the derivation.

    >>> from equamo.algebra.expr import parse, symbol
    >>> program = lower("f", [Argument("x", (symbol("a"),))], {"y": parse("a**3")})
    >>> [i.op for i in program.instructions]
    ['input', 'mul', 'mul']
    """
    arguments = tuple(arguments)
    place = {s: (i, k) for i, a in enumerate(arguments) for k, s in enumerate(a.symbols)}
    entries = {key: _entries(y) for key, y in outputs.items()}
    build = Builder()
    value: dict[Expr, int] = {}
    for n in walk([e for es, _ in entries.values() for e in es]):
        op = n.op
        if op == CONST:
            value[n] = build.constant(n.a)
        elif op == PI:
            value[n] = build.emit("pi")
        elif op == SYMBOL:
            if n not in place:
                raise UnknownNameError("input", n.name, [s.name for s in place], f"program {name}")
            value[n] = build.emit("input", (), place[n])
        elif op == NEG:
            number = build.value(value[n.a])
            value[n] = (
                build.emit("neg", (value[n.a],)) if number is None else build.constant(-number)
            )
        elif op == POW:
            value[n] = _power(build, value[n.a], n.b)
        elif op in _BINARY:
            value[n] = build.emit(_BINARY[op], (value[n.a], value[n.b]))
        else:
            value[n] = build.emit(TABLE[op].name, (value[n.a],))
    known = {value[n]: given for n, given in (names or {}).items() if n in value}
    return Program(
        name,
        arguments,
        tuple(build.instructions),
        tuple(
            Output(key, shape, tuple(value[e] for e in es)) for key, (es, shape) in entries.items()
        ),
        known,
    )


def _entries(y: Expr | Vector | Matrix | Sequence[Expr]) -> tuple[list[Expr], tuple[int, ...]]:
    if isinstance(y, Expr):
        return [y], ()
    if isinstance(y, (Vector, Matrix)):
        return list(y.entries), y.shape
    return list(y), (len(y),)


def _power(build: Builder, x: int, k: int) -> int:
    """Compute x^k by squaring, with shared intermediate powers."""
    result: int | None = None
    while True:
        if k & 1:
            result = x if result is None else build.emit("mul", (result, x))
        k >>= 1
        if not k:
            break
        x = build.emit("mul", (x, x))
    assert result is not None
    return result
