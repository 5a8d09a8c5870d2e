"""User functions besides those of a robot: `eq.compile(eom, functions={…})`, `eq.generate(…)`.

An argument of such a function is a group of the robot's symbols that occurs in it (q, v, vdot, inputs,
the time t), or an input that the user declared; loads and parameters come last, as in all functions.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping
from typing import Any, cast

from ...algebra.expr import Expr, symbol
from ...basics.wording import brief
from ...errors import EquamoError, UnknownNameError
from ...mechanics.equations.equations import EquationsOfMotion
from ...robot.model.slots import TIME, TIME_SYMBOL
from .expressions import Expressions
from .function import Function, Names
from .lookup import of_frames, whole_functions
from .program import Argument
from .reserved import expect_free

GROUPS = ("q", "v", "vdot", "inputs", "t")


def user_functions(eom: EquationsOfMotion, place: str, given: Any) -> dict[str, Function]:
    """Functions of a robot from expressions.

    Args:
        eom: Equations of motion; their symbols are the arguments.
        place: Start of messages.
        given: {name: expression, vector, matrix, {result: one of these}, or anything with a `law`}.

    Raises:
        EquamoError: A name or an input is invalid or already used.
        UnknownNameError: An expression has a symbol that is neither a symbol of the robot nor an input.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> eom = derive(load("rr_arm"))
    >>> f = user_functions(eom, "compile", {"power": "tau1*dq1 + tau2*dq2"})["power"]
    >>> [a.name for a in f.arguments], [str(y) for y in f.results]
    (['v', 'inputs', 'parameters'], ['y ()'])
    """
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise EquamoError(f"{place}: functions must be {{name: expression}}, got {brief(given)}.")
    table = cast(Mapping[Any, Any], given)
    known = {*whole_functions(eom), *of_frames(eom)}
    found: dict[str, Function] = {}
    for name, value in table.items():
        if not isinstance(name, str) or not name.isidentifier() or name.startswith("_"):
            raise EquamoError(
                f"{place}: the name of a function must be an identifier, such as 'tip', got "
                f"{brief(name)}."
            )
        expect_free(place, name, known)
        if unicodedata.normalize("NFKC", name) in known:
            raise EquamoError(
                f"{place}: the function {name!r} must have a new name, but robot "
                f"{eom.robot.name!r} already has a function of that name; rename it."
            )
        found[name] = _function(eom, f"{place}: function {name!r}", name, value)
    _check_sizes(place, eom, found.values())
    return found


def _function(eom: EquationsOfMotion, place: str, name: str, value: Any) -> Function:
    law = value if isinstance(value, Expressions) else getattr(value, "law", value)
    read = law if isinstance(law, Expressions) else Expressions.read(place, law)
    robot = _groups(eom)
    rest = set(read.rest)
    groups = [a for n, a in robot.items() if n in GROUPS and rest & set(a.symbols)]
    last = [robot[n] for n in ("external", "parameters") if n in robot]
    arguments = (*groups, *read.arguments, *last)
    names = {y.name for y in read.results} & {a.name for a in arguments}
    if names:
        raise EquamoError(
            f"{place}: a result must not have the name of an argument, got {min(names)!r}; rename it."
        )
    unknown = rest - {s for a in arguments for s in a.symbols}
    if unknown:
        valid = (s.name for a in robot.values() for s in a.symbols)
        first = min(s.name for s in unknown)
        raise UnknownNameError("symbol", first, valid, f"{place} (declare inputs with eq.function)")
    return Function(name, arguments, read.results, (read.values,), _no_names, specified=read.stated)


def expressions_of(f: Function) -> Expressions:
    """The expressions of a user's function, with its own inputs."""
    assert f.specified is not None
    arguments = tuple(a for a in f.arguments if a.name not in ("external", "parameters"))
    return Expressions(f.outputs(f.specified), arguments, named=True)


def _groups(eom: EquationsOfMotion) -> dict[str, Argument]:
    """The robot's symbols by the argument that they belong to; empty groups are omitted."""
    t = symbol(TIME)
    own = (*eom.q, *eom.v, *eom.vdot, *eom.inputs, *eom.external, *eom.parameters)
    time = (TIME_SYMBOL if t in own else t,)
    groups = [
        Argument("q", eom.q), Argument("v", eom.v), Argument("vdot", eom.vdot),
        Argument("inputs", eom.inputs), Argument("t", time, is_number=True),
        Argument("external", eom.external), Argument("parameters", eom.parameters),
    ]  # fmt: skip
    return {a.name: a for a in groups if len(a)}


def _check_sizes(place: str, eom: EquationsOfMotion, made: Iterable[Function]) -> None:
    """Check that an argument has the same symbols in all functions, and q those of the robot."""
    symbols: dict[str, tuple[Expr, ...]] = {n: a.symbols for n, a in _groups(eom).items()}
    for f in made:
        for a in f.arguments:
            if symbols.setdefault(a.name, a.symbols) != a.symbols:
                raise EquamoError(
                    f"{place}: the input {a.name!r} must have the same symbols in all functions, but in "
                    f"{f.name!r} they differ; rename it."
                )


def _no_names() -> Names:
    return {}
