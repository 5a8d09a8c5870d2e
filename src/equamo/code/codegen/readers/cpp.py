"""Reader of generated C++: the fixed text of the header word by word, and functions in the subset of C.

    file       comment guard includes namespaces types sizes [defaults] [sign] function* ends
    function   comment 'inline' 'void' name '(' arguments ')' body [the function that returns results]

The second of two functions only calls the first: its text is known except for names and sizes.
"""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Final, final

from ....algebra.expr import Expr
from ...ir.program import Dtype, Output, Program
from ..reserved import is_reserved
from .arithmetic import FUNCTIONS, Scope
from .c_body import literal, numbers, read_body
from .c_tokens import TOKEN as C_TOKEN, comment
from .code_file import Beside, CodeFile, Meant, arguments_of
from .source import Source, shown

TOKEN: Final = re.compile(rf"std::\w+|{C_TOKEN.pattern}", re.MULTILINE | re.ASCII)
_REAL: Final[dict[str, Dtype]] = {"double": "float64", "float": "float32"}
_CALLS: Final = {f"std::{f}": f for f in (*FUNCTIONS, "abs")}
_RESERVED: Final = {"Real": None, "Vector": None, "Matrix": None, "Eigen": None, "sign": None}


def _words(text: str) -> list[str]:
    return TOKEN.findall(text)


_TYPES: Final = _words(
    "; template <int n> using Vector = Eigen::Matrix<Real, n, 1>;"
    "template <int rows, int columns> using Matrix = Eigen::Matrix<Real, rows, columns>;"
)
_SIGN: Final = _words(
    "inline Real sign(Real x) { return x > 0 ? Real(1) : (x < 0 ? Real(-1) : x); }"
)


def read_cpp(data: bytes, path: str, meant: Meant, beside: Beside) -> CodeFile:
    """Read a generated header.

    Args:
        data: The bytes of the header.
        path: Its name, for errors.
        meant: The program that each function is meant to be.
        beside: Unused: a header is self-contained.

    Returns:
        The functions of the header.

    Raises:
        FileFormatError: Some text is not in the subset, with its file and line.
    """
    return _Reader(Source(data, path, TOKEN), meant).read()


