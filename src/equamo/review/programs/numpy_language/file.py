"""Reader of Python code on NumPy arrays, from its syntax tree. The code is never executed."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Collection, Iterator, Sequence
from typing import Final, final

from ....algebra.expr import Expr
from ....basics.wording import brief
from ....errors import UnknownNameError
from ..function import Argument, Function, Index, Output, Shape, Unread, indices
from ..parameter import Parameter, sized
from ..place import Place
from ..tensor import Array
from . import values
from .statement import Leave, Statements
from .values import Value

DEEPEST: Final = 60  # deepest nesting of calls


def comments(text: str, file: str) -> list[tuple[int, str]]:
    """(line, text) of each comment; what looks like one inside a string is none.

    >>> comments("s = '# a'  # b", "x.py")
    [(1, '# b')]
    """
    try:
        found = list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError) as error:
        Place(file, 0).fail(f"this text is not Python: {error.args[0]}")
    return [(t.start[0], t.string) for t in found if t.type == tokenize.COMMENT]


@final
class NumpyFile(Statements):
    """A source file of Python.

    Args:
        text: The source.
        file: Its name in errors.
        shapes: {name of an argument: shape} if known.

    >>> text = "import numpy as np\\ndef f(q, m):\\n    return np.array([m*np.cos(q[0]), 0.5])"
    >>> NumpyFile(text, "x.py", {}).read("f").outputs[0].entries
    {(0,): m*cos(`q[0]`), (1,): 1/2}
    """

    steps: int
    local: dict[str, Value]
    lines: dict[str, int]

    def __init__(self, text: str, file: str, shapes: dict[str, Shape]) -> None:
        super().__init__(file, text.split("\n"))
        self._shapes = shapes
        self._functions: dict[str, ast.FunctionDef] = {}
        self._assigned: dict[str, list[ast.stmt]] = {}
        self._known: dict[str, Value] = {}  # variables of the module that were read
        self.steps = self._depth = 0
        self._body_of_module = self._parsed(text)
        for node in self._body_of_module:
            self._define(node)
        others = [n for n in self._body_of_module if not isinstance(n, ast.FunctionDef)]
        self._bound_again = {name for n in others for name in _bound(n)} & self._functions.keys()

    @property
    def names(self) -> tuple[str, ...]:
        """Functions of the module."""
        return tuple(self._functions)

    @property
    def unread(self) -> tuple[Unread, ...]:
        """Methods, and functions that are not defined by a plain `def` of the module."""
        return tuple(_unread(self._body_of_module, self._functions))

    def line(self, name: str) -> int:
        """The line on which a function begins."""
        if name not in self._functions:
            raise UnknownNameError("function", name, self.names, self.file)
        return self._functions[name].lineno

    def read(self, name: str) -> Function:
        """Run a function on symbols.

        Raises:
            FileFormatError: The function contains something that cannot be read, with its line.
        """
        line = self.line(name)
        node = self._functions[name]
        self.steps = self._depth = 0
        given = [(a.arg, self._symbolic(a.arg)) for a in self._parameters(node)]
        try:
            leave = self._body(node, dict(given))
        except RecursionError:
            return self.fail(node, f"{name} is nested too deeply to be read")
        if leave.node is None:
            self.fail(node, f"{name} must return a value")
        outputs = self._outputs(name, leave)
        inputs: list[Argument] = []
        for label, value in given:
            inputs += (
                value.arguments() if isinstance(value, Parameter) else [_argument(label, value)]
            )
        return Function(name, tuple(inputs), tuple(outputs), self.file, line)

    # -- the file ------------------------------------------------------------------------------------
    def _parsed(self, text: str) -> list[ast.stmt]:
        try:
            return ast.parse(text).body
        except SyntaxError as error:
            Place(self.file, error.lineno or 0).fail(f"this text is not Python: {error.msg}")
        except (ValueError, RecursionError, MemoryError) as error:
            Place(self.file, 0).fail(f"this text cannot be read: {brief(str(error))}")

    def _define(self, node: ast.stmt) -> None:
        if isinstance(node, ast.FunctionDef):
            if node.name in self._functions:
                self.fail(node, f"{node.name} is defined twice")
            self._functions[node.name] = node
            for inner in ast.walk(node):
                if isinstance(inner, (ast.Global, ast.Nonlocal)):
                    for name in inner.names:  # bound here and in the module
                        self._assigned.setdefault(name, []).append(inner)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            self.imports.add([node])
        else:
            for name in _bound(node):
                self._assigned.setdefault(name, []).append(node)

    def defines(self, name: str) -> bool:
        """Whether the module defines this function."""
        return name in self._functions

    def constant(self, name: str) -> Value:
        """A variable of the module, read when it is first used."""
        if name in self._known:
            return self._known[name]
        nodes = self._assigned[name]
        if len(nodes) > 1 or not isinstance(nodes[0], (ast.Assign, ast.AnnAssign)):
            self.fail(nodes[-1], f"the variable {brief(name)} of the module must be assigned once")
        outer, lines = self.local, self.lines
        self.local, self.lines = {}, {}
        node = nodes[0]
        self._assigned[name] = [ast.Pass(lineno=node.lineno, col_offset=0)]  # not through itself
        self.statement(node)
        self._assigned[name] = nodes
        found = self.local
        self.local, self.lines = outer, lines
        for value in found.values():
            if isinstance(value, Array):
                value.storage.fixed = "it belongs to the module"
            elif isinstance(value, (list, dict)):
                self.fail(
                    node, "a variable of the module must be a number, a string, a tuple or an array"
                )
        self._known.update(found)
        return found[name]

    # -- calls ---------------------------------------------------------------------------------------
    def _parameters(self, node: ast.FunctionDef) -> list[ast.arg]:
        given = node.args
        if given.vararg is not None or given.kwarg is not None:
            self.fail(node, f"{node.name} must have a fixed number of arguments")
        if node.decorator_list:
            self.fail(node, f"{node.name} must have no decorator, since its effect is unknown")
        return [*given.posonlyargs, *given.args, *given.kwonlyargs]

    def _symbolic(self, name: str) -> Value:
        shape = self._shapes.get(name)
        if shape is None:
            return Parameter(name)
        symbols = sized(name, shape).symbols
        if shape == ():
            return symbols[0]
        found = Array.of(shape, symbols, 0)
        found.storage.fixed = "it is an argument of the function"
        return found

    def run(self, name: str, args: list[Value], named: dict[str, Value], place: Place) -> Value:
        """Call a function of the module."""
        node = self._functions[name]
        labels = [a.arg for a in self._parameters(node)]
        by_position = len(node.args.posonlyargs) + len(node.args.args)
        if len(args) > by_position:
            place.fail(f"{name} takes {by_position} arguments, got {len(args)}")
        scope = dict(zip(labels, args, strict=False))
        for label, value in named.items():
            if label not in labels or label in scope:
                place.fail(f"{name} takes no argument {brief(label)} here, got one")
            scope[label] = value
        defaults = dict(
            zip(reversed(labels[:by_position]), reversed(node.args.defaults), strict=False)
        )
        for extra, default in zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True):
            if default is not None:
                defaults[extra.arg] = default
        for label in labels:
            if label not in scope:
                if label not in defaults:
                    place.fail(f"{name} needs the argument {brief(label)}, which is missing")
                scope[label] = self.value(defaults[label])
        if self._depth >= DEEPEST:
            place.fail(f"calls must be nested at most {DEEPEST} deep")
        return self._body(node, scope).value

    def _body(self, node: ast.FunctionDef, scope: dict[str, Value]) -> Leave:
        if node.name in self._bound_again:
            self.fail(
                node, f"{node.name} must be defined once, got another value of it in the module"
            )
        outer, lines = self.local, self.lines
        self.local, self.lines = scope, {}
        self._depth += 1
        leave = self.block(node.body)
        self._depth -= 1
        self._last = self.lines
        self.local, self.lines = outer, lines
        return leave or Leave("return")

    # -- results -------------------------------------------------------------------------------------
    def _outputs(self, name: str, leave: Leave) -> list[Output]:
        value, node, lines = leave.value, leave.node, self._last
        if values.is_dict(value):
            return [self._output(key, x, leave.line) for key, x in value.items()]
        if not values.is_items(value) or (values.is_list(value) and _is_array(value)):
            label = node.id if isinstance(node, ast.Name) else name
            return [self._output(label, value, lines.get(label, leave.line))]
        parts: list[ast.expr] = node.elts if isinstance(node, (ast.Tuple, ast.List)) else []
        found: list[Output] = []
        for k, item in enumerate(value):
            part = parts[k] if k < len(parts) else None
            label = part.id if isinstance(part, ast.Name) else f"{name}[{k}]"
            found.append(self._output(label, item, lines.get(label, leave.line)))
        return found

    def _output(self, label: str, value: Value, line: int) -> Output:
        place = Place(self.file, line)
        if not isinstance(value, (Array, list, tuple)):
            return Output(label, (), {(): values.real(value, place)}, {(): line}, line)
        array = values.array(value, place)
        known = {
            i: (array.storage.values[k], array.storage.lines[k])
            for i, k in zip(indices(array.shape), array.places, strict=True)
        }
        entries: dict[Index, Expr] = {i: x for i, (x, _) in known.items() if x is not None}
        lines = {i: known[i][1] for i in entries}
        return Output(label, array.shape, entries, lines, max(lines.values(), default=line))


def _unread(
    nodes: Sequence[ast.stmt], known: Collection[str], owner: str = ""
) -> Iterator[Unread]:  # fmt: skip
    """Functions of a module or a class that are not in `NumpyFile.names`, which are `known`."""
    for node in nodes:
        match node:
            case ast.FunctionDef() if not owner:
                pass
            case ast.ClassDef(name=name, body=body):
                yield from _unread(body, known, f"{owner}{name}.")
            case ast.Assign(value=value) | ast.AnnAssign(value=value) if _is_function(value, known):
                for name in (f"{owner}{x}" for x in _bound(node)):
                    if name not in known:
                        yield _not_plain(name, node)
            case _:
                for inner in ast.walk(node):
                    if isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef)):
                        yield _not_plain(f"{owner}{inner.name}", inner)


def _is_function(value: ast.expr | None, known: Collection[str]) -> bool:
    """Whether a value is a lambda, another name of a function, or made from one, as by `jit(f)`."""
    if isinstance(value, ast.Call):
        return any(_is_function(x, known) for x in value.args)
    return isinstance(value, ast.Lambda) or (isinstance(value, ast.Name) and value.id in known)


def _not_plain(name: str, node: ast.stmt) -> Unread:
    reason = "only functions that the module defines by a plain 'def' can be read"
    return Unread(name, node.lineno, reason, refused=True)


def _bound(node: ast.stmt) -> list[str]:
    """Names to which a statement of the module assigns a value, anywhere in it."""
    found: list[str] = []
    for inner in ast.walk(node):
        match inner:
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                found.append(name)
            case (
                ast.FunctionDef(name=name)
                | ast.AsyncFunctionDef(name=name)
                | ast.ClassDef(name=name)
            ):
                found.append(name)
            case ast.Import(names=names) | ast.ImportFrom(names=names):
                found += [alias.asname or alias.name.split(".")[0] for alias in names]
            case ast.Subscript(ctx=ast.Store()) | ast.Attribute(ctx=ast.Store()):
                base: ast.expr = inner
                while isinstance(base, (ast.Subscript, ast.Attribute)):
                    base = base.value
                found += [base.id] if isinstance(base, ast.Name) else []
            case _:
                pass
    return found


def _argument(name: str, value: Value) -> Argument:
    return sized(name, value.shape if isinstance(value, Array) else ())


def _is_array(value: list[Value]) -> bool:
    """Whether a list contains numbers or rows of numbers: `[a, b]` is a vector, `[M, c]` is not."""

    def numbers(items: list[Value]) -> bool:
        return not any(isinstance(x, Array) or values.is_items(x) for x in items)

    return numbers(value) or all(values.is_list(row) and numbers(row) for row in value)
