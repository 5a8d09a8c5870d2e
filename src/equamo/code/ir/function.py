"""Function: name, arguments in order, and one or several results, with ways to compute them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from math import prod
from typing import Any, Final, TypeVar, final

from ...algebra.expr import Expr, symbol
from ...algebra.expr.collector import collector_paused
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.vector import Vector
from ...errors import ExpressionError, ModelError
from ...mechanics.kinematics.quantity_name import QuantityName
from .cost import cost
from .derivative import Derivative
from .lower import lower
from .passes import optimise
from .program import Argument, Program

Value = Expr | Vector | Matrix
Way = Callable[[], Value | tuple[Value, ...]]  # one value, or one per result
Names = Mapping[Expr, QuantityName]
T = TypeVar("T")
HOPELESS: Final = 4  # times the instructions of the shortest alternative, before the passes


@final
@dataclass(frozen=True)
class Result:
    """One result of a function: its name and its shape.

    A packed result holds only the entries of a matrix that can differ from zero (`packing`): `places`
    has the (row, column) of each, and `whole` the shape of the matrix.
    """

    name: str
    shape: tuple[int, ...]
    places: tuple[tuple[int, ...], ...] | None = None
    whole: tuple[int, ...] = ()
    symmetric: bool = False  # of a matrix: packed, it has its lower triangle only

    @property
    def size(self) -> int:
        """Number of entries."""
        return prod(self.shape)

    def __str__(self) -> str:
        return f"{self.name} {self.shape}"


@final
@dataclass(frozen=True)
class Function:
    """Function: name, arguments in order, and results with their shapes.

    >>> from equamo.algebra.expr import parse, symbol
    >>> x = Argument("x", (symbol("a"), symbol("b")))
    >>> results = Result("y", ()), Result("z", (2,))
    >>> f = Function("f", (x,), results, (lambda: (parse("a*b"), Vector([1, "a - b"])),), dict)
    >>> f.size, [(y.name, len(y.values)) for y in f.program().outputs]
    (3, [('y', 1), ('z', 2)])
    """

    name: str
    arguments: tuple[Argument, ...]
    results: tuple[Result, ...]
    ways: tuple[Way, ...]  # alternative computations; the cheapest is used
    naming: Callable[[], Names]
    frame: tuple[str, str] | None = None  # (kind, frame) of a function of one frame
    values: Mapping[Expr, Any] = field(default_factory=dict[Expr, Any])  # of folded parameters
    unpacked: Function | None = None  # of a packed function, the one with whole matrices
    specified: Way | None = None  # its specification, if the name does not imply it
    derivative: Derivative | None = None  # its origin, if it is a derivative

    @property
    def size(self) -> int:
        """Number of entries of all results."""
        return sum(y.size for y in self.results)

    def program(self, fused: bool = True) -> Program:
        """Lower and optimise the cheapest of the alternative computations."""
        with collector_paused():
            lowered = [self._lowered(way) for way in self.ways]
            # The passes never compensate for such a factor, and are slow if it is large.
            most = HOPELESS * min(len(p.instructions) for p in lowered)
            programs = [optimise(p, fused) for p in lowered if len(p.instructions) <= most]
        return min(programs, key=lambda p: cost(p).estimate)

    def _lowered(self, way: Way) -> Program:
        program = lower(self.name, self.arguments, self.outputs(way), self.naming())
        pairs = zip(program.outputs, self.results, strict=True)
        return replace(program, outputs=tuple(replace(y, places=r.places) for y, r in pairs))

    def outputs(self, way: Way) -> dict[str, Value]:
        """Values of the results by one of the alternatives, by name."""
        try:
            found = way()
        except (ExpressionError, ModelError) as error:  # such as a robot without mass
            raise ExpressionError(f"{self.name} has no value: {error}") from None
        values = found if isinstance(found, tuple) else (found,)
        return {y.name: x for y, x in zip(self.results, values, strict=True)}

    def split(self, entries: Sequence[T]) -> list[Sequence[T]]:
        """Entries of all results, one after the other, as one sequence per result."""
        parts: list[Sequence[T]] = []
        start = 0
        for y in self.results:
            parts.append(entries[start : start + y.size])
            start += y.size
        return parts


def entries_of(value: Value) -> list[Expr]:
    """Entries of a value, row by row."""
    return [value] if isinstance(value, Expr) else list(value.entries)


def folded(f: Function, values: Mapping[str, Any]) -> Function:
    """Function with numbers in place of the given parameters; the others remain arguments."""
    known = {symbol(name): x for name, x in values.items()}
    arguments = (
        Argument(a.name, tuple(s for s in a.symbols if s not in known))
        if a.name == "parameters"
        else a
        for a in f.arguments
    )
    kept = tuple(a for a in arguments if len(a) or a.name != "parameters")
    ways = tuple(partial(_with_values, way, known) for way in f.ways)
    return replace(
        f,
        arguments=kept,
        ways=ways,
        values={**f.values, **known},
        unpacked=None if f.unpacked is None else folded(f.unpacked, values),
        specified=None if f.specified is None else partial(_with_values, f.specified, known),
    )


def _with_values(way: Way, values: Mapping[Expr, Any]) -> Value | tuple[Value, ...]:
    found = way()
    if isinstance(found, tuple):
        return tuple(x.subs(values) for x in found)
    return found.subs(values)


def without_empty(f: Function) -> Function:
    """Function without empty arguments, and without empty results if it has several."""
    arguments = tuple(a for a in f.arguments if len(a))
    kept = [k for k, y in enumerate(f.results) if y.size]
    if not kept or len(kept) == len(f.results):
        return replace(f, arguments=arguments)
    results = tuple(f.results[k] for k in kept)
    ways = tuple(partial(_some, way, kept) for way in f.ways)
    specified = None if f.specified is None else partial(_some, f.specified, kept)
    return replace(f, arguments=arguments, results=results, ways=ways, specified=specified)


def _some(way: Way, kept: Iterable[int]) -> tuple[Value, ...]:
    found = way()
    assert isinstance(found, tuple)
    return tuple(found[k] for k in kept)
