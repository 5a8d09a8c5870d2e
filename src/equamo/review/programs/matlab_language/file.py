"""Reader of MATLAB and Octave functions that somebody wrote or generated.

A function is run once, on symbols. A vector whose shape is given as (n,) is a column.
"""

from __future__ import annotations

from typing import Final, final

from ....algebra.expr import Expr
from ....basics.wording import brief
from ....errors import UnknownNameError
from ..function import Argument, Function, Index, Output, Shape, Unread, indices
from ..parameter import Parameter, sized
from ..place import Place
from ..tensor import Array
from . import values
from .expression import Expressions, Frame
from .parser import functions
from .syntax import Definition, Node, Statement
from .values import Value, described

MOST_STEPS: Final = 1_000_000  # statements that are run in one function
DEEPEST: Final = 60  # deepest nesting of calls


@final
class MatlabFile(Expressions):
    """A source file of MATLAB or Octave.

    Args:
        text: The source.
        file: Its name in errors.
        shapes: {name of an argument: shape} if known.

    >>> text = "function M = f(q, m)\\n  M = [m*cos(q(1)) 0; 0 m/2];\\nend"
    >>> MatlabFile(text, "f.m", {}).read("f").outputs[0].entries
    {(0, 0): m*cos(`q[0]`), (0, 1): 0, (1, 0): 0, (1, 1): m/2}
    """

    frame: Frame

    def __init__(self, text: str, file: str, shapes: dict[str, Shape]) -> None:
        super().__init__(file)
        self._shapes = shapes
        self._steps = self._depth = 0
        try:
            found = functions(text, file)
        except RecursionError:
            Place(file, 0).fail("the text is nested too deeply")
        for definition in found:
            if definition.name in self.functions:
                Place(file, definition.line).fail(f"{definition.name} is defined twice")
            self.functions[definition.name] = definition
        if not found:
            Place(file, 0).fail("expected at least one function; scripts cannot be read")

    @property
    def names(self) -> tuple[str, ...]:
        """Functions of the file."""
        return tuple(self.functions)

    @property
    def unread(self) -> tuple[Unread, ...]:
        """Every function of the file can be read, or is an error with its line."""
        return ()

    def line(self, name: str) -> int:
        """The line on which a function begins."""
        if name not in self.functions:
            raise UnknownNameError("function", name, self.names, self.file)
        return self.functions[name].line

    def read(self, name: str) -> Function:
        """Run a function on symbols.

        Raises:
            FileFormatError: The function contains something that cannot be read, with its line.
        """
        line = self.line(name)
        definition = self.functions[name]
        self._steps = self._depth = 0
        given = [(label, self._symbolic(label)) for label in definition.arguments]
        place = Place(self.file, line)
        try:
            frame = self.run(definition, [value for _, value in given], len(definition.outputs))
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

    def run(self, definition: Definition, args: list[Value], outputs: int) -> Frame:
        """Run a function of the file."""
        place = Place(self.file, definition.line)
        if len(args) > len(definition.arguments):
            place.fail(
                f"{definition.name} takes {len(definition.arguments)} arguments, got {len(args)}"
            )
        if self._depth >= DEEPEST:
            place.fail(f"calls must be nested at most {DEEPEST} deep")
        outer = self.frame
        names = dict(zip(definition.arguments, args, strict=False))
        frame = self.frame = Frame(names, {}, len(args), outputs)
        self._depth += 1
        self._block(definition.body)
        self._depth -= 1
        self.frame = outer
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
        if node.kind not in ("index", "name") or name not in self.functions:
            place.fail("several variables must be assigned from a function that the file defines")
        definition = self.functions[name]
        if count > len(definition.outputs):
            place.fail(f"{name} has {len(definition.outputs)} outputs, expected {count}")
        given = [self.value(x) for x in args] if node.kind == "index" else []
        frame = self.run(definition, given, count)
        return [self.result(frame, label, place) for label in definition.outputs[:count]]

    def _assign(self, target: Node | None, value: Value, place: Place) -> None:
        if target is None:  # ~
            return
        names, lines = self.frame.names, self.frame.lines
        if target.kind == "name":
            name = target.text
            names[name] = _own(value, place)
        elif target.kind == "index" and target.parts[0].kind == "name":
            name = target.parts[0].text
            before = names.get(name)
            if isinstance(before, (Parameter, str)):
                place.fail(f"an entry of {described(before)} must not be assigned")
            matrix = None if before is None else values.matrix(before, place)
            chosen, _ = self.selectors(target, matrix, place)
            names[name] = values.simple(values.replaced(matrix, chosen, value, place))
        else:
            place.fail("expected a variable or an entry of a matrix")
        lines[name] = place.line


def _own(value: Value, place: Place) -> Value:
    """A copy of a matrix: an assignment to one variable never changes another."""
    return (
        Array.of(value.shape, value.entries(place), place.line)
        if isinstance(value, Array)
        else value
    )
