"""What `control=` may be: numbers, expressions in q, v and t, a function, or a controller object.

Expressions are compiled in: `insert` gives them in the symbols of the equations, with `TIME` for t.
A function of Python, or an object with `.inputs(t, q, v)`, is called at every evaluation.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from math import isfinite
from typing import Any, Final, cast, final

import numpy as np
from numpy.typing import NDArray

from ..equations.equations import EquationsOfMotion
from ..errors import EquamoError, EvaluationError, UnknownInputError
from ..expr import Expr, as_expr, internal
from ..expr.walk import symbols as symbols_of
from ..kinematics.chosen_speeds import ChosenSpeeds
from ..wording import brief, counted

Floats = NDArray[np.float64]
Function = Callable[[float, Floats, Floats], Any]


TIME: Final = internal("time", "t")
"""The symbol that t is in expressions; a robot may have a t of its own."""


_KINDS: Final = {"control": "input", "external": "external load"}


def insert(eom: EquationsOfMotion, control: Any) -> tuple[Expr, ...] | None:
    """An expression for each input, in q, v, parameters and TIME; None for a function.

    `control` is an expression (of a robot with one input), one for each input, or {input: expression}
    with the other inputs at `robot.home`; None stands for `robot.home`.

    >>> from equamo.equations import derive
    >>> from equamo.robots import load
    >>> insert(derive(load("rr_arm")), {"tau2": "-2*dq2 + m2"})
    (0, m2 - 2*dq2)
    """
    return expressions(eom, "control", eom.inputs, eom.robot.home.inputs, control)


def expressions(
    eom: EquationsOfMotion,
    kind: str,
    wanted: Sequence[Expr],
    home: Mapping[str, Any],
    given: Any,
) -> tuple[Expr, ...] | None:
    """An expression for each symbol of `wanted`; None where a function is given."""
    names = [s.name for s in wanted]
    rest = {n: home.get(n, 0) for n in names}
    if given is None:
        return tuple(as_expr(rest[n]) for n in names)
    if as_function(given) is not None:
        return None
    table = _by_name(kind, names, given)
    new = [expression(eom, f"{kind}[{n!r}]", table.get(n, rest[n])) for n in names]
    return tuple(new)


def as_function(given: Any) -> Function | None:
    """The function of (t, q, v) that something is, or has as `.inputs`; else None."""
    if isinstance(given, (Expr, str)) or hasattr(given, "free_symbols"):  # SymPy's can be called
        return None
    method = getattr(given, "inputs", None)
    if callable(method):
        return cast(Function, method)
    return cast(Function, given) if callable(given) else None


def require_signature(place: str, function: Callable[..., Any]) -> None:
    """An error for a function that cannot be called with (t, q, v)."""
    try:
        taken = signature(function)
    except (TypeError, ValueError):  # of one that is not written in Python it may not be known
        return
    try:
        taken.bind(0.0, None, None)
    except TypeError:
        name = getattr(function, "__name__", "this one")
        raise EvaluationError(
            f"{place} is a function of (t, q, v); {name} takes {taken!s:.80}."
        ) from None


def _by_name(kind: str, names: Sequence[str], given: Any) -> dict[str, Any]:
    """{name: what is given for it}."""
    if isinstance(given, Mapping):
        table: dict[str, Any] = {}
        for key, x in cast(Mapping[Any, Any], given).items():
            name = key.name if isinstance(key, Expr) else key
            if name not in names:
                raise UnknownInputError(_KINDS[kind], name, names, kind)
            table[name] = x
        return table
    single = isinstance(given, (str, Expr)) or not np.iterable(given)
    items: list[Any] = [given] if single else list(cast(Any, given))
    if len(items) != len(names):
        raise EvaluationError(
            f"{kind} has {counted(len(names), 'entry')} ({_list(names)}), not {len(items)}; "
            f"{{name: expression}} leaves the others at robot.home."
        )
    return dict(zip(names, items, strict=True))


def expression(eom: EquationsOfMotion, place: str, given: Any) -> Expr:
    """What is given for one number, as an expression in q, v, parameters and TIME."""
    number: Any = given
    if isinstance(given, (np.generic, np.ndarray)) and np.ndim(cast(Any, given)) == 0:
        number = cast(Any, given).item()
    if isinstance(number, float) and not isfinite(number):
        raise EvaluationError(f"{place} is {number}; give a finite number or an expression.")
    if as_function(number) is not None:
        raise EvaluationError(
            f"{place} is a function; one function (t, q, v) -> inputs gives all of them."
        )
    try:
        e = as_expr(number)
    except EquamoError as error:
        raise EvaluationError(f"{place}: {error}") from error
    robot = eom.robot
    own = {s.name for s in (*robot.joint_coordinates, *robot.joint_speeds, *eom.q, *eom.v)}
    valid = [*own, *(s.name for s in eom.parameters)]
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
    """A function of the user's, called with (t, q, v); what it gives is checked each time."""

    def __init__(
        self, kind: str, wanted: Sequence[Expr], home: Mapping[str, Any], function: Function
    ) -> None:
        require_signature(kind, function)
        self.kind, self.function = kind, function
        self.names = [s.name for s in wanted]
        self._place = {n: i for i, n in enumerate(self.names)}
        self._home = np.array([float(home.get(n, 0)) for n in self.names])

    def __call__(self, t: float, q: Floats, v: Floats) -> Floats:
        found = self.function(t, q.copy(), v.copy())
        if isinstance(found, Mapping):
            numbers = self._home.copy()
            for key, x in cast(Mapping[Any, Any], found).items():
                name = key.name if isinstance(key, Expr) else key
                if name not in self._place:
                    raise UnknownInputError(
                        "input", name, self.names, f"{self.kind} at t = {t:g} s"
                    )
                numbers[self._place[name]] = self._numbers(t, x)
        else:
            numbers = np.atleast_1d(self._numbers(t, found))
        if numbers.shape != self._home.shape:
            raise EvaluationError(
                f"{self.kind} gave the shape {numbers.shape} at t = {t:g} s; it has "
                f"{counted(len(self.names), 'entry')} ({_list(self.names)})."
            )
        if not np.isfinite(numbers).all():
            k = int(np.flatnonzero(~np.isfinite(numbers))[0])
            raise EvaluationError(
                f"{self.kind} gave {numbers[k]} for {self.names[k]!r} at t = {t:.9g} s, "
                f"q = {_short(q)}, v = {_short(v)}."
            )
        return numbers

    def _numbers(self, t: float, found: Any) -> Any:
        try:
            return np.asarray(found, dtype=np.float64)
        except (TypeError, ValueError):
            raise EvaluationError(
                f"{self.kind} gave {brief(found)} at t = {t:g} s; it gives numbers "
                f"({_list(self.names)}) or {{name: number}}."
            ) from None


def _list(names: Sequence[str]) -> str:
    return ", ".join(names[:8]) + " …" * (len(names) > 8) if names else "none"


def _short(x: Floats) -> str:
    return "(" + ", ".join(f"{a:.4g}" for a in x[:8]) + " …" * (len(x) > 8) + ")"
