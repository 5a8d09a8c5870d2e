"""Blocks of a module: the runs of statements that a function executes together.

A block is named `path:qualified name#number`, for example `code/ir/cost.py:Cost.node#2`. The name does
not depend on what stands elsewhere in the file, so a map from blocks to tests outlives most edits.
Code outside functions has no block: it runs on import.
"""

from __future__ import annotations

import ast
import importlib.util
import marshal
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

RECORDER = "mutate_hits"  # the module in the folder `inside` that instrumented code calls
UNCHECKED_HASH = 1  # flag of a compiled file that Python takes without looking at the source


class Block(NamedTuple):
    """A list of statements in a function, and its name."""

    name: str
    statements: list[ast.stmt]

    @property
    def lines(self) -> range:
        first, last = self.statements[0], self.statements[-1]
        return range(_start(first), (last.end_lineno or last.lineno) + 1)


def blocks(tree: ast.Module, path: str) -> list[Block]:
    """Every block of every function, outer blocks before the blocks in them."""
    numbers: Counter[str] = Counter()
    return [
        Block(f"{path}:{function}#{_next(numbers, function)}", statements)
        for function, statements in _lists(tree.body, (), inside=False)
    ]


def block_at(tree: ast.Module, path: str, line: int) -> str | None:
    """Name of the innermost block that has a line; None if the line runs on import."""
    found = [b for b in blocks(tree, path) if line in b.lines]
    return min(found, key=lambda b: len(b.lines)).name if found else None


def instrument(source: bytes, path: str, filename: str) -> bytes:
    """The content of a compiled file that reports each block it enters to the recorder."""
    tree = ast.parse(source)
    for block in blocks(tree, path):
        k = 1 if _is_docstring(block.statements[0]) else 0
        report = ast.parse(f"__hits__.hit({block.name!r})").body[0]
        place = block.statements[min(k, len(block.statements) - 1)]
        for node in ast.walk(report):
            ast.copy_location(node, place)
        block.statements.insert(k, report)
    heading = [s for s in tree.body if _is_docstring(s) or _is_future(s)]
    record = ast.parse(f"import {RECORDER} as __hits__").body[0]
    tree.body.insert(len(heading), ast.copy_location(record, ast.Pass(lineno=1, col_offset=0)))
    code = compile(ast.fix_missing_locations(tree), filename, "exec", dont_inherit=True)
    head = importlib.util.MAGIC_NUMBER + UNCHECKED_HASH.to_bytes(4, "little")
    return head + importlib.util.source_hash(source) + marshal.dumps(code)


def instrument_all(source: Path) -> None:
    """Put a compiled file that reports its blocks beside every module under a folder `src`."""
    for module in sorted(source.rglob("*.py")):
        compiled = Path(importlib.util.cache_from_source(str(module)))
        compiled.parent.mkdir(exist_ok=True)
        name = module.relative_to(source).as_posix()
        compiled.write_bytes(instrument(module.read_bytes(), name, str(module)))


def _lists(
    body: list[ast.stmt], names: tuple[str, ...], *, inside: bool
) -> Iterator[tuple[str, list[ast.stmt]]]:
    """(qualified name, statements) of each list of statements that a function executes."""
    if inside:
        yield ".".join(names), body
    for statement in body:
        if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _lists(statement.body, (*names, statement.name), inside=True)
        elif isinstance(statement, ast.ClassDef):
            yield from _lists(statement.body, (*names, statement.name), inside=False)
        else:
            for part in _parts(statement):
                yield from _lists(part, names, inside=inside)


def _parts(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    """The lists of statements in a compound statement."""
    for field in ("body", "orelse", "finalbody"):
        part: list[ast.stmt] = getattr(statement, field, [])
        if part:
            yield part
    for field in ("handlers", "cases"):
        for each in getattr(statement, field, []):
            yield each.body


def _next(numbers: Counter[str], function: str) -> int:
    numbers[function] += 1
    return numbers[function]


def _start(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(d.lineno for d in decorators)])


def _is_docstring(statement: ast.stmt) -> bool:
    value = statement.value if isinstance(statement, ast.Expr) else None
    return isinstance(value, ast.Constant) and isinstance(value.value, str)


def _is_future(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.ImportFrom) and statement.module == "__future__"
