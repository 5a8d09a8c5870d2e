"""Expressions of C: nodes of pycparser to values, on a memory of blocks."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Final, NoReturn

from ....algebra.expr import Expr, parse
from ....basics.wording import brief
from ..place import Place
from ..scalar_functions import C_ONE, C_TWO, valued
from . import arithmetic
from .literals import literal
from .memory import Block, Choice, Condition, Integer, Pointer, Value
from .order import unordered
from .types import REAL, ArrayOf, CType, PointerTo, Scalar, Types

_NAMES: Final[dict[str, Value]] = {
    "NULL": Integer(0),
    "M_PI": parse("pi"),
    "M_PI_2": parse("pi/2"),
    "M_PI_4": parse("pi/4"),
    "M_1_PI": parse("1/pi"),
    "M_2_PI": parse("2/pi"),
    "M_SQRT2": parse("sqrt(2)"),
    "M_SQRT1_2": parse("1/sqrt(2)"),
}


class Expressions(ABC):
    """Evaluates expressions; `c_statement` adds statements and calls.

    Attributes:
        scopes: Variables of the function that runs, the innermost scope last.
        constants: File-level variables and enumerators.
    """

    types: Types
    lowest: int  # serial of the oldest block written by the running function

    def __init__(self) -> None:
        self.scopes: list[dict[str, Block]] = []
        self.constants: dict[str, Block] = {}
        self.lowest = 0
        self._ordered: set[int] = set()

    @abstractmethod
    def place(self, node: Any) -> Place:
        """The line of a node."""

    @abstractmethod
    def call(self, node: Any, args: list[Value], outermost: bool) -> Value:
        """Call a function of the file."""

    @abstractmethod
    def defines(self, name: str) -> bool:
        """Whether the file defines this function."""

    @abstractmethod
    def result(self, name: str) -> CType:
        """Type of the result of a function of the file."""

    def fail(self, node: Any, message: str) -> NoReturn:
        """Raise an error at a node."""
        self.place(node).fail(message)

    # -- entry points ------------------------------------------------------------------------------
    def full(self, node: Any) -> Value:
        """A whole expression, whose effects must not depend on an order that C does not define."""
        if id(node) not in self._ordered:
            name = unordered(node)
            if name is not None:
                self.fail(node, f"{brief(name)} is changed and used in one expression; C does not "
                          "say which comes first, so this cannot be read")  # fmt: skip
            self._ordered.add(id(node))
        if type(node).__name__ == "ExprList":  # the comma operator
            value: Value = None
            for part in node.exprs:
                value = self.full(part)
            return value
        return self.value(node, outermost=True)

    def value(self, node: Any, outermost: bool = False) -> Value:
        """The value of a node; `outermost`: nothing else happens in the same expression."""
        name = type(node).__name__
        if name == "BinaryOp":
            return self._binary(node)
        if name == "Assignment":
            return self._assign(node, outermost)
        if name == "FuncCall":
            return self._call(node, outermost)
        method = getattr(self, f"_{name.lower()}", None)
        if method is None or name not in _NODES:
            self.fail(node, f"expected a supported expression, got {_shown(name)}")
        return method(node)

    # -- parts -------------------------------------------------------------------------------------
    def _binary(self, node: Any) -> Value:
        """Iterate over the left operands without recursion: a sum may have thousands of terms."""
        spine: list[Any] = []
        while type(node).__name__ == "BinaryOp" and node.op not in ("&&", "||"):
            spine.append(node)
            node = node.left
        value = self._logical(node) if type(node).__name__ == "BinaryOp" else self.value(node)
        for n in reversed(spine):
            value = arithmetic.binary(n.op, value, self.value(n.right), self.place(n))
        return value

    def _logical(self, node: Any) -> Value:
        """&& and ||, whose right operand is evaluated only if the left one does not decide."""
        place = self.place(node)
        first = arithmetic.truth(self.value(node.left), place)
        if first == (node.op == "||"):
            return Integer(int(first))
        return Integer(int(arithmetic.truth(self.value(node.right), place)))

    def _constant(self, node: Any) -> Value:
        return literal(str(node.value), self.place(node))

    def _id(self, node: Any) -> Value:
        block = self._find(node.name)
        if block is None:
            if node.name in _NAMES:
                return _NAMES[node.name]
            self.fail(node, f"{brief(node.name)} is not defined")
        return self.load(self._whole(block), node)

    def _arrayref(self, node: Any) -> Value:
        return self.load(self._address(node), node)

    def _unaryop(self, node: Any) -> Value:
        op, place = node.op, self.place(node)
        if op == "&":
            return self._address(node.expr)
        if op == "sizeof":
            self.fail(node, "sizeof cannot be read: the size of a number is not part of its value")
        if op in ("++", "--", "p++", "p--"):
            where = self._address(node.expr)
            before = self.load(where, node)
            after = arithmetic.binary("+" if "+" in op else "-", before, Integer(1), place)
            self.store(where, after, node)
            return before if op[0] == "p" else after
        value = self.value(node.expr)
        if op == "*":
            return self.load(self._pointer(value, node), node)
        if op == "-":
            return arithmetic.opposite(value, place)
        if op == "!":
            return arithmetic.negated(value, place)
        if op == "+":
            return value
        return self.fail(node, f"the operator {op} cannot be read")

    def _ternaryop(self, node: Any) -> Value:
        place = self.place(node)
        condition = self.value(node.cond)
        if isinstance(condition, Condition):
            return Choice(condition, self.value(node.iftrue), self.value(node.iffalse))
        known = arithmetic.truth(condition, place)
        value = self.value(node.iftrue if known else node.iffalse)
        other = node.iffalse if known else node.iftrue
        if isinstance(value, Integer) and self._is_real(other):  # `p ? 1 : 0.5` is a real number
            return arithmetic.real(value, place)
        return value

    def _is_real(self, node: Any) -> bool:
        """Whether an expression that is not evaluated has the type of a real number."""
        name = type(node).__name__
        if name == "ID":
            block = self._find(node.name)
            return node.name.startswith("M_") if block is None else block.kind == REAL
        if name == "ArrayRef" or (name == "UnaryOp" and node.op == "*"):
            inner = node.name if name == "ArrayRef" else node.expr
            while type(inner).__name__ in ("ArrayRef", "UnaryOp"):
                inner = inner.name if type(inner).__name__ == "ArrayRef" else inner.expr
            block = self._find(inner.name) if type(inner).__name__ == "ID" else None
            if block is None:
                self.fail(node, "the type of this choice cannot be read; write 0.0 for a real 0")
            return innermost(block.kind) == REAL
        if name == "BinaryOp":
            if node.op in ("<", "<=", ">", ">=", "==", "!=", "&&", "||", "%"):
                return False
            return self._is_real(node.left) or self._is_real(node.right)
        if name == "UnaryOp":
            return node.op != "!" and self._is_real(node.expr)
        if name == "TernaryOp":
            return self._is_real(node.iftrue) or self._is_real(node.iffalse)
        if name == "Constant":
            return isinstance(literal(str(node.value), self.place(node)), Expr)
        if name == "Cast":
            return self.types.of(node.to_type) == REAL
        if name == "FuncCall" and type(node.name).__name__ == "ID":
            if not self.defines(node.name.name):
                return True  # of math.h; any other call is an error
            return self.result(node.name.name) == REAL
        return self.fail(node, "the type of this choice cannot be read; write 0.0 for a real 0")

    def _cast(self, node: Any) -> Value:
        kind = self.types.of(node.to_type)
        value = self.value(node.expr)
        if kind == Scalar("void"):
            return None
        return arithmetic.converted(value, kind, self.place(node))

    # -- assignments and addresses -------------------------------------------------------------------
    def _assign(self, node: Any, outermost: bool) -> Value:
        value = self.value(node.rvalue, outermost)
        where = self._address(node.lvalue)
        if node.op != "=":
            before = self.load(where, node)
            value = arithmetic.binary(node.op[:-1], before, value, self.place(node))
        return self.store(where, value, node)

    def _address(self, node: Any) -> Pointer:
        """Storage place of a node's value."""
        name = type(node).__name__
        if name == "ID":
            block = self._find(node.name)
            if block is None:
                self.fail(node, f"{brief(node.name)} is not defined")
            return self._whole(block)
        if name == "ArrayRef":
            base = self._pointer(self.value(node.name), node)
            return base.moved(arithmetic.integer(self.value(node.subscript), self.place(node)))
        if name == "UnaryOp" and node.op == "*":
            return self._pointer(self.value(node.expr), node)
        return self.fail(node, "expected a variable, an entry of an array or *pointer")

    def _whole(self, block: Block) -> Pointer:
        return Pointer(block, 0, block.kind, block.const)

    def _find(self, name: str) -> Block | None:
        for scope in reversed(self.scopes):
            if name in scope:
                return scope[name]
        return self.constants.get(name)

    def _pointer(self, value: Value, node: Any) -> Pointer:
        if not isinstance(value, Pointer):
            what = "the null pointer" if value == Integer(0) else arithmetic.described(value)
            self.fail(node, f"expected a pointer or an array, got {what}")
        return value

    def load(self, where: Pointer, node: Any) -> Value:
        """The value at a place; an array is a pointer to its first entry."""
        if isinstance(where.target, ArrayOf):
            return Pointer(where.block, where.offset, where.target.element, where.const)
        return where.block.load(where.offset, self.place(node))

    def store(self, where: Pointer, value: Value, node: Any) -> Value:
        """Assign a value to a place, converted to its type."""
        place = self.place(node)
        if isinstance(where.target, ArrayOf):
            place.fail("an array must be assigned entry by entry")
        if where.const:
            place.fail(f"{brief(where.block.name)} is const and must not be assigned")
        value = arithmetic.converted(value, where.target, place)
        where.block.store(where.offset, value, place)
        self.lowest = min(self.lowest, where.block.serial)
        return value

    # -- calls ---------------------------------------------------------------------------------------
    def _call(self, node: Any, outermost: bool) -> Value:
        place = self.place(node)
        if type(node.name).__name__ != "ID":
            place.fail("only a function with a name can be called, got a pointer to a function")
        name = str(node.name.name)
        nodes: list[Any] = [] if node.args is None else node.args.exprs
        args = [self.value(n) for n in nodes]
        if self.defines(name) or self._find(name) is not None:
            return self.call(node, args, outermost)
        base = name[:-1] if name[-1:] in ("f", "l") and name not in C_ONE else name
        if base in C_ONE or base in C_TWO:
            make = C_ONE.get(base) or C_TWO[base]
            expected = 1 if base in C_ONE else 2
            if len(args) != expected:
                place.fail(f"{name} takes {expected} arguments, got {len(args)}")
            return valued(place, make, *(arithmetic.real(x, place) for x in args))
        if base == "fma" and len(args) == 3:
            a, b, c = (arithmetic.real(x, place) for x in args)
            return valued(place, lambda: a * b + c)
        return place.fail(
            f"the function {brief(name)} is unknown; only functions of math.h and functions that the "
            "file defines can be read"
        )


_NODES: Final = {"Constant", "ID", "ArrayRef", "UnaryOp", "TernaryOp", "Cast"}


def innermost(kind: CType) -> CType:
    """Type of the numbers to which a pointer or an array refers."""
    while not isinstance(kind, Scalar):
        kind = kind.target if isinstance(kind, PointerTo) else kind.element
    return kind


def _shown(name: str) -> str:
    return {
        "StructRef": "a member of a struct",
        "InitList": "a list in braces",
        "CompoundLiteral": "a compound literal",
        "ExprList": "a comma",
    }.get(name, f"an unsupported one ({name})")
