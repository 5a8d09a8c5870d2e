"""Bodies of functions in generated C and C++: values in order, then the entries of the results."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product

from ....algebra.expr import Expr
from ...ir.program import Dtype, Output, Program
from .arithmetic import Literal, Scope
from .code_file import arguments_of
from .literals import double, single
from .source import Source, shown

# Reads the subscript of an entry: (tokens, position, shape of the result) to (place, next position).
Place = Callable[[Source, int, tuple[int, ...]], tuple[tuple[int, ...], int]]


def read_body(
    i: int, program: Program, scope: Scope, real: str, reserved: Mapping[str, None], place: Place
) -> tuple[int, tuple[Expr, ...]]:
    """Read `{ … }` at position i.

    Args:
        i: Position of the brace.
        program: The intended program, with names, sizes and shapes.
        scope: Functions and numbers of the language.
        real: The number type.
        reserved: Names that values must not have.
        place: Reads the subscript of an entry.

    Returns:
        The next position, and the entries of all results.
    """
    source, tokens = scope.source, scope.source.tokens
    scope.arrays = {a.name: a.symbols for a in arguments_of(program)}
    taken = {**scope.arrays, **dict.fromkeys(y.name for y in program.outputs), **reserved}
    i = source.next(["{"], i)
    while tokens[i] == "(":
        i = source.next(["(", "void", ")"], i)
        if tokens[i] not in scope.arrays:
            source.fail(i, f"expected the name of an argument, got {shown(tokens[i])}")
        i = source.next([";"], i + 1)
    while tokens[i] == "const":
        if tokens[i + 1] != real or tokens[i + 3] != "=":
            source.next(["const", real, tokens[i + 2], "="], i)
        value, j = scope.expression(i + 4)
        scope.define(i + 2, value, taken)
        i = source.next([";"], j)
    scope.arrays = {}  # a result may be the array of an input: no input is read from here on
    found: list[Expr] = []
    for y in program.outputs:
        i, entries = _entries(i, y, program.name, scope, place)
        found += entries
    return source.next(["}"], i), tuple(found)


def _entries(
    i: int, y: Output, function: str, scope: Scope, place: Place
) -> tuple[int, list[Expr]]:
    """Assignments to all entries of one result."""
    source, shape = scope.source, y.shape or (1,)
    entries: dict[tuple[int, ...], Expr] = {}
    while source.tokens[i] == y.name:
        at, j = place(source, i + 1, y.shape)
        value, j = scope.expression(source.next(["="], j))
        if at in entries:
            source.fail(i, f"{y.name}{list(at)} is written twice")
        entries[at] = value
        i = source.next([";"], j)
    places = list(product(*map(range, shape)))
    if set(places) != set(entries):
        wrong = min(set(places) ^ set(entries))
        source.fail(i, f"{y.name}{list(wrong)} of {function} must be written once, and no other")
    return i, [entries[p] for p in places]


def brackets(source: Source, i: int, shape: tuple[int, ...]) -> tuple[tuple[int, ...], int]:
    """[0] or [0][1], as in C, where a number is an array of one."""
    place: list[int] = []
    for _ in shape or (1,):
        place.append(source.count(source.next(["["], i)))
        i = source.next(["]"], i + 2)
    return tuple(place), i


def numbers(i: int, scope: Scope, count: int | None) -> tuple[int, tuple[Fraction, ...]]:
    """`1.0, -2.0};`: the next position, and `count` numbers."""
    source = scope.source
    found, i = scope.numbers(i)
    if len(found) != count:
        source.fail(i, f"expected {count} default parameters, got {len(found)}")
    return source.next(["}", ";"], i), tuple(found)


def literal(dtype: Dtype) -> Literal:
    """Reader of the numbers of a type."""
    return double if dtype == "float64" else _suffixed


def _suffixed(text: str) -> Fraction | None:
    """1.5F: without the F it would be a double."""
    return single(text[:-1]) if text.endswith("F") else None
