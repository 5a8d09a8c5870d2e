"""Events: zero crossings of expressions in q, v and t, or of Python functions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr
from ...basics.arguments import flag
from ...basics.wording import brief
from ...code.ir.program import Argument
from ...code.jit.kernel import Kernel
from ...errors import EvaluationError
from ...mechanics.equations.equations import EquationsOfMotion
from .enclosure import Bounds, Enclosure
from .inputs import TIME, as_function, expression, require_signature

Floats = NDArray[np.float64]


@final
@dataclass(frozen=True)
class Event:
    """Zero crossing of an expression or a function.

    All crossings of an expression are found, also several within one step; one that touches 0 and turns
    back does not cross it. A Python function is evaluated at a few points of each step, so that one that
    oscillates faster may hide crossings; a smaller `step` of `simulate` reveals them. A jump from one
    sign to the other is an event; a pole, such as that of 1/(q1 − 1), is not. NaN is an error.

    Args:
        of: An expression such as "q1 - 1", or a function (t, q, v) -> number.
        terminal: Whether the event ends the run.
        direction: 1 for upward crossings only, -1 for downward crossings only, 0 for both.
    """

    of: Any
    terminal: bool = False
    direction: int = 0


@final
class Watched:
    """Event of a run, with its value at any (t, q, v)."""

    name: str
    terminal: bool
    value: Callable[[float, Floats, Floats], float]

    def __init__(
        self,
        name: str,
        event: Event,
        value: Callable[[float, Floats, Floats], float],
        expression: Expr | None = None,
    ) -> None:
        self.name, self.terminal, self.value = name, _terminal(name, event.terminal), value
        self.expression = expression  # None for a function
        self.enclosure: Enclosure | None = None
        self.places: dict[Expr, int] = {}  # coordinates and speeds, by their positions in (q, v)
        self.constant: dict[Expr, Bounds] = {}  # parameters
        self.direction: int = _direction(name, event.direction)

    def enclose(self, eom: EquationsOfMotion, parameters: Floats, at_unit: Expr) -> None:
        """Prepare bounds of an expression, `at_unit` with normalised quaternions."""
        self.enclosure = Enclosure(at_unit)
        state = {x: i for i, x in enumerate((*eom.q, *eom.v))}
        self.places = {x: state[x] for x in self.enclosure.symbols if x in state}
        table = zip(eom.parameters, parameters.tolist(), strict=True)
        self.constant = {s: (x, x, 0.0, 0.0) for s, x in table}

    def crosses(self, before: float, after: float) -> bool:
        """Whether the event lies between two values; a start at 0 belongs to the interval before."""
        up, down = before < 0 <= after, before > 0 >= after
        return (up and self.direction >= 0) or (down and self.direction <= 0)


def _terminal(name: str, terminal: Any) -> bool:
    """As in SciPy, None and a number are accepted too."""
    whole = terminal is None or isinstance(terminal, int)
    return bool(terminal) if whole else flag(f"Event {name!r}: terminal", terminal)


def _direction(name: str, direction: Any) -> int:
    try:
        return int(np.sign(float(direction)))
    except (TypeError, ValueError, OverflowError):  # not a number, or NaN
        raise EvaluationError(
            f"Event {name!r}: direction must be 1 (upwards), -1 (downwards) or 0 (both), "
            f"got {brief(direction)}."
        ) from None


def watch(eom: EquationsOfMotion, parameters: Floats, events: Any) -> list[Watched]:
    """Events from the argument `events`: one event, a sequence, or {name: event}."""
    if events is None:
        return []
    table: Mapping[Any, Any]
    if isinstance(events, Mapping):
        table = cast(Mapping[Any, Any], events)
    elif isinstance(events, (str, Expr, Event)) or callable(events):
        table = {_name(events, 0): events}
    elif isinstance(events, Sequence):
        items = cast(Sequence[Any], events)
        names = [_name(x, i) for i, x in enumerate(items)]
        table = dict(zip(names, items, strict=True))
        if len(table) < len(items):
            twice = next(n for n in names if names.count(n) > 1)
            raise EvaluationError(
                f"events must have different names, got {brief(twice)} twice; pass {{name: event}}."
            )
    else:
        raise EvaluationError(
            f"events must be an expression, a function (t, q, v) -> number, an Event, a sequence of "
            f"them or {{name: event}}, got {brief(events)}."
        )
    return [_watched(eom, parameters, str(name), x) for name, x in table.items()]


def _name(item: Any, index: int) -> str:
    of = item.of if isinstance(item, Event) else item
    if as_function(of) is not None:
        name = getattr(of, "__name__", "")
        return f"event {index}" if name in ("", "<lambda>") else name
    return str(of) if isinstance(of, (str, Expr)) else f"event {index}"


def _watched(eom: EquationsOfMotion, parameters: Floats, name: str, item: Any) -> Watched:
    if isinstance(item, Event):
        event = item
    else:  # a function may have the attributes of SciPy's events
        event = Event(item, getattr(item, "terminal", False), getattr(item, "direction", 0))
    of = event.of
    function = as_function(of)
    if function is not None:
        require_signature(f"Event {name!r}", function)
        return Watched(name, event, _called(name, function))
    e = expression(eom, f"events[{name!r}]", of)
    arguments = [
        Argument("t", (TIME,)), Argument("q", eom.q), Argument("v", eom.v),
        Argument("parameters", eom.parameters),
    ]  # fmt: skip
    kernel = Kernel("event", arguments, [[e]])

    def value(t: float, q: Floats, v: Floats) -> float:
        return float(kernel(np.array([t]), q, v, parameters)[0])

    return Watched(name, event, value, e)


def _called(name: str, function: Callable[..., Any]) -> Callable[[float, Floats, Floats], float]:
    def value(t: float, q: Floats, v: Floats) -> float:
        result = function(t, q.copy(), v.copy())
        try:
            return float(result)
        except (TypeError, ValueError):
            raise EvaluationError(
                f"Event {name!r} must return a number, got {brief(result)} at t = {t:g} s."
            ) from None

    return value
