"""Inputs of a function in the robot's symbols: by a mapping, or by their names."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, final

from ....algebra.expr import Expr, symbol
from ....basics.wording import brief, counted
from ....errors import EquamoError
from ...programs.function import Argument, Function
from ..audited_function import NamedMeaning
from ..claim import Formula
from ..context import Context
from ..evaluation import Evaluation
from ..field import field_values
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
    names: tuple[NamedMeaning, ...] = ()  # every argument, for the report

    def refusal(self, needed: Collection[Expr], function: Function) -> str:
        """Why a result cannot be compared: a needed symbol of the program has no meaning; or ""."""
        for x in needed:
            if x not in self.table:
                reason = self.unmatched.get(x, f"{brief(x.name)} is not one of them")
                return (
                    f"{function.file}:{function.line}: every argument of {function.name} must be "
                    f"matched to symbols of the robot, but {reason}; use a mapping, such as "
                    f"'equamo: {x.name.partition('[')[0]} = …' in a comment."
                )
        return ""


def matched_inputs(function: Function, mapping: CodeMapping, context: Context) -> Inputs:
    """Match every argument of a function; a missing match is an error only if the argument is needed."""
    unmatched: dict[Expr, str] = {}
    matches: list[_Match] = []
    for argument in function.inputs:
        mapped = mapping.meaning("input", function.name, argument.name)
        if mapped is None:
            matches.append(_Match(argument, _by_name(argument, context, unmatched)))
            continue
        _, meaning = mapped
        values = _values(meaning, context)
        _check_size(argument, values, meaning)
        _check_meaning(argument, values, meaning, context)
        matches.append(_Match(argument, values, meaning))
    clashing = _clashing(matches, unmatched)
    table: dict[Expr, Expr] = {}
    taken: set[Expr] = set()
    names: list[NamedMeaning] = []
    for m in matches:
        entries = {} if m.argument.name in clashing else m.entries
        table |= entries
        taken |= {s for e in m.values for s in e.symbols()} if entries else set()
        names.append(_named(m, entries, context))
    return Inputs(table, unmatched, frozenset(taken), tuple(names))


@final
@dataclass(frozen=True)
class _Match:
    """An argument and the values that its entries stand for."""

    argument: Argument
    values: list[Expr]  # at least as many as the argument has entries, or none
    meaning: Meaning | None = None  # None if its name says it

    @property
    def entries(self) -> dict[Expr, Expr]:
        """{symbol of the program: its value}."""
        return dict(zip(self.argument.symbols, self.values, strict=False))


def _named(match: _Match, entries: Mapping[Expr, Expr], context: Context) -> NamedMeaning:
    """The meaning of an argument for the report: formulas with a quantity as they are written."""
    name, meaning = match.argument.name, match.meaning
    source = "name" if meaning is None else meaning.source
    if meaning is not None and any(has_quantity(f, context) for f in meaning.formulas):
        texts = tuple(p.text for f in meaning.formulas for p in f.parts)
        return NamedMeaning(name, "argument", texts, source)
    return NamedMeaning(name, "argument", tuple(map(str, entries.values())), source)


def has_quantity(formula: Formula, context: Context) -> bool:
    """Whether a formula contains a derived quantity, not only symbols of the robot."""
    nodes = [n for p in formula.parts if p.source for n in p.source.tree.walk()]
    return any(context.robot.is_quantity(str(n.value)) and n.value not in ARRAYS for n in nodes)


def _clashing(matches: Sequence[_Match], unmatched: dict[Expr, str]) -> set[str]:
    """Arguments matched by name that would be the same as another one; reasons go to `unmatched`.

    Two names for one symbol, such as m1 and M1, could make a false equation true. A mapping must
    therefore list names of the same quantity together.

    Raises:
        FileFormatError: Two mapped entries would be the same, but are not listed together.
    """
    listed = sorted(matches, key=lambda m: m.meaning is None)
    pairs = [(m, k, x, e) for m in listed for k, (x, e) in enumerate(m.entries.items())]
    owner: dict[object, tuple[_Match, int, Expr]] = {}
    clashing: set[str] = set()
    for (m, k, x, e), value in zip(pairs, field_values([e for *_, e in pairs]), strict=True):
        if not e.symbols():
            continue
        other, at, y = owner.setdefault(e if value is None else value, (m, k, x))
        together = other is not m and other.meaning is m.meaning is not None and at == k
        if y is x or together:
            continue
        reason = f"{y.name} and {x.name} would both be {e}"
        if m.meaning is not None:
            raise m.meaning.place.error(
                f"every name must have a meaning of its own, but {reason}; a mapping must list names of "
                f"the same quantity together, such as '{other.argument.name}, {m.argument.name}'."
            )
        unmatched |= dict.fromkeys(m.argument.symbols, reason)
        clashing.add(m.argument.name)
    return clashing


def _check_meaning(
    argument: Argument, values: Sequence[Expr], meaning: Meaning, context: Context
) -> None:  # fmt: skip
    """Raise an error if a symbol of the robot is mapped to another one."""
    eom = context.eom
    assert eom is not None
    used = list(values[: len(argument.symbols)])
    field_name = argument.name.rpartition(".")[2]
    name = symbol_of(field_name, eom)
    if meaning.in_program:
        own = _own_meaning(argument, context) if name is None else [symbol(name)]
        _check_comment(argument, used, own, meaning, context)
    elif name is not None and len(used) == 1 and not set(used[0].symbols()) <= {symbol(name)}:
        raise meaning.place.error(
            f"{argument.name} must be mapped to {name}, the symbol of robot {eom.robot.name!r} with "
            f"this name, got {used[0]}; rename one of them."
        )


def _own_meaning(argument: Argument, context: Context) -> list[Expr]:
    """Vector of the robot after which an argument, or a field of an argument, is named."""
    kind = array_of(argument.name.rpartition(".")[2])
    vector = [] if kind is None else _vector(kind, context)
    return vector if argument.shape or len(vector) == 1 else []


def _check_comment(
    argument: Argument, used: Sequence[Expr], own: Sequence[Expr], meaning: Meaning, context: Context
) -> None:  # fmt: skip
    """Raise an error if a comment of the program assumes more than the names of its arguments."""
    said = ", ".join(p.text for f in meaning.formulas for p in f.parts)
    if own and list(used) != list(own[: len(used)]):
        raise meaning.place.error(
            f"{argument.name} means {', '.join(map(str, own))} by its name, and a comment of the "
            f"program must not change that, got {said}; pass a mapping instead."
        )
    if any(has_quantity(f, context) for f in meaning.formulas) or not all(
        e.symbols() for e in used
    ):
        raise meaning.place.error(
            f"a comment must map the argument {argument.name} to symbols of the robot, got {said}; pass "
            "a mapping instead."
        )


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
