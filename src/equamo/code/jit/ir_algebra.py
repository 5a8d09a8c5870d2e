"""Values for the execution of a kernel: terms, which are compared, or expressions, which are proved.

A term is the number of an operation in a table, known by its name and the terms that it is applied to:
two terms are one number only if they were built by the same operations from the same inputs. That is
more than equality, it costs one look into a table per instruction, and it is what an emitter that
translates instruction by instruction gives. If the terms differ, expressions still may be proved equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, Protocol, final

from ...algebra.expr import Expr
from ...algebra.expr.functions import BY_NAME, apply, apply_atan2
from ...algebra.expr.graph import constant
from ...algebra.expr.rules import add, div, mul, neg, sub
from ..ir.program import Argument, Dtype, Program
from ..ir.rounding import rounded

_BINARY: Final = {"add": add, "sub": sub, "mul": mul, "div": div, "atan2": apply_atan2}
_DIRECT: Final = frozenset(("add", "sub", "mul", "div", "neg", "fma"))  # most instructions


class Algebra(Protocol):
    """Construction of values."""

    def number(self, x: float) -> Any: ...

    def symbol(self, argument: int, element: int) -> Any: ...

    def apply(self, op: str, /, *x: Any) -> Any:
        """An operation of a Program: add sub mul div neg fma atan2, or a function of one number."""
        ...


@final
class Expressions:
    """Exact expressions in the symbols of the arguments."""

    def __init__(self, arguments: Sequence[Argument]) -> None:
        self._symbols = [a.symbols for a in arguments]

    def number(self, x: float) -> Expr:
        return constant(Fraction(x))

    def symbol(self, argument: int, element: int) -> Expr:
        return self._symbols[argument][element]

    def apply(self, op: str, /, *x: Expr) -> Expr:
        if op == "fma":
            a, b, c = x
            return add(mul(a, b), c)
        if op in _BINARY:
            a, b = x
            return _BINARY[op](a, b)
        (a,) = x
        return neg(a) if op == "neg" else apply(BY_NAME[op].opcode, a)


@final
class Terms:
    """Numbers of operations; the same operation of the same terms has the same number."""

    def __init__(self, arguments: Sequence[Argument]) -> None:
        self._sizes = [len(a) for a in arguments]
        self._table: dict[tuple[Any, ...], int] = {}

    def number(self, x: float) -> int:
        return self.apply("number", x)  # 0.0 and −0.0 are one real number

    def symbol(self, argument: int, element: int) -> int:
        if not 0 <= element < self._sizes[argument]:
            raise IndexError
        return self.apply("symbol", argument, element)

    def apply(self, *operation: Any) -> int:
        table = self._table
        return table.setdefault(operation, len(table))


def terms_of(program: Program, dtype: Dtype, terms: Terms) -> dict[str, list[int]]:
    """The outputs of a program with its constants rounded; multiply-adds with negated operands."""
    apply, value = terms.apply, list[Any]()
    for op, args, leaf in rounded(program, dtype).instructions:
        if isinstance(leaf, tuple):
            value.append(terms.symbol(*leaf))
            continue
        if leaf is not None:
            value.append(terms.number(float(leaf)))
            continue
        x = [value[i] for i in args]
        if op in _DIRECT:
            value.append(apply(op, *x))
            continue
        match op:
            case "fms":
                new: Any = apply("fma", x[0], x[1], apply("neg", x[2]))
            case "fnma":
                new = apply("fma", apply("neg", x[0]), x[1], x[2])
            case "fnms":
                new = apply("fma", apply("neg", x[0]), x[1], apply("neg", x[2]))
            case "sincos":
                new = x[0]  # the pair is known by its angle
            case "sine" | "cosine":
                new = apply(op[:3], x[0])
            case "tan":
                new = apply("div", apply("sin", x[0]), apply("cos", x[0]))
            case _:
                new = apply(op, *x)
        value.append(new)
    return {y.name: [value[i] for i in y.values] for y in program.outputs}
