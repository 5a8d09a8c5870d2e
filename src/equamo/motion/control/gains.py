"""Gains of a controller: numbers, or expressions in parameters and in symbols of their own.

A gain symbol that is not a parameter of the robot needs a value in `values` before the controller can be
called; without one it is an argument of the law.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast, final

import numpy as np

from ...algebra.expr import ZERO, Expr, as_expr
from ...algebra.expr.evaluate import Arrays, Tape
from ...algebra.expr.matrix import Matrix
from ...algebra.expr.walk import symbols as symbols_of
from ...basics.wording import brief
from ...code.ir.program import Argument
from ...errors import EquamoError, EvaluationError
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.equations.state_reader import no_value
from ...robot.model.arguments import number
from ...robot.model.parameter import in_range
from .functions_of_time import by_name
from .operating_point import Array, read_values


@final
class Gains:
    """Gain matrices of one controller by name, such as `kp`, and the values of what they contain."""

    place: str
    eom: EquationsOfMotion

    def __init__(
        self,
        place: str,
        eom: EquationsOfMotion,
        names: Sequence[str],
        gains: Mapping[str, Any],
        values: Any,
    ) -> None:
        self.place, self.eom = place, eom
        self.matrices: dict[str, Matrix] = {
            what: _matrix(f"{place}: {what}", names, gain) for what, gain in gains.items()
        }
        entries = [x for M in self.matrices.values() for x in M.entries]
        known = {s.name for s in eom.parameters}
        self.symbols: tuple[Expr, ...] = tuple(
            sorted((s for s in symbols_of(entries) if s.name not in known), key=lambda s: s.name)
        )
        self._check_symbols()
        own = {s.name for s in self.symbols}
        given: dict[Any, Any] = _by_name(cast(Any, values)) if isinstance(values, Mapping) else {}
        rest: Any = {n: x for n, x in given.items() if n not in own} if given else cast(Any, values)
        self.of_robot: dict[str, float] = read_values(eom, place, rest)  # parameters of the robot
        self.values: dict[str, float] = dict(self.of_robot)
        for n in sorted(own & set(given)):
            self.values[n] = float(number(f"{place}: values[{n!r}]", given[n]))

    def _check_symbols(self) -> None:
        eom = self.eom
        taken = {
            s.name for group in (eom.q, eom.v, eom.vdot, eom.inputs, eom.external) for s in group
        }
        for s in self.symbols:
            if s.name in taken or s.name == "t":
                raise EvaluationError(
                    f"{self.place}: a gain must be constant, a number or an expression in parameters "
                    f"and symbols of its own, but it depends on {s.name!r}."
                )

    @property
    def free(self) -> tuple[Expr, ...]:
        """Gain symbols without a value."""
        return tuple(s for s in self.symbols if s.name not in self.values)

    @property
    def arguments(self) -> list[Argument]:
        """One argument of a law per gain symbol without a value, a number."""
        names = [s.name for s in self.free]
        for n in names:
            if not n.isidentifier():
                raise EquamoError(
                    f"{self.place}: the name of a gain must be an identifier, such as 'kp', for a law, "
                    f"got {n!r}; rename it, or pass its value in values."
                )
        return [Argument(s.name, (s,), is_number=True) for s in self.free]

    def numbers(self, what: str) -> Array:
        """Gain matrix in numbers; an error names symbols and parameters without a value."""
        M = self.matrices[what]
        found = {**self.eom.robot.values, **self.values}
        known = {s: found.get(s.name) for s in symbols_of(M.entries)}
        missing = [s.name for s, x in known.items() if x is None]
        if missing:
            raise no_value(self.place, self.eom.robot.name, sorted(missing))
        inserted = {s: np.float64(cast(Any, x)) for s, x in known.items()}
        with np.errstate(all="ignore"):
            flat = Tape(list(M.entries)).run(Arrays(), inserted)
        array = np.array([float(x) for x in flat]).reshape(M.shape)
        if not np.isfinite(array).all():
            raise EvaluationError(
                f"{self.place}: {what} must be finite for the values of its symbols, got "
                f"{array[~np.isfinite(array)][0]}."
            )
        return array

    def shown(self, what: str) -> Array | Matrix:
        """Gain matrix in numbers if all values are known, else its expressions."""
        return self.matrices[what] if self._missing(what) else self.numbers(what)

    def _missing(self, what: str) -> bool:
        found = {**self.eom.robot.values, **self.values}
        return any(found.get(s.name) is None for s in symbols_of(self.matrices[what].entries))


def _by_name(values: Mapping[Any, Any]) -> dict[Any, Any]:
    return {(k.name if isinstance(k, Expr) and k.is_symbol else k): x for k, x in values.items()}


def _matrix(place: str, names: Sequence[str], gain: Any) -> Matrix:
    """Gain matrix from one gain, a diagonal, a matrix or {coordinate: gain}."""
    n = len(names)
    if isinstance(gain, Mapping):
        table = by_name(place, "coordinate", names, cast(Mapping[Any, Any], gain))
        missing = [x for x in names if x not in table]
        if missing:
            raise EvaluationError(
                f"{place} must have an entry for each coordinate; missing: {', '.join(missing)}."
            )
        gain = [table[x] for x in names]
    array = _array(place, gain)
    if array.shape in ((), (n,)):
        diagonal = [_entry(place, x) for x in np.broadcast_to(array, (n,))]
        rows = [[diagonal[i] if i == j else ZERO for j in range(n)] for i in range(n)]
    elif array.shape == (n, n):
        rows = [[_entry(place, x) for x in row] for row in array]
    else:
        raise EvaluationError(
            f"{place} must be one gain, an array of shape ({n},) or ({n}, {n}), or "
            f"{{coordinate: gain}} ({', '.join(names[:8])}), got shape {array.shape}."
        )
    return Matrix(rows, names, names)


def _array(place: str, gain: Any) -> Any:
    """Array of objects, one per gain."""
    if isinstance(gain, Matrix):
        gain = [list(row) for row in gain.rows]
    if isinstance(gain, (str, Expr)) or not np.iterable(gain):
        array = np.empty((), dtype=object)
        array[()] = gain
        return array
    rows: list[Any] = [
        x if isinstance(x, (str, Expr)) or not np.iterable(x) else list(x) for x in gain
    ]
    lengths = {len(cast(list[Any], x)) if isinstance(x, list) else None for x in rows}
    if len(lengths) > 1:
        raise EvaluationError(
            f"{place} must have rows of the same length, got {brief(cast(object, gain))}."
        )
    (length,) = lengths or {None}
    array = np.empty((len(rows),) if length is None else (len(rows), length), dtype=object)
    for i, row in enumerate(rows):
        if length is None:
            array[i] = row
        else:
            for j, x in enumerate(cast(list[Any], row)):
                array[i, j] = x
    return array


def _entry(place: str, gain: Any) -> Expr:
    try:
        e = as_expr(gain)
        if e.value is not None:
            in_range(f"{place}", e.value)
    except EquamoError as error:
        raise EvaluationError(
            f"{place} must consist of finite numbers or expressions in constant symbols, got "
            f"{brief(gain)}. {error}"
        ) from None
    return e
