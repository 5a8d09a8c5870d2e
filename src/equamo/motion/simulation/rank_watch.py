"""Loss of rank along a motion: configurations in which the loops do not determine the further motion.

At a singular configuration (a parallelogram whose links are in line, a leg at full stretch) independent
rows A become dependent. Accelerations and constraint forces are then not unique, and two motions may
continue from there; integrating across would let rounding errors choose one. The monitored number σ is
the smallest singular value of

    B = S A L⁻ᵀ       with M = L Lᵀ, and S dividing each row by its largest length so far.

It touches 0 without changing sign, and steps may be long, so a step is searched by bisection: because
|σ(B₁) − σ(B₂)| ≤ ‖B₁ − B₂‖, there is no zero between two times if

    (1) σ(B₁) + σ(B₂) > 2 ‖B₁ − B₂‖        (twice the distance: B may take a detour)

The first times are so close that no angle turns far between them, because B is periodic in angles. Where
(1) never holds, or σ is small, it is minimised. A motion that passes a singular configuration at the
distance of its integration errors has no zero there. But its rows change sign, while the directions N
that they leave free do not: det [B; Nᵀ] changes its sign (2).
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any, Final, NamedTuple, final

import numpy as np
from numpy.typing import NDArray

from ...algebra.expr.functions import COS, SIN
from ...algebra.expr.walk import symbols, walk
from .bracket import minimum
from .projection import Projection

Floats = NDArray[np.float64]

EVENT: Final = "loss of rank"
PIECES: Final = 8  # of a step, at least
TURN: Final = 0.25  # largest change of an angle or of a component of a quaternion in a piece
MOST_PIECES: Final = 100_000  # of a step
LOW: Final = 0.1  # σ below which the signs of (2) are compared
CLOSE: Final = 1e-3  # distance ‖B₁ − B₂‖ at which bisection ends
DEPTH: Final = 30  # bisections of a piece
MOST_SAMPLES: Final = 300_000
SINGULAR: Final = 1e-6  # smaller values count as 0
CLEAR: Final = 8.0  # times its minimum: σ where the rows and their free directions are compared
_SHARE: Final = 10.0  # times the relative tolerance: error of a state within a step


class Sample(NamedTuple):
    """B and σ at a time."""

    t: float
    B: Floats
    value: float

    @property
    def finite(self) -> bool:
        return bool(np.isfinite(self.B).all())


@final
class RankWatch:
    """Smallest singular value of the rows along a motion."""

    def __init__(self, projection: Projection, rtol: float) -> None:
        self.projection = projection
        self.least: float = max(SINGULAR, _SHARE * rtol)
        self._lengths = np.zeros(len(projection.rows.independent))
        self._weight: float | None = None  # of AᵀA in M + AᵀA, if M was singular somewhere
        self._turning = _turning(projection)

    def value(self, q: Floats) -> float:
        """σ at q, as a share of its largest possible value."""
        return float(self.values(q[None])[0])

    def values(self, q: Floats) -> Floats:
        """σ at many configurations, (T,)."""
        return _smallest(self._scaled(q))

    def _scaled(self, q: Floats) -> Floats:
        """B (T, m, n), with the longest rows so far scaled to 1."""
        B = self._rows(q)
        sizes = np.linalg.norm(B, axis=2)
        self._lengths = np.fmax(self._lengths, np.fmax.reduce(sizes, axis=0, initial=0))
        scale = np.where(self._lengths > 0, self._lengths, 1)
        return np.asarray(B / scale[:, None], np.float64)

    def _rows(self, q: Floats) -> Floats:
        """A L⁻ᵀ (T, m, n); NaN where A or M is not finite."""
        rows = self.projection.rows
        at = rows.batch(q)
        A: Floats = at.A[:, rows.independent]
        good = np.isfinite(at.M).all(axis=(1, 2)) & np.isfinite(A).all(axis=(1, 2))
        B = np.full(A.shape, np.nan)
        if good.any() and A.shape[1]:
            B[good] = self._whitened(A[good], at.M[good])
        return B

    def _whitened(self, A: Floats, M: Floats) -> Floats:
        try:
            L = np.linalg.cholesky(M if self._weight is None else self._regular(M, A))
        except np.linalg.LinAlgError:  # a massless body
            if self._weight is not None:
                return A
            self._weight = float(np.trace(M[0]) / max(float((A[0] ** 2).sum()), 1e-300)) or 1.0
            return self._whitened(A, M)
        B: Floats = np.asarray(np.linalg.solve(L, np.swapaxes(A, 1, 2)), np.float64)
        return np.swapaxes(B, 1, 2)

    def _regular(self, M: Floats, A: Floats) -> Floats:
        """M + w AᵀA: the same motions, but of rows that are held by some inertia."""
        assert self._weight is not None
        return M + self._weight * np.swapaxes(A, 1, 2) @ A

    def owners(self, q: Floats) -> list[str]:
        """Loops and contacts whose rows become dependent at q."""
        rows = self.projection.rows
        scaled = self._scaled(q[None])[0]
        if not np.isfinite(scaled).all():
            return list(dict.fromkeys(rows.owners))
        direction = np.abs(np.linalg.svd(scaled)[0][:, -1])
        found = [k for k, x in zip(rows.independent, direction, strict=True) if x > 1e-3]
        return list(dict.fromkeys(rows.owners[k] for k in found))

    # -- search ----------------------------------------------------------------------------------------
    def singular(self, start: float, end: float, dense: Callable[[float], Floats]) -> float | None:
        """Time within a step at which rank is lost; None otherwise."""
        if not self.projection.rows.independent:
            return None
        n = len(self.projection.eom.q)

        def place(t: float) -> Floats:
            return dense(t)[:n]

        samples = self._samples(self._times(start, end, place), place)
        while True:
            open_pieces = [
                k for k, (a, b) in enumerate(pairwise(samples)) if not self._free_of_zeros(a, b)
            ]
            pairs = ((k, samples[k], samples[k + 1]) for k in open_pieces)
            wide = [k for k, a, b in pairs if not _is_narrow(a, b, end - start)]
            if not wide or len(samples) > MOST_SAMPLES:
                break
            middles = [(samples[k].t + samples[k + 1].t) / 2 for k in wide]
            new = self._samples(middles, place)
            samples = sorted([*samples, *new], key=lambda x: x.t)
        values = [x.value for x in samples]
        # Rows that are reversed are clearly smaller in between, and known to be at most by half.
        clear = max(values) > CLEAR / 4 * min(values)
        near = [k for k in range(len(values) - 1) if clear and min(values[k : k + 2]) < LOW]
        for low, k, high in _valleys(values, {*open_pieces, *near}):
            at = [samples[i].t for i in (low, k, high)]
            found = self._lost(at, (start, end), place)
            if found is not None:
                return found
        return None

    def _times(self, start: float, end: float, place: Callable[[float], Floats]) -> list[float]:
        """Times between which no angle turns far."""
        count = PIECES
        while True:
            times: list[float] = np.linspace(start, end, count + 1).tolist()
            q = np.array([place(t) for t in times])[:, self._turning]
            most = float(np.abs(np.diff(q, axis=0)).max(initial=0))
            if not most > TURN or count >= MOST_PIECES:
                return times
            count = min(MOST_PIECES, 1 + int(1.2 * count * min(most / TURN, MOST_PIECES)))

    def _samples(self, times: list[float], place: Callable[[float], Floats]) -> list[Sample]:
        B = self._scaled(np.array([place(t) for t in times]))
        values = _smallest(B)
        return [Sample(t, b, float(x)) for t, b, x in zip(times, B, values, strict=True)]

    def _free_of_zeros(self, a: Sample, b: Sample) -> bool:
        """(1), and no value that counts as 0"""
        return a.value + b.value > 2 * (_distance(a, b) + self.least)

    def _lost(
        self, at: list[float], step: tuple[float, float], place: Callable[[float], Floats]
    ) -> float | None:
        """Time near the second of three at which rank is lost; None if σ is only small there."""
        low, width = at[0], at[2] - at[0]

        def value(t: float) -> float:
            return self.value(place(low + t))

        places = [*(t - low for t in at), minimum(value, 0.0, width, 1e-12 * width)]
        least, t = min((value(t), t) for t in places)
        lost = least < self.least or self._reversed(low + t, least, width, step, place)
        return low + t if lost else None

    def _reversed(
        self, t: float, least: float, width: float, step: tuple[float, float],
        place: Callable[[float], Floats],
    ) -> bool:  # fmt: skip
        """(2) between times before and after t at which σ is clearly larger than at t."""
        sides: list[Floats] = []
        for sign, limit in ((-1, t - step[0]), (1, step[1] - t)):
            distance = width
            while distance <= limit:
                (found,) = self._samples([t + sign * distance], place)
                if found.value > CLEAR * least:
                    sides.append(found.B)
                    break
                distance *= 2
        if len(sides) < 2 or not all(np.isfinite(B).all() for B in sides):
            return False
        before, after = (np.linalg.svd(B)[2][len(B) :] for B in sides)  # rows: free directions
        shared = float(np.linalg.det(before @ after.T))
        if abs(shared) < 0.5:
            return False  # the motion turns there, and the rows with it
        signs = [
            np.linalg.slogdet(np.vstack([B, N]))[0]
            for B, N in zip(sides, (before, after), strict=True)
        ]
        return bool(signs[0] * signs[1] * shared < 0)


def _smallest(B: Floats) -> Floats:
    """Smallest singular values (T,); 0 where B is not finite, since no acceleration exists there."""
    if B.shape[1] == 0:
        return np.ones(len(B))
    good = np.isfinite(B).all(axis=(1, 2))
    result = np.zeros(len(B))
    result[good] = np.linalg.svd(B[good], compute_uv=False)[:, -1]
    return result


def _distance(a: Sample, b: Sample) -> float:
    return float(np.linalg.norm(a.B - b.B))


def _is_narrow(a: Sample, b: Sample, whole: float) -> bool:
    """Whether bisection of a piece ends; it does where nothing is finite."""
    short = b.t - a.t < whole / PIECES / 2.0**DEPTH
    return short or _distance(a, b) < CLOSE or not (a.finite or b.finite)


def _valleys(values: list[float], pieces: set[int]) -> list[tuple[int, int, int]]:
    """Samples before, at and after each least value in adjoining pieces.

    >>> _valleys([5, 3, 1, 2, 1, 4, 4, 3], {1, 2, 3, 6})
    [(1, 2, 3), (3, 4, 4), (6, 7, 7)]
    """
    found: list[tuple[int, int, int]] = []
    for k, value in enumerate(values):
        low = k - 1 if k - 1 in pieces else k
        high = k + 1 if k in pieces else k
        before = found[-1][2] if found else 0
        if low < high and before < high and value <= values[low] and value <= values[high]:
            found.append((max(low, before), k, high))
    return found


def _turning(projection: Projection) -> list[int]:
    """Coordinates on which a sine or a cosine depends, and those of quaternions."""
    eom = projection.eom
    rows: list[Any] = [r.position for r in projection.rows.rows]
    below = {s for n in walk(rows) if n.op in (SIN, COS) for s in symbols([n.a])}
    below |= {x for group in eom.robot.unit_groups for x in group}
    return [k for k, x in enumerate(eom.q) if x in below]
