"""Reader of generated NumPy modules, on the syntax tree that Python itself makes of the text.

A module is `import numpy as np`, DTYPE, the two functions `_array` and `_result`, the default
parameters, the robot's functions, golden vectors (numbers only) and the self-test. What is not one of
the robot's functions must be exactly the tree that is written here. Nothing is evaluated or run.
"""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from math import isfinite, prod
from typing import Any, Final, NoReturn, final

from ...errors import EquamoError, ExpressionError, FileFormatError
from ...expr import Expr
from ...expr.functions import BY_NAME, apply, apply_atan2
from ...expr.graph import constant
from ...ir.program import Dtype, Program
from ...ir.rounding import nearest
from ..names import RESERVED
from .code_file import Beside, CodeFile, Meant, arguments_of
from .numpy_frame import ARRAY, MAIN, RESULT, SELFTEST
from .source import decoded

# In the first two lines, in a comment: the encoding of what follows.
_CODING: Final = re.compile(r"(?:[^\n]*\n)?[^\n]*coding[:=]")
_ROBOT: Final = re.compile(r'print\(f"(\w+): ')  # its name, which the self-test prints
_CALLS: Final = {
    **{f: f for f in "sin cos tan sqrt exp log tanh abs sign".split()},
    **{f"arc{f}": f"a{f}" for f in ("sin", "cos", "tan", "tan2")},
}  # fmt: skip


def read_numpy(data: bytes, path: str, meant: Meant, beside: Beside) -> CodeFile:
    """Read a generated module; as `read_c`."""
    del beside  # a module needs no other file
    text = decoded(data, path)
    if _CODING.match(text):
        raise FileFormatError(f"{path}:1: a declaration of an encoding is not part of the subset.")
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        raise FileFormatError(f"{path}:{error.lineno or 1}: {error.msg}.") from None
    except (RecursionError, MemoryError, ValueError):
        raise FileFormatError(f"{path}:1: an expression is nested too deeply to be read.") from None
    robot = _ROBOT.search(text)
    return _Reader(module, path, meant).read(robot[1] if robot else "")


