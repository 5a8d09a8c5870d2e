"""Reader of generated JavaScript: the subset that our functions are written in, and nothing else.

    file       comment* check_size [defaults] (comment function)*
    function   'export' 'function' name '(' arguments ')' '{' check* value* (result* | ) return '}'
    check      'check_size' '(' name ',' size ',' text ')' ';'
    value      'const' name '=' sum ';'
    result     name '[' index ']' '=' sum ';'
    return     'return' (one | '[' one (',' one)* ']') ';'      one: the name of an array | sum

Every statement is one line: a line break behind `return` would end it. All arithmetic and all
constants are doubles, whichever type the arrays have.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, final

from ....algebra.expr import Expr
from ...ir.program import Dtype, Output, Program
from .arithmetic import FUNCTIONS, Scope
from .code_file import Beside, CodeFile, Meant, arguments_of
from .literals import double
from .source import Source, shown

# A line break that is not followed by an empty line ends a line; the others are left out.
TOKEN: Final = re.compile(
    r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*|\d(?:(?<=[eE])[+-]|[\w.])*|//[^\n]*|\"[^\"\\\n]*\""
    r"|!==|\n(?! *\n)|[^ \n]",
    re.ASCII,
)
_CHECK: Final = TOKEN.findall("""function check_size(given, size, name) {
  if (given.length !== size) {
    throw new RangeError(name + " must have " + size + " entries, got " + given.length);
  }
}
""")
_CALLS: Final = {f"Math.{f}": f for f in (*FUNCTIONS, "abs", "sign")}
_ARRAYS: Final = ("Float64Array", "Float32Array")


def read_javascript(data: bytes, path: str, meant: Meant, beside: Beside) -> CodeFile:
    """Read a generated module; as `read_c`."""
    del beside  # a module needs no other file
    return _Reader(Source(data, path, TOKEN), meant).read()


@final
class _Reader:
    def __init__(self, source: Source, meant: Meant) -> None:
        self.source, self.meant = source, meant
        self.array = next((t for t in source.tokens if t.partition(".")[0] in _ARRAYS), _ARRAYS[0])
        self.array = self.array.partition(".")[0]  # the first that occurs; no other may

    def read(self) -> CodeFile:
        source, tokens = self.source, self.source.tokens
        i = source.next([*_CHECK], self._comments(0, least=1))
        defaults: tuple[Fraction, ...] | None = None
        if tokens[i : i + 2] == ["export", "const"]:
            i, defaults = self._defaults(i)
        functions: dict[str, tuple[Expr, ...]] = {}
        while tokens[i]:
            i = source.next(["export", "function"], self._comments(i, least=1))
            name, program = tokens[i], self.meant(tokens[i])
            if program is None:
                source.fail(i, f"{shown(name)} is not the name of a function of this robot")
            if name in functions:
                source.fail(i, f"{name} is defined twice")
            i, functions[name] = self._function(i + 1, program, defaults is not None)
        source.end(i)
        arrays: Dtype = "float64" if self.array == _ARRAYS[0] else "float32"
        return CodeFile(source.path, "float64", functions, defaults, arrays=arrays)

    def _comments(self, i: int, least: int) -> int:
        """The position behind lines that are comments."""
        tokens = self.source.tokens
        while tokens[i].startswith("//"):
            i = self.source.next(["\n"], i + 1)
            least -= 1
        if least > 0:
            self.source.fail(i, f"expected a comment, got {shown(tokens[i])}")
        return i

    def _defaults(self, i: int) -> tuple[int, tuple[Fraction, ...]]:
        """export const default_parameters = Float64Array.from([1.0, -2.0]);"""
        source = self.source
        head = ["export", "const", "default_parameters", "=", f"{self.array}.from", "(", "["]
        i = source.next(head, i)
        found, i = Scope(source, {}, double).numbers(i)
        return source.next(["]", ")", ";", "\n"], i), tuple(found)

    def _function(self, i: int, program: Program, defaults: bool) -> tuple[int, tuple[Expr, ...]]:
        source, tokens = self.source, self.source.tokens
        arguments, outputs = arguments_of(program), program.outputs
        optional = defaults or all(a.name != "parameters" for a in arguments)
        declared = [self._declared(a.name, len(a), optional) for a in arguments]
        for y in outputs:
            if y.shape:
                declared.append([y.name, "=", "new", self.array, "(", f"{len(y.values)}", ")"])
        head = [t for one in declared for t in (*one, ",")][:-1]
        i = source.next(["(", *head, ")", "{", "\n"], i)
        for a in arguments:
            i = source.next(
                ["check_size", "(", a.name, ",", f"{len(a)}", ",", f'"{a.name}"', ")", ";", "\n"], i
            )
        scope = Scope(source, _CALLS, double)
        scope.arrays = {a.name: a.symbols for a in arguments}
        taken = {**scope.arrays, **dict.fromkeys(y.name for y in outputs)}
        while tokens[i] == "const":
            if tokens[i + 2] != "=":
                source.next(["const", tokens[i + 1], "="], i)
            value, j = scope.expression(i + 3)
            scope.define(i + 1, value, taken)
            i = source.next([";", "\n"], j)
        scope.arrays = {}  # a result may be the array of an input: nothing is read from here on
        written: dict[str, list[Expr]] = {}
        for y in outputs:
            if y.shape:
                i, written[y.name] = self._entries(i, y, scope)
        i = source.next(["return", "["] if len(outputs) > 1 else ["return"], i)
        for k, y in enumerate(outputs):
            i = source.next([","], i) if k else i
            if y.shape:
                i = source.next([y.name], i)
            else:
                value, i = scope.expression(i)
                written[y.name] = [value]
        end = ["]", ";", "\n", "}", "\n"] if len(outputs) > 1 else [";", "\n", "}", "\n"]
        return source.next(end, i), tuple(e for y in outputs for e in written[y.name])

    def _entries(self, i: int, y: Output, scope: Scope) -> tuple[int, list[Expr]]:
        """Assignments to all entries of one array."""
        source, tokens, result, size = self.source, self.source.tokens, y.name, len(y.values)
        entries: dict[int, Expr] = {}
        while tokens[i] == result:
            k = source.count(source.next(["["], i + 1))
            value, j = scope.expression(source.next(["]", "="], i + 3))
            if k in entries or k >= size:
                source.fail(i, f"{result}[{k}] is written twice, or is not an entry")
            entries[k] = value
            i = source.next([";", "\n"], j)
        if len(entries) < size:
            source.fail(i, f"{size} entries of {result} must be written, got {len(entries)}")
        return i, [entries[k] for k in range(size)]

    def _declared(self, name: str, size: int, optional: bool) -> list[str]:
        """An argument; the loads and the parameters may be left out by whoever calls."""
        if name == "external" and optional:
            return [name, "=", "new", self.array, "(", f"{size}", ")"]
        if name == "parameters" and optional:
            return [name, "=", "default_parameters"]
        return [name]
