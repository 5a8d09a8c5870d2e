"""Reader of generated C: the subset that our functions are written in, and nothing else.

    file       comment includes [defaults] [sign] function*
    function   'void' name '(' arguments ')' '{' unused* value* result* '}'
    unused     '(' 'void' ')' name ';'
    value      'const' real name '=' sum ';'
    result     name '[' index ']' ['[' index ']'] '=' sum ';'

Inputs are read before the first result is written, since both may be the same array. Each entry of a
result is written once, and all entries of one result before those of the next.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final, final

from ....algebra.expr import Expr
from ...ir.program import Dtype
from ..reserved import is_reserved
from .arithmetic import FUNCTIONS, Scope
from .c_body import brackets, literal, numbers, read_body
from .c_header import Header, read_header
from .c_tokens import TOKEN, comment, signature
from .code_file import Beside, CodeFile, Meant
from .source import Source, shown

_SIGN: Final = [
    "{",
    "return",
    "x",
    ">",
    "0",
    "?",
    "1",
    ":",
    "(",
    "x",
    "<",
    "0",
    "?",
    "-",
    "1",
    ":",
    "x",
    ")",
    ";",
    "}",
]


def read_c(data: bytes, path: str, meant: Meant, beside: Beside) -> CodeFile:
    """Read a generated source and its header.

    Args:
        data: The bytes of the source.
        path: Its name, for errors.
        meant: The program that each function is meant to be.
        beside: Gives (bytes, path) of the header by its name.

    Returns:
        The functions of the source.

    Raises:
        FileFormatError: Some text is not in the subset, with its file and line.
    """
    return _Reader(Source(data, path, TOKEN), meant, beside).read()


@final
class _Reader:
    def __init__(self, source: Source, meant: Meant, beside: Beside) -> None:
        self.source, self.meant = source, meant
        self.name = _included(source)
        self.real = f"{self.name}_real"
        self.header = read_header(*beside(f"{self.name}.h"), self.name, meant)

    def read(self) -> CodeFile:
        source, header = self.source, self.header
        i = comment(source, 0)
        i = source.next([f'#include "{self.name}.h"', "#include <math.h>"], i)
        defaults: tuple[Fraction, ...] | None = None
        if header.defaults is not None:
            i, defaults = self._defaults(i, header)
        calls = _functions(header.dtype)
        if source.tokens[i] == "static":
            sign = f"{self.name}_sign"
            head = ["static", self.real, sign, "(", self.real, "x", ")"]
            i = source.next([*head, *_SIGN], i)
            calls[sign] = "sign"
        functions: dict[str, tuple[Expr, ...]] = {}
        for expected in header.functions:
            name, program, j = signature(source, i, self.real, self.meant)
            if name != expected:
                source.fail(i, f"expected {expected}, the next function of the header, got {name}")
            scope = Scope(source, calls, literal(header.dtype))
            taken = {self.real: None, f"{self.name}_sign": None}
            i, functions[name] = read_body(j, program, scope, self.real, taken, brackets)
        source.end(i)
        return CodeFile(source.path, header.dtype, functions, defaults, header.sizes, header.dtype)

    def _defaults(self, i: int, header: Header) -> tuple[int, tuple[Fraction, ...]]:
        """const real NAME_default_parameters[2] = {1.0, -2.0};"""
        source, count = self.source, header.defaults
        array = [f"{self.name}_default_parameters", "[", f"{count}", "]", "=", "{"]
        i = source.next(["const", self.real, *array], i)
        scope = Scope(source, {}, literal(header.dtype))
        return numbers(i, scope, count)


def _included(source: Source) -> str:
    """NAME of the first line `#include "NAME.h"`."""
    i = comment(source, 0)
    token = source.tokens[i]
    name = token.removeprefix('#include "').removesuffix('.h"')
    if token != f'#include "{name}.h"' or not name.isidentifier() or is_reserved(name):
        source.fail(i, f'expected #include "NAME.h", got {shown(token)}')
    return name


def _functions(dtype: Dtype) -> dict[str, str]:
    """{name in math.h: name in `expr.functions`} of the type: sinf in a double file is an error."""
    suffix = "f" if dtype == "float32" else ""
    return {**{f"{f}{suffix}": f for f in FUNCTIONS}, f"fabs{suffix}": "abs"}
