"""Reader of generated MATLAB: the subset that our functions are written in, and nothing else.

    file       'function' names '=' name '(' names ')' comment* check* value* (zeros result*)* 'end'
    names      name | '[' name (',' name)* ']'      of the results
    check      'if' 'nargin' '<' count ',' name '=' default ';' 'end'
             | 'if' 'numel' '(' name ')' '~=' size ',' 'error' '(' text ',' text ')' ';' 'end'
             | name '=' 'single' '(' name ')' ';'
    value      name '=' sum ';'
    zeros      name '=' 'zeros' '(' rows ',' columns [',' "'single'"] ')' ';'
    result     name '(' row ',' column ')' '=' sum ';'

Every statement is one line, indices begin at 1, and entries that are not written are zero. Literals
are doubles; next to a single they become singles, so in a file of singles each must be one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from fractions import Fraction
from functools import partial
from pathlib import PurePath
from typing import Final, final

from ....algebra.expr import ZERO, Expr
from ...ir.program import Argument, Dtype, Output
from .arithmetic import FUNCTIONS, Scope
from .code_file import Beside, CodeFile, Meant, arguments_of
from .literals import exact
from .source import Source, shown

TOKEN: Final = re.compile(
    r"[A-Za-z_]\w*|\d(?:(?<=[eEdD])[+-]|[\w.])*|%[^\n]*|'[^'\n]*'|~=|\n(?! *\n)|[^ \n]", re.ASCII
)
_CALLS: Final = {f: f for f in (*FUNCTIONS, "abs", "sign")}
DEFAULTS: Final = "_default_parameters"


def read_matlab(data: bytes, path: str, meant: Meant, beside: Beside) -> CodeFile:
    """Read a generated function, or the file of default parameters; as `read_c`."""
    del beside  # what a function needs of another file is read there
    source = Source(data, path, TOKEN)
    if PurePath(path).stem.endswith(DEFAULTS) and meant(PurePath(path).stem) is None:
        return _defaults(source)
    return _Reader(source, meant).read()


def _comments(source: Source, i: int) -> int:
    """The position behind lines that are comments; %{ would begin a block of lines."""
    tokens = source.tokens
    while tokens[i].startswith("%"):
        if tokens[i] != "%" and not tokens[i].startswith("% "):
            source.fail(i, "expected a blank after %")
        i = source.next(["\n"], i + 1)
    return i


def _named_as_file(source: Source, i: int) -> str:
    """The name at position i, by which MATLAB finds the function: that of the file."""
    name = source.tokens[i]
    if f"{name}.m" != source.file:
        source.fail(i, f"expected the name of the file, got {shown(name)}")
    return name


def _defaults(source: Source) -> CodeFile:
    """One number per line, with a remark."""
    i = source.next(["function", "parameters", "="], 0)
    _named_as_file(source, i)
    i = source.next(["(", ")", "\n"], i + 1)
    i = source.next(["parameters", "=", "[", "\n"], _comments(source, i))
    found: list[Fraction] = []
    while source.tokens[i] != "]":
        minus = source.tokens[i] == "-"
        i += minus
        value = exact(source.tokens[i], "float64")
        if value is None:
            source.fail(i, f"expected a number, got {shown(source.tokens[i])}")
        found.append(-value if minus else value)
        i += 1 + source.tokens[i + 1].startswith("%")
        i = source.next(["\n"], i)
    source.end(source.next(["]", ";", "\n", "end", "\n"], i))
    return CodeFile(source.path, "float64", {}, tuple(found))


@final
class _Reader:
    def __init__(self, source: Source, meant: Meant) -> None:
        self.source, self.meant = source, meant
        self.dtype: Dtype = "float32" if "'single'" in source.tokens else "float64"
        self.default = ""  # the function of default parameters, if it is called

    def read(self) -> CodeFile:
        source, tokens = self.source, self.source.tokens
        i = source.next(["function"], 0)
        place = i + 2 if tokens[i] != "[" or "]" not in tokens else tokens.index("]", i) + 2
        name = _named_as_file(source, place)
        program = self.meant(name)
        if program is None:
            source.fail(place, f"{shown(name)} is not the name of a function of this robot")
        results, arguments = [y.name for y in program.outputs], arguments_of(program)
        given = results if len(results) == 1 else ["[", *_listed(results), "]"]
        names = _listed(a.name for a in arguments)
        i = source.next([*given, "=", name, "(", *names, ")", "\n"], i)
        i = _comments(source, i)
        for k, a in enumerate(arguments, 1):
            i = self._check(i, k, a, name)
        scope = Scope(source, _CALLS, partial(exact, dtype=self.dtype), "()", 1)
        scope.arrays = {a.name: a.symbols for a in arguments}
        taken = {**scope.arrays, **dict.fromkeys(results)}
        while tokens[i] not in (*results, "end", ""):
            value, j = scope.expression(source.next(["="], i + 1))
            if tokens[i] == self.default:  # a function that the file calls
                source.fail(i, f"expected the name of a value, got {shown(tokens[i])}")
            scope.define(i, value, taken)
            i = source.next([";", "\n"], j)
        found: list[Expr] = []
        for y in program.outputs:
            i, entries = self._entries(i, y, scope)
            found += entries
        source.end(source.next(["end", "\n"], i))
        return CodeFile(source.path, self.dtype, {name: tuple(found)}, arrays=self.dtype)

    def _check(self, i: int, k: int, a: Argument, name: str) -> int:
        """Read the lines before the values: default, size and type of argument k."""
        source, tokens, size = self.source, self.source.tokens, f"{len(a)}"
        if tokens[i + 1] == "nargin":
            i = source.next(["if", "nargin", "<", f"{k}", ",", a.name, "="], i)
            if a.name == "external":
                i = source.next(["zeros", "(", size, ",", "1", ")"], i)
            else:
                package = tokens[i].removesuffix(DEFAULTS)
                if a.name != "parameters" or not name.startswith(f"{package}_"):
                    source.fail(i, f"expected no default, got {shown(tokens[i])}")
                self.default = f"{package}{DEFAULTS}"
                i = source.next([self.default, "(", ")"], i)
            i = source.next([";", "end", "\n"], i)
        i = source.next(["if", "numel", "(", a.name, ")", "~=", size, ",", "error", "("], i)
        if re.fullmatch(r"'\w+:size'", tokens[i]) is None:
            source.fail(i, f"expected the name of an error, got {shown(tokens[i])}")
        i = source.next([",", f"'{a.name} must have {size} entries'", ")", ";", "end", "\n"], i + 1)
        if self.dtype == "float32":
            i = source.next([a.name, "=", "single", "(", a.name, ")", ";", "\n"], i)
        return i

    def _entries(self, i: int, y: Output, scope: Scope) -> tuple[int, list[Expr]]:
        source, tokens, result = self.source, self.source.tokens, y.name
        rows, columns = (*y.shape, 1, 1)[:2]
        kind = [",", "'single'"] if self.dtype == "float32" else []
        i = source.next(
            [result, "=", "zeros", "(", f"{rows}", ",", f"{columns}", *kind, ")", ";", "\n"], i
        )
        entries: dict[tuple[int, int], Expr] = {}
        while tokens[i] == result:
            row = source.count(source.next(["("], i + 1))
            column = source.count(source.next([","], i + 3))
            value, j = scope.expression(source.next([")", "="], i + 5))
            place = row - 1, column - 1
            if place in entries or not (0 < row <= rows and 0 < column <= columns):
                source.fail(i, f"{result}({row}, {column}) is written twice, or is not an entry")
            entries[place] = value
            i = source.next([";", "\n"], j)
        places = ((r, c) for r in range(rows) for c in range(columns))
        return i, [entries.get(p, ZERO) for p in places]


def _listed(names: Iterable[str]) -> list[str]:
    """Tokens of comma-separated names."""
    return [t for name in names for t in (name, ",")][:-1]