@final
class _Reader:
    def __init__(self, module: ast.Module, path: str, meant: Meant) -> None:
        self.path, self.meant = path, meant
        self.statements = iter(module.body)
        self.now: ast.stmt | None = next(self.statements, None)
        self.dtype: Dtype = "float64"
        self.numbers: dict[float, Expr] = {}

    def read(self, robot: str) -> CodeFile:
        self.expect("import numpy as np")
        single = self.now is not None and _same(self.now, "DTYPE = np.float32")
        self.dtype = "float32" if single else "float64"
        self.expect(f"DTYPE = np.{self.dtype}")
        self.expect(ARRAY)
        self.expect(RESULT)
        defaults = self._defaults()
        functions: dict[str, tuple[Expr, ...]] = {}
        while isinstance(self.now, ast.FunctionDef) and self.now.name != "selftest":
            f = self.now
            program = self.meant(f.name)
            if program is None:
                self.fail(f, f"{f.name!r} is not the name of a function of this robot")
            if f.name in functions:
                self.fail(f, f"{f.name} is defined twice")
            functions[f.name] = self._function(f, program, defaults is not None)
            self.now = next(self.statements, None)
        self._golden(set(functions))
        tolerance = "1e-12" if self.dtype == "float64" else "1e-05"
        self.expect(SELFTEST.replace("ROBOT", robot).replace("TOLERANCE", tolerance))
        self.expect(MAIN)
        if self.now is not None:
            self.fail(self.now, "expected the end of the file")
        return CodeFile(self.path, self.dtype, functions, defaults)

    def fail(self, node: ast.AST | None, message: str) -> NoReturn:
        line = getattr(node, "lineno", None)
        where = f"{self.path}:{line}" if line else f"{self.path}: at its end"
        raise FileFormatError(f"{where}: {message}.")

    def expect(self, text: str) -> None:
        """The next statement must be this one."""
        if self.now is None or not _same(self.now, text):
            self.fail(self.now, f"expected {text.strip().splitlines()[0]!r}")
        self.now = next(self.statements, None)

    def _defaults(self) -> tuple[Fraction, ...] | None:
        """DEFAULT_PARAMETERS = np.array([1.0, -2.0], dtype=DTYPE)"""
        node: Any = self.now
        if not isinstance(node, ast.Assign) or not _is_name(node.targets[0], "DEFAULT_PARAMETERS"):
            return None
        try:
            rows = [self._value(x) for x in node.value.args[0].elts]  # type: ignore[attr-defined]
        except AttributeError:
            self.fail(node, "expected np.array([…], dtype=DTYPE)")
        node.value.args[0].elts = []  # type: ignore[attr-defined]
        self.expect("DEFAULT_PARAMETERS = np.array([], dtype=DTYPE)")
        return tuple(map(Fraction, rows))

    def _value(self, node: ast.expr) -> float:
        """A number, with its sign."""
        minus = isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub)
        inner = node.operand if isinstance(node, ast.UnaryOp) and minus else node
        if not isinstance(inner, ast.Constant) or type(inner.value) is not float:
            self.fail(node, "expected a number with a point or an exponent")
        value = inner.value
        if not isfinite(value):
            self.fail(node, "expected a number in the range of a double")
        return -value if minus else value

    # -- functions -------------------------------------------------------------------------------------
    def _function(self, f: ast.FunctionDef, program: Program, defaults: bool) -> tuple[Expr, ...]:
        arguments = arguments_of(program)
        optional = {"external": "external=None"}
        if defaults:
            optional["parameters"] = "parameters=DEFAULT_PARAMETERS"
        taken = ", ".join(optional.get(a.name, a.name) for a in arguments)
        body, f.body = f.body, [ast.Pass()]
        if not _same(f, f"def {f.name}({taken}):\n    pass"):
            self.fail(f, f"expected def {f.name}({taken})")
        for a, statement in zip(arguments, body, strict=False):
            given = a.name
            if a.name == "external":
                given = f"np.zeros({len(a)}) if external is None else external"
            if not _same(statement, f"{a.name} = _array({given}, {len(a)}, {a.name!r})"):
                self.fail(statement, f"expected {a.name} = _array({given}, {len(a)}, {a.name!r})")
        *values, last = body[len(arguments) :] or [None]
        arrays = {a.name: a.symbols for a in arguments}
        known: dict[str, Expr] = {}
        for statement in values:
            name = self._assigned(statement)
            if name in RESERVED or name in arrays or name in known:
                self.fail(statement, f"{name} is defined twice, or has a meaning in Python")
            known[name] = self._sum(statement.value, arrays, known)  # type: ignore[union-attr]
        return self._result(last, program, arrays, known)

    def _assigned(self, node: ast.stmt | None) -> str:
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and node.type_comment is None:
            place = node.targets[0]
            if isinstance(place, ast.Name):
                return place.id
        self.fail(node, "expected name = expression")

    def _result(
        self,
        node: ast.stmt | None,
        program: Program,
        arrays: dict[str, tuple[Expr, ...]],
        known: dict[str, Expr],
    ) -> tuple[Expr, ...]:
        """return _result((…), (2, 2), q, v)"""
        y = program.outputs[0]
        call = node.value if isinstance(node, ast.Return) else None
        if not isinstance(call, ast.Call) or not call.args or not isinstance(call.args[0], ast.Tuple):
            self.fail(node, "expected return _result((…), …)")
        entries, call.args[0].elts = call.args[0].elts, []
        expected = ", ".join(["()", repr(y.shape), *arrays])
        if node is None or not _same(node, f"return _result({expected})"):
            self.fail(node, f"expected return _result((…), {y.shape!r}, {', '.join(arrays)})")
        if len(entries) != prod(y.shape):
            self.fail(node, f"expected {prod(y.shape)} entries, got {len(entries)}")
        return tuple(self._sum(e, arrays, known) for e in entries)

    def _sum(
        self, node: ast.expr, arrays: dict[str, tuple[Expr, ...]], known: dict[str, Expr]
    ) -> Expr:
        """An expression, operands first and without recursion."""
        work: list[Any] = [node]
        values: list[Expr] = []
        while work:
            n = work.pop()
            kind = type(n)
            if kind is ast.Name:
                x = known.get(n.id)
                if x is None:
                    self.fail(n, f"{n.id!r} is not defined")
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
                values.append(self._element(n, arrays))
        (x,) = values
        return x

    def _number(self, node: ast.Constant) -> Expr:
        value = self._value(node)
        if value not in self.numbers:
            if self.dtype == "float32":  # next to an array it becomes a float32: it must be one
                try:
                    single = nearest(value, "float32")
                except EquamoError:
                    single = None
                if single != value:
                    self.fail(node, f"{value!r} must be a float32 number")
            self.numbers[value] = constant(Fraction(value))
        return self.numbers[value]

    def _element(self, node: ast.expr, arrays: dict[str, tuple[Expr, ...]]) -> Expr:
        """q[..., 1]"""
        if isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
            array = arrays.get(node.value.id, ())
            match node.slice:
                case ast.Tuple(elts=[ast.Constant(value=first), ast.Constant(value=k)]):
                    if first is ... and type(k) is int and 0 <= k < len(array):
                        return array[k]
                case _:
                    pass
        self.fail(node, "expected a sum, a product, a known function or an entry of an argument")

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
                    self.fail(node, "expected +, -, * or /")
        except ExpressionError as error:
            self.fail(node, f"this expression has no value: {str(error).rstrip('.')}")

    def _call(self, node: ast.Call, values: list[Expr]) -> None:
        """np.sin(x), np.arctan2(y, x)"""
        f = node.func
        name = _CALLS.get(f.attr) if isinstance(f, ast.Attribute) and _is_name(f.value, "np") else None
        if name is None or node.keywords or len(node.args) != 1 + (name == "atan2"):
            self.fail(node, "expected a function of NumPy that is known, and its arguments")
        x = values.pop()
        if name == "atan2":
            values.append(apply_atan2(values.pop(), x))
        else:
            values.append(apply(BY_NAME[name].opcode, x))

    # -- what follows the functions ----------------------------------------------------------------------
    def _golden(self, functions: set[str]) -> None:
        """GOLDEN = […]: names of functions and numbers, in any arrangement."""
        node = self.now
        if self._assigned(node) != "GOLDEN" or not isinstance(node, ast.Assign):
            self.fail(node, "expected GOLDEN = […]")
        work: list[ast.expr] = [node.value]
        while work:
            x = work.pop()
            if isinstance(x, (ast.List, ast.Tuple)):
                work += x.elts
            elif not (isinstance(x, ast.Name) and x.id in functions):
                self._value(x)
        self.now = next(self.statements, None)


@final
class _Apply:
    """An operation whose operands are on the stack."""

    __slots__ = ("node",)

    def __init__(self, node: ast.expr) -> None:
        self.node = node


def _same(node: ast.stmt, text: str) -> bool:
    """Whether a statement is the one that a text is, blanks and comments aside."""
    (expected,) = ast.parse(text).body
    return ast.dump(node) == ast.dump(expected)


def _is_name(node: ast.expr, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name
