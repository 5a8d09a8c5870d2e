"""Statements of Python code on arrays, run on symbols."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, final

from ....algebra.expr import Expr
from ..parameter import Parameter
from ..place import Place
from ..tensor import Array
from . import values
from .expression import Expressions
from .values import Value, described

MOST_STEPS: Final = 1_000_000  # statements that are run in one function


@final
@dataclass(frozen=True)
class Leave:
    """How a statement ends a loop or the function."""

    how: str  # "break", "continue" or "return"
    value: Value = None
    node: ast.expr | None = None
    line: int = 0


class Statements(Expressions):
    """Runs statements.

    Attributes:
        lines: Lines of the last assignments to local names.
    """

    steps: int

    def __init__(self, file: str, lines: Sequence[str]) -> None:
        super().__init__(file, lines)
        self.lines: dict[str, int] = {}
        self.steps = 0

    def block(self, nodes: list[ast.stmt]) -> Leave | None:
        """Run statements in order; returns how they end, or None if they run to the end."""
        for node in nodes:
            leave = self.statement(node)
            if leave is not None:
                return leave
        return None

    def statement(self, node: ast.stmt) -> Leave | None:
        """Run a statement."""
        self.steps += 1
        if self.steps > MOST_STEPS:
            self.fail(node, f"a function must run at most {MOST_STEPS:,} statements")
        match node:
            case ast.Assign(targets=targets, value=value):
                found = self.value(value)
                for target in targets:
                    self.assign(target, found)
            case ast.AnnAssign(target=target, value=value):
                if value is not None:
                    self.assign(target, self.value(value))
            case ast.AugAssign(target=target, op=op, value=value):
                self._augmented(node, target, type(op).__name__, value)
            case ast.Return(value=value):
                found = None if value is None else self.value(value)
                return Leave("return", found, value, node.lineno)
            case ast.For():
                return self._for(node)
            case ast.If(test=test):
                holds = values.truth(self.value(test), self.place(node))
                return self.block(node.body if holds else node.orelse)
            case ast.Break() | ast.Continue():
                return Leave(type(node).__name__.lower())
            case ast.Expr(value=ast.Constant()) | ast.Pass() | ast.Assert():
                return None  # an assertion can end a run, but not change its result
            case ast.Expr(value=ast.Call(func=ast.Attribute(attr="append")) as call):
                self.value(call)
            case ast.Import() | ast.ImportFrom():
                self.imports.add([node])
            case _:
                self.fail(node, f"expected a supported statement, got {_shown(node)}")
        return None

    def _for(self, node: ast.For) -> Leave | None:
        for item in values.sequence(self.value(node.iter), self.place(node)):
            self.assign(node.target, item)
            leave = self.block(node.body)
            if leave is not None and leave.how == "return":
                return leave
            if leave is not None and leave.how == "break":
                return None
        return self.block(node.orelse)

    def _augmented(self, node: ast.stmt, target: ast.expr, op: str, value: ast.expr) -> None:
        place = self.place(node)
        if not isinstance(target, (ast.Name, ast.Subscript)):
            place.fail("expected a variable or an entry of an array")
        before = self.value(_loaded(target))
        after = values.binary(op, before, self.value(value), place)
        if isinstance(before, Array):  # in place: other names of the same array see it
            before.assign(after, place)
        elif isinstance(before, (list, tuple)):
            place.fail("a list must not be changed in place by an operator")
        else:
            self.assign(target, after)

    def assign(self, target: ast.expr, value: Value) -> None:
        """Assign a value to a name, a tuple of names or a part of an array."""
        place = self.place(target)
        match target:
            case ast.Name(id=name):
                self.local[name] = value
                self.lines[name] = place.line
            case ast.Tuple(elts=parts) | ast.List(elts=parts):
                if any(isinstance(part, ast.Starred) for part in parts):
                    place.fail("a starred target cannot be read")
                if isinstance(value, Parameter):
                    items: list[Value] = list(value.entries(len(parts), place))
                else:
                    items = values.sequence(value, place)
                if len(items) != len(parts):
                    place.fail(f"expected {len(parts)} values, got {len(items)}")
                for part, item in zip(parts, items, strict=True):
                    self.assign(part, item)
            case ast.Subscript(value=base, slice=index):
                self._assign_part(self.value(base), index, value, place)
            case _:
                place.fail("expected a variable or an entry of an array")

    def _assign_part(self, base: Value, index: ast.expr, value: Value, place: Place) -> None:
        if values.is_list(base):
            k = values.integer(self.value(index), place)
            if not -len(base) <= k < len(base):
                place.fail(f"an index must be less than {len(base)}, got {k}")
            base[k] = value
            return
        if not isinstance(base, Array):
            place.fail(f"an entry of {described(base)} must not be assigned")
        if isinstance(value, Parameter):
            value = value.number(place)
        part = self.part(base, index, place)
        part.assign(value if isinstance(value, (Expr, int)) else values.array(value, place), place)


def _loaded(target: ast.Name | ast.Subscript) -> ast.expr:
    """A target as an expression."""
    if isinstance(target, ast.Name):
        return ast.copy_location(ast.Name(target.id, ast.Load()), target)
    return ast.copy_location(ast.Subscript(target.value, target.slice, ast.Load()), target)


def _shown(node: ast.stmt) -> str:
    return {
        "While": "a while loop",
        "With": "with",
        "Try": "try",
        "Raise": "raise",
        "FunctionDef": "a nested function",
        "ClassDef": "a class",
        "Expr": "a call with an unused result",
        "Global": "global",
        "Nonlocal": "nonlocal",
        "Delete": "del",
    }.get(type(node).__name__, f"an unsupported one ({type(node).__name__})")
