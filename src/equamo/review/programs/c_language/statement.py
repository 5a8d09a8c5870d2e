"""Statements and calls of C, run on expressions: loops and branches must be decided by known numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, final

from ....basics.wording import brief
from . import arithmetic
from .expression import Expressions
from .memory import MOST_CELLS, Block, Integer, Pointer, Value
from .types import ArrayOf, CType, PointerTo, Scalar, cells, flat

MOST_STEPS: Final = 1_000_000  # statements that are run in one function
DEEPEST: Final = 60  # deepest nesting of calls


@final
@dataclass(frozen=True, slots=True)
class Leave:
    """How a statement ends a loop, a switch or the function."""

    how: str  # "break", "continue" or "return"
    value: Value = None
    line: int = 0


class Statements(Expressions):
    """Runs statements.

    Attributes:
        functions: {name: definition} of the file.
    """

    scopes: list[dict[str, Block]]
    lowest: int

    def __init__(self, functions: dict[str, Any]) -> None:
        super().__init__()
        self.functions = functions
        self._steps = 0
        self._depth = 0
        self._serial = 0

    # -- calls ---------------------------------------------------------------------------------------
    def defines(self, name: str) -> bool:
        """Whether the file defines this function."""
        return name in self.functions

    def result(self, name: str) -> CType:
        """Type of the result of a function of the file."""
        return self.types.of(self.functions[name].decl.type.type)

    def call(self, node: Any, args: list[Value], outermost: bool) -> Value:
        """Run a function of the file with these arguments."""
        name, place = str(node.name.name), self.place(node)
        if name not in self.functions:
            place.fail(f"{brief(name)} must be a function that the file defines")
        parameters = self.parameters(name)
        if len(parameters) != len(args):
            place.fail(f"{name} takes {len(parameters)} arguments, got {len(args)}")
        if self._depth >= DEEPEST:
            place.fail(f"calls must be nested at most {DEEPEST} deep")
        scope: dict[str, Block] = {}
        start = self._serial
        for (label, kind), value in zip(parameters, args, strict=True):
            if isinstance(kind, ArrayOf):
                kind = PointerTo(kind.element, kind.const)
            block = scope[label] = self.block(label, kind)
            block.cells[0] = arithmetic.converted(value, kind, place)
        found, written = self.run(name, scope)
        if written <= start and not outermost:
            place.fail(
                f"{name} changes its arguments, so the order matters; it must be called as a statement, "
                "not inside another expression"
            )
        return found.value

    def run(self, name: str, scope: dict[str, Block]) -> tuple[Leave, int]:
        """Run a function; its result, and the serial of the oldest block that it has written."""
        definition = self.functions[name]
        outer, lowest = self.scopes, self.lowest
        self.scopes, self.lowest = [scope], self._serial + 1
        self._depth += 1
        leave = self.statement(definition.body)
        self._depth -= 1
        kind = self.result(name)
        if kind != Scalar("void"):
            if leave is None or leave.value is None:
                self.fail(definition, f"{name} must return a value")
            place = self.place(definition)
            value = arithmetic.converted(leave.value, kind, type(place)(place.file, leave.line))
            leave = Leave("return", value, leave.line)
        self.scopes, written = outer, self.lowest
        self.lowest = min(lowest, written)
        return leave or Leave("return"), written

    def parameters(self, name: str) -> list[tuple[str, CType]]:
        """(name, type) of each parameter."""
        listed: Any = self.functions[name].decl.type.args
        nodes: list[Any] = [] if listed is None else listed.params
        found: list[tuple[str, CType]] = []
        for node in nodes:
            if type(node).__name__ not in ("Decl", "Typename"):  # ...
                self.fail(self.functions[name], f"{name} must have a fixed number of arguments")
            kind = self.types.of(node)
            if kind == Scalar("void"):
                continue
            found.append((str(node.name or f"argument {len(found) + 1}"), kind))
        return found

    def block(self, name: str, kind: CType, const: bool = False) -> Block:
        """A new block for a variable."""
        self._serial += 1
        return Block(name, kind, cells(kind), const=const, serial=self._serial)

    # -- statements ----------------------------------------------------------------------------------
    def statement(self, node: Any) -> Leave | None:
        """Run a statement; returns how it ends, or None if it runs to its end."""
        self._steps += 1
        if self._steps > MOST_STEPS:
            self.fail(node, f"a function must run at most {MOST_STEPS:,} statements")
        name = type(node).__name__
        if name in ("Compound", "If", "For", "Switch", "Return", "Decl", "DeclList", "DoWhile"):
            return getattr(self, f"_{name.lower()}")(node)
        if name in ("Break", "Continue"):
            return Leave(name.lower())
        if name in ("EmptyStatement", "Pragma"):
            return None
        if name in _UNREADABLE:
            self.fail(node, f"{_UNREADABLE[name]} cannot be read; only code with loops over known "
                      "numbers can")  # fmt: skip
        self.full(node)
        return None

    def _compound(self, node: Any) -> Leave | None:
        self.scopes.append({})
        for item in node.block_items or ():
            leave = self.statement(item)
            if leave is not None:
                break
        else:
            leave = None
        self.scopes.pop()
        return leave

    def _if(self, node: Any) -> Leave | None:
        holds = arithmetic.truth(self.full(node.cond), self.place(node))
        branch = node.iftrue if holds else node.iffalse
        return None if branch is None else self.statement(branch)

    def _for(self, node: Any) -> Leave | None:
        self.scopes.append({})
        if node.init is not None:
            self.statement(node.init)
        leave: Leave | None = None
        while node.cond is None or arithmetic.truth(self.full(node.cond), self.place(node)):
            leave = self.statement(node.stmt)
            if leave is not None and leave.how != "continue":
                break
            leave = None
            if node.next is not None:
                self.full(node.next)
        self.scopes.pop()
        return None if leave is not None and leave.how == "break" else leave

    def _dowhile(self, node: Any) -> Leave | None:
        """do { … } while (0), which is common in macros."""
        leave = self.statement(node.stmt)
        if leave is not None:
            return None if leave.how in ("break", "continue") else leave
        if arithmetic.truth(self.full(node.cond), self.place(node)):
            self.fail(node, "a do loop must be do { … } while (0); other do loops cannot be read")
        return None

    def _switch(self, node: Any) -> Leave | None:
        place = self.place(node)
        chosen = arithmetic.integer(self.full(node.cond), place)
        if type(node.stmt).__name__ != "Compound":
            place.fail("a switch must have its cases in braces")
        items: list[Any] = node.stmt.block_items or []
        if any(type(item).__name__ not in ("Case", "Default") for item in items):
            place.fail("a switch must have its statements in cases")
        start = next((k for k, item in enumerate(items) if self._matches(item, chosen)), None)
        if start is None:
            defaults = [k for k, item in enumerate(items) if type(item).__name__ == "Default"]
            start = defaults[0] if defaults else len(items)
        self.scopes.append({})
        leave: Leave | None = None
        for inner in (inner for item in items[start:] for inner in item.stmts or ()):
            leave = self.statement(inner)
            if leave is not None:
                break
        self.scopes.pop()
        return None if leave is not None and leave.how == "break" else leave

    def _matches(self, item: Any, chosen: int) -> bool:
        if type(item).__name__ != "Case":
            return False
        return arithmetic.integer(self.full(item.expr), self.place(item)) == chosen

    def _return(self, node: Any) -> Leave:
        value = None if node.expr is None else self.full(node.expr)
        return Leave("return", value, self.place(node).line)

    # -- declarations --------------------------------------------------------------------------------
    def _decllist(self, node: Any) -> None:
        for declaration in node.decls:
            self._decl(declaration)

    def _decl(self, node: Any) -> None:
        if "static" in node.storage and not self.types.is_const(node):
            self.fail(node, "a static variable keeps its value between calls and cannot be read")
        if "extern" in node.storage:
            self.fail(node, "a variable of another file cannot be read")
        if type(node.type).__name__ == "FuncDecl":
            return
        self.scopes[-1][node.name] = self.declared(node)

    def declared(self, node: Any) -> Block:
        """The block of a declaration with its first value."""
        kind = self.types.of(node)
        name, place = str(node.name), self.place(node)
        items = node.init
        in_braces = type(items).__name__ == "InitList"
        if isinstance(kind, ArrayOf) and kind.length is None:
            if not in_braces:
                place.fail(f"the array {brief(name)} must have a length or entries in braces")
            kind = ArrayOf(kind.element, len(items.exprs), kind.const)
        if isinstance(kind, Scalar) and kind.kind in ("void", "char"):
            place.fail(f"the variable {brief(name)} must be a number, a pointer or an array")
        if cells(kind) > MOST_CELLS:
            place.fail(f"an array must have at most {MOST_CELLS:,} entries, got {cells(kind):,}")
        block = self.block(name, kind)
        if items is not None and isinstance(kind, ArrayOf):
            if not in_braces:
                place.fail(f"the array {brief(name)} must have its entries in braces")
            zero = arithmetic.converted(Integer(0), block.element, place)
            block.cells = dict.fromkeys(range(cells(kind)), zero)
            self._fill(Pointer(block, 0, kind), items)
        elif items is not None:
            if in_braces and len(items.exprs) == 1:
                items = items.exprs[0]
            self.store(Pointer(block, 0, kind), self.full(items), node)
        block.const = self.types.is_const(node)
        return block

    def _fill(self, where: Pointer, items: Any) -> None:
        """{1, 2, 3} or {{1, 2}, {3, 4}} or, for a nested array, also {1, 2, 3, 4}."""
        kind = where.target
        if not isinstance(kind, ArrayOf):
            self.fail(items, "braces must enclose the entries of an array")
        inner: list[Any] = items.exprs
        nested = isinstance(kind.element, ArrayOf)
        braces = [type(item).__name__ == "InitList" for item in inner]
        if nested and not any(braces):  # in one row
            kind = ArrayOf(flat(kind), cells(kind), kind.const)
        elif nested != all(braces) or (not nested and any(braces)):
            self.fail(items, "either all or none of the entries of an array must be in braces")
        if len(inner) > (kind.length or 0):
            self.fail(items, f"expected at most {kind.length} entries, got {len(inner)}")
        entry = Pointer(where.block, where.offset, kind.element)
        for k, item in enumerate(inner):
            if type(item).__name__ == "InitList":
                self._fill(entry.moved(k), item)
            else:
                self.store(entry.moved(k), self.full(item), item)


_UNREADABLE: Final = {
    "While": "a while loop",
    "Goto": "goto",
    "Label": "a label",
    "Typedef": "a type defined inside a function",
    "StaticAssert": "_Static_assert",
    "Case": "a case outside a switch",
    "Default": "a default outside a switch",
}
