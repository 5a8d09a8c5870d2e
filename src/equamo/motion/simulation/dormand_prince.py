"""DormandPrince: explicit Runge-Kutta method of order 8 with an adaptive step and an interpolant.

    (1) k_i = f(t + c_i h, y + h Σ_j a_ij k_j),   y₁ = y + h Σ_j b_j k_j
    (2) error = h |e₅|² / √((|e₅|² + 0.01 |e₃|²) n),   e = Σ_j E_j k_j / (atol + rtol max(|y|, |y₁|))
    (3) next h = h · min(10, max(0.2, 0.9 error^(−1/8)));   a step with error ≥ 1 is repeated
    (4) y(t + x h) = y + x (F₀ + (1 − x) (F₁ + x (F₂ + …))),   a polynomial of degree 7

[HNW] sections II.10 for (2), II.4 for (3) and II.6 for (4); `dormand_prince_table` has the coefficients.
The steps are those of SciPy's DOP853, which is the same method with the same control; this one needs
NumPy only, so that a plain installation can simulate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

from .dormand_prince_table import ALL, E3, E5, STAGES, A, C, D

Floats = NDArray[np.float64]

POWER: Final = -1 / 8  # of the error, whose order is 7
SAFETY: Final = 0.9
SMALLEST, LARGEST = 0.2, 10.0  # factors of the next step
SPACINGS: Final = 10  # a step is at least this many spacings of the numbers near t
FIRST: Final = 1e-6  # of the span: first trial step, if the scales of y and f say nothing
TOO_SMALL: Final = "the step size must be larger than the spacing of floating-point numbers near t"


@final
class DormandPrince:
    """Solver of y' = fun(t, y) from t to `end`; `step` advances `t` and `y`.

    >>> decay = DormandPrince(lambda t, y: -y, 0.0, np.ones(1), 1.0, None, 1e-10, 1e-12, np.inf)
    >>> while decay.status == "running":
    ...     _ = decay.step()
    >>> bool(abs(decay.y[0] - np.exp(-1)) < 1e-10)
    True
    """

    fun: Callable[[float, Floats], Floats]
    t: float
    y: Floats
    end: float
    rtol: float
    atol: Floats | float
    max_step: float

    def __init__(
        self,
        fun: Callable[[float, Floats], Floats],
        t: float,
        y: Floats,
        end: float,
        first_step: float | None,
        rtol: float,
        atol: Floats | float,
        max_step: float,
    ) -> None:
        self.fun, self.t, self.y, self.end = fun, t, y, end
        self.rtol, self.atol, self.max_step = rtol, atol, max_step
        self.f: Floats = fun(t, y)
        self.h_abs: float = self._first() if first_step is None else first_step
        self.status: str = "running"
        self.step_size: float | None = None
        self._k = np.empty((ALL, len(y)))
        self._start, self._before = t, y

    def step(self) -> str | None:
        """Take one step with an acceptable error; return a message if there is none."""
        t, y = self.t, self.y
        least = SPACINGS * abs(float(np.nextafter(t, np.inf)) - t)
        size = min(max(self.h_abs, least), self.max_step)
        repeated = False
        while True:
            if size < least:
                self.status = "failed"
                return TOO_SMALL
            after = min(t + size, self.end)
            size = after - t
            y1 = self._stages(t, y, size)
            error = self._error(y, y1, size)
            if error < 1:
                break
            size *= max(SMALLEST, SAFETY * error**POWER)  # SMALLEST also if the error is nan
            repeated = True
        factor = LARGEST if error == 0 else min(LARGEST, SAFETY * error**POWER)
        self.h_abs = size * (min(1.0, factor) if repeated else factor)
        self._start, self._before, self.step_size = t, y, size
        self.t, self.y, self.f = after, y1, self._k[STAGES].copy()
        if after >= self.end:
            self.status = "finished"
        return None

    def _stages(self, t: float, y: Floats, h: float) -> Floats:
        """(1)"""
        k = self._k
        k[0] = self.f
        for i in range(1, STAGES):
            k[i] = self.fun(t + C[i] * h, y + k[:i].T @ A[i, :i] * h)
        y1: Floats = y + h * (k[:STAGES].T @ A[STAGES, :STAGES])
        k[STAGES] = self.fun(t + h, y1)
        return y1

    def _error(self, y: Floats, y1: Floats, h: float) -> float:
        """(2)"""
        scale = self.atol + np.maximum(np.abs(y), np.abs(y1)) * self.rtol
        k = self._k[: STAGES + 1].T
        e5, e3 = (float(np.linalg.norm(k @ E / scale)) for E in (E5, E3))
        both = (e5 * e5 + 0.01 * (e3 * e3)) * len(scale)  # inf, not an error, if it overflows
        return h * (e5 * e5) / both**0.5 if both else 0.0

    def _first(self) -> float:
        """First step, from the sizes of y, f and the change of f ([HNW] section II.4)."""
        span, f, scale = self.end - self.t, self.f, self.atol + np.abs(self.y) * self.rtol
        d0, d1 = _norm(self.y / scale), _norm(f / scale)
        first = FIRST * span
        h0 = min(first if d0 < 1e-5 or d1 * span < 1e-5 else 0.01 * d0 / d1, span)
        d2 = _norm((self.fun(self.t + h0, self.y + h0 * f) - f) / scale) / h0
        steep = max(d1, d2)
        h1 = max(first, h0 * 1e-3) if steep * span <= 1e-15 else (0.01 / steep) ** -POWER
        return float(min(100 * h0, h1, span, self.max_step))

    def dense_output(self) -> Interpolant:
        """Interpolant of the last step."""
        k, t, y, h = self._k, self._start, self._before, self.t - self._start
        for i in range(STAGES + 1, ALL):
            k[i] = self.fun(t + C[i] * h, y + k[:i].T @ A[i, :i] * h)
        rise = self.y - y
        F = np.empty((3 + len(D), len(y)))
        F[0] = rise
        F[1] = h * k[0] - rise
        F[2] = 2 * rise - h * (k[STAGES] + k[0])
        F[3:] = h * (D @ k)
        return Interpolant(t, h, y, F)


@final
class Interpolant:
    """(4), as a function of one time, or of T times with y as columns (n, T)."""

    start: float
    h: float
    y: Floats
    F: Floats

    def __init__(self, start: float, h: float, y: Floats, F: Floats) -> None:
        self.start, self.h, self.y, self.F = start, h, y, F

    def __call__(self, t: float | Floats) -> Floats:
        x = (np.asarray(t, dtype=np.float64) - self.start) / self.h
        x = x[..., None]
        y = np.zeros((*x.shape[:-1], len(self.y)))
        for i, f in enumerate(self.F[::-1]):
            y += f
            y *= x if i % 2 == 0 else 1 - x
        return (y + self.y).T


def _norm(x: Floats) -> Any:
    """Root mean square, as a number of NumPy: a division by 0 makes it infinite."""
    return np.linalg.norm(x) / len(x) ** 0.5
