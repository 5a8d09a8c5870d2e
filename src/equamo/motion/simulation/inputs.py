"""The argument `control`: numbers, expressions in q, v and t, a function, or a controller object.

Expressions are compiled: `insert` returns them in the symbols of the equations, with `TIME` for t.
A Python function, or an object with `.inputs(t, q, v)`, is called at every evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from math import isfinite
from typing import Any, Final, cast, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr, as_expr
from ...algebra.expr.walk import symbols as symbols_of
from ...basics.wording import brief, counted
from ...errors import EquamoError, EvaluationError, UnknownInputError
from ...mechanics.equations.equations import EquationsOfMotion
from ...mechanics.kinematics.chosen_speeds import ChosenSpeeds
from ...robot.model.slots import TIME_SYMBOL

Floats = NDArray[np.float64]
Function = Callable[[float, Floats, Floats], Any]


TIME: Final = TIME_SYMBOL
"""Symbol of the time in expressions; a robot may have a parameter or coordinate t."""


_KINDS: Final = {"control": "input", "external": "external load"}


def insert(eom: EquationsOfMotion, control: Any) -> tuple[Expr, ...] | None:
    """Expressions of all inputs in q, v, parameters and TIME; None if `control` is a function.

    `control` is an expression (for a robot with one input), one per input, or {input: expression} with
    the other inputs at `robot.home`; None means `robot.home`.

    >>> from equamo.mechanics.equations import derive
    >>> from equamo.robot.library import load
    >>> insert(derive(load("rr_arm")), {"tau2": "-2*dq2 + m2"})
    (0, m2 - 2*dq2)
    """
    return expressions(eom, "control", eom.inputs, eom.robot.home.inputs, control)


def expressions(
    eom: EquationsOfMotion,
    kind: str,
    symbols: Sequence[Expr],
    home: Mapping[str, Any],
    argument: Any,
) -> tuple[Expr, ...] | None:
    """One expression per symbol; None if the argument is a function."""
    names = [s.name for s in symbols]
    default = {n: home.get(n, 0) for n in names}
    if argument is None:
        return tuple(as_expr(default[n]) for n in names)
    if as_function(argument) is not None:
        return None
    table = _by_name(kind, names, argument)
    new = [expression(eom, f"{kind}[{n!r}]", table.get(n, default[n])) for n in names]
    return tuple(new)


def as_function(argument: Any) -> Function | None:
    """The function of (t, q, v) that an argument is, or has as `.inputs`; None if there is none."""
    if isinstance(argument, (Expr, str)) or hasattr(argument, "free_symbols"):  # SymPy: callable
        return None
    if isinstance(argument, type):  # a class, such as int, is not called with (t, q, v)
        return None
    method = getattr(argument, "inputs", None)
    if callable(method):
        return cast(Function, method)
    return cast(Function, argument) if callable(argument) else None


def require_signature(place: str, function: Callable[..., Any]) -> None:
    """Raise an error if a function cannot be called with (t, q, v)."""
    try:
        parameters = signature(function)
    except (TypeError, ValueError):  # may be unknown for a function not written in Python
        return
    try:
        parameters.bind(0.0, None, None)
    except TypeError:
        name = getattr(function, "__name__", "a function")
        raise EvaluationError(
            f"{place} must be a function of (t, q, v), got {name}{parameters!s:.80}."
        ) from None


def _by_name(kind: str, names: Sequence[str], argument: Any) -> dict[str, Any]:
    """Entries by name, from a mapping of some names or a sequence with one entry per name."""
    if isinstance(argument, Mapping):
        table: dict[str, Any] = {}
        for key, x in cast(Mapping[Any, Any], argument).items():
            name = key.name if isinstance(key, Expr) else key
            if name not in names:
                raise UnknownInputError(_KINDS[kind], name, names, kind)
            table[name] = x
        return table
    single = isinstance(argument, (str, Expr)) or not np.iterable(argument)
    items: list[Any] = [argument] if single else list(cast(Any, argument))
    if len(items) != len(names):
        raise EvaluationError(
            f"{kind} must have {counted(len(names), 'entry')} ({_list(names)}), got {len(items)}; "
            f"pass {{name: expression}} to leave the others at robot.home."
        )
    return dict(zip(names, items, strict=True))


def expression(eom: EquationsOfMotion, place: str, entry: Any) -> Expr:
    """One entry as an expression in q, v, parameters and TIME."""
    number: Any = entry
    if isinstance(entry, (np.generic, np.ndarray)) and np.ndim(cast(Any, entry)) == 0:
        number = cast(Any, entry).item()
    if isinstance(number, float) and not isfinite(number):
        raise EvaluationError(f"{place} must be a finite number or an expression, got {number}.")
    if as_function(number) is not None:
        raise EvaluationError(
            f"{place} must be a number or an expression, got {brief(number)}; pass one function "
            f"(t, q, v) for all entries instead."
        )
    try:
        e = as_expr(number)
    except EquamoError as error:
        raise EvaluationError(f"{place}: {error}") from error
    robot = eom.robot
    state = {s.name for s in (*robot.joint_coordinates, *robot.joint_speeds, *eom.q, *eom.v)}
    valid = [*state, *(s.name for s in eom.parameters)]
    if "t" not in valid:
        valid.append("t")
        e = e.subs({"t": TIME})
    for s in symbols_of([e]):
        if s is not TIME and s.name not in valid:
            order = [s.name for s in (*eom.q, *eom.v)]
            choices = [*order, *(n for n in ("t",) if n in valid), *sorted(set(valid) - set(order))]
            raise UnknownInputError("symbol", s.name, choices, place)
    return ChosenSpeeds(robot).insert([e])[0]


@final
class Called:
    """User's function of (t, q, v) whose result is checked at every call."""

    kind: str
    function: Function

    def __init__(
        self, kind: str, symbols: Sequence[Expr], home: Mapping[str, Any], function: Function
    ) -> None:
        require_signature(kind, function)
        self.kind, self.function = kind, function
        self.names: list[str] = [s.name for s in symbols]
        self._place = {n: i for i, n in enumerate(self.names)}
        self._home = np.array([float(home.get(n, 0)) for n in self.names])

    def __call__(self, t: float, q: Floats, v: Floats) -> Floats:
        result = self.function(t, q.copy(), v.copy())
        if isinstance(result, Mapping):
            numbers = self._home.copy()
            for key, x in cast(Mapping[Any, Any], result).items():
                name = key.name if isinstance(key, Expr) else key
                if name not in self._place:
                    raise UnknownInputError(
                        "input", name, self.names, f"{self.kind} at t = {t:g} s"
                    )
                numbers[self._place[name]] = self._numbers(t, x)
        else:
            numbers = np.atleast_1d(self._numbers(t, result))
        if numbers.shape != self._home.shape:
            raise EvaluationError(
                f"{self.kind} must return {counted(len(self.names), 'entry')} ({_list(self.names)}), "
                f"got shape {numbers.shape} at t = {t:g} s."
            )
        if not np.isfinite(numbers).all():
            k = int(np.flatnonzero(~np.isfinite(numbers))[0])
            raise EvaluationError(
                f"{self.kind} must return finite numbers, got {numbers[k]} for {self.names[k]!r} at "
                f"t = {t:.9g} s, q = {_short(q)}, v = {_short(v)}."
            )
        return numbers

    def _numbers(self, t: float, result: Any) -> Any:
        try:
            return np.asarray(result, dtype=np.float64)
        except (TypeError, ValueError):
            raise EvaluationError(
                f"{self.kind} must return numbers ({_list(self.names)}) or {{name: number}}, got "
                f"{brief(result)} at t = {t:g} s."
            ) from None


def _list(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + " …" * (len(names) > 8) if names else "none"


def _short(x: Floats) -> str:
    return "(" + ", ".join(f"{a:.4g}" for a in x[:8]) + " …" * (len(x) > 8) + ")"
