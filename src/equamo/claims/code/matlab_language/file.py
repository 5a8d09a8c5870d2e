"""Reader of MATLAB and Octave functions that somebody wrote or generated.

A function is run once, on symbols. A vector whose shape is given as (n,) is a column.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Final, final

from ....errors import UnknownNameError
from ....expr import ONE, ZERO, Expr, parse
from ....expr.graph import constant
from ....wording import brief
from ..function import Argument, Function, Index, Output, Shape, indices
from ..parameter import Parameter, sized
from ..place import Place
from ..scalar_functions import valued
from ..tensor import Array
from . import values
from .functions import FUNCTIONS
from .syntax import Definition, Node, Statement, functions
from .values import Selector, Value, described

MOST_STEPS: Final = 1_000_000  # statements that are run in one function
DEEPEST: Final = 60  # calls within calls


@final
@dataclass
class Frame:
    """Variables of a function that runs, and the lines on which they were assigned."""

    names: dict[str, Value]
    lines: dict[str, int]
    arguments: int
    outputs: int


@final
class MatlabFile:
    """A source file of MATLAB or Octave.

    Args:
        text: The source.
        file: Its name in errors.
        shapes: {name of an argument: shape} where it is known.

    >>> text = "function M = f(q, m)\\n  M = [m*cos(q(1)) 0; 0 m/2];\\nend"
    >>> MatlabFile(text, "f.m", {}).read("f").outputs[0].entries
    {(0, 0): m*cos(`q[0]`), (0, 1): 0, (1, 0): 0, (1, 1): m/2}
    """

    def __init__(self, text: str, file: str, shapes: dict[str, Shape]) -> None:
        self.file = file
        self._shapes = shapes
        self._functions: dict[str, Definition] = {}
        self._frame = Frame({}, {}, 0, 0)
        self._steps = self._depth = 0
        try:
            found = functions(text, file)
        except RecursionError:
            Place(file, 0).fail("the text is nested too deeply")
        for definition in found:
            if definition.name in self._functions:
                Place(file, definition.line).fail(f"{definition.name} is defined twice")
            self._functions[definition.name] = definition
        if not found:
            Place(file, 0).fail("expected at least one function; scripts cannot be read")

    @property
    def names(self) -> tuple[str, ...]:
        """Functions of the file."""
        return tuple(self._functions)

    def line(self, name: str) -> int:
        """The line on which a function begins."""
        if name not in self._functions:
            raise UnknownNameError("function", name, self.names, self.file)
        return self._functions[name].line

    def read(self, name: str) -> Function:
        """Run a function on symbols.

        Raises:
            FileFormatError: The function contains something that cannot be read, with its line.
        """
        line = self.line(name)
        definition = self._functions[name]
        self._steps = self._depth = 0
        given = [(label, self._symbolic(label)) for label in definition.arguments]
        place = Place(self.file, line)
        try:
            frame = self._run(definition, [value for _, value in given], len(definition.outputs))
        except RecursionError:
            place.fail(f"{name} is nested too deeply to be read")
        outputs: list[Output] = []
        for label in definition.outputs:
            if label not in frame.names:
                place.fail(f"the output {brief(label)} of {name} must be assigned")
            outputs.append(self._output(label, frame.names[label], frame.lines.get(label, line)))
        inputs: list[Argument] = []
        for label, value in given:
            known = [sized(label, self._shapes.get(label, ()))]
            inputs += value.arguments() if isinstance(value, Parameter) else known
        return Function(name, tuple(inputs), tuple(outputs), self.file, line)

    # -- functions -----------------------------------------------------------------------------------
    def _symbolic(self, name: str) -> Value:
        shape = self._shapes.get(name)
        if shape is None:
            return Parameter(name)
        symbols = sized(name, shape).symbols
        return symbols[0] if shape == () else Array.of((*shape, 1)[:2], symbols, 0)

    def _run(self, definition: Definition, args: list[Value], outputs: int) -> Frame:
        place = Place(self.file, definition.line)
        if len(args) > len(definition.arguments):
            place.fail(
                f"{definition.name} takes {len(definition.arguments)} arguments, got {len(args)}"
            )
        if self._depth >= DEEPEST:
            place.fail(f"calls must be nested at most {DEEPEST} deep")
        outer = self._frame
        names = dict(zip(definition.arguments, args, strict=False))
        frame = self._frame = Frame(names, {}, len(args), outputs)
        self._depth += 1
        self._block(definition.body)
        self._depth -= 1
        self._frame = outer
        return frame

    def _output(self, label: str, value: Value, line: int) -> Output:
        place = Place(self.file, line)
        found = values.known(value, place)
        if isinstance(found, Expr):
            return Output(label, (), {(): found}, {(): line}, line)
        rows, columns = found.shape
        shape: Shape = (rows, columns) if columns != 1 else (rows,) if rows != 1 else ()
        places = indices(shape)
        entries: dict[Index, Expr] = dict(zip(places, found.entries(place), strict=True))
        lines = dict(zip(places, found.lines(), strict=True))
        return Output(label, shape, entries, lines, max(lines.values(), default=line))

    # -- statements ----------------------------------------------------------------------------------
    def _block(self, statements: tuple[Statement, ...]) -> bool:
        """Run statements; whether one of them returns."""
        return any(self._statement(statement) for statement in statements)

    def _statement(self, node: Statement) -> bool:
        place = Place(self.file, node.line)
        self._steps += 1
        if self._steps > MOST_STEPS:
            place.fail(f"a function must run at most {MOST_STEPS:,} statements")
        if node.kind == "return":
            return True
        if node.kind == "if":
            for condition, body in node.branches:
                if condition is None or values.truth(self.value(condition), place):
                    return self._block(body)
            return False
        assert node.value is not None
        if node.kind == "for":
            return self._for(node, place)
        if len(node.targets) == 1:
            value = self.value(node.value)
            target = node.targets[0]
            if node.text != "=" and target is not None:
                value = values.binary(node.text[0], self.value(target), value, place)
            self._assign(target, value, place)
            return False
        found = self._several(node.value, len(node.targets), place)
        for target, value in zip(node.targets, found, strict=True):
            self._assign(target, value, place)
        return False

    def _for(self, node: Statement, place: Place) -> bool:
        assert node.value is not None
        found = values.matrix(self.value(node.value), place)
        rows, columns = found.shape
        for c in range(columns):
            part = found.view([range(rows), [c]], (rows, 1)).copy(place)
            self._assign(node.targets[0], values.simple(part), place)
            if self._block(node.body):
                return True
        return False

    def _several(self, node: Node, count: int, place: Place) -> list[Value]:
        """The outputs of a call with several of them."""
        base, *args = node.parts or (node,)
        name = base.text if base.kind == "name" else ""
        if node.kind not in ("index", "name") or name not in self._functions:
            place.fail("several variables must be assigned from a function that the file defines")
        definition = self._functions[name]
        if count > len(definition.outputs):
            place.fail(f"{name} has {len(definition.outputs)} outputs, expected {count}")
        given = [self.value(x) for x in args] if node.kind == "index" else []
        frame = self._run(definition, given, count)
        return [self._result(frame, label, place) for label in definition.outputs[:count]]

    def _result(self, frame: Frame, label: str, place: Place) -> Value:
        if label not in frame.names:
            place.fail(f"the output {brief(label)} must be assigned by the function that is called")
        return frame.names[label]

    def _assign(self, target: Node | None, value: Value, place: Place) -> None:
        if target is None:  # ~
            return
        names, lines = self._frame.names, self._frame.lines
        if target.kind == "name":
            name = target.text
            names[name] = _own(value, place)
        elif target.kind == "index" and target.parts[0].kind == "name":
            name = target.parts[0].text
            before = names.get(name)
            if isinstance(before, (Parameter, str)):
                place.fail(f"an entry of {described(before)} must not be assigned")
            matrix = None if before is None else values.matrix(before, place)
            chosen, _ = self._selectors(target, matrix, place)
            names[name] = values.simple(values.replaced(matrix, chosen, value, place))
        else:
            place.fail("expected a variable or an entry of a matrix")
        lines[name] = place.line

    # -- expressions ---------------------------------------------------------------------------------
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
            rows = [
                self._call("horzcat", [self.value(x) for x in row.parts], place)
                for row in node.parts
            ]
            return self._call("vertcat", rows, place)
        if node.kind == "range":
            return values.spaced([self.value(x) for x in node.parts], place)
        if node.kind == "index":
            return self._index(node, place)
        if node.kind == "field":
            base = self.value(node.parts[0])
            if not isinstance(base, Parameter):
                place.fail(f"a field of {described(base)} cannot be read")
            return base.field(node.text, place)
        return place.fail(f"{brief(node.text)} must be an index, got one elsewhere")

    def _binary(self, node: Node) -> Value:
        """Down the left operands without recursion: a sum of hundreds of terms is that deep."""
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
        if name in self._frame.names:
            return self._frame.names[name]
        if name == "pi":
            return parse("pi")
        if name in ("nargin", "nargout"):
            return constant(self._frame.arguments if name == "nargin" else self._frame.outputs)
        if name in self._functions or name in FUNCTIONS:
            return self._call(name, [], place)
        return place.fail(f"{brief(name)} is not defined")

    def _index(self, node: Node, place: Place) -> Value:
        base, *args = node.parts
        if base.kind == "name" and base.text not in self._frame.names:
            return self._call(base.text, [self.value(x) for x in args], place)
        value = self.value(base)
        if isinstance(value, Parameter):
            return self._entry(value, args, place)
        matrix = values.matrix(value, place)
        if not args:
            return value
        chosen, shapes = self._selectors(node, matrix, place)
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

    def _selectors(
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
        if name in self._functions:
            definition = self._functions[name]
            if not definition.outputs:
                place.fail(f"{name} must have an output")
            frame = self._run(definition, args, 1)
            return self._result(frame, definition.outputs[0], place)
        if name not in FUNCTIONS:
            place.fail(
                f"{brief(name)} is not a variable and not a function that is known; only functions of "
                "small matrices and functions that the file defines can be read"
            )
        least, most, make = FUNCTIONS[name]
        if not least <= len(args) <= most:
            count = f"{least}" if least == most else f"{least} to {most}"
            place.fail(f"{name} takes {count} arguments here, got {len(args)}")
        return make(args, place)


def _own(value: Value, place: Place) -> Value:
    """A copy of a matrix: an assignment to one variable never changes another."""
    return (
        Array.of(value.shape, value.entries(place), place.line)
        if isinstance(value, Array)
        else value
    )


def _ended(node: Node, last: int) -> Node:
    """An index with `end` replaced by the number that it stands for."""
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
