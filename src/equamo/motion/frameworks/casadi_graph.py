"""A Program as a CasADi function: one SX operation per instruction, each constant rounded once.

CasADi differentiates the graph itself, exactly and to any order. Unit quaternions are normalised first,

    (1) f(q) → f(q/|q|)

so that its derivatives are those with `wrt="coordinates"`, also at iterates off the unit sphere.
"""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from math import pi
from typing import Any, Final

from ...algebra.expr import Expr
from ...code.ir.program import FUSED, Output, Program
from ...code.ir.rounding import nearest

_NAMES: Final = {"abs": "fabs", "sine": "sin", "cosine": "cos"}  # other names in CasADi


def graph(casadi: Any, program: Program, unit_groups: Iterable[tuple[Expr, ...]]) -> Any:
    """CasADi function of a program.

    Args:
        casadi: The module.
        program: The program.
        unit_groups: Groups of symbols that are unit quaternions.

    Returns:
        A `casadi.Function` on SX with the names of arguments and results; matrices have their shape,
        vectors are columns.

    >>> import casadi
    >>> from equamo.algebra.expr import parse, symbol
    >>> from equamo.code.ir.lower import lower
    >>> from equamo.code.ir.program import Argument
    >>> f = lower("f", [Argument("x", (symbol("a"), symbol("b")))], {"y": parse("a*sin(b)")})
    >>> graph(casadi, f, ())
    Function(f:(x[2])->(y) SXFunction)
    """
    inputs = [casadi.SX.sym(a.name, len(a)) for a in program.arguments]
    entries: list[list[Any]] = [casadi.vertsplit(x) if x.numel() else [] for x in inputs]
    where = {s: (i, k) for i, a in enumerate(program.arguments) for k, s in enumerate(a.symbols)}
    for group in unit_groups:
        if all(s in where for s in group):
            places = [where[s] for s in group]
            length = casadi.sqrt(sum(entries[i][k] ** 2 for i, k in places))
            for i, k in places:  # (1)
                entries[i][k] = entries[i][k] / length
    values = _values(casadi, program, entries)
    outputs = [_shaped(casadi, y, values) for y in program.outputs]
    names = [a.name for a in program.arguments], [y.name for y in program.outputs]
    return casadi.Function(program.name, inputs, outputs, *names)


def _values(casadi: Any, program: Program, entries: list[list[Any]]) -> list[Any]:
    """Value of each instruction."""
    values: list[Any] = []
    for op, args, leaf in program.instructions:
        if isinstance(leaf, Fraction):
            values.append(casadi.SX(nearest(leaf, "float64")))
        elif isinstance(leaf, tuple):
            values.append(entries[leaf[0]][leaf[1]])
        elif op == "pi":
            values.append(casadi.SX(pi))
        else:
            values.append(_apply(casadi, op, [values[a] for a in args]))
    return values


def _apply(casadi: Any, op: str, x: list[Any]) -> Any:
    """Value of an operation on its operands."""
    if op == "neg":
        return -x[0]
    if op in ("add", "sub"):
        return x[0] + x[1] if op == "add" else x[0] - x[1]
    if op in ("mul", "div"):
        return x[0] * x[1] if op == "mul" else x[0] / x[1]
    if op in FUSED:
        product = x[0] * x[1]
        signed = -product if op.startswith("fn") else product
        return signed + x[2] if op.endswith("ma") else signed - x[2]
    if op == "sincos":
        return x[0]  # its halves are the functions
    return getattr(casadi, _NAMES.get(op, op))(*x)


def _shaped(casadi: Any, y: Output, values: list[Any]) -> Any:
    """Matrix of an output; values are row by row, CasADi's are column by column."""
    flat = [values[v] for v in y.values]
    if len(y.shape) < 2:
        return casadi.vertcat(*flat) if flat else casadi.SX(0, 1)
    rows, columns = y.shape
    if not flat:
        return casadi.SX(rows, columns)
    lines = (casadi.horzcat(*flat[i * columns : (i + 1) * columns]) for i in range(rows))
    return casadi.densify(casadi.vertcat(*lines))
