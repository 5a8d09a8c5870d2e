"""Inputs of a function in the robot's symbols: by a mapping, or by their names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from ...errors import EquamoError, FileFormatError
from ...expr import Expr, symbol
from ...wording import brief, counted
from ..code.function import Argument, Function
from ..context import Context
from ..evaluation import Evaluation
from ..syntax import Node
from ..values import entries_of
from .mapping import CodeMapping, Meaning
from .names import ARRAYS, array_of, symbol_of

_KIND: Final = {
    "q": "coordinate",
    "v": "speed",
    "vdot": "acceleration",
    "parameters": "parameter",
    "inputs": "input",
}


@final
@dataclass(frozen=True)
class Inputs:
    """Arguments of one function in the robot's symbols."""

    table: Mapping[Expr, Expr]  # {symbol of the program: expression in the robot's symbols}
    unmatched: Mapping[Expr, str] = field(default_factory=dict[Expr, str])  # why there is no match
    symbols: frozenset[Expr] = frozenset()  # of the robot that the function takes

    def check(self, needed: Collection[Expr], function: Function) -> None:
        """Raise an error if a needed symbol of the program has no meaning."""
        for x in needed:
            if x not in self.table:
                reason = self.unmatched.get(x, f"{brief(x.name)} is not one of them")
                raise FileFormatError(
                    f"{function.file}:{function.line}: every argument of {function.name} must be "
                    f"matched to symbols of the robot, but {reason}; use a mapping, such as "
                    f"'equamo: {x.name.partition('[')[0]} = …' in a comment."
                )


def matched_inputs(function: Function, mapping: CodeMapping, context: Context) -> Inputs:
    """Match every argument of a function; a missing match is an error only if the argument is needed."""
    table: dict[Expr, Expr] = {}
    unmatched: dict[Expr, str] = {}
    taken: set[Expr] = set()
    owner: dict[Expr, str] = {}  # argument that is named after a symbol
    for argument in function.inputs:
        mapped = mapping.meaning("input", function.name, argument.name)
        if mapped is not None:
            values = _values(mapped[1], context)
            _check_size(argument, values, mapped[1])
        else:
            values = _by_name(argument, context, unmatched)
            # Two names for one symbol, such as m1 and M1, could make a false equation true.
            twice = [e for e in values if owner.setdefault(e, argument.name) != argument.name]
            if twice:
                reason = f"{owner[twice[0]]} and {argument.name} would both be {twice[0]}"
                unmatched |= dict.fromkeys(argument.symbols, reason)
                continue
        table |= dict(zip(argument.symbols, values, strict=False))
        taken |= {s for e in values for s in e.symbols()}
    return Inputs(table, unmatched, frozenset(taken))


def argument_shapes(mapping: CodeMapping, context: Context) -> dict[str, tuple[int, ...]]:
    """Shapes of arguments by their names, for languages that do not declare them.

    An array with one entry is omitted, since a program may treat it as a number.
    """
    eom = context.eom
    assert eom is not None
    shapes: dict[str, tuple[int, ...]] = {}
    for kind, names in ARRAYS.items():
        size = len(_vector(kind, context))
        for name in names:
            if size > 1 and symbol_of(name, eom) is None:
                shapes[name] = (size,)
    for key, meaning in {**mapping.names, **mapping.inputs}.items():
        name = key.rpartition(".")[2]
        try:
            size = len(_values(meaning, context))
        except EquamoError:  # the quantity of an output, for example
            continue
        shapes.pop(name, None)
        if size > 1:
            shapes[name] = (size,)
    return shapes


def _values(meaning: Meaning, context: Context) -> list[Expr]:
    """Entries of all formulas of a meaning, one after the other."""
    values: list[Expr] = []
    for f in meaning.formulas:
        text = f.rows[0][0].text.strip() if f.shape == "single" else ""
        if text == "parameters" and "parameters" not in context.robot.symbols:
            values += _vector("parameters", context)
        else:
            values += entries_of(context.value(f, context.robot))
    return values


def _check_size(argument: Argument, values: Sequence[Expr], meaning: Meaning) -> None:
    # An undeclared size is the smallest one that includes every entry that is read.
    if len(values) < len(argument.symbols):
        raise meaning.place.error(
            f"{argument.name} has {counted(len(argument.symbols), 'entry')} and must be mapped to as "
            f"many values, got {len(values)}."
        )


def _by_name(argument: Argument, context: Context, unmatched: dict[Expr, str]) -> list[Expr]:
    """Entries of an argument by its name; reasons go to `unmatched`."""
    eom = context.eom
    assert eom is not None
    size = len(argument.symbols)
    if not argument.shape:
        name = symbol_of(argument.name, eom)
        if name is not None:
            return [symbol(name)]
        kind = array_of(argument.name)
        if kind is not None and len(entries := _vector(kind, context)) == 1:
            return entries
        unmatched[argument.symbols[0]] = (
            f"{brief(argument.name)} is not named after a symbol of robot {eom.robot.name!r}"
        )
        return []
    kind = array_of(argument.name)
    if kind is not None:
        entries = _vector(kind, context)
        if size <= len(entries):
            return entries
        reason = (
            f"{argument.name} has {counted(size, 'entry')}, and robot {eom.robot.name!r} has "
            f"{counted(len(entries), _KIND[kind])}"
        )
    elif size == 1 and (name := symbol_of(argument.name, eom)) is not None:
        return [symbol(name)]
    else:
        arrays = ", ".join(ARRAYS)
        reason = f"the array {brief(argument.name)} is not named after one of {arrays}"
    unmatched.update(dict.fromkeys(argument.symbols, reason))
    return []


def _vector(kind: str, context: Context) -> list[Expr]:
    """Vector of the robot, in the order of the mapping."""
    eom = context.eom
    assert eom is not None
    if kind == "parameters":
        return list(eom.parameters)
    if kind == "inputs":
        return list(eom.inputs)
    scope = context.robot
    return entries_of(scope.quantities.value(Node("quantity", 0, kind), Evaluation(scope)))
