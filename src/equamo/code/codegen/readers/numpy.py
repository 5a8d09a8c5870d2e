"""Reader of generated NumPy modules, on the syntax tree that Python itself makes of the text.

A module is `import numpy as np`, DTYPE, the two functions `_array` and `_result`, the default
parameters, the robot's functions, golden vectors (numbers only) and the self-test. What is not one of
the robot's functions must be exactly the tree that is written here. Nothing is evaluated or run.
"""

from __future__ import annotations

import ast
import re
from fractions import Fraction
from typing import Any, Final, NoReturn, final

from ....algebra.expr import Expr
from ....errors import FileFormatError
from ...ir.program import Dtype, Program
from ..reserved import is_reserved
from .code_file import Beside, CodeFile, Meant, arguments_of
from .numpy_expression import Values, fail, is_name, number
from .numpy_frame import ARRAY, MAIN, RESULT, RESULTS, SELFTEST, SELFTEST_OF_SEVERAL
from .source import decoded

# In the first two lines, in a comment: the encoding of what follows.
_CODING: Final = re.compile(r"(?:[^\n]*\n)?[^\n]*coding[:=]")
_ROBOT: Final = re.compile(r'print\(f"(\w+): ')  # its name, which the self-test prints


def read_numpy(data: bytes, path: str, meant: Meant, beside: Beside) -> CodeFile:
    """Read a generated module; as `read_c`."""
    del beside  # a module needs no other file
    text = decoded(data, path)
    if _CODING.match(text):
        raise FileFormatError(f"{path}:1: a declaration of an encoding is not part of the subset.")
    try:
        module = ast.parse(text)
    except SyntaxError as error:
        raise FileFormatError(
            f"{path}:{error.lineno or 1}: expected Python, got {error.msg}."
        ) from None
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
        several = isinstance(self.now, ast.FunctionDef) and self.now.name == "_results"
        if several:
            self.expect(RESULTS)
        selftest = SELFTEST_OF_SEVERAL if several else SELFTEST
        self.expect(selftest.replace("ROBOT", robot).replace("TOLERANCE", tolerance))
        self.expect(MAIN)
        if self.now is not None:
            self.fail(self.now, "expected the end of the file")
        return CodeFile(self.path, self.dtype, functions, defaults, arrays=self.dtype)

    def fail(self, node: ast.AST | None, message: str) -> NoReturn:
        fail(self.path, node, message)

    def expect(self, text: str) -> None:
        """The next statement must be this one."""
        if self.now is None or not _same(self.now, text):
            self.fail(self.now, f"expected {text.strip().splitlines()[0]!r}")
        self.now = next(self.statements, None)

    def _defaults(self) -> tuple[Fraction, ...] | None:
        """DEFAULT_PARAMETERS = np.array([1.0, -2.0], dtype=DTYPE)"""
        node: Any = self.now
        if not isinstance(node, ast.Assign) or not is_name(node.targets[0], "DEFAULT_PARAMETERS"):
            return None
        try:
            array: Any = node.value
            rows, array.args[0].elts = array.args[0].elts, []
        except (AttributeError, LookupError):
            self.fail(node, "expected np.array([…], dtype=DTYPE)")
        self.expect("DEFAULT_PARAMETERS = np.array([], dtype=DTYPE)")
        return tuple(Fraction(number(self.path, x)) for x in rows)

    def _function(self, f: ast.FunctionDef, program: Program, defaults: bool) -> tuple[Expr, ...]:
        arguments = arguments_of(program)
        optional: dict[str, str] = {}
        if defaults or all(a.name != "parameters" for a in arguments):
            optional = {"external": "external=None", "parameters": "parameters=DEFAULT_PARAMETERS"}
        taken = ", ".join(optional.get(a.name, a.name) for a in arguments)
        body: list[ast.stmt] = f.body
        f.body = [*ast.parse("pass").body]
        if not _same(f, f"def {f.name}({taken}):\n    pass"):
            self.fail(f, f"expected def {f.name}({taken})")
        for a, statement in zip(arguments, body, strict=False):
            given = a.name
            if a.name == "external":
                given = f"np.zeros({len(a)}) if external is None else external"
            if not _same(statement, f"{a.name} = _array({given}, {len(a)}, {a.name!r})"):
                self.fail(statement, f"expected {a.name} = _array({given}, {len(a)}, {a.name!r})")
        *values, last = body[len(arguments) :] or [None]
        names = Values(self.path, self.dtype, {a.name: a.symbols for a in arguments})
        for statement in values:
            name, value = self._assigned(statement)
            if name in names.arrays or name in names.known:
                self.fail(statement, f"{name} is defined twice")
            if is_reserved(name) or name.startswith("_"):  # _array and _result among them
                self.fail(statement, f"{name} must not be redefined")
            names.known[name] = names.expression(value)
        return self._result(last, program, names)

    def _assigned(self, node: ast.stmt | None) -> tuple[str, ast.expr]:
        """name = value"""
        if isinstance(node, ast.Assign) and len(node.targets) == 1 and node.type_comment is None:
            place = node.targets[0]
            if isinstance(place, ast.Name):
                return place.id, node.value
        return self.fail(node, "expected name = expression")

    def _result(self, node: ast.stmt | None, program: Program, names: Values) -> tuple[Expr, ...]:
        """return _result((…), (2, 2), q, v), or a tuple of these"""
        outputs, value = program.outputs, node.value if isinstance(node, ast.Return) else None
        several = len(outputs) > 1 and isinstance(value, ast.Tuple)
        calls = value.elts if several and isinstance(value, ast.Tuple) else [value]
        found: list[ast.expr] = []
        for y, call in zip(outputs, calls, strict=False):
            if (
                not isinstance(call, ast.Call)
                or not call.args
                or not isinstance(call.args[0], ast.Tuple)
            ):
                self.fail(node, "expected return _result((…), …)")
            entries, call.args[0].elts = call.args[0].elts, []
            if len(entries) != len(y.values):
                self.fail(node, f"expected {len(y.values)} entries of {y.name}, got {len(entries)}")
            found += entries
        texts = [f"_result({', '.join(['()', repr(y.shape), *names.arrays])})" for y in outputs]
        expected = f"({', '.join(texts)})" if len(texts) > 1 else texts[0]
        if node is None or not _same(node, f"return {expected}"):
            self.fail(node, f"expected return {expected.replace('((),', '((…),')}")
        return tuple(names.expression(e) for e in found)

    def _golden(self, functions: set[str]) -> None:
        """GOLDEN = […]: names of functions and numbers, in any arrangement."""
        name, value = self._assigned(self.now)
        if name != "GOLDEN":
            self.fail(self.now, "expected GOLDEN = […]")
        work: list[ast.expr] = [value]
        while work:
            x = work.pop()
            if isinstance(x, (ast.List, ast.Tuple)):
                work += x.elts
            elif not (isinstance(x, ast.Name) and x.id in functions):
                number(self.path, x)
        self.now = next(self.statements, None)


def _same(node: ast.stmt, text: str) -> bool:
    """Whether a statement is the one that a text is, blanks and comments aside."""
    (expected,) = ast.parse(text).body
    try:
        return ast.dump(node) == ast.dump(expected)
    except RecursionError:  # deeper than anything that is expected
        return False
