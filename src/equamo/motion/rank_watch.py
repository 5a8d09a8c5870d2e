"""Loss of rank along a motion: configurations in which the loops do not determine how to move on.

At a singular configuration (a parallelogram whose links are in line, a leg at full stretch) independent
rows A become dependent. Accelerations and constraint forces are then not unique, and two motions may
continue from there; integrating across would choose one of them by rounding errors. The watched number
is the smallest singular value of L⁻¹ Aᵀ (with M = L Lᵀ), each row divided by its largest length so far.
It touches 0 without changing its sign, so it is minimised within a step if it becomes small.
"""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from .projection import Factors, Projection

Floats = NDArray[np.float64]

EVENT: Final = "loss of rank"
POINTS: Final = 3  # points inside a step at which the rank is evaluated
LOW: Final = 0.3  # larger values do not reach 0 within a quarter of a step
SINGULAR: Final = 1e-6  # smaller values count as 0
_SHARE: Final = 10.0  # times the relative tolerance: error of a state within a step


@final
class RankWatch:
    """Smallest singular value of the rows along a motion."""

    def __init__(self, projection: Projection, rtol: float) -> None:
        self.projection = projection
        self.least = max(SINGULAR, _SHARE * rtol)
        self._lengths = np.zeros(len(projection.rows.independent))
        self._end: float | None = None

    def value(self, q: Floats) -> float:
        """Smallest singular value at q, as a share of its largest possible one."""
        return float(self._values(q)[1].min(initial=1.0))

    def _values(self, q: Floats) -> tuple[Floats, Floats]:
        rows = self.projection.rows
        X = Factors(rows.at(q), rows.independent).R
        lengths = np.linalg.norm(X, axis=0)
        self._lengths = np.maximum(self._lengths, lengths)
        scaled = X / np.where(self._lengths > 0, self._lengths, 1)
        if not np.isfinite(scaled).all():
            return np.eye(len(scaled)), np.zeros(1)
        _, s, V = np.linalg.svd(scaled)
        return V, s

    def owners(self, q: Floats) -> list[str]:
        """Loops and contacts whose rows become dependent at q."""
        rows = self.projection.rows
        direction = np.abs(self._values(q)[0][-1])
        found = [k for k, x in zip(rows.independent, direction, strict=True) if x > 1e-3]
        return list(dict.fromkeys(rows.owners[k] for k in found))

    def singular(self, start: float, end: float, dense: Callable[[float], Floats]) -> float | None:
        """Time within a step at which rank is lost; None if it is not."""
        n = len(self.projection.eom.q)

        def value(t: float) -> float:
            return self.value(dense(t)[:n])

        times: list[float] = np.linspace(start, end, POINTS + 2).tolist()
        first = self._end if self._end is not None else value(start)
        values = [first, *(value(t) for t in times[1:])]
        self._end = values[-1]
        optimize: Any = import_module("scipy.optimize")
        for k, here in enumerate(values):
            near = values[max(k - 1, 0) : k + 2]
            if here > LOW or here > min(near):
                continue
            low, high = times[max(k - 1, 0)], times[min(k + 1, len(times) - 1)]
            t = float(optimize.fminbound(value, low, high, xtol=1e-12 * max(1.0, high)))
            if min(value(t), here) < self.least:
                return t if value(t) < here else times[k]
        return None
