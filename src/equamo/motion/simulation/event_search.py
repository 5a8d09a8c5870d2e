"""Search for events within a step: the zero crossings of their functions.

Zeros of an expression are isolated by enclosures (`isolation`), so none is missed, except two that are
so close together that the function only touches 0. A Python function is evaluated at a few points of a
step; a sign change between neighbours is a crossing. If the function approaches 0 and recedes again, its
closest point is computed, which reveals two crossings between neighbouring points. A function that
oscillates faster can still hide crossings; a smaller maximum step (`step=`) reveals them.

At a pole, such as that of 1/(x − 1) at x = 1, the sign changes without a zero crossing; poles are not
events. A jump from one sign to the other is an event, also between two steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence, Set
from itertools import pairwise
from math import copysign, isfinite, isnan
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr import Expr
from ...errors import EvaluationError
from .bracket import minimum, root
from .enclosure import Bounds
from .events import Watched
from .flow import Flow
from .inputs import TIME
from .isolation import pieces
from .step_polynomial import Part, part

Floats = NDArray[np.float64]
Value = Callable[[float], float]  # value of an event function at a time

POINTS: Final = 8  # intervals of a step, at whose ends event functions are evaluated
SHORT: Final = 1e-4  # fraction of an interval: distance from its end at which the slope is taken
POLE: Final = 1e3  # a value this much larger than at the ends of an interval means a pole
_NARROW: Final = 1e-12  # fraction of an interval below which bisection ends


def locate(
    flow: Flow,
    watched: Sequence[Watched],
    start: float,
    end: float,
    dense: Callable[[Any], Floats],
    points: int = POINTS,
    last: dict[str, float] | None = None,
    resting: tuple[Set[Expr], Set[Expr]] = (frozenset(), frozenset()),
) -> list[tuple[float, Watched]]:
    """(time, event) of all events of a step, in order of time.

    `last` has the values of the events at the end of the step before, and gets those at the end of this.
    `resting` are expressions that are 0 during the step, and at its end.
    """
    n, m = flow.n_q, flow.n_q + flow.n_v
    start, end = float(start), float(end)
    events: list[tuple[float, Watched]] = []
    for event in watched:

        def plain(t: float, event: Watched = event) -> float:
            if event.expression in resting[t == end]:
                return 0.0
            y = dense(t)
            return event.value(t, flow.projected(y[None, :n])[0], y[n:m])

        def value(t: float, event: Watched = event, plain: Value = plain) -> float:
            return _number(event, t, plain(t))

        if last and event.name in last and event.crosses(last[event.name], value(start)):
            events.append((start, event))
        times, unsure = _divided(event, resting[0], plain, (start, end), dense, points)
        events += [(t, event) for t in crossings(value, times, event.crosses, unsure)]
        if last is not None:
            last[event.name] = value(end)
    return sorted(events, key=lambda x: x[0])


def _divided(
    event: Watched,
    rests: Set[Expr],
    value: Value,
    step: tuple[float, float],
    dense: Callable[[Any], Floats],
    points: int,
) -> tuple[list[float], set[float]]:
    """Times that divide a step, and those beside an interval that may have several zeros."""
    start, end = step
    whole = None
    if event.expression in rests:
        return [start, end], set()
    if event.expression is not None and event.enclosure is not None:
        whole = part(dense, start, end, list(event.places.values()))
    if whole is None:
        times: list[float] = np.linspace(start, end, points + 1).tolist()
        return times, set(times)
    enclosure, places, constant = event.enclosure, event.places, event.constant
    assert enclosure is not None

    def enclose(piece: Part) -> Bounds:
        bounds = constant | dict(zip(places, piece.bounds(), strict=True))
        bounds[TIME] = piece.start, piece.end, 1.0, 1.0
        return enclosure(bounds)

    times, unsure, before = [start], set[float](), 0.0
    for piece in pieces(value, enclose, whole):
        if piece.clear and piece.sign == before and len(times) > 1:
            times[-1] = piece.end  # one interval without a zero
        else:
            times.append(piece.end)
        if not piece.resolved:
            inside: list[float] = np.linspace(piece.start, piece.end, points + 1).tolist()
            times[-1:] = inside[1:]
            unsure.update(inside)
        before = piece.sign
    return times, unsure


def _number(event: Watched, t: float, value: float) -> float:
    if isnan(value):
        raise EvaluationError(
            f"Event {event.name!r} must be a number during the whole motion, got nan at t = {t:.9g} s; "
            f"define it there, or end the run earlier."
        )
    return value


def crossings(
    value: Value,
    times: Sequence[float],
    crosses: Callable[[float, float], bool],
    unsure: Set[float] | None = None,
) -> list[float]:
    """Times at which a function crosses 0, from its values at the given times.

    Near the times `unsure`, by default all, a closest point may reveal two crossings between neighbours.

    >>> both = lambda a, b: a < 0 <= b or a > 0 >= b
    >>> [round(t, 9) for t in crossings(lambda t: (t - 0.4) * (t - 0.5), [0, 1, 2], both)]
    [0.4, 0.5]
    >>> crossings(lambda t: 1 / (t - 0.4), [0, 1, 2], both)
    []
    """
    values = [value(t) for t in times]
    samples = dict(zip(times, values, strict=True))
    for k in range(len(times)):
        search = unsure is None or times[k] in unsure
        near = _closest(value, times, values, k) if search else []
        if values[k] == 0:  # find the sign before and after
            near = [times[k] + SHORT * (times[j] - times[k]) for j in _neighbours(times, k)]
        samples |= {t: value(t) for t in near}
    zeros: list[float] = []
    for (t0, a), (t1, b) in pairwise(sorted(samples.items())):
        if crosses(a, b):
            t = t1 if b == 0 else _crossing(value, t0, t1, a, b)
            if t is not None:
                zeros.append(t)
    return zeros


# -- one crossing --------------------------------------------------------------------------------------
def _crossing(value: Value, t0: float, t1: float, a: float, b: float) -> float | None:
    """Time of a sign change; None at a pole."""
    least = _NARROW * (t1 - t0)
    while not (isfinite(a) and isfinite(b)):  # an end of the interval lies on a pole
        middle = (t0 + t1) / 2
        if t1 - t0 <= least or not t0 < middle < t1:
            return None
        x = value(middle)
        if copysign(1, x) == copysign(1, a):
            t0, a = middle, x
        else:
            t1, b = middle, x
    t = root(value, t0, t1)
    return None if abs(value(t)) > POLE * max(abs(a), abs(b)) else t


@final
class _CrossedError(Exception):
    """A point on the other side of 0, which ends the search for the closest point."""

    def __init__(self, t: float) -> None:
        super().__init__(t)
        self.t = t


def _neighbours(times: Sequence[float], k: int) -> list[int]:
    return [j for j in (k - 1, k + 1) if 0 <= j < len(times)]


def _closest(value: Value, times: Sequence[float], values: Sequence[float], k: int) -> list[float]:
    """Time near point k at which the value is closest to 0 or beyond; empty if k is not a minimum."""
    here, neighbours = values[k], _neighbours(times, k)
    if here == 0 or not all(isfinite(values[j]) for j in (k, *neighbours)):
        return []
    side = copysign(1.0, here)
    gaps = [side * values[j] - side * here for j in neighbours]  # also < 0 if the sign changes
    if min(gaps) < 0 or max(gaps) == 0:
        return []
    if len(neighbours) == 1:  # an end of the step: check for a closer point inside
        inside = times[k] + SHORT * (times[neighbours[0]] - times[k])
        if side * value(inside) >= side * here:
            return []

    def distance(t: float) -> float:
        x = side * value(t)
        if x <= 0:
            raise _CrossedError(t)
        return x

    near = [times[j] for j in (k, *neighbours)]
    low, high = min(near), max(near)
    try:
        return [minimum(distance, low, high, 1e-9 * (high - low))]
    except _CrossedError as crossed:
        return [crossed.t]
