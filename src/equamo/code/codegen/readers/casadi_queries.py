"""Queries of a CasADi function and the required answers: names, sizes, sparsities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import final

from ...ir.program import Output, Program
from ...ir.sensitivities import PREFIXES, Port, by_columns, ports
from .code_file import Meant, arguments_of
from .source import Source


@final
@dataclass(frozen=True)
class Interface:
    """Arguments and results of a function as CasADi expects them."""

    program: Program
    inputs: Sequence[Port]
    outputs: Sequence[Port]

    @staticmethod
    def of(name: str, meant: Meant) -> Interface | None:
        """Interface of the function of this name; None if it does not exist."""
        program = meant(name)
        if program is None:
            return None
        for prefix in sorted(PREFIXES, key=len, reverse=True):
            base = meant(name.removeprefix(prefix)) if name.startswith(prefix) else None
            if base is not None:
                return Interface(program, *_ports(base, prefix))
        return Interface(program, *_ports(program))

    @property
    def orders(self) -> list[list[int]]:
        """For each result, the entry of the program at each place."""
        return [_order(y) for y in self.program.outputs]


def _ports(base: Program, prefix: str = "") -> tuple[list[Port], list[Port]]:
    return ports(arguments_of(base), [(y.name, y.shape) for y in base.outputs], prefix)


def _order(y: Output) -> list[int]:
    return by_columns(y.shape) if y.places is None else list(range(len(y.values)))


def read_queries(
    source: Source,
    i: int,
    name: str,
    interface: Interface,
    patterns: Mapping[str, tuple[int, ...]],
    work: int,
) -> int:
    """Read the queries of a function, which begin at position i; returns the next position."""
    inputs, outputs = interface.inputs, interface.outputs
    for side, found in (("in", inputs), ("out", outputs)):
        head = ["CASADI_SYMBOL_EXPORT", "casadi_int", f"{name}_n_{side}", "(", "void", ")", "{"]
        i = source.next([*head, "return", f"{len(found)}", ";", "}"], i)
        start, names = i, [f'"{port.name}"' for port in found]
        i, given = _table(source, i, ["const", "char", "*"], f"{name}_name_{side}", len(found))
        if given != names:
            source.fail(start, f"{name}_name_{side} must return {', '.join(names)}")
    i = _work(source, i, name, {"arg": len(inputs), "res": len(outputs), "iw": 0, "w": work})
    wanted = {
        "in": [_places(port, None) for port in inputs],
        "out": [_places(p, y) for p, y in zip(outputs, interface.program.outputs, strict=True)],
    }
    for side, expected in wanted.items():
        start = i
        kind = ["const", "casadi_int", "*"]
        i, chosen = _table(source, i, kind, f"{name}_sparsity_{side}", len(expected))
        for k, (pattern, places) in enumerate(zip(chosen, expected, strict=True)):
            if pattern not in patterns or _decoded(patterns[pattern]) != places:
                source.fail(start, f"{name}_sparsity_{side}({k}) must be that of the program")
    return i


def _table(source: Source, i: int, kind: list[str], name: str, count: int) -> tuple[int, list[str]]:
    """Values of a function of an index for 0, 1, … count − 1; it must return 0 for others."""
    head = ["CASADI_SYMBOL_EXPORT", *kind, name, "(", "casadi_int", "i", ")", "{"]
    i = source.next([*head, "switch", "(", "i", ")", "{"], i)
    texts: list[str] = []
    for k in range(count):
        i = source.next(["case", f"{k}", ":", "return"], i)
        texts.append(source.tokens[i])
        i = source.next([";"], i + 1)
    return source.next(["default", ":", "return", "0", ";", "}", "}"], i), texts


def _work(source: Source, i: int, name: str, sizes: Mapping[str, int]) -> int:
    declared = [t for n in sizes for t in ("casadi_int", "*", n, ",")][:-1]
    i = source.next(["CASADI_SYMBOL_EXPORT", "int", f"{name}_work", "(", *declared, ")", "{"], i)
    for n, size in sizes.items():
        i = source.next(["if", "(", n, ")", "*", n, "=", f"{size}", ";"], i)
    return source.next(["return", "0", ";", "}"], i)


def _places(port: Port, y: Output | None) -> tuple[int, int, list[tuple[int, int]]]:
    """(rows, columns, places) required of a sparsity, with places in the order of the entries."""
    rows, columns = port.rows, port.columns
    if port.is_empty:
        return rows, columns, []
    if y is None or y.places is None:
        return rows, columns, [(i, j) for j in range(columns) for i in range(rows)]
    return rows, columns, [(i, j) for i, j in y.places]


def _decoded(pattern: tuple[int, ...]) -> tuple[int, int, list[tuple[int, int]]] | None:
    """(rows, columns, places) of a sparsity as CasADi stores it; None if it is invalid."""
    if len(pattern) < 3:
        return None
    rows, columns = pattern[:2]
    if pattern[2:] == (1,):
        return rows, columns, [(i, j) for j in range(columns) for i in range(rows)]
    starts, inside = pattern[2 : columns + 3], pattern[columns + 3 :]
    is_order = list(starts) == sorted(starts) and len(starts) == columns + 1
    if (
        not is_order
        or starts[0] != 0
        or starts[-1] != len(inside)
        or max(inside, default=-1) >= rows
    ):
        return None
    places = [(i, j) for j in range(columns) for i in inside[starts[j] : starts[j + 1]]]
    return rows, columns, places
