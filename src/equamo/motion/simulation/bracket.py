"""Zeros and minima of a function of one number, between two bounds, by Brent's methods.

Both keep an interval that contains the result. They interpolate where that makes progress, and divide
the interval otherwise, so that they never take many more steps than bisection or golden sections
([B] chapters 4 and 5).

[B] Brent: Algorithms for Minimization without Derivatives, Prentice-Hall 1973.
"""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt, ulp
from typing import Final

GOLDEN: Final = (3 - sqrt(5)) / 2  # the smaller part of a golden section
ROUNDING: Final = sqrt(
    ulp(1.0)
)  # a minimum is not determined more exactly than this, relative to t


def root(function: Callable[[float], float], low: float, high: float) -> float:
    """Zero of a function that has different signs at two numbers, or is 0 at one of them.

    >>> round(root(lambda t: t * t - 2, 0, 2), 12)
    1.414213562373
    """
    a, b = low, high  # the previous point and the best one
    fa, fb = function(a), function(b)
    c, fc = a, fa  # a point at which the sign differs from that at b
    step = last = b - a
    least = 1e-15 * abs(b - a)  # for a zero at 0
    while True:
        if (fb > 0) == (fc > 0) and fb != 0:
            c, fc, step, last = a, fa, b - a, b - a
        if abs(fc) < abs(fb):
            a, b, c = b, c, b
            fa, fb, fc = fb, fc, fb
        tolerance = (least + 1e-14 * abs(b)) / 2
        middle = (c - b) / 2
        if fb == 0 or abs(middle) <= tolerance:
            return b
        if abs(last) < tolerance or abs(fa) <= abs(fb):
            step = last = middle
        else:
            p, q = _secant(a, fa, b, fb, c, fc)
            before, last = last, step
            if 2 * p < min(3 * middle * q - abs(tolerance * q), abs(before * q)):
                step = p / q
            else:
                step = last = middle
        a, fa = b, fb
        b += step if abs(step) > tolerance else (tolerance if middle > 0 else -tolerance)
        fb = function(b)


def _secant(a: float, fa: float, b: float, fb: float, c: float, fc: float) -> tuple[float, float]:
    """Step p/q from b by inverse quadratic interpolation, or by the secant if a is c; p ≥ 0."""
    s = fb / fa
    if a == c:
        p, q = (c - b) * s, 1 - s
    else:
        r, u = fb / fc, fa / fc
        p = s * ((c - b) * u * (u - r) - (b - a) * (r - 1))
        q = (u - 1) * (r - 1) * (s - 1)
    return (p, -q) if p > 0 else (-p, q)


def minimum(function: Callable[[float], float], low: float, high: float, tolerance: float) -> float:
    """Place of a minimum between two bounds; of one of them, if there are several.

    >>> round(minimum(lambda t: (t - 0.3) ** 2, 0, 1, 1e-9), 6)
    0.3
    """
    x = w = v = low + GOLDEN * (high - low)  # the best point, the second and the one before
    fx = fw = fv = function(x)
    step = before = 0.0
    while True:
        middle = (low + high) / 2
        least = ROUNDING * abs(x) + tolerance / 3
        if abs(x - middle) <= 2 * least - (high - low) / 2:
            return x
        p, q = _vertex(x, fx, w, fw, v, fv)
        if abs(before) > least and abs(p) < abs(q * before / 2) and low < x + p / q < high:
            before, step = step, p / q
            if min(x + step - low, high - x - step) < 2 * least:
                step = least if x < middle else -least
        else:
            before = high - x if x < middle else low - x
            step = GOLDEN * before
        u = x + (step if abs(step) >= least else (least if step > 0 else -least))
        fu = function(u)
        if fu <= fx:
            low, high = (x, high) if u >= x else (low, x)
            v, fv, w, fw, x, fx = w, fw, x, fx, u, fu
            continue
        low, high = (u, high) if u < x else (low, u)
        if fu <= fw or w == x:
            v, fv, w, fw = w, fw, u, fu
        elif fu <= fv or v in (x, w):
            v, fv = u, fu


def _vertex(x: float, fx: float, w: float, fw: float, v: float, fv: float) -> tuple[float, float]:
    """Step p/q from x to the vertex of the parabola through three points; q = 0 if there is none."""
    r, q = (x - w) * (fx - fv), (x - v) * (fx - fw)
    return (x - v) * q - (x - w) * r, 2 * (r - q)
