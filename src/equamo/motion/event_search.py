"""When events happen within a step: every passage through 0 that the samples of the step can show.

An event is looked at in a few points of a step. Between two of them with different signs lies a passage.
Where it comes nearer to 0 and goes away again, the nearest point is computed: two passages between
neighbouring points are found there. What turns more than once between two points can still hide; a
smaller largest step (`step=`) shows it. At a pole, as of 1/(x − 1) at x = 1, the sign changes but the
event does not pass through 0; it is not counted. A jump from one sign to the other is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import pairwise
from math import copysign, isfinite, isnan
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from ..errors import EvaluationError
from .events import Watched
from .flow import Flow
from .switching import root

Floats = NDArray[np.float64]
Value = Callable[[float], float]  # of an event at a time

POINTS: Final = 8  # parts of a step at whose ends events are looked at
SHORT: Final = 1e-4  # of such a part: how far inside the slope at its end is taken
POLE: Final = 1e3  # times larger than at the ends of a part: it passes through infinity, not 0
_NARROW: Final = 1e-12  # of a part: nothing finite is looked for in less


def locate(
    flow: Flow,
    watched: Sequence[Watched],
    start: float,
    end: float,
    dense: Callable[[float], Floats],
    points: int = POINTS,
) -> list[tuple[float, Watched]]:
    """(time, event) of all events of a step, in order of time."""
    n, m = flow.n_q, flow.n_q + flow.n_v
    found: list[tuple[float, Watched]] = []
    for event in watched:

        def value(t: float, event: Watched = event) -> float:
            y = dense(t)
            return _number(event, t, event.value(t, flow.projected(y[None, :n])[0], y[n:m]))

        times: list[float] = np.linspace(start, end, points + 1).tolist()
        found += [(t, event) for t in passages(value, times, event.crosses)]
    return sorted(found, key=lambda x: x[0])


def _number(event: Watched, t: float, value: float) -> float:
    if isnan(value):
        raise EvaluationError(
            f"The event {event.name!r} must be a number all along the motion, got nan at t = {t:.9g} s; "
            f"write it so that it is defined there, or end the run before."
        )
    return value


def passages(
    value: Value, times: Sequence[float], crosses: Callable[[float, float], bool]
) -> list[float]:
    """Times at which a function passes through 0, looked at in these points.

    >>> both = lambda a, b: a < 0 <= b or a > 0 >= b
    >>> [round(t, 9) for t in passages(lambda t: (t - 0.4) * (t - 0.5), [0, 1, 2], both)]
    [0.4, 0.5]
    >>> passages(lambda t: 1 / (t - 0.4), [0, 1, 2], both)
    []
    """
    values = [value(t) for t in times]
    known = dict(zip(times, values, strict=True))
    for k in range(len(times)):
        near = _nearest(value, times, values, k)
        if values[k] == 0:  # on which side of 0 it was before, and is after
            near = [times[k] + SHORT * (times[j] - times[k]) for j in _around(times, k)]
        known |= {t: value(t) for t in near}
    found: list[float] = []
    for (t0, a), (t1, b) in pairwise(sorted(known.items())):
        if crosses(a, b):
            t = t1 if b == 0 else _passage(value, t0, t1, a, b)
            if t is not None:
                found.append(t)
    return found


# -- one of them ---------------------------------------------------------------------------------------
def _passage(value: Value, t0: float, t1: float, a: float, b: float) -> float | None:
    """Where the sign changes, unless that is at a pole."""
    least = _NARROW * (t1 - t0)
    while not (isfinite(a) and isfinite(b)):  # the end of a part lies on a pole
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
class _PassedError(Exception):
    """A point beyond 0; nothing nearer is to be looked for."""

    def __init__(self, t: float) -> None:
        super().__init__(t)
        self.t = t


def _around(times: Sequence[float], k: int) -> list[int]:
    return [j for j in (k - 1, k + 1) if 0 <= j < len(times)]


def _nearest(value: Value, times: Sequence[float], values: Sequence[float], k: int) -> list[float]:
    """Where it comes nearest to 0 around point k, or a point beyond; empty if k is not the nearest."""
    here, around = values[k], _around(times, k)
    if here == 0 or not all(isfinite(values[j]) for j in (k, *around)):
        return []
    side = copysign(1.0, here)
    gaps = [side * values[j] - side * here for j in around]  # also < 0 where the sign changes
    if min(gaps) < 0 or max(gaps) == 0:
        return []
    if len(around) == 1:  # an end of the step: is there something nearer inside?
        inside = times[k] + SHORT * (times[around[0]] - times[k])
        if side * value(inside) >= side * here:
            return []

    def distance(t: float) -> float:
        x = side * value(t)
        if x <= 0:
            raise _PassedError(t)
        return x

    low, high = min(times[j] for j in (k, *around)), max(times[j] for j in (k, *around))
    optimize: Any = import_module("scipy.optimize")
    try:
        return [float(optimize.fminbound(distance, low, high, xtol=1e-9 * (high - low)))]
    except _PassedError as passed:
        return [passed.t]
