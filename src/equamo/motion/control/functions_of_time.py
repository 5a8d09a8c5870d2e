"""References as functions of time: expressions in t with their derivatives, or Python functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast, final

import numpy as np

from ...algebra.expr import Expr, as_expr, symbol
from ...algebra.expr.differentiate import derivative
from ...algebra.expr.evaluate import Arrays, Tape
from ...algebra.expr.walk import symbols as symbols_of
from ...basics.wording import brief, counted
from ...errors import EquamoError, EvaluationError, UnknownNameError
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.state_reader import no_value
from ...robot.model import Robot
from ...robot.model.slots import TIME, TIME_SYMBOL
from .operating_point import Array


def time_symbol(robot: Robot) -> Expr:
    """The time in expressions of a controller: t, or a symbol of its own if the robot has a t.

    `control=` of simulate and rollout, and functions of compile and generate, read both.
    """
    space = robot.state_space
    parts = (space.q, space.v, space.vdot, space.inputs, space.external)
    return TIME_SYMBOL if any(TIME in part.names for part in parts) else symbol(TIME)


@final
class FunctionsOfTime:
    """Named functions of t and their derivatives; a call returns one array per order."""

    def __init__(
        self,
        eom: EquationsOfMotion,
        place: str,
        functions: Mapping[str, Any],
        orders: int,
        values: Mapping[str, float],
    ) -> None:
        numbers = {**eom.robot.values, **values}
        self._time = time_symbol(eom.robot)
        self.names: tuple[str, ...] = tuple(functions)
        first = [_expression(place, n, e, list(numbers), self._time) for n, e in functions.items()]
        self.expressions: list[list[Expr]] = [first]
        for _ in range(orders):
            self.expressions.append(derivative(self.expressions[-1], self._time))
        self._tape = Tape([e for part in self.expressions for e in part])
        self._parameters: dict[Expr, Any] = {}
        for s in symbols_of(first):
            if s is not self._time:
                x = numbers[s.name]
                if x is None:
                    raise no_value(place, eom.robot.name, [s.name])
                self._parameters[s] = np.float64(x)

    def __call__(self, t: float) -> tuple[Array, ...]:
        with np.errstate(all="ignore"):  # the caller checks that numbers are finite
            flat = self._tape.run(Arrays(), {**self._parameters, self._time: np.float64(t)})
        rows = np.array(flat, dtype=np.float64).reshape(len(self.expressions), len(self.names))
        return tuple(rows)


def _expression(
    place: str, name: str, function: Any, parameters: Sequence[str], time: Expr
) -> Expr:
    try:
        e = as_expr(function)
    except EquamoError as error:
        raise EvaluationError(f"{place} of {name!r}: {error}") from error
    if TIME in parameters and symbol(TIME) in symbols_of([e]):
        raise EvaluationError(
            f"{place} of {name!r}: 't' must have one meaning, but it is the time and also a "
            "parameter of the robot; rename the parameter, or pass a Python function of time."
        )
    e = e.subs({symbol(TIME): time})
    for s in symbols_of([e]):
        if s is not time and s.name not in parameters:
            raise UnknownNameError("symbol", s.name, [TIME, *parameters], f"{place} of {name!r}")
    return e


def by_name(place: str, kind: str, names: Sequence[str], entries: Any) -> dict[str, Any]:
    """Entries by name, from a mapping of some names or a sequence with one entry per name."""
    if isinstance(entries, Mapping):
        table = {
            str(getattr(key, "name", key)): x for key, x in cast(Mapping[Any, Any], entries).items()
        }
        for name in table:
            if name not in names:
                raise UnknownNameError(kind, name, names, place)
        return table
    if not np.iterable(entries) or isinstance(entries, (str, Expr)):
        entries = [entries]
    items: list[Any] = list(entries)
    if len(items) != len(names):
        raise EvaluationError(
            f"{place} must have {counted(len(names), 'entry')} ({', '.join(names[:8])}), got "
            f"{len(items)}."
        )
    return dict(zip(names, items, strict=True))


def called(
    place: str, function: Callable[[float], Any], t: float, sizes: Sequence[int]
) -> list[Array]:
    """Result of a user's function at t, checked: one array of finite numbers per size."""
    result: Any = function(t)
    several = len(sizes) > 1 and np.iterable(result) and not isinstance(result, (str, Mapping))
    parts: list[Any] = list(cast(Any, result)) if several else [result]
    if len(parts) != len(sizes):
        lengths = ", ".join(str(n) for n in sizes)
        raise EvaluationError(
            f"{place} must return {len(sizes)} arrays, of lengths {lengths}, got "
            f"{counted(len(parts), 'array')} at t = {t:g} s."
        )
    arrays = [_numbers(place, x, n, t) for x, n in zip(parts, sizes, strict=True)]
    for array, n in zip(arrays, sizes, strict=True):
        if array.shape != (n,) or not np.isfinite(array).all():
            raise EvaluationError(
                f"{place} must return {counted(n, 'finite number')}, got {brief(array)} at t = {t:g} s."
            )
    return arrays


def _numbers(place: str, result: Any, count: int, t: float) -> Array:
    try:
        return np.asarray(result, dtype=np.float64)
    except Exception:  # a user's object can raise anything when it is read
        raise EvaluationError(
            f"{place} must return {counted(count, 'finite number')}, got {brief(result)} at "
            f"t = {t:g} s."
        ) from None
