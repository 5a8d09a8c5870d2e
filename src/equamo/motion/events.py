"""Events: where an expression in q, v and t, or a function of them, passes through 0."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast, final

import numpy as np
from numpy.typing import NDArray

from ..equations.equations import EquationsOfMotion
from ..errors import EquamoError, EvaluationError
from ..expr import Expr
from ..ir.program import Argument
from ..jit.kernel import Kernel
from ..wording import brief
from .inputs import TIME, as_function, expression, require_signature

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True)
class Event:
    """A passage through 0 of `of`: an expression such as "q1 - 1", or a function (t, q, v) -> number.

    `terminal`: the run ends there. `direction`: only upwards (1), only downwards (−1), or both (0).

    Two passages within one step are both found; to touch 0 and turn back is not a passage. A jump from
    one sign to the other is an event; a pole, as of 1/(q1 − 1), is not. NaN is an error.
    """

    of: Any
    terminal: bool = False
    direction: int = 0


@final
class Watched:
    """An event that a run looks for: its value at any (t, q, v)."""

    def __init__(
        self,
        name: str,
        event: Event,
        value: Callable[[float, Floats, Floats], float],
        expression: Expr | None = None,
    ) -> None:
        self.name, self.terminal, self.value = name, bool(event.terminal), value
        self.expression = expression  # None of a function
        self.direction = _direction(name, event.direction)

    def crosses(self, before: float, after: float) -> bool:
        """Whether the event lies between two values; one that begins at 0 has happened already."""
        up, down = before < 0 <= after, before > 0 >= after
        return (up and self.direction >= 0) or (down and self.direction <= 0)


def _direction(name: str, given: Any) -> int:
    try:
        return int(np.sign(float(given)))
    except (TypeError, ValueError):  # no number, or NaN
        raise EvaluationError(
            f"The event {name!r}: direction is 1 (upwards), -1 (downwards) or 0 (both), "
            f"not {brief(given)}."
        ) from None


def watch(eom: EquationsOfMotion, parameters: Floats, given: Any) -> list[Watched]:
    """The events of `events=`: one, several, or {name: event}."""
    if given is None:
        return []
    table: Mapping[Any, Any]
    if isinstance(given, Mapping):
        table = cast(Mapping[Any, Any], given)
    elif isinstance(given, (str, Expr, Event)) or callable(given):
        table = {_name(given, 0): given}
    elif isinstance(given, Sequence):
        items = cast(Sequence[Any], given)
        table = {_name(x, i): x for i, x in enumerate(items)}
        if len(table) < len(items):
            raise EvaluationError("Two events have the same name; give them as {name: event}.")
    else:
        raise EvaluationError(
            f"events is an expression, a function (t, q, v) -> number, an Event, several of them or "
            f"{{name: event}}, not {brief(given)}."
        )
    return [_watched(eom, parameters, str(name), x) for name, x in table.items()]


def _name(given: Any, index: int) -> str:
    of = given.of if isinstance(given, Event) else given
    if as_function(of) is not None:
        name = getattr(of, "__name__", "")
        return f"event {index}" if name in ("", "<lambda>") else name
    return str(of)


def _watched(eom: EquationsOfMotion, parameters: Floats, name: str, given: Any) -> Watched:
    if isinstance(given, Event):
        event = given
    else:  # a function may say it as SciPy's events do
        event = Event(given, getattr(given, "terminal", False), getattr(given, "direction", 0))
    of = event.of
    function = as_function(of)
    if function is not None:
        require_signature(f"The event {name!r}", function)
        return Watched(name, event, _called(name, function))
    try:
        found = expression(eom, f"events[{name!r}]", of)
    except EvaluationError:
        raise
    except EquamoError as error:
        raise EvaluationError(f"The event {name!r}: {error}") from error
    arguments = [
        Argument("t", (TIME,)), Argument("q", eom.q), Argument("v", eom.v),
        Argument("parameters", eom.parameters),
    ]  # fmt: skip
    kernel = Kernel("event", arguments, [[found]])

    def value(t: float, q: Floats, v: Floats) -> float:
        return float(kernel(np.array([t]), q, v, parameters)[0])

    return Watched(name, event, value, found)


def _called(name: str, function: Callable[..., Any]) -> Callable[[float, Floats, Floats], float]:
    def value(t: float, q: Floats, v: Floats) -> float:
        found = function(t, q.copy(), v.copy())
        try:
            return float(found)
        except (TypeError, ValueError):
            raise EvaluationError(
                f"The event {name!r} gave {brief(found)} at t = {t:g} s; it gives a number."
            ) from None

    return value
