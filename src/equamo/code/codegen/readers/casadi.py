"""Reader of generated C for CasADi: exactly the subset in which our functions are written.

    file       comment head [sign] sparsity* function* end
    sparsity   'static const casadi_int casadi_s' number '[' size ']' '=' '{' numbers '}' ';'
    function   comment part* 'int' name '(' … ')' '{' (call* | body) 'return 0;' '}' queries
    part       'static void' name '_part' number '(' … ')' '{' body '}'
    body       unused* value* written*
    value      ('const casadi_real' name | 'casadi_w[k]') '=' (input | sum) ';'
    input      'casadi_arg[k] ? casadi_arg[k][i] : 0.0'
    written    'if (casadi_res[k])' '{' ('casadi_res[k][i]' '=' sum ';')* '}'

Values of one part are visible in another only through `casadi_w`. Inputs are read before the first
result is written. The answers of the queries (`casadi_queries`) must be those that CasADi expects for
the program.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, final

from ....algebra.expr import Expr
from ...ir.program import Program
from .arithmetic import FUNCTIONS, Scope
from .c_tokens import TOKEN, comment
from .casadi_queries import Interface, read_queries
from .code_file import Beside, CodeFile, Meant
from .literals import double
from .source import Source, shown

_HEAD: Final = [
    "#include <math.h>",
    "#ifndef casadi_real", "#define casadi_real double", "#endif",
    "#ifndef casadi_int", "#define casadi_int long long int", "#endif",
    "#ifndef CASADI_SYMBOL_EXPORT",
    "#ifdef _WIN32", "#define CASADI_SYMBOL_EXPORT __declspec(dllexport)",
    "#else", "#define CASADI_SYMBOL_EXPORT", "#endif", "#endif",
    "#ifdef __cplusplus", "extern", '"C"', "{", "#endif",
]  # fmt: skip
_END: Final = ["#ifdef __cplusplus", "}", "#endif"]
_SIGN: Final = [
    "static", "casadi_real", "casadi_sign", "(", "casadi_real", "x", ")", "{", "return", "x", ">", "0",
    "?", "1", ":", "(", "x", "<", "0", "?", "-", "1", ":", "x", ")", ";", "}",
]  # fmt: skip
_ARRAYS: Final = [
    "(", "const", "casadi_real", "*", "*", "casadi_arg", ",", "casadi_real", "*", "*", "casadi_res", ",",
]  # fmt: skip
_PART: Final = [*_ARRAYS, "casadi_real", "*", "casadi_w", ")", "{"]
_MAIN: Final = [
    *_ARRAYS, "casadi_int", "*", "casadi_iw", ",", "casadi_real", "*", "casadi_w", ",",
    "int", "casadi_mem", ")", "{",
]  # fmt: skip
_CALLED: Final = ["(", "casadi_arg", ",", "casadi_res", ",", "casadi_w", ")", ";"]
_TAKEN: Final[dict[str, None]] = dict.fromkeys(
    ("casadi_arg", "casadi_res", "casadi_iw", "casadi_w", "casadi_mem", "casadi_sign")
)


def is_casadi(data: bytes) -> bool:
    """Whether a file of C is for CasADi: it has no header.

    >>> is_casadi(b"/* a */\\n#include <math.h>\\n"), is_casadi(b'/* a */\\n#include "a.h"\\n')
    (True, False)
    """
    _, _, rest = data.partition(b"*/")
    return rest.lstrip().startswith(b"#include <math.h>")


def read_casadi(data: bytes, path: str, meant: Meant, beside: Beside) -> CodeFile:
    """Read a generated source for CasADi.

    Args:
        data: The bytes of the source.
        path: Its name, for errors.
        meant: The program that each function is meant to be.
        beside: Unused: the file does not depend on others.

    Returns:
        The functions of the source.

    Raises:
        FileFormatError: Some text is not in the subset, with its file and line.
    """
    return _Reader(Source(data, path, TOKEN), meant).read()


@final
class _Reader:
    def __init__(self, source: Source, meant: Meant) -> None:
        self.source, self.meant = source, meant
        self.patterns: dict[str, tuple[int, ...]] = {}
        self.calls = {**{f: f for f in FUNCTIONS}, "fabs": "abs"}

    def read(self) -> CodeFile:
        source, tokens = self.source, self.source.tokens
        i = source.next(_HEAD, comment(source, 0))
        if tokens[i : i + 2] == _SIGN[:2]:
            i = source.next(_SIGN, i)
            self.calls["casadi_sign"] = "sign"
        while tokens[i] == "static":
            i = self._sparsity(i)
        functions: dict[str, tuple[Expr, ...]] = {}
        while tokens[i].startswith("/*"):
            i, name, entries = self._function(comment(source, i))
            if name in functions:
                source.fail(i, f"{name} is defined twice")
            functions[name] = entries
        source.end(source.next(_END, i))
        return CodeFile(source.path, "float64", functions, arrays="float64")

    def _sparsity(self, i: int) -> int:
        source, tokens = self.source, self.source.tokens
        name = f"casadi_s{len(self.patterns)}"
        i = source.next(["static", "const", "casadi_int", name, "["], i)
        size = source.count(i)
        i = source.next(["]", "=", "{"], i + 1)
        numbers = [source.count(i)]
        while tokens[i + 1] == ",":
            i += 2
            numbers.append(source.count(i))
        if len(numbers) != size:
            source.fail(i, f"{name} must have {size} numbers, got {len(numbers)}")
        self.patterns[name] = tuple(numbers)
        return source.next(["}", ";"], i + 1)

    def _function(self, i: int) -> tuple[int, str, tuple[Expr, ...]]:
        source, tokens = self.source, self.source.tokens
        name = self._name(i)
        interface = Interface.of(name, self.meant)
        if interface is None:
            source.fail(i, f"{shown(name)} is not the name of a function of this robot")
        run = _Run(source, interface.program, self.calls)
        count = 0
        while tokens[i] == "static":
            i = source.next(["static", "void", f"{name}__part{count}", *_PART], i)
            i = source.next(["}"], run.body(i))
            count += 1
        i = source.next(["CASADI_SYMBOL_EXPORT", "int", name, *_MAIN], i)
        if count:
            i = run.unused(i)
            for k in range(count):
                i = source.next([f"{name}__part{k}", *_CALLED], i)
        else:
            i = run.body(i)
        i = source.next(["return", "0", ";", "}"], i)
        i = read_queries(source, i, name, interface, self.patterns, len(run.work))
        return i, name, run.entries(i, interface)

    def _name(self, i: int) -> str:
        """Name of the function that begins here, with or without parts."""
        tokens = self.source.tokens
        if tokens[i] == "static":
            return tokens[i + 2].removesuffix("__part0")
        return tokens[i + 2] if len(tokens) > i + 2 else ""


@final
class _Run:
    """A running function: its work array, and the results written so far."""

    def __init__(self, source: Source, program: Program, calls: Mapping[str, str]) -> None:
        self.source, self.program, self.calls = source, program, calls
        self.work: list[Expr] = []
        self.written: dict[tuple[int, int], Expr] = {}

    def unused(self, i: int) -> int:
        """(void)casadi_w; and similar lines"""
        source, tokens = self.source, self.source.tokens
        while tokens[i] == "(":
            i = source.next(["(", "void", ")"], i)
            if tokens[i] not in _TAKEN:
                source.fail(i, f"expected the name of an argument, got {shown(tokens[i])}")
            i = source.next([";"], i + 1)
        return i

    def body(self, i: int) -> int:
        """Statements of one part; returns the next position."""
        source, tokens = self.source, self.source.tokens
        scope = Scope(source, self.calls, double)
        i = self.unused(i)
        scope.arrays["casadi_w"] = self.work
        while tokens[i] in ("const", "casadi_w"):
            if tokens[i] == "const":
                name = source.next(["const", "casadi_real"], i)
                value, j = self._value(source.next(["="], name + 1), scope)
                scope.define(name, value, _TAKEN)
            else:
                place, j = self._index(i + 1)
                value, j = self._value(source.next(["="], j), scope)
                self._store(i, place, value)
            i = source.next([";"], j)
        while tokens[i] == "if":
            i = self._results(i, scope)
        return i

    def _store(self, i: int, place: int, value: Expr) -> None:
        """casadi_w[place] = value; a place is in use already, or the next new one."""
        if place > len(self.work):
            self.source.fail(i, f"casadi_w[{len(self.work)}] must be written before [{place}]")
        if place == len(self.work):
            self.work.append(value)
        self.work[place] = value

    def _index(self, i: int) -> tuple[int, int]:
        """[k], and the next position."""
        k = self.source.count(self.source.next(["["], i))
        return k, self.source.next(["]"], i + 2)

    def _value(self, i: int, scope: Scope) -> tuple[Expr, int]:
        source, tokens = self.source, self.source.tokens
        if tokens[i] != "casadi_arg":
            return scope.expression(i)
        if self.written:
            source.fail(i, "inputs must be read before the first result is written")
        k, j = self._index(i + 1)
        j = source.next(["?", "casadi_arg", "[", f"{k}", "]"], j)
        element, j = self._index(j)
        arguments = self.program.arguments
        if k >= len(arguments) or element >= len(arguments[k]):
            source.fail(
                i, f"expected an element of an argument, got element {element} of argument {k}"
            )
        return arguments[k].symbols[element], source.next([":", "0.0"], j)

    def _results(self, i: int, scope: Scope) -> int:
        """if (casadi_res[0]) { casadi_res[0][0] = …; }"""
        source, tokens = self.source, self.source.tokens
        k, i = self._index(source.next(["if", "(", "casadi_res"], i))
        i = source.next([")", "{"], i)
        while tokens[i] == "casadi_res":
            j = source.next(["casadi_res", "[", f"{k}", "]"], i)
            at, j = self._index(j)
            if (k, at) in self.written:
                source.fail(i, f"casadi_res[{k}][{at}] is written twice")
            self.written[k, at], j = scope.expression(source.next(["="], j))
            i = source.next([";"], j)
        return source.next(["}"], i)

    def entries(self, i: int, interface: Interface) -> tuple[Expr, ...]:
        """Entries of all results, in the order of the program."""
        expected = {
            (k, at) for k, y in enumerate(self.program.outputs) for at in range(len(y.values))
        }
        if expected != set(self.written):
            k, at = min(expected ^ set(self.written))
            self.source.fail(
                i,
                f"casadi_res[{k}][{at}] of {self.program.name} must be written once, and no other",
            )
        found: list[Expr] = []
        for k, order in enumerate(interface.orders):
            at = {entry: place for place, entry in enumerate(order)}
            found += [self.written[k, at[entry]] for entry in range(len(order))]
        return tuple(found)