@final
class _Reader:
    def __init__(self, source: Source, meant: Meant) -> None:
        self.source, self.meant = source, meant
        self.has_defaults = False

    def read(self) -> CodeFile:
        source, tokens = self.source, self.source.tokens
        i = comment(source, 0)
        guard = tokens[i].removeprefix("#ifndef ")
        includes = ["#include <cmath>", "#include <tuple>", "#include <Eigen/Core>"]
        i = source.next([f"#ifndef {guard}", f"#define {guard}", *includes], i)
        i = source.next(["namespace", "equamo", "{", "namespace"], i)
        name = tokens[i]
        if guard != f"EQUAMO_{name}_HPP" or is_reserved(name):
            source.fail(i, f"expected the namespace of {guard}, got {shown(name)}")
        i = source.next(["{", "using", "Real", "="], i + 1)
        dtype = _REAL.get(tokens[i])
        if dtype is None:
            source.fail(i, f"expected double or float, got {shown(tokens[i])}")
        i, sizes = self._sizes(source.next(_TYPES, i + 1))
        defaults: tuple[Fraction, ...] | None = None
        if tokens[i : i + 2] == ["inline", "constexpr"]:
            i, defaults = self._defaults(i, dtype)
        calls = dict(_CALLS)
        if tokens[i : i + 3] == ["inline", "Real", "sign"]:
            i = source.next(_SIGN, i)
            calls["sign"] = "sign"
        functions: dict[str, tuple[Expr, ...]] = {}
        while tokens[i] != "}":
            i, function, program = self._signature(comment(source, i))
            if function in functions:
                source.fail(i, f"{function} is defined twice")
            scope = Scope(source, calls, literal(dtype))
            i, functions[function] = read_body(i, program, scope, "Real", _RESERVED, _place)
            if tokens[i] == "inline":
                i = source.next(_returning(name, function, program, self.has_defaults), i)
        i = source.next(["}", f"/* namespace {name} */", "}", "/* namespace equamo */"], i)
        source.end(source.next([f"#endif /* {guard} */"], i))
        return CodeFile(source.path, dtype, functions, defaults, sizes, dtype)

    def _sizes(self, i: int) -> tuple[int, dict[str, int]]:
        """constexpr int q_size = 2; …"""
        source, sizes = self.source, dict[str, int]()
        while source.tokens[i] == "constexpr":
            token = source.tokens[i + 2]
            argument = token.removesuffix("_size")
            i = source.next(["constexpr", "int", f"{argument}_size", "="], i)
            if argument in sizes:
                source.fail(i, f"{token} is defined twice")
            sizes[argument] = source.count(i)
            i = source.next([";"], i + 1)
        return i, sizes

    def _defaults(self, i: int, dtype: Dtype) -> tuple[int, tuple[Fraction, ...]]:
        """inline constexpr Real default_parameter_values[2] = {1.0, -2.0}; and the map of them."""
        source = self.source
        i = source.next(_words("inline constexpr Real default_parameter_values ["), i)
        count = source.count(i)
        i = source.next(_words("] = {"), i + 1)
        i, found = numbers(i, Scope(source, {}, literal(dtype)), count)
        map_type = f"Eigen::Map<const Vector<{count}>>"
        body = f"{{ return {map_type}(default_parameter_values); }}"
        self.has_defaults = True
        return source.next(_words(f"inline {map_type} default_parameters() {body}"), i), found

    def _signature(self, i: int) -> tuple[int, str, Program]:
        """inline void name(const Eigen::Ref<const Vector<2>>& q, …, Eigen::Ref<Matrix<2, 2>> M)"""
        i = self.source.next(["inline", "void"], i)
        name = self.source.tokens[i]
        program = self.meant(name)
        if program is None:
            self.source.fail(i, f"{shown(name)} is not the name of a function of this robot")
        given = [f"Eigen::Ref<{_type(y)}> {y.name}" if y.shape else f"Real& {y.name}"
                 for y in program.outputs]  # fmt: skip
        text = f"({', '.join([*_taken(program), *given])})"
        return self.source.next(_words(text), i + 1), name, program


def _taken(program: Program) -> list[str]:
    return [f"const Eigen::Ref<const Vector<{len(a)}>>& {a.name}" for a in arguments_of(program)]


def _returning(package: str, name: str, program: Program, has_defaults: bool) -> list[str]:
    """The function that returns its results, by calling the one that writes them."""
    types, taken = [_type(y) for y in program.outputs], _taken(program)
    if has_defaults and taken and taken[-1].endswith(" parameters"):
        taken[-1] += " = default_parameters()"
    results = [y.name for y in program.outputs]
    called = ", ".join([*(a.name for a in arguments_of(program)), *results])
    several = len(results) > 1
    kind = f"std::tuple<{', '.join(types)}>" if several else types[0]
    given = f"{{{', '.join(results)}}}" if several else results[0]
    declared = " ".join(f"{t} {y};" for t, y in zip(types, results, strict=True))
    call = f"{package}::{name}({called})"
    return _words(
        f"inline {kind} {name}({', '.join(taken)}) {{ {declared} {call}; return {given}; }}"
    )


def _type(y: Output) -> str:
    """Real, Vector<2> or Matrix<2, 2>."""
    if not y.shape:
        return "Real"
    return f"{'Vector' if len(y.shape) == 1 else 'Matrix'}<{', '.join(map(str, y.shape))}>"


def _place(source: Source, i: int, shape: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """Nothing after a number, [0] after a vector, (0, 1) after a matrix."""
    if not shape:
        return (0,), i
    if len(shape) == 1:
        return (source.count(source.next(["["], i)),), source.next(["]"], i + 2)
    row, column = source.count(source.next(["("], i)), source.count(source.next([","], i + 2))
    return (row, column), source.next([")"], i + 4)
