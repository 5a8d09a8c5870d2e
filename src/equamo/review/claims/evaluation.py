"""Evaluation of a formula in a scope, which defines its names and quantities."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Final, final

from ...algebra.expr import Expr, constant
from ...algebra.expr.differentiate import directional
from ...algebra.expr.functions import BY_NAME, constructor
from ...algebra.expr.graph import PI_NODE
from ...algebra.expr.matrix import Matrix, blocks
from ...algebra.expr.vector import Vector
from ...basics.wording import brief, counted
from ...errors import EquamoError, FileFormatError, ParseError, ShapeError, UnknownNameError
from . import functions
from .syntax import Node
from .values import (
    Value,
    crossed,
    described,
    dotted,
    mapped,
    minus,
    negative,
    over,
    plus,
    scalar,
    times,
    to_power,
    transposed,
    vector,
)

_BINARY: Final[dict[str, Callable[[Value, Value], Value]]] = {
    "+": plus, "-": minus, "*": times, "/": over, "**": to_power,
    "dot": dotted, "cross": crossed,
}  # fmt: skip
MAX_TERMS: Final = 1000  # terms of sum(k, 1, n, e)
MAX_STEPS: Final = 300_000  # nodes of terms in sums and entries of arrays, per formula


class Scope(ABC):
    """Abstract scope: the meaning of the names of a formula."""

    @abstractmethod
    def name(self, name: str) -> Value:
        """Value of a name; raise an error with the valid names if it is unknown."""

    @abstractmethod
    def quantity(self, node: Node, evaluation: Evaluation) -> Value:
        """Value of a quantity of the robot, `@name(arguments)`."""

    @abstractmethod
    def rates(self) -> Mapping[Expr, Expr]:
        """Time derivatives of symbols."""

    def is_constant(self, x: Expr) -> bool:
        """Whether a symbol without a rate is known to be constant: a parameter of the robot."""
        return False

    def is_quantity(self, name: str) -> bool:
        """Whether a name without `@` is a quantity in this scope."""
        return False

    def is_merely_known(self, x: Expr) -> bool:
        """Whether a symbol belongs to no robot, vector or definition, but at most to `known`."""
        return False

    def frame_name(self, node: Node) -> str | None:
        """Argument of a quantity as a name; None if it is a formula."""
        return str(node.value) if node.kind in ("name", "text", "number") else None


@final
class Evaluation:
    """Evaluates a tree; every error has the position of its node."""

    def __init__(self, scope: Scope, steps: list[int] | None = None) -> None:
        self.scope = scope
        self._steps = [0] if steps is None else steps  # taken so far, one number for all scopes

    def within(self, scope: Scope) -> Evaluation:
        """Evaluation in another scope with the same step count, for arguments of a quantity."""
        return Evaluation(scope, self._steps)

    def value(self, node: Node) -> Value:
        """Value of a tree.

        >>> from .text_reader import read_text
        >>> from .scopes import PlainScope
        >>> Evaluation(PlainScope()).value(read_text("cross([a, 0, 0], [0, b, 0])").tree)
        Vector([0, 0, a*b])
        """
        try:
            value = self._value(node)
        except (ParseError, FileFormatError):  # the latter names the place of a definition
            raise
        except RecursionError:
            raise ParseError(
                "the formula is nested too deeply; simplify it.", node.position
            ) from None
        except EquamoError as error:
            text = str(error)
            raise ParseError(text[:1].lower() + text[1:], node.position) from error
        if not isinstance(value, Expr):
            self._steps[0] += len(value.entries)
        return value

    def _value(self, node: Node) -> Value:
        kind = node.kind
        if kind == "number":
            return constant(node.value)
        if kind == "name":
            return self._name(node)
        if kind == "value":
            return node.value
        if kind == "negative":
            return negative(self.value(node.children[0]))
        if kind in _BINARY:
            return self._chain(node)
        if kind == "transpose":
            return transposed(self.value(node.children[0]))
        if kind == "list":
            return self._list(node)
        if kind == "index":
            return self._index(node)
        if kind == "quantity":
            return self.scope.quantity(node, self)
        if kind == "call":
            return self._call(node)
        raise ParseError(f"text in quotes must be an argument of a quantity, got {brief(node.value)}.",
                         node.position)  # fmt: skip

    def _chain(self, node: Node) -> Value:
        """Value of a + b + c …, with a loop over left operands, so that long sums need no recursion."""
        stack: list[Node] = []
        while node.kind in _BINARY and node.kind != "**":
            stack.append(node)
            node = node.children[0]
        if not stack:  # a power
            base, exponent = node.children
            return to_power(self.value(base), self.value(exponent))
        left = self.value(node)
        for above in reversed(stack):
            right = self.value(above.children[1])
            try:
                left = _BINARY[above.kind](left, right)
            except EquamoError as error:
                raise ParseError(str(error), above.position) from error
        return left

    def _name(self, node: Node) -> Value:
        if node.value in ("pi", "π"):
            return PI_NODE
        if self.scope.is_quantity(node.value):
            return self.scope.quantity(replace(node, kind="quantity"), self)
        return self.scope.name(node.value)

    def _list(self, node: Node) -> Value:
        nested = nested_rows(node)
        rows = [[self.value(x) for x in row] for row in nested or node.rows]
        if nested and all(isinstance(x, Expr) for row in rows for x in row):
            return Matrix(rows)
        flat = [x for row in rows for x in row]
        if all(isinstance(x, Expr) for x in flat):
            if node.value == "row":
                return Matrix(rows)
            return Vector(flat) if len(rows) == 1 or len(rows[0]) == 1 else Matrix(rows)
        if len(rows[0]) == 1 and all(isinstance(x, (Vector, Expr)) for x in flat):  # [a; b]
            return Vector([e for x in flat for e in ([x] if isinstance(x, Expr) else x)])
        return blocks([[functions.beside(row)] for row in rows])

    def _index(self, node: Node) -> Value:
        target = self.value(node.children[0])
        marks = node.children[1:]
        sizes = target.shape if not isinstance(target, Expr) else ()
        if len(marks) != len(sizes):
            raise ShapeError(
                f"{described(target)} needs {counted(len(sizes), 'index', 'indices')}, got "
                f"{len(marks)}."
            )
        names = _names_of(target)
        parts = [self._positions(m, n, x) for m, n, x in zip(marks, sizes, names, strict=True)]
        if isinstance(target, Vector):
            (rows, one) = parts[0]
            return target[rows[0]] if one else Vector([target[i] for i in rows])
        assert isinstance(target, Matrix)
        (rows, one_row), (columns, one_column) = parts
        if one_row and one_column:
            return target[rows[0], columns[0]]
        block = [[target[i, j] for j in columns] for i in rows]
        if one_row or one_column:
            return Vector([x for row in block for x in row])
        return Matrix(block)

    def _positions(self, mark: Node, size: int, names: Sequence[str]) -> tuple[list[int], bool]:
        """(indices from 0, whether it is a single one); a mark may be the name of a row."""
        if mark.kind in ("name", "text") and mark.value in names:
            return [names.index(mark.value)], True
        if mark.kind == "text":
            valid = f"one of {', '.join(names)}" if names else f"a number from 1 to {size}"
            raise ParseError(f"an index must be {valid}, got {brief(mark.value)}.", mark.position)
        if mark.kind == "range" and not mark.children:
            return list(range(size)), False
        ends = mark.children if mark.kind == "range" else (mark,)
        numbers = [scalar(self.value(e), "An index").value for e in ends]
        if any(n is None or n.denominator != 1 or not 1 <= n <= size for n in numbers):
            raise ParseError(f"an index must be a whole number from 1 to {size}.", mark.position)
        first, last = (int(numbers[i] or 0) for i in (0, -1))
        if first > last:
            raise ParseError(f"a range must not be empty, got {first}:{last}.", mark.position)
        return list(range(first - 1, last)), mark.kind != "range"

    # -- functions -------------------------------------------------------------------------------
    def _call(self, node: Node) -> Value:
        name = node.value
        if self.scope.is_quantity(name):
            return self.scope.quantity(replace(node, kind="quantity"), self)
        if node.keywords:
            key, at = node.keywords[0]
            raise ParseError(f"{name} takes no named arguments, got {brief(key)}.", at.position)
        if name == "sum":
            return self._sum(node)
        if name == "dt":
            self._check_count(node, 1, 1)
            rates, e = self.scope.rates(), self.value(node.children[0])
            unknown = [
                x
                for x in functions.symbols_in(e)
                if x not in rates and not self.scope.is_constant(x)
            ]
            if unknown:
                names = ", ".join(sorted(x.name for x in unknown)[:4])
                raise ParseError(
                    f"dt needs the rate of every symbol that is not a parameter of the robot, got "
                    f'{names}; add rates to [rates], "0" for a constant.',
                    node.position,
                )
            return mapped(e, lambda x: directional(x, rates))
        if name in functions.TABLE:
            function, least, most = functions.TABLE[name]
            self._check_count(node, least, most)
            values = [self.value(x) for x in node.children]
            if name in functions.BY_VARIABLES:
                self._check_variables(node, values[0], values[1])
            return function(*values)
        make = constructor(name)
        if make is None:
            valid = [*BY_NAME, "atan2", "dt", "sum", *functions.TABLE]
            raise UnknownNameError("function", name, valid)
        count = 2 if name == "atan2" else 1
        self._check_count(node, count, count)
        return make(*(scalar(self.value(x), f"An argument of {name}") for x in node.children))

    def _check_variables(self, node: Node, e: Value, variables: Value) -> None:
        """A derivative by a symbol that is merely listed in `known` would be 0 without a reason."""
        present = functions.symbols_in(e)
        for x in functions.symbols_in(variables):
            if x not in present and self.scope.is_merely_known(x):
                raise ParseError(
                    f"a variable of {node.value} must occur in the expression or belong to the robot, "
                    f"got {x}.", node.children[1].position,
                )  # fmt: skip

    def _check_count(self, node: Node, least: int, most: int) -> None:
        if not least <= len(node.children) <= most:
            several = f"{least} to {most} arguments"
            expected = counted(least, "argument") if least == most else several
            raise ParseError(
                f"{node.value} takes {expected}, got {len(node.children)}.", node.position
            )

    def _sum(self, node: Node) -> Value:
        """Value of sum(k, 1, 3, m_{k}*v_{k})."""
        self._check_count(node, 4, 4)
        index, first, last, term = node.children
        if index.kind != "name":
            raise ParseError("the first argument of sum must be a name, its index.", index.position)
        ends = [scalar(self.value(x), "A limit of sum").value for x in (first, last)]
        if any(n is None or n.denominator != 1 for n in ends):
            raise ParseError("the limits of sum must be whole numbers.", first.position)
        low, high = (int(n) for n in ends if n is not None)
        if not 0 <= high - low < MAX_TERMS:
            raise ParseError(f"a sum must have 1 to {MAX_TERMS} terms.", first.position)
        total: Value | None = None
        size = sum(1 for _ in term.walk())
        for k in range(low, high + 1):
            self._steps[0] += size
            if self._steps[0] > MAX_STEPS:
                raise ParseError(
                    f"a formula must take at most {MAX_STEPS} steps; its sums are too long.",
                    node.position,
                )
            value = self.value(_inserted(term, index.value, k))
            total = value if total is None else plus(total, value)
        assert total is not None
        return total

    def vector(self, node: Node, what: str, size: int | None = None) -> Vector:
        """Value of a tree that must be a vector."""
        return vector(self.value(node), what, size)


def _names_of(x: Value) -> list[Sequence[str]]:
    """Names of the rows and columns, if they have some."""
    if isinstance(x, Vector):
        return [x.names or ()]
    return [x.row_names or (), x.column_names or ()] if isinstance(x, Matrix) else []


def nested_rows(node: Node) -> tuple[tuple[Node, ...], ...]:
    """Rows of a matrix in a list of lists, [[a, b], [c, d]]; empty for any other list."""
    items = [x for row in node.rows for x in row]
    lists = [x for x in items if x.kind == "list" and len(x.rows) == 1 and x.value != "row"]
    if len(lists) < len(items) or node.value == "row":  # beside a vector, a list is a column, too
        return ()
    if len(node.rows) > 1:
        raise ParseError(
            "lists one below the other cannot be read: they may be rows of a matrix or parts of one "
            "vector; write [[a, b], [c, d]] or [a, b; c, d] for the matrix, and [a, b, c, d] for the "
            "vector.",
            lists[0].position,
        )
    if sizes := sorted({len(x.rows[0]) for x in lists})[1:]:
        raise ParseError(
            "lists in a list are the rows of a matrix, and must have the same length; one has "
            f"{counted(sizes[-1], 'entry')}.",
            lists[0].position,
        )
    return tuple(x.rows[0] for x in lists)


def _inserted(node: Node, name: str, k: int) -> Node:
    """Tree with the number k in place of a name, and of {name} inside names."""
    if node.kind == "name" and node.value == name:
        return Node("number", node.position, k)
    value = node.value
    if node.kind in ("name", "call", "quantity", "text") and isinstance(value, str):
        value = value.replace("{" + name + "}", str(k))
    return Node(
        node.kind,
        node.position,
        value,
        tuple([_inserted(c, name, k) for c in node.children]),
        tuple([(key, _inserted(c, name, k)) for key, c in node.keywords]),
        tuple([tuple([_inserted(c, name, k) for c in row]) for row in node.rows]),
    )
