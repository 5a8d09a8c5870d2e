"""References in time: expressions in t and parameters with their derivatives, or Python functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, cast, final

import numpy as np

from ..equations.equations import EquationsOfMotion
from ..errors import EquamoError, EvaluationError, UnknownNameError
from ..expr import Expr, as_expr, symbol
from ..expr.differentiate import derivative
from ..expr.evaluate import Arrays, Tape
from ..expr.walk import symbols as symbols_of
from ..wording import brief, counted
from .operating_point import Array

TIME: Final = symbol("t")


@final
class FunctionsOfTime:
    """Named functions of t and their first derivatives; `__call__` gives an array for each order."""

    def __init__(
        self,
        eom: EquationsOfMotion,
        place: str,
        given: Mapping[str, Any],
        orders: int,
        values: Mapping[str, float],
    ) -> None:
        numbers = {**eom.robot.values, **values}
        self.names = tuple(given)
        first = [_expression(place, n, e, [n for n in numbers]) for n, e in given.items()]
        self.expressions: list[list[Expr]] = [first]
        for _ in range(orders):
            self.expressions.append(derivative(self.expressions[-1], TIME))
        self._tape = Tape([e for part in self.expressions for e in part])
        self._known: dict[Expr, Any] = {}
        for s in symbols_of(first):
            if s is not TIME:
                x = numbers[s.name]
                if x is None:
                    raise EvaluationError(
                        f"{place}: the parameter {s.name!r} of robot {eom.robot.name!r} has no "
                        f"default value; give one with values={{{s.name!r}: …}}."
                    )
                self._known[s] = np.float64(x)

    def __call__(self, t: float) -> tuple[Array, ...]:
        found = self._tape.run(Arrays(), {**self._known, TIME: np.float64(t)})
        rows = np.array(found, dtype=np.float64).reshape(len(self.expressions), len(self.names))
        return tuple(rows)


def _expression(place: str, name: str, given: Any, parameters: Sequence[str]) -> Expr:
    try:
        e = as_expr(given)
    except EquamoError as error:
        raise EvaluationError(f"{place} of {name!r}: {error}") from error
    for s in symbols_of([e]):
        if s is TIME and TIME.name in parameters:
            raise EvaluationError(
                f"{place} of {name!r}: 't' must mean one thing, but it is the time and also a "
                "parameter of the robot; rename the parameter, or give a function of the time."
            )
        if s is not TIME and s.name not in parameters:
            raise UnknownNameError(
                "symbol", s.name, [TIME.name, *parameters], f"{place} of {name!r}"
            )
    return e


def by_name(place: str, kind: str, names: Sequence[str], given: Any) -> dict[str, Any]:
    """{name: what is given for it} from {name: …}, or from one for each name."""
    if isinstance(given, Mapping):
        table = {
            str(getattr(key, "name", key)): x for key, x in cast(Mapping[Any, Any], given).items()
        }
        for name in table:
            if name not in names:
                raise UnknownNameError(kind, name, names, place)
        return table
    if not np.iterable(given) or isinstance(given, (str, Expr)):
        given = [given]
    items: list[Any] = list(given)
    if len(items) != len(names):
        raise EvaluationError(
            f"{place} has {counted(len(names), 'entry')} ({', '.join(names[:8])}), not {len(items)}."
        )
    return dict(zip(names, items, strict=True))


def called(
    place: str, function: Callable[[float], Any], t: float, sizes: Sequence[int]
) -> list[Array]:
    """What a function of the user's gives at t: an array of each size."""
    found = function(t)
    parts = list(found) if len(sizes) > 1 else [found]
    wanted = ", ".join(str(n) for n in sizes)
    if len(parts) != len(sizes):
        raise EvaluationError(
            f"{place} gave {counted(len(parts), 'array')} at t = {t:g} s; it gives {len(sizes)} "
            f"(of {wanted})."
        )
    arrays = [np.asarray(x, dtype=np.float64) for x in parts]
    for array, n in zip(arrays, sizes, strict=True):
        if array.shape != (n,) or not np.isfinite(array).all():
            raise EvaluationError(
                f"{place} gave {brief(array)} at t = {t:g} s; it gives finite numbers: {wanted} of them."
            )
    return arrays
