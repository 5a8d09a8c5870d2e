"""Expressions of generated NumPy code: Python's syntax tree to expressions, without recursion."""

from __future__ import annotations

import ast
from fractions import Fraction
from math import isfinite
from typing import Any, Final, NoReturn, final

from ....algebra.expr import Expr
from ....algebra.expr.functions import BY_NAME, apply, apply_atan2
from ....algebra.expr.graph import constant
from ....errors import EquamoError, ExpressionError, FileFormatError
from ...ir.program import Dtype
from ...ir.rounding import nearest

_CALLS: Final = {
    **{f: f for f in ["sin", "cos", "tan", "sqrt", "exp", "log", "tanh", "abs", "sign"]},
    **{f"arc{f}": f"a{f}" for f in ("sin", "cos", "tan", "tan2")},
}  # fmt: skip


def fail(path: str, node: ast.AST | None, message: str) -> NoReturn:
    """Raise an error that names the line of a node, None at the end of the file."""
    line = getattr(node, "lineno", None)
    where = f"{path}:{line}" if line else f"{path}: at its end"
    raise FileFormatError(f"{where}: {message}.")


def number(path: str, node: ast.expr) -> float:
    """A literal that is a float, with its sign."""
    minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
    inner = node.operand if isinstance(node, ast.UnaryOp) and minus else node
    if not isinstance(inner, ast.Constant) or type(inner.value) is not float:
        fail(path, node, "expected a number with a point or an exponent")
    if not isfinite(inner.value):
        fail(path, node, "expected a number in the range of a double")
    return -inner.value if minus else inner.value


def is_name(node: ast.expr, name: str) -> bool:
    """Whether a node is this name."""
    return isinstance(node, ast.Name) and node.id == name


@final
class Values:
    """Meaning of names at one place of a function: arrays of symbols, and values so far."""

    path: str
    arrays: dict[str, tuple[Expr, ...]]

    def __init__(self, path: str, dtype: Dtype, arrays: dict[str, tuple[Expr, ...]]) -> None:
        self.path, self.dtype, self.arrays = path, dtype, arrays
        self.known: dict[str, Expr] = {}
        self._numbers: dict[float, Expr] = {}

    def expression(self, node: ast.expr) -> Expr:
        """The value of a node, operands first."""
        known = self.known
        work: list[Any] = [node]
        values: list[Expr] = []
        while work:
            n = work.pop()
            kind: type[Any] = n.__class__
            if kind is ast.Name:
                x = known.get(n.id)
                if x is None:
                    fail(self.path, n, f"{n.id!r} is not defined")
                values.append(x)
            elif kind is ast.BinOp:
                work += (_Apply(n), n.right, n.left)
            elif kind is _Apply:
                self._apply(n.node, values)
            elif kind is ast.Constant:
                values.append(self._number(n))
            elif kind is ast.UnaryOp:
                work += (_Apply(n), n.operand)
            elif kind is ast.Call:
                work += (_Apply(n), *reversed(n.args))
            else:
                values.append(self._element(n))
        (x,) = values
        return x

    def _number(self, node: ast.Constant) -> Expr:
        value = number(self.path, node)
        if value not in self._numbers:
            if self.dtype == "float32":  # next to an array it becomes a float32: it must be one
                try:
                    single = nearest(value, "float32")
                except EquamoError:
                    single = None
                if single != value:
                    fail(self.path, node, f"{value!r} must be a float32 number")
            self._numbers[value] = constant(Fraction(value))
        return self._numbers[value]

    def _element(self, node: ast.expr) -> Expr:
        """q[..., 1]"""
        match node:
            case ast.Subscript(
                value=ast.Name(id=name),
                slice=ast.Tuple(elts=[ast.Constant(value=first), ast.Constant(value=k)]),
            ):
                array = self.arrays.get(name, ())
                if first is ... and type(k) is int and 0 <= k < len(array):
                    return array[k]
            case _:
                pass
        return fail(self.path, node, "expected a sum, a product, a known function, or an entry of an "
                    "argument")  # fmt: skip

    def _apply(self, node: Any, values: list[Expr]) -> None:
        try:
            if isinstance(node, ast.Call):
                self._call(node, values)
                return
            x = values.pop()
            match node.op:
                case ast.USub():
                    values.append(-x)
                case ast.Add():
                    values.append(values.pop() + x)
                case ast.Sub():
                    values.append(values.pop() - x)
                case ast.Mult():
                    values.append(values.pop() * x)
                case ast.Div():
                    values.append(values.pop() / x)
                case _:
                    fail(self.path, node, "expected +, -, * or /")
        except ExpressionError as error:
            fail(self.path, node, f"this expression has no value: {str(error).rstrip('.')}")

    def _call(self, node: ast.Call, values: list[Expr]) -> None:
        """np.sin(x), np.arctan2(y, x)"""
        f = node.func
        name = (
            _CALLS.get(f.attr) if isinstance(f, ast.Attribute) and is_name(f.value, "np") else None
        )
        if name is None or node.keywords or len(node.args) != 1 + (name == "atan2"):
            fail(self.path, node, "expected a function of NumPy that is known, and its arguments")
        x = values.pop()
        if name == "atan2":
            values.append(apply_atan2(values.pop(), x))
        else:
            values.append(apply(BY_NAME[name].opcode, x))


@final
class _Apply:
    """An operation whose operands are on the stack."""

    __slots__ = ("node",)

    def __init__(self, node: ast.expr) -> None:
        self.node = node
