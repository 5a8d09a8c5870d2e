"""Expressions of MATLAB: trees to values."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import final

from ....algebra.expr import ONE, ZERO, Expr, parse
from ....algebra.expr.graph import constant
from ....basics.wording import brief
from ..function import Shape
from ..parameter import Parameter
from ..place import Place
from ..scalar_functions import valued
from ..tensor import Array
from . import values
from .functions import FUNCTIONS
from .syntax import Definition, Node
from .values import Selector, Value, described


@final
@dataclass
class Frame:
    """Variables of a running function, and the lines on which they were assigned."""

    names: dict[str, Value]
    lines: dict[str, int]
    arguments: int
    outputs: int


class Expressions(ABC):
    """Evaluates expressions; `file` adds statements and calls of the file's own functions."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.frame: Frame = Frame({}, {}, 0, 0)
        self.functions: dict[str, Definition] = {}

    @abstractmethod
    def run(self, definition: Definition, args: list[Value], outputs: int) -> Frame:
        """Run a function of the file."""

    def value(self, node: Node) -> Value:
        """The value of an expression."""
        place = Place(self.file, node.line)
        if node.kind == "binary":
            return self._binary(node)
        if node.kind == "number":
            return _literal(node.text, place)
        if node.kind == "text":
            return node.text
        if node.kind == "name":
            return self._name(node, place)
        if node.kind == "unary":
            return self._unary(node, place)
        if node.kind == "postfix":
            return values.transposed(self.value(node.parts[0]), place)
        if node.kind == "matrix":
            rows = [[self.value(x) for x in row.parts] for row in node.parts]
            parts = [self._call("horzcat", row, place) for row in rows]
            return self._call("vertcat", parts, place)
        if node.kind == "range":
            return values.spaced([self.value(x) for x in node.parts], place)
        if node.kind == "index":
            return self._index(node, place)
        if node.kind == "field":
            base = self.value(node.parts[0])
            if not isinstance(base, Parameter):
                place.fail(f"a field of {described(base)} cannot be read")
            return base.field(node.text, place)
        return place.fail(f"{brief(node.text)} must be an index, got it elsewhere")

    def _binary(self, node: Node) -> Value:
        """Iterate over the left operands without recursion: a sum may have hundreds of terms."""
        spine: list[Node] = []
        while node.kind == "binary":
            spine.append(node)
            node = node.parts[0]
        value = self.value(node)
        for n in reversed(spine):
            place = Place(self.file, n.line)
            if n.text in ("&&", "||", "&", "|"):
                first = values.truth(value, place)
                if n.text in ("&&", "||") and first == (n.text == "||"):
                    value = ONE if first else ZERO
                    continue
                second = values.truth(self.value(n.parts[1]), place)
                both = first and second if n.text[0] == "&" else first or second
                value = ONE if both else ZERO
            else:
                value = values.binary(n.text, value, self.value(n.parts[1]), place)
        return value

    def _unary(self, node: Node, place: Place) -> Value:
        value = self.value(node.parts[0])
        if node.text in ("~", "!"):
            return ZERO if values.truth(value, place) else ONE
        return values.negated(value, place) if node.text == "-" else values.known(value, place)

    def _name(self, node: Node, place: Place) -> Value:
        name = node.text
        if name in self.frame.names:
            return self.frame.names[name]
        if name == "pi":
            return parse("pi")
        if name in ("nargin", "nargout"):
            return constant(self.frame.arguments if name == "nargin" else self.frame.outputs)
        if name in self.functions or name in FUNCTIONS:
            return self._call(name, [], place)
        return place.fail(f"{brief(name)} is not defined")

    def _index(self, node: Node, place: Place) -> Value:
        base, *args = node.parts
        if base.kind == "name" and base.text not in self.frame.names:
            return self._call(base.text, [self.value(x) for x in args], place)
        value = self.value(base)
        if isinstance(value, Parameter):
            return self._entry(value, args, place)
        matrix = values.matrix(value, place)
        if not args:
            return value
        chosen, shapes = self.selectors(node, matrix, place)
        return values.simple(values.selected(matrix, chosen, place, shapes))

    def _entry(self, value: Parameter, args: list[Node], place: Place) -> Value:
        """q(1), q(1, 1), q(1, :) or q(:) of an argument whose shape is not known."""
        if [x.kind for x in args] == ["colon"]:
            return value
        if any(x.kind == "end" or (x.kind == "colon" and k == 0) for k, x in enumerate(args)):
            value.whole(place)
        index: list[int] = []
        for x in args:
            found = ONE if x.kind == "colon" else self.value(x)
            if isinstance(found, Array) and found.shape != (1, 1):
                value.whole(place)
            index.append(values.count(found, place) - 1)
        return value.entry(tuple(index), place)

    def selectors(
        self, node: Node, matrix: Array | None, place: Place
    ) -> tuple[list[Selector], list[Shape]]:
        """Indices from 0 along each axis; None for all."""
        args = node.parts[1:]
        if not 1 <= len(args) <= 2:
            place.fail(f"a matrix must have one or two indices, got {len(args)}")
        found: list[Selector] = []
        shapes: list[Shape] = []
        for axis, x in enumerate(args):
            if x.kind == "colon":
                found.append(None)
                shapes.append((1, 1))
                continue
            shape = (0, 0) if matrix is None else matrix.shape
            last = prod(shape) if len(args) == 1 else shape[axis]
            index = values.matrix(self.value(_ended(x, last)), place)
            found.append([values.count(k, place) - 1 for k in index.entries(place)])
            shapes.append(index.shape)
        return found, shapes

    def _call(self, name: str, args: list[Value], place: Place) -> Value:
        if name in self.functions:
            definition = self.functions[name]
            if not definition.outputs:
                place.fail(f"{name} must have an output")
            frame = self.run(definition, args, 1)
            return self.result(frame, definition.outputs[0], place)
        if name not in FUNCTIONS:
            place.fail(
                f"{brief(name)} is neither a variable nor a known function; only functions of "
                "small matrices and functions that the file defines can be read"
            )
        least, most, make = FUNCTIONS[name]
        if not least <= len(args) <= most:
            count = f"{least}" if least == most else f"{least} to {most}"
            place.fail(f"{name} takes {count} arguments here, got {len(args)}")
        return make(args, place)

    def result(self, frame: Frame, label: str, place: Place) -> Value:
        """An output of a function that has run."""
        if label not in frame.names:
            place.fail(f"the output {brief(label)} must be assigned by the called function")
        return frame.names[label]


def _ended(node: Node, last: int) -> Node:
    """An index with `end` replaced by its value."""
    if node.kind == "end":
        return Node("number", str(last), (), node.line)
    if node.kind == "index":  # end belongs to the inner matrix
        return node
    return Node(node.kind, node.text, tuple(_ended(x, last) for x in node.parts), node.line)


def _literal(text: str, place: Place) -> Expr:
    digits, _, exponent = text.lower().replace("d", "e").partition("e")
    if len(text) > 2000 or len(exponent) > 6:
        place.fail("a number must have at most 2000 digits and an exponent of at most 5")
    return valued(place, lambda: constant(Fraction(f"{digits}e{exponent or 0}")))
