"""Cubic interpolation between samples.

On the interval from t₀ to t₁ = t₀ + h, with x = (t − t₀)/h and slopes d₀, d₁ at its ends,

    (1) y = y₀ + x h d₀ + x² (3 m − 2 d₀ − d₁) h + x³ (d₀ + d₁ − 2 m) h,   m = (y₁ − y₀)/h

Slopes of samples without rates are chosen so that the curve is monotonic wherever the samples are: the
weighted harmonic mean of the slopes m at both sides, and 0 at an extremum ([FB]).

[FB] Fritsch, Butland: A method for constructing local monotone piecewise cubic interpolants, 1984.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def hermite(t: Floats, y: Floats, slopes: Floats, times: Floats) -> Floats:
    """Cubic curves (1) through samples y (T, n) with given slopes, at other times.

    >>> t = np.array([0.0, 1.0, 3.0])
    >>> hermite(t, t[:, None] ** 3, 3 * t[:, None] ** 2, np.array([0.5, 2.0]))[:, 0]
    array([0.125, 8.   ])
    """
    k = np.clip(np.searchsorted(t, times, "right") - 1, 0, len(t) - 2)
    h = (t[k + 1] - t[k])[:, None]
    x = (times - t[k])[:, None] / h
    m = (y[k + 1] - y[k]) / h
    d0, d1 = slopes[k], slopes[k + 1]
    return y[k] + x * h * (d0 + x * (3 * m - 2 * d0 - d1 + x * (d0 + d1 - 2 * m)))


def monotonic_slopes(t: Floats, y: Floats) -> Floats:
    """Slopes [FB] of samples y (T, n), for curves without overshoot.

    >>> monotonic_slopes(np.arange(4.0), np.array([[0.0], [1], [1], [4]]))[:, 0]
    array([1.5, 0. , 0. , 4.5])
    """
    h = np.diff(t)[:, None]
    m = np.diff(y, axis=0) / h
    if len(t) == 2:
        return np.repeat(m, 2, axis=0)
    h0, h1, m0, m1 = h[:-1], h[1:], m[:-1], m[1:]
    same = m0 * m1 > 0
    w0, w1 = 2 * h1 + h0, h1 + 2 * h0
    safe0, safe1 = np.where(same, m0, 1.0), np.where(same, m1, 1.0)
    inside = np.where(same, (w0 + w1) / (w0 / safe0 + w1 / safe1), 0.0)
    first = _end(h[0], h[1], m[0], m[1])
    last = _end(h[-1], h[-2], m[-1], m[-2])
    return np.vstack([first, inside, last])


def _end(h0: Floats, h1: Floats, m0: Floats, m1: Floats) -> Floats:
    """Slope at an end, by the parabola through three samples, limited to keep the curve monotonic."""
    slope = ((2 * h0 + h1) * m0 - h0 * m1) / (h0 + h1)
    slope = np.where(np.sign(slope) == np.sign(m0), slope, 0.0)
    limited = (np.sign(m0) != np.sign(m1)) & (np.abs(slope) > 3 * np.abs(m0))
    return np.where(limited, 3 * m0, slope)
