"""Switching of dry friction and other signs: the direction s of each sign(a), and when it changes.

A sign slips, s = ±1, or sticks: the s in [−1, 1] with ȧ = 0 keeps a at 0 (Filippov's solution; with
Coulomb friction, the joint rests as long as less than the full friction holds it). As v̇ is linear in
the forces, ȧ = c + A s, and at a = 0 the directions solve

    s_k = 1,  ȧ_k ≥ 0      or      s_k = −1,  ȧ_k ≤ 0      or      |s_k| ≤ 1,  ȧ_k = 0

for all signs at once. −A = J M⁻¹ Jᵀ F is positive for friction, so Gauss-Seidel iteration converges. If
A_kk ≥ 0, a sign cannot stick, and a keeps moving in its direction.

Friction that differs in the two directions is a polynomial in s. Only s = ±1 are directions of a moving
joint, and at rest every force between these two is possible, so c and A interpolate between them. The s
at which the polynomial gives that force then follows by Newton's method.

Joints of a loop stop together, and their friction then shares one load: A is singular, and s is not
unique. All of these joints stick as long as some s in [−1, 1] carry the load; the smallest are used.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from .bracket import root
from .flow import Flow

Floats = NDArray[np.float64]
Dense = Callable[[float], Floats]

AT_ZERO: Final = 1e-10  # fraction of the largest speed: a smaller a counts as 0
AWAY: Final = 1e-7  # a larger a does not stick
POINTS: Final = 6  # points of a step, including its end, at which switches are evaluated
SHARED: Final = 1e-9  # relative singular value below which several signs share one load
_SWEEPS: Final = 2000
_EXACT: Final = 1e-13
_EDGE: Final = 1e-10  # closer to ±1, sticking has just ended and must not start again
_STEEP: Final = 1e-14  # a smaller |A_kk| cannot hold a at 0
_CURVED: Final = 1e-10  # a larger relative deviation from a straight line is not rounding
_NEWTON: Final = 50  # steps of Newton's method
_NEAR: Final = 1e-6  # step of a difference quotient of a polynomial in s


@final
class Switching:
    """Directions of all signs of a flow."""

    def __init__(self, flow: Flow) -> None:
        self.flow = flow
        self.slipping: Floats = np.zeros(len(flow.signs))  # ±1; 0: it sticks

    def __bool__(self) -> bool:
        return bool(self.flow.signs)

    @property
    def _stuck(self) -> list[int]:
        return [k for k, s in enumerate(self.slipping) if s == 0]

    # -- along a motion --------------------------------------------------------------------------------
    def derivative(self, t: float, y: Floats) -> Floats:
        """ẏ with the current directions."""
        arguments = self.flow.at(t, y)
        return self.flow.rates(arguments, self._directions(arguments))[0]

    def directions(self, t: float, y: Floats) -> Floats:
        """Direction s of every sign."""
        return self._directions(self.flow.at(t, y))

    def _directions(self, arguments: Sequence[Floats]) -> Floats:
        s, stuck = self.slipping, self._stuck
        if not stuck:
            return s
        c, A, curved = self._linear(arguments, stuck)
        s = s.copy()
        s[stuck] = _held(A[stuck], -c[stuck])
        for _ in range(_NEWTON if curved else 0):
            rate, slope = self._slope(arguments, s, stuck)
            step = _solved(slope, -rate)
            s[stuck] += step
            if np.abs(step).max() < _EXACT:
                break
        return s

    def _linear(
        self, arguments: Sequence[Floats], columns: Sequence[int]
    ) -> tuple[Floats, Floats, bool]:
        """(c, A) of ȧ = c + A s in the directions `columns`, and whether this only interpolates."""
        s = self.slipping.copy()
        s[list(columns)] = 0
        middle = self.flow.rates(arguments, s)[1]
        c, A = middle.copy(), np.zeros((len(s), len(columns)))
        for j, k in enumerate(columns):
            ends: list[Floats] = []
            for s[k] in (-1.0, 1.0):
                ends.append(self.flow.rates(arguments, s)[1])
            s[k] = 0
            A[:, j] = (ends[1] - ends[0]) / 2
            c += (ends[1] + ends[0]) / 2 - middle
        size = np.abs(middle).max() + np.abs(A).max()
        return c, A, bool(np.abs(c - middle).max() > _CURVED * size)

    def _slope(
        self, arguments: Sequence[Floats], s: Floats, columns: Sequence[int]
    ) -> tuple[Floats, Floats]:
        """ȧ and ∂ȧ/∂s of the signs `columns` at directions s."""
        rate = self.flow.rates(arguments, s)[1][columns]
        slope = np.zeros((len(columns), len(columns)))
        for j, k in enumerate(columns):
            near = s.copy()
            near[k] += _NEAR
            slope[:, j] = (self.flow.rates(arguments, near)[1][columns] - rate) / _NEAR
        return rate, slope

    # -- when it changes -------------------------------------------------------------------------------
    def margins(self, t: float, y: Floats) -> Floats:
        """Distance of every sign from switching; negative after a switch."""
        a = self.flow.switches(t, y)
        margins = a * self.slipping
        stuck = self._stuck
        if stuck:
            c, A, _ = self._linear(self.flow.at(t, y), stuck)
            held = 1 - np.abs(_held(A[stuck], -c[stuck]))
            margins[stuck] = np.minimum(held, 1 - np.abs(a[stuck]) / AWAY)
        return margins

    def next(self, start: float, end: float, state: Dense) -> float | None:
        """First time within a step at which a sign switches; None if none does."""
        before = self.margins(start, state(start))
        for t0, t1 in pairwise(np.linspace(start, end, POINTS + 1).tolist()):
            after = self.margins(t1, state(t1))
            crossed = [int(k) for k in np.flatnonzero(after < 0)]
            if crossed:
                first = t0 == start
                return min(self._crossing(k, t0, t1, before[k], first, state) for k in crossed)
            before = after
        return None

    def _crossing(
        self, k: int, t0: float, t1: float, before: float, first: bool, state: Dense
    ) -> float:
        """Time at which the margin of sign k becomes negative."""

        def margin(t: float) -> float:
            return float(self.margins(t, state(t))[k])

        if before > 0:
            return root(margin, t0, t1)
        if not first:
            return t0
        # After a switch a margin starts at 0, up to rounding, and rises before it falls.
        near = t1
        while near - t0 > 1e-9 * (t1 - t0):
            far, near = near, t0 + (near - t0) / 2
            if margin(near) > 0:
                return root(margin, near, far)
        return near

    def resolve(self, t: float, y: Floats, start: bool = False) -> None:
        """Set the directions from here on; those of signs at 0 follow from the conditions above."""
        flow = self.flow
        a = flow.switches(t, y)
        speeds = y[flow.n_q : flow.n_q + flow.n_v]
        small = AT_ZERO * max(1.0, float(np.abs(speeds).max(initial=0)))
        held = [
            not start and s == 0 and abs(x) < AWAY for s, x in zip(self.slipping, a, strict=True)
        ]
        at_zero = [k for k, x in enumerate(a) if abs(x) <= small or held[k]]
        self.slipping = np.sign(a)
        self.slipping[at_zero] = 0
        if not at_zero:
            return
        c, A, _ = self._linear(flow.at(t, y), at_zero)
        solution = box(c[at_zero], A[at_zero])
        if _shared(A[at_zero]) and np.abs(_held(A[at_zero], -c[at_zero])).max() <= 1:
            return  # all of them stick
        for j, k in enumerate(at_zero):
            sticks = A[k, j] < -_STEEP and abs(solution[j]) < 1 - _EDGE
            self.slipping[k] = 0.0 if sticks else np.sign(solution[j])


def _solved(A: Floats, b: Floats) -> Floats:
    """Solution of A x = b; the shortest if there is no unique one."""
    solution: Any
    try:
        solution = np.linalg.solve(A, b)
    except np.linalg.LinAlgError:
        solution = np.linalg.lstsq(A, b, rcond=None)[0]
    return solution


def _shared(A: Floats) -> bool:
    """Whether several signs share one load, so that their directions are not unique."""
    if len(A) < 2 or not np.isfinite(A).all():
        return False
    s = np.linalg.svd(A, compute_uv=False)
    return bool(s[-1] < SHARED * s[0])


def _held(A: Floats, b: Floats) -> Floats:
    """Solution of A s = b; if it is not unique, the smallest with |s| ≤ 1, if one exists.

    >>> _held(np.array([[-3.0, -1.0], [-3.0, -1.0]]), np.array([-3.5, -3.5])).round(6)
    array([1. , 0.5])
    """
    if not _shared(A):
        return _solved(A, b)
    free, s = np.ones(len(b), dtype=bool), np.zeros(len(b))
    for _ in range(len(b)):
        rest = b - A[:, ~free] @ s[~free]
        s[free] = np.linalg.lstsq(A[:, free], rest, rcond=SHARED)[0]
        if np.abs(A @ s - b).max() > SHARED * (1 + np.abs(b).max()):
            break  # not held: the smallest solution of all
        over = free & (np.abs(s) > 1)
        if not over.any():
            return s
        s[over], free = np.sign(s[over]), free & ~over
    return np.asarray(np.linalg.lstsq(A, b, rcond=SHARED)[0], dtype=np.float64)


def box(c: Floats, A: Floats) -> Floats:
    """Directions s in [−1, 1] such that ȧ = c + A s is 0 inside, ≥ 0 at 1 and ≤ 0 at −1.

    >>> box(np.array([0.5, 3.0]), -np.eye(2))
    array([0.5, 1. ])
    """
    s = np.zeros(len(c))
    for _ in range(_SWEEPS):
        last = s.copy()
        for k in range(len(c)):
            rate = c[k] + A[k] @ s
            if A[k, k] < -_STEEP:
                s[k] = min(1.0, max(-1.0, s[k] - rate / A[k, k]))
            else:
                s[k] = np.sign(rate)
        if np.abs(s - last).max() < _EXACT:
            break
    return s
