"""Loss of rank along a motion: configurations in which the loops do not determine the further motion.

At a singular configuration (a parallelogram whose links are in line, a leg at full stretch) independent
rows A become dependent. Accelerations and constraint forces are then not unique, and two motions may
continue from there; integrating across would let rounding errors choose one. The monitored number
is the smallest singular value of L⁻¹ Aᵀ (with M = L Lᵀ), the root of the smallest eigenvalue of
A M⁻¹ Aᵀ, each row divided by its largest length so far. It touches 0 without changing sign, so it is
minimised within a step if it becomes small.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, final

import numpy as np
from numpy.typing import NDArray

from .bracket import minimum
from .projection import Projection

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
        self.least: float = max(SINGULAR, _SHARE * rtol)
        self._lengths = np.zeros(len(projection.rows.independent))

    def value(self, q: Floats) -> float:
        """Smallest singular value at q, as a share of its largest possible one."""
        return float(self.values(q[None])[0])

    def values(self, q: Floats) -> Floats:
        """Smallest singular values at many configurations, (T,)."""
        scaled = self._scaled(q)
        good = np.isfinite(scaled).all(axis=(1, 2))
        result = np.zeros(len(q))  # no acceleration exists there
        if scaled.shape[1] == 0:
            return np.ones(len(q))
        result[good] = np.linalg.eigvalsh(scaled[good])[:, 0]
        return np.sqrt(np.maximum(result, 0))

    def _scaled(self, q: Floats) -> Floats:
        """A M⁻¹ Aᵀ (T, m, m), with the largest diagonal entries so far scaled to 1."""
        rows = self.projection.rows
        at = rows.batch(q)
        A = at.A[:, rows.independent]
        try:
            D = A @ np.linalg.solve(at.M, np.swapaxes(A, 1, 2))
        except np.linalg.LinAlgError:  # a massless body
            D = A @ np.swapaxes(A, 1, 2)
        sizes = np.sqrt(np.maximum(np.diagonal(D, axis1=1, axis2=2), 0)).max(axis=0)
        self._lengths = np.fmax(self._lengths, sizes)
        scale = np.where(self._lengths > 0, self._lengths, 1)
        return D / scale[:, None] / scale

    def owners(self, q: Floats) -> list[str]:
        """Loops and contacts whose rows become dependent at q."""
        rows = self.projection.rows
        scaled = self._scaled(q[None])[0]
        if not np.isfinite(scaled).all():
            return list(dict.fromkeys(rows.owners))
        direction = np.abs(np.linalg.eigh(scaled)[1][:, 0])
        found = [k for k, x in zip(rows.independent, direction, strict=True) if x > 1e-3]
        return list(dict.fromkeys(rows.owners[k] for k in found))

    def singular(self, start: float, end: float, dense: Callable[[float], Floats]) -> float | None:
        """Time within a step at which rank is lost; None otherwise."""
        n = len(self.projection.eom.q)

        def value(t: float) -> float:
            return self.value(dense(t)[:n])

        times: list[float] = np.linspace(start, end, POINTS + 2).tolist()
        values: list[float] = self.values(np.array([dense(t)[:n] for t in times])).tolist()
        for k, here in enumerate(values):
            near = values[max(k - 1, 0) : k + 2]
            if here > LOW or here > min(near):
                continue
            low, high = times[max(k - 1, 0)], times[min(k + 1, len(times) - 1)]
            t = minimum(value, low, high, 1e-12 * max(1.0, high))
            if min(value(t), here) < self.least:
                return t if value(t) < here else times[k]
        return None
