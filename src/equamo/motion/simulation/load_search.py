"""First time at which values that are known at single times only become positive.

Five values give a polynomial of degree 4. If it predicts four more values, and if it stays further below
0 than these deviate from it, nothing is missed between them; otherwise the interval is halved, from left
to right. The times are irregular, so that they do not repeat with an oscillation.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from .bracket import root

Floats = NDArray[np.float64]

NODES: Final = (0.0, 0.1541, 0.4893, 0.8237, 1.0)
CHECKS: Final = (0.0614, 0.3187, 0.6729, 0.9251)
SAFE: Final = 4.0  # times the deviation that the polynomial must stay below 0
NARROW: Final = 1e-9  # fraction of the step
SMOOTH: Final = 1e-3  # deviation of values of which the first passage is the one that is seen
MOST: Final = 200  # intervals that are tried in one step; more are searched at these times only


def first_excess(values: Callable[[float], Floats], start: float, end: float) -> float | None:
    """First time in a step at which one of several values becomes positive; None if none does.

    >>> round(first_excess(lambda t: np.array([np.sin(9 * t) - 0.99]), 0.0, 3.0), 6)
    0.158806
    """
    known: dict[float, Floats] = {}

    def at(t: float) -> Floats:
        if t not in known:
            known[t] = values(t)
        return known[t]

    def largest(t: float) -> float:
        return float(at(t).max())

    if not largest(start) <= 0:
        return start
    predict, grid = _weights()
    stack, tried = [(start, end)], 0
    while stack:
        a, b = stack.pop()
        tried += 1
        nodes, checks = ([a + (b - a) * x for x in xs] for xs in (NODES, CHECKS))
        y = np.array([at(t) for t in nodes])
        deviation = np.abs(predict @ y - np.array([at(t) for t in checks])).max(axis=0)
        if ((grid @ y).max(axis=0) + SAFE * deviation < 0).all():
            continue
        times = sorted((*nodes, *checks))
        beyond = [t for t in times if not largest(t) <= 0]
        middle = (a + b) / 2
        last = b - a <= NARROW * (end - start) or tried > MOST or not a < middle < b
        if beyond and (last or deviation.max() < SMOOTH):
            before = times[times.index(beyond[0]) - 1]
            return root(largest, before, beyond[0]) if largest(before) < 0 else before
        if not last:
            stack += [(middle, b), (a, middle)]
    return None


@lru_cache(maxsize=1)
def _weights() -> tuple[Floats, Floats]:
    """Matrices from the values at NODES to the polynomial at CHECKS, and at many points."""
    powers = np.arange(len(NODES))
    inverse = np.linalg.inv(np.array(NODES)[:, None] ** powers)
    dense = np.linspace(0, 1, 33)[:, None] ** powers
    return np.array(CHECKS)[:, None] ** powers @ inverse, dense @ inverse
