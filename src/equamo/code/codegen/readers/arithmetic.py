"""Arithmetic in the text of C, JavaScript or MATLAB, read into expressions without recursion.

    sum      ['-'] product (('+' | '-') product)*
    product  factor (('*' | '/') factor)*
    factor   number | name | array element | function '(' sum [',' sum] ')' | '(' sum ')'

The languages agree on this much: operators of one line bind equally and from the left, and a sign
belongs to the first factor. Where they differ (powers, signs after an operator, integers) the text
does not follow this grammar and is rejected.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final, final

from ....algebra.expr import Expr
from ....algebra.expr.functions import BY_NAME, apply, apply_atan2
from ....algebra.expr.graph import constant
from ....errors import ExpressionError
from ..reserved import is_reserved
from .source import Source, shown

DEEPEST: Final = 10_000  # open parentheses, signs and operators of one expression

# Functions with the same name in C, JavaScript and MATLAB.
FUNCTIONS: Final = (
    "sin",
    "cos",
    "tan",
    "sqrt",
    "exp",
    "log",
    "tanh",
    "asin",
    "acos",
    "atan",
    "atan2",
)

Literal = Callable[[str], Fraction | None]


@final
class Scope:
    """Meaning of names at one place of a function.

    Args:
        source: The tokens.
        functions: {name in the language: name in `expr.functions`, or "atan2"}.
        literal: The value of a number; None if the text is no number of the language.
        brackets: Of array elements.
        base: Index of the first element of an array.

    >>> import re
    >>> from equamo.code.codegen.readers.literals import double
    >>> from equamo.algebra.expr import symbol
    >>> source = Source(b"-q[1]*(2.0 - sin(q[0]));", "x.c", re.compile(r"[\\w.]+|[^ ]"))
    >>> scope = Scope(source, {"sin": "sin"}, double)
    >>> scope.arrays["q"] = (symbol("a"), symbol("b"))
    >>> scope.expression(0)
    (b*(sin(a) - 2), 17)
    """

    def __init__(
        self,
        source: Source,
        functions: Mapping[str, str],
        literal: Literal,
        brackets: str = "[]",
        base: int = 0,
    ) -> None:
        self.source = source
        self.arrays: dict[str, Sequence[Expr]] = {}
        self.known: dict[str, Expr] = {}  # names and numbers that occurred
        self._functions, self._literal = functions, literal
        self._open, self._close = brackets
        self._base = base

    def define(self, i: int, value: Expr, taken: Mapping[str, Any]) -> None:
        """Give the name at position i a value; it must be new, and not one that is taken."""
        name = self.source.tokens[i]
        if not name.isidentifier() or is_reserved(name):
            self.source.fail(i, f"expected the name of a value, got {shown(name)}")
        if name in self.known or name in taken:
            self.source.fail(i, f"{shown(name)} is defined twice")
        self.known[name] = value

    def expression(self, i: int) -> tuple[Expr, int]:
        """The sum that begins at position i, and the position behind it."""
        try:
            return self._sum(i)
        except ExpressionError as error:  # division by zero, a number of thousands of digits
            self.source.fail(i, f"this expression has no value: {str(error).rstrip('.')}")

    def numbers(self, i: int) -> tuple[list[Fraction], int]:
        """Comma-separated numbers that begin at position i, and the position after them."""
        found: list[Fraction] = []
        while True:
            value, i = self.expression(i)
            if value.value is None:
                self.source.fail(i, "expected a number")
            found.append(Fraction(value.value))
            if self.source.tokens[i] != ",":
                return found, i
            i += 1

    def _sum(self, i: int) -> tuple[Expr, int]:
        tokens, known = self.source.tokens, self.known
        values: list[Expr] = []  # left operands that wait for the right one
        ops: list[str] = []  # their operators, "neg", "(", and "call" of a function
        calls: list[_Call] = []  # the functions that are being called
        if tokens[i] == "-":
            ops.append("neg")
            i += 1
        while True:
            t = tokens[i]
            x = known.get(t)
            if x is None:
                if t == "(" or (t in self._functions and tokens[i + 1] == "("):
                    if len(ops) > DEEPEST:
                        self.source.fail(i, f"an expression must have at most {DEEPEST} open parts")
                    if t == "(":
                        ops.append("(")
                        i += 1
                    else:
                        ops.append("call")
                        calls.append(_Call(self._functions[t]))
                        i += 2
                    if tokens[i] == "-":
                        ops.append("neg")
                        i += 1
                    continue
                x, i = self._leaf(i)
            else:
                i += 1
            while True:  # x is a factor
                if ops and ops[-1] == "neg":
                    ops.pop()
                    x = -x
                t = tokens[i]
                if ops and ops[-1] == "*":
                    ops.pop()
                    x = values.pop() * x
                elif ops and ops[-1] == "/":
                    ops.pop()
                    x = values.pop() / x
                if t == "*" or t == "/":
                    break
                if ops and ops[-1] == "+":
                    ops.pop()
                    x = values.pop() + x
                elif ops and ops[-1] == "-":
                    ops.pop()
                    x = values.pop() - x
                if t == "+" or t == "-":
                    break
                # Here x is a sum, and what is open is a parenthesis, a function, or nothing.
                if not ops:
                    return x, i
                if t == ")":
                    if ops.pop() == "call":
                        x = calls.pop().result(self.source, i, x)
                    i += 1
                    continue
                if t == "," and ops[-1] == "call":
                    calls[-1].first(self.source, i, x)
                    break
                self.source.fail(i, f"expected an operator or ')', got {shown(t)}")
            i += 1
            if t == ",":
                if tokens[i] == "-":
                    ops.append("neg")
                    i += 1
            else:
                values.append(x)
                ops.append(t)

    def _leaf(self, i: int) -> tuple[Expr, int]:
        """A number, which is remembered, or an array element."""
        token = self.source.tokens[i]
        array = self.arrays.get(token)
        if array is None:
            value = self._literal(token)
            if value is None:
                self.source.fail(
                    i, f"expected a number or a name that is defined, got {shown(token)}"
                )
            x = self.known[token] = constant(value)
            return x, i + 1
        self.source.next([self._open], i + 1)
        index = self.source.count(i + 2) - self._base
        if not 0 <= index < len(array):
            self.source.fail(
                i + 2, f"{token} has {len(array)} entries; this index is not one of them"
            )
        return array[index], self.source.next([self._close], i + 3)


@final
class _Call:
    """A function whose arguments are being read."""

    def __init__(self, name: str) -> None:
        self.name, self.argument = name, None

    argument: Expr | None

    def first(self, source: Source, i: int, x: Expr) -> None:
        """A comma stands behind the argument x."""
        if self.name != "atan2" or self.argument is not None:
            source.fail(i, f"too many arguments of {self.name}")
        self.argument = x

    def result(self, source: Source, i: int, x: Expr) -> Expr:
        """The value; x is the last argument."""
        if self.name != "atan2":
            return apply(BY_NAME[self.name].opcode, x)
        if self.argument is None:
            source.fail(i, "atan2 takes two arguments, got one")
        return apply_atan2(self.argument, x)
