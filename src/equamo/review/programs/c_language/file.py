"""Reader of C that somebody wrote or generated.

A function is run once, on symbols: arguments that are numbers or entries of arrays become symbols, and
everything it writes through its pointers or returns becomes an expression. Arrays passed to a
function are assumed not to overlap.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any, NoReturn, final

from ....algebra.expr import Expr, symbol
from ....basics.wording import brief
from ....errors import UnknownNameError
from ..function import Argument, Function, Output, Unread
from ..place import Place
from . import arithmetic
from .arrays import arrays
from .casadi import casadi_function, is_casadi, parts_of_casadi
from .memory import Block, Integer, Opaque, Pointer, argument_pointer
from .statement import Leave, Statements
from .text import CText, preprocessed
from .types import REAL, TYPEDEFS, ArrayOf, CType, PointerTo, Scalar, Types, cells


@final
class CFile(Statements):
    """A source file of C.

    Args:
        text: The source.
        file: Its name in errors.
        folder: Folder of its headers.

    >>> c = CFile("double f(double x) { double y = x*x; return y/2; }", "x.c")
    >>> f = c.read("f")
    >>> f.outputs[0].entries
    {(): x**2/2}
    """

    types: Types
    scopes: list[dict[str, Block]]

    def __init__(self, text: str, file: str, folder: Path | None = None) -> None:
        super().__init__({})
        self.file = file
        self._here = Place(file, 0)
        self._text: CText = preprocessed(text, file, folder)
        typedefs: dict[str, Any] = {}
        self.types = Types(typedefs, self._length, self.fail)
        self._globals: dict[str, Any] = {}
        self._static: set[str] = set()
        for node in self._parsed():
            self._define(node, typedefs)

    @property
    def names(self) -> tuple[str, ...]:
        """Functions that other files can call, without parts of a function of CasADi."""
        parts = parts_of_casadi(self)
        return tuple(n for n in self._public if n not in parts)

    @property
    def unread(self) -> tuple[Unread, ...]:
        """Parts of a function of CasADi."""
        parts = parts_of_casadi(self)
        return tuple(
            Unread(n, self.line(n), parts[n], refused=False) for n in self._public if n in parts
        )

    @property
    def _public(self) -> list[str]:
        return [n for n in self.functions if n not in self._static]

    def line(self, name: str) -> int:
        """The line on which a function begins."""
        if name not in self.functions:
            raise UnknownNameError("function", name, self.names, self.file)
        return self.place(self.functions[name].decl).line

    def read(self, name: str) -> Function:
        """Run a function on symbols.

        Raises:
            FileFormatError: The function contains something that cannot be read, with its line.
        """
        self.line(name)
        self._steps = 0
        self.scopes = []
        self.lowest = 0
        try:
            return casadi_function(self, name) if is_casadi(self, name) else self._function(name)
        except RecursionError:
            return self.fail(self.functions[name].decl, f"{name} is nested too deeply to be read")

    # -- the file ------------------------------------------------------------------------------------
    def place(self, node: Any) -> Place:
        """The line of a node."""
        coord = getattr(node, "coord", None)
        if coord is not None:  # a few nodes have none; use that of the previous node
            self._here = self._text.place(str(coord.file), int(coord.line or 0))
        return self._here

    def _parsed(self) -> list[Any]:
        from pycparser import c_parser  # pyright: ignore

        parser: Any = c_parser.CParser()
        text = f'{TYPEDEFS}\n#line 1 "0"\n{self._text.text}'
        try:
            return parser.parse(text, "0").ext
        except RecursionError:
            Place(self.file, 0).fail("the text is nested too deeply")
        except Exception as error:  # pycparser raises its own and built-in errors on damaged text
            lexer = getattr(parser, "clex", None)
            inner = getattr(lexer, "lexer", lexer)  # versions of pycparser differ
            line = getattr(inner, "lineno", getattr(inner, "_lineno", 0))
            self._unparsed(str(error), str(getattr(lexer, "filename", "0")), line)

    def _unparsed(self, message: str, near: str, line: int) -> NoReturn:
        """An error of the parser, `0:12:3: before: x`; without a line, it is the last line read."""
        head, _, rest = message.partition(": ")
        number, digits, *_ = [*head.split(":"), "", ""]
        known = digits.isdecimal()
        place = self._text.place(number if known else near, int(digits) if known else int(line))
        place.fail(f"this text cannot be read as C: {brief(rest or message, 200)}")

    def _define(self, node: Any, typedefs: dict[str, Any]) -> None:
        name = type(node).__name__
        if name == "FuncDef":
            if node.decl.name in self.functions:
                self.fail(node.decl, f"{node.decl.name} is defined twice")
            self.functions[node.decl.name] = node
            if "static" in node.decl.storage:
                self._static.add(node.decl.name)
        elif name == "Typedef":
            typedefs[node.name] = node.type
        elif name == "Decl" and type(node.type).__name__ == "Enum":
            self._enumerate(node.type)
        elif name == "Decl" and node.name and type(node.type).__name__ != "FuncDecl":
            self._globals[node.name] = node
        if name == "Typedef" and type(getattr(node.type, "type", None)).__name__ == "Enum":
            self._enumerate(node.type.type)

    def _enumerate(self, node: Any) -> None:
        value = -1
        listed: list[Any] = [] if node.values is None else node.values.enumerators
        for item in listed:
            if item.value is None:
                value += 1
            else:
                value = arithmetic.integer(self.full(item.value), self.place(item))
            block = self.constants[item.name] = self.block(item.name, Scalar("int"))
            block.cells[0] = Integer(value)
            block.const = True

    def _length(self, node: Any) -> int:
        return arithmetic.integer(self.full(node), self.place(node))

    def _find(self, name: str) -> Block | None:
        """A variable; those of the file are read when they are first used."""
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        if name in self.constants:
            return self.constants[name]
        node = self._globals.get(name)
        if node is None:
            return None
        if not self.types.is_const(node) or node.init is None:
            self.fail(node, f"the variable {brief(name)} of the file must be const and have a value; "
                      "pass it as an argument")  # fmt: skip
        outer, self.scopes = self.scopes, [{}]
        block = self.constants[name] = self.declared(node)
        self.scopes = outer
        return block

    # -- a function ----------------------------------------------------------------------------------
    def _function(self, name: str) -> Function:
        scope: dict[str, Block] = {}
        passed: list[tuple[str, CType, Block]] = []
        for label, kind in self.parameters(name):
            block = scope[label] = self.argument(label, kind)
            target = block.cells[0]
            passed.append((label, kind, target.block if isinstance(target, Pointer) else block))
        leave, _ = self.run(name, scope)
        inputs: list[Argument] = []
        outputs: list[Output] = []
        for label, kind, block in passed:
            if kind == REAL:
                inputs.append(Argument(label, (), (symbol(label),)))
            elif not isinstance(kind, Scalar):
                given, written = arrays(block)
                inputs += [] if given is None else [given]
                outputs += [] if written is None else [written]
        result = self._returned(name, leave, bool(outputs))
        definition = self.place(self.functions[name].decl)
        outputs += [] if result is None else [result]
        return Function(name, tuple(inputs), tuple(outputs), definition.file, definition.line)

    def argument(self, label: str, kind: CType) -> Block:
        """The variable of a parameter, with a symbol or a pointer to symbols in it."""
        if isinstance(kind, ArrayOf):
            size = None if kind.length is None else cells(kind)
            target = Block(label, kind, size, argument=True, const=kind.const)
            block = self.block(label, PointerTo(kind.element, kind.const))
            block.cells[0] = Pointer(target, 0, kind.element, kind.const)
            return block
        block = self.block(label, kind)
        if isinstance(kind, PointerTo):
            if isinstance(kind.target, Scalar) and kind.target.kind in ("void", "char"):
                Place(self.file, 0).fail(f"the argument {brief(label)} must not be a {kind}")
            block.cells[0] = argument_pointer(label, kind)
        else:
            block.cells[0] = symbol(label) if kind == REAL else Opaque(label)
        return block

    def _returned(self, name: str, leave: Leave, writes: bool) -> Output | None:
        value = leave.value
        if isinstance(value, Integer):  # besides results, an integer reports success
            return (
                None if writes else _scalar(name, arithmetic.real(value, Place("", 0)), leave.line)
            )
        if isinstance(value, Expr):
            return _scalar(name, value, leave.line)
        if value is not None:
            self.fail(self.functions[name].decl, f"{name} must return a number, got "
                      f"{arithmetic.described(value)}")  # fmt: skip
        return None


def _scalar(name: str, value: Expr, line: int) -> Output:
    return Output(name, (), {(): value}, {(): line}, line)
