"""Expressions of Python code on arrays: syntax trees to values. No code is executed."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any, Final, NoReturn

from ....algebra.expr import Expr, parse
from ....algebra.expr.graph import constant
from ....basics.wording import brief
from ..parameter import Parameter
from ..place import Place
from ..scalar_functions import valued
from ..tensor import Array
from . import values
from .functions import FUNCTIONS, Call, method
from .names import Imports
from .values import Value, described

_CONSTANTS: Final[dict[str, Expr]] = {"pi": parse("pi")}
_TYPES: Final = {"float", "float64", "float32", "double", "int", "int64", "int32", "int_", "object"}


class Expressions(ABC):
    """Evaluates expressions; `numpy` adds statements and calls of the file's own functions.

    Attributes:
        local: Variables of the running function.
        imports: Names that the file imports.
    """

    def __init__(self, file: str, lines: Sequence[str] = ()) -> None:
        self.file = file
        self.local: dict[str, Value] = {}
        self.imports: Imports = Imports()
        self._source = lines

    @abstractmethod
    def constant(self, name: str) -> Value:
        """A variable of the module; a KeyError if it does not exist."""

    @abstractmethod
    def defines(self, name: str) -> bool:
        """Whether the module defines this function."""

    @abstractmethod
    def run(self, name: str, args: list[Value], named: dict[str, Value], place: Place) -> Value:
        """Call a function of the module."""

    def place(self, node: ast.AST) -> Place:
        """The line of a node."""
        return Place(self.file, getattr(node, "lineno", 0))

    def fail(self, node: ast.AST, message: str) -> NoReturn:
        """Raise an error at a node."""
        self.place(node).fail(message)

    def value(self, node: ast.expr) -> Value:
        """The value of an expression."""
        found = getattr(self, f"_{type(node).__name__.lower()}", None)
        if found is None or type(node).__name__ not in _NODES:
            self.fail(node, f"expected a supported expression, got {_shown(node)}")
        return found(node)

    # -- leaves --------------------------------------------------------------------------------------
    def _constant(self, node: ast.Constant) -> Value:
        value: Any = node.value
        if isinstance(value, float):
            return self._decimal(node)
        if isinstance(value, (bool, int, str)) or value is None or value is ...:
            return value
        return self.fail(node, f"expected a number, got {brief(value)}")

    def _decimal(self, node: ast.Constant) -> Expr:
        """The number as written, not its value as a float."""
        line = self._source[node.lineno - 1].encode()
        text = line[node.col_offset : node.end_col_offset].decode().replace("_", "")
        place = self.place(node)
        digits, _, exponent = text.lower().partition("e")
        if len(text) > 2000 or len(exponent) > 6:
            place.fail("a number must have at most 2000 digits and an exponent of at most 5")
        return valued(place, lambda: constant(Fraction(f"{digits}e{exponent or 0}")))

    def _name(self, node: ast.Name) -> Value:
        name = node.id
        if name in self.local:
            return self.local[name]
        try:
            return self.constant(name)
        except KeyError:
            pass
        return self._of_module(node, f"{brief(name)} is not defined")

    def _of_module(self, node: ast.expr, otherwise: str) -> Value:
        """np.pi, np.newaxis, and types such as np.float64."""
        name = self.imports.function(node)
        if name in _CONSTANTS:
            return _CONSTANTS[name]
        if name in _TYPES:
            return name
        if name == "newaxis":
            return None
        return self.fail(node, otherwise)

    def _attribute(self, node: ast.Attribute) -> Value:
        base = node.value
        root: ast.expr = base
        while isinstance(root, ast.Attribute):
            root = root.value
        if isinstance(root, ast.Name) and not self._is_variable(root.id):
            shown = ast.unparse(node)
            return self._of_module(node, f"{brief(shown)} is unknown and cannot be read")
        value = self.value(base)
        place = self.place(node)
        if isinstance(value, Parameter):
            if node.attr in ("T", "shape", "size", "ndim", "real"):
                value.whole(place)
            return value.field(node.attr, place)
        if isinstance(value, Array):
            if node.attr == "T":
                return value.transposed
            if node.attr in ("shape", "size", "ndim"):
                sizes = {"shape": value.shape, "ndim": len(value.shape), "size": len(value.places)}
                return sizes[node.attr]
        return place.fail(f"the attribute {brief(node.attr)} of {described(value)} cannot be read")

    def _is_variable(self, name: str) -> bool:
        if name in self.local:
            return True
        try:
            self.constant(name)
        except KeyError:
            return False
        return True

    # -- operators -----------------------------------------------------------------------------------
    def _binop(self, node: ast.BinOp) -> Value:
        """Iterate over the left operands without recursion: a sum may have hundreds of terms."""
        spine: list[ast.BinOp] = []
        left: ast.expr = node
        while isinstance(left, ast.BinOp):
            spine.append(left)
            left = left.left
        value = self.value(left)
        for n in reversed(spine):
            value = values.binary(type(n.op).__name__, value, self.value(n.right), self.place(n))
        return value

    def _unaryop(self, node: ast.UnaryOp) -> Value:
        place = self.place(node)
        value = self.value(node.operand)
        if isinstance(node.op, ast.Not):
            return not values.truth(value, place)
        if isinstance(node.op, ast.Invert):
            place.fail("the operator ~ cannot be read")
        if isinstance(node.op, ast.UAdd):
            return value
        return values.binary("Mult", -1, value, place)

    def _compare(self, node: ast.Compare) -> bool:
        left, place = self.value(node.left), self.place(node)
        for op, right in zip(node.ops, node.comparators, strict=True):
            other = self.value(right)
            if not values.compared(type(op).__name__, left, other, place):
                return False
            left = other
        return True

    def _boolop(self, node: ast.BoolOp) -> Value:
        value: Value = None
        for part in node.values:
            value = self.value(part)
            if values.truth(value, self.place(part)) == isinstance(node.op, ast.Or):
                break
        return value

    def _ifexp(self, node: ast.IfExp) -> Value:
        holds = values.truth(self.value(node.test), self.place(node))
        return self.value(node.body if holds else node.orelse)

    # -- sequences -----------------------------------------------------------------------------------
    def _items(self, nodes: list[ast.expr]) -> list[Value]:
        found: list[Value] = []
        for node in nodes:
            if isinstance(node, ast.Starred):
                found += values.sequence(self.value(node.value), self.place(node))
            else:
                found.append(self.value(node))
        return found

    def _list(self, node: ast.List) -> list[Value]:
        return self._items(node.elts)

    def _tuple(self, node: ast.Tuple) -> tuple[Value, ...]:
        return tuple(self._items(node.elts))

    def _dict(self, node: ast.Dict) -> dict[str, Value]:
        found: dict[str, Value] = {}
        for key, item in zip(node.keys, node.values, strict=True):
            name = None if key is None else self.value(key)
            if not isinstance(name, str):
                self.fail(node, "the keys of a dictionary must be strings")
            found[name] = self.value(item)
        return found

    def _listcomp(self, node: ast.ListComp | ast.GeneratorExp) -> list[Value]:
        outer = dict(self.local)
        found = [self.value(node.elt) for _ in self._rounds(node.generators)]
        self.local = outer
        return found

    def _generatorexp(self, node: ast.GeneratorExp) -> list[Value]:
        return self._listcomp(node)

    def _rounds(self, generators: list[ast.comprehension]) -> Iterator[None]:
        if not generators:
            yield
            return
        first, *rest = generators
        for item in values.sequence(self.value(first.iter), self.place(first.iter)):
            self.assign(first.target, item)
            if all(values.truth(self.value(c), self.place(c)) for c in first.ifs):
                yield from self._rounds(rest)

    # -- entries -------------------------------------------------------------------------------------
    def _subscript(self, node: ast.Subscript) -> Value:
        value, place = self.value(node.value), self.place(node)
        if values.is_dict(value):
            key = self.value(node.slice)
            if not isinstance(key, str) or key not in value:
                place.fail(f"the dictionary has no key {brief(key)}")
            return value[key]
        if values.is_items(value):
            return self._item(value, node.slice, place)
        if isinstance(value, Parameter):
            return self._entry(value, node.slice, place)
        if isinstance(value, Array):
            found = self.part(value, node.slice, place)
            return values.row(found.reshaped((1,)), 0) if found.shape == () else found
        return place.fail(f"an entry of {described(value)} cannot be read")

    def _item(self, value: Sequence[Value], node: ast.expr, place: Place) -> Value:
        if isinstance(node, ast.Slice):
            return value[self._slice(node)]
        k = values.integer(self.value(node), place)
        if not -len(value) <= k < len(value):
            place.fail(f"an index must be less than {len(value)}, got {k}")
        return value[k]

    def _entry(self, value: Parameter, node: ast.expr, place: Place) -> Value:
        """q[0], q[0, 0] or p["m1"] of an argument whose shape is not known."""
        if isinstance(node, ast.Slice):
            return value.whole(place)
        index = self.value(node)
        if isinstance(index, str):
            return value.field(index, place)
        parts = index if values.is_items(index) else (index,)
        numbers = tuple(values.integer(k, place) for k in parts)
        if any(k < 0 for k in numbers):
            value.whole(place)
        return value.entry(numbers, place)

    def _slice(self, node: ast.Slice) -> slice:
        bounds = [None if n is None else self.value(n) for n in (node.lower, node.upper, node.step)]
        known = [None if b is None else values.integer(b, self.place(node)) for b in bounds]
        if known[2] == 0:
            self.fail(node, "the step of a slice must not be 0")
        return slice(*known)

    def part(self, value: Array, node: ast.expr, place: Place) -> Array:
        """A view of an array: value[1], value[0, 1], value[:3, 2]."""
        nodes = node.elts if isinstance(node, ast.Tuple) else [node]
        chosen: list[Sequence[int]] = []
        shape: list[int] = []
        for n in nodes:
            axis = len(chosen)
            if axis >= len(value.shape):
                place.fail(
                    f"an array of shape {value.shape} must have fewer indices, got {len(nodes)}"
                )
            length = value.shape[axis]
            if isinstance(n, ast.Slice):
                chosen.append(range(length)[self._slice(n)])
                shape.append(len(chosen[-1]))
                continue
            k = self.value(n)
            if k is None or k is ... or isinstance(k, (list, tuple, Array)):
                place.fail("an index must be a number or a slice; other indices cannot be read")
            k = values.integer(k, place)
            if not -length <= k < length:
                place.fail(f"an index must be less than {length}, got {k}")
            chosen.append([k % length])
        for length in value.shape[len(chosen) :]:
            chosen.append(range(length))
            shape.append(length)
        return value.view(chosen, tuple(shape))

    @abstractmethod
    def assign(self, target: ast.expr, value: Value) -> None:
        """Assign a value to a name, a tuple of names or a part of an array."""

    # -- calls ---------------------------------------------------------------------------------------
    def _call(self, node: ast.Call) -> Value:
        place = self.place(node)
        args = self._items(node.args)
        named: dict[str, Value] = {}
        for k in node.keywords:
            if k.arg is None:
                place.fail("the arguments of a call must be listed; ** cannot be read")
            named[k.arg] = self.value(k.value)
        f = node.func
        if isinstance(f, ast.Name):
            if self._is_variable(f.id):
                place.fail(f"{brief(f.id)} is a value; only functions can be called")
            if self.defines(f.id) and not self.imports.imports(f.id):
                return self.run(f.id, args, named, place)
        elif isinstance(f, ast.Attribute):
            root: ast.expr = f
            while isinstance(root, ast.Attribute):
                root = root.value
            if not isinstance(root, ast.Name) or self._is_variable(root.id):
                return method(f.attr, self.value(f.value), args, named, place)
        name = self.imports.function(f)
        if name not in FUNCTIONS:
            place.fail(
                f"the function {brief(ast.unparse(f))} is unknown; only functions of NumPy on small "
                "arrays and functions that the file defines can be read"
            )
        return FUNCTIONS[name](Call(name, args, named, place))


_NODES: Final = {
    "Attribute",
    "BinOp",
    "BoolOp",
    "Call",
    "Compare",
    "Constant",
    "Dict",
    "GeneratorExp",
    "IfExp",
    "List",
    "ListComp",
    "Name",
    "Subscript",
    "Tuple",
    "UnaryOp",
}


def _shown(node: ast.expr) -> str:
    return {
        "Lambda": "a lambda",
        "Await": "await",
        "Yield": "yield",
        "JoinedStr": "a formatted text",
        "NamedExpr": ":=",
        "Starred": "a starred item",
        "Slice": "a slice",
    }.get(type(node).__name__, f"an unsupported one ({type(node).__name__})")
