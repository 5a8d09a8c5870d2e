"""Expressions: named results as functions of named inputs, for `eq.function` and `functions=`."""

from __future__ import annotations

import keyword
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast, final

from ...algebra.expr import Expr, as_expr
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.store import dump, load
from ...algebra.expr.vector import Vector
from ...algebra.expr.walk import symbols as symbols_of
from ...basics.arguments import items_of
from ...basics.wording import brief, with_article
from ...errors import EquamoError, ExpressionError
from .function import Result, Value, entries_of
from .program import Argument

RESULT: Final = "y"  # name of a result that has none
# Names of arguments that every function has, or that calls use otherwise.
TAKEN: Final = ("external", "parameters", "out", "values", "packed", "wrt")


@final
@dataclass(frozen=True)
class Expressions:
    """Values of the results, and the inputs in order.

    >>> law = Expressions.read("law", "kp*(r - x)", {"x": "x", "r": "r"})
    >>> [a.name for a in law.arguments], [str(y) for y in law.results], law.rest
    (['x', 'r'], ['y ()'], (kp,))
    """

    outputs: Mapping[str, Value]
    arguments: tuple[Argument, ...]
    named: bool  # whether the results have names

    @staticmethod
    def read(place: str, outputs: Any, inputs: Any = None) -> Expressions:
        """Check and convert a user's expressions.

        Args:
            place: Start of messages.
            outputs: A quantity, a vector or a matrix (also as lists), or {name: one of these}.
            inputs: {name: symbol or symbols}, symbols also by name; None for none.

        Raises:
            EquamoError: A name is not an identifier, no result is given, or an input is not a
                symbol or is listed twice.
        """
        named = isinstance(outputs, Mapping)
        table: Mapping[Any, Any] = cast(Any, outputs) if named else {RESULT: outputs}
        if not table:
            raise EquamoError(f"{place}: at least one result must be given, got none.")
        results = {_name(place, "result", n): _value(place, n, x) for n, x in table.items()}
        given: Any = {} if inputs is None else inputs
        if not isinstance(given, Mapping):
            raise EquamoError(f"{place}: inputs must be {{name: symbols}}, got {brief(given)}.")
        pairs = cast(Mapping[Any, Any], given).items()
        arguments = tuple(_argument(place, n, x) for n, x in pairs)
        _check_once(place, arguments, results)
        return Expressions(results, arguments, named)

    @property
    def results(self) -> tuple[Result, ...]:
        """Name and shape of each result."""
        return tuple(
            Result(n, () if isinstance(x, Expr) else x.shape) for n, x in self.outputs.items()
        )

    @property
    def entries(self) -> list[Expr]:
        """Entries of all results, one after the other and row by row."""
        return [e for x in self.outputs.values() for e in entries_of(x)]

    @property
    def rest(self) -> tuple[Expr, ...]:
        """Symbols that are not inputs, in order of their names."""
        known = {s for a in self.arguments for s in a.symbols}
        found = (s for s in symbols_of(self.entries) if s not in known)
        return tuple(sorted(found, key=lambda s: s.name))

    def values(self) -> tuple[Value, ...]:
        """Values of the results, as an alternative of a Function."""
        return tuple(self.outputs.values())

    def stated(self) -> tuple[Value, ...]:
        """Values of the results as the user gave them, as the specification of a Function."""
        return tuple(self.outputs[y.name] for y in self.results)

    # -- storage ---------------------------------------------------------------------------------------
    def to_data(self) -> dict[str, Any]:
        """Plain data, from which `from_data` makes the same expressions."""
        symbols = [s for a in self.arguments for s in a.symbols]
        return {
            "results": [[y.name, list(y.shape)] for y in self.results],
            "inputs": [[a.name, len(a), a.is_number] for a in self.arguments],
            "named": self.named,
            "nodes": list(dump([*self.entries, *symbols])),
        }

    @staticmethod
    def from_data(data: Mapping[str, Any]) -> Expressions:
        """Expressions from plain data; KeyError, TypeError or an EquamoError if it is damaged."""
        entries = iter(load(data["nodes"]))
        outputs = {str(n): _shaped(tuple(shape), entries) for n, shape in data["results"]}
        arguments = tuple(
            Argument(str(n), tuple(next(entries) for _ in range(count)), bool(number))
            for n, count, number in data["inputs"]
        )
        if next(entries, None) is not None or any(
            not s.is_symbol for a in arguments for s in a.symbols
        ):
            raise ExpressionError(
                "Stored expressions must have as many entries as their shapes say."
            )
        return Expressions(outputs, arguments, bool(data["named"]))


def _shaped(shape: tuple[int, ...], entries: Iterator[Expr]) -> Value:
    if not shape:
        return next(entries)
    if len(shape) == 1:
        return Vector([next(entries) for _ in range(shape[0])])
    rows, columns = shape
    names = None if rows else [""] * columns
    return Matrix([[next(entries) for _ in range(columns)] for _ in range(rows)], None, names)


def _name(place: str, what: str, name: object) -> str:
    """Check a name; generated code and keywords of calls use it."""
    text = name.name if isinstance(name, Expr) and name.is_symbol else name
    if not isinstance(text, str) or not text.isidentifier() or keyword.iskeyword(text):
        raise EquamoError(
            f"{place}: the name of {with_article(what)} must be an identifier, such as 'x1', got "
            f"{brief(name)}."
        )
    return text


def _value(place: str, name: object, value: Any) -> Value:
    if isinstance(value, (Expr, Vector, Matrix)):
        return value
    try:
        items = None if isinstance(value, (str, bytes)) else items_of(value)
        if items is None:
            return as_expr(value)
        if items and all(_is_row(x) for x in items):
            return Matrix(items)
        return Vector(items)
    except EquamoError as error:
        raise ExpressionError(f"{place}: the result {name!s}: {error}") from None


def _is_row(x: Any) -> bool:
    return isinstance(x, Iterable) and not isinstance(x, (str, bytes, Expr))


def _argument(place: str, name: object, symbols: Any) -> Argument:
    text = _name(place, "input", name)
    if text in TAKEN:
        raise EquamoError(
            f"{place}: an input must not be named {text!r}, which is reserved; rename it."
        )
    number = isinstance(symbols, (str, Expr))
    items: list[Any] = [symbols]
    if not number and isinstance(symbols, Iterable):
        items = list(cast(Iterable[Any], symbols))
    elif not number:
        raise EquamoError(
            f"{place}: the input {text!r} must be a symbol or a list of symbols, got {brief(symbols)}."
        )
    found: list[Expr] = []
    for x in items:
        e = as_expr(x) if isinstance(x, str) else x
        if not isinstance(e, Expr) or not e.is_symbol:
            raise EquamoError(
                f"{place}: the input {text!r} must consist of symbols, got {brief(x)}."
            )
        found.append(e)
    return Argument(text, tuple(found), number)


def _check_once(place: str, arguments: Iterable[Argument], results: Iterable[str]) -> None:
    """Each symbol is in one input; no result has the name of an input."""
    where: dict[Expr, str] = {}
    for a in arguments:
        for s in a.symbols:
            if s in where:
                raise EquamoError(
                    f"{place}: each symbol must occur once in one input, got {s} in {where[s]!r} and "
                    f"{a.name!r}."
                )
            where[s] = a.name
    same = {a.name for a in arguments} & set(results)
    if same:
        raise EquamoError(
            f"{place}: inputs and results must have different names, got {min(same)!r} for both."
        )
