"""The state within a step as polynomials in Bernstein form, whose coefficients bound them.

    (1) y(x) = Σ_k c_k B_k(x),   B_k = (n over k) x^k (1 − x)^(n−k),   0 ≤ x ≤ 1
    (2) min c_k ≤ y(x) ≤ max c_k,   and at the ends y = c_0 and y = c_n
    (3) ẏ has the coefficients n (c_(k+1) − c_k)/h

All interpolants of our solvers are polynomials. De Casteljau's algorithm, here a product with a constant
matrix, gives the coefficients on either half of an interval ([F] chapters 5 and 6).

[F] Farin: Curves and Surfaces for CAGD, 5th edition, 2002.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from math import comb, pi
from typing import Any, Final, final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Dense = Callable[[Any], Floats]  # y (n,) at a time, or (n, T) at T times

DEGREES: Final = (7, 13)  # those of DOP853 and, at most, of LSODA
_FITS: Final = 1e-9  # deviation from a polynomial, relative to the change of y in the step
_ROUNDING: Final = 1e-14  # of the coefficients, relative to the largest change


@final
class Part:
    """Some components of the state on an interval of a step."""

    start: float
    end: float
    coefficients: Floats  # (n + 1, components) of (1)

    def __init__(self, start: float, end: float, coefficients: Floats) -> None:
        self.start, self.end, self.coefficients = start, end, coefficients

    def halves(self) -> tuple[Part, Part]:
        """Both halves of the interval."""
        left, right = _split(len(self.coefficients) - 1)
        middle = (self.start + self.end) / 2
        c = self.coefficients
        return Part(self.start, middle, left @ c), Part(middle, self.end, right @ c)

    def bounds(self) -> list[tuple[float, float, float, float]]:
        """Bounds of every component and of its rate, (2) and (3)."""
        c = self.coefficients
        rates = np.diff(c, axis=0) * ((len(c) - 1) / (self.end - self.start))
        low, high = c.min(axis=0), c.max(axis=0)
        slack = _ROUNDING * (high - low)
        every = (low - slack, high + slack, rates.min(axis=0), rates.max(axis=0))
        return list(zip(*(x.tolist() for x in every), strict=True))


def part(dense: Dense, start: float, end: float, components: Sequence[int]) -> Part | None:
    """Components of a step as polynomials; None if they are none of these degrees.

    >>> cubic = part(lambda t: np.array([t**3]), 0.0, 2.0, [0])
    >>> np.round(cubic.halves()[0].bounds()[0], 9) + 0.0  # of t³ and 3 t² from 0 to 1
    array([0., 1., 0., 3.])
    """
    columns = list(components)
    if not columns:
        return Part(start, end, np.zeros((2, 0)))
    for degree in DEGREES:
        nodes, inverse, check, weights = _nodes(degree)
        y = dense(start + (end - start) * np.append(nodes, [0.0, check]))[columns].T
        first = y[-2]
        change = y - first  # so that constant components are exact
        c = inverse @ change[:-2]
        c[0] = 0
        wrong = np.abs(weights @ c - change[-1])
        if (wrong <= _FITS * np.abs(change).max(axis=0)).all():
            return Part(start, end, c + first)
    return None


@lru_cache(maxsize=4)
def _nodes(degree: int) -> tuple[Floats, Floats, float, Floats]:
    """Nodes, the matrix from values there to coefficients, and another point with its weights."""
    k = np.arange(degree + 1)
    nodes = (1 - np.cos((2 * k + 1) * pi / (2 * degree + 2))) / 2
    check = 0.3711
    result: tuple[Any, Any, float, Any] = (
        nodes,
        np.linalg.inv(_bernstein(degree, nodes)),
        check,
        _bernstein(degree, np.array([check]))[0],
    )
    return result


def _bernstein(degree: int, x: Floats) -> Floats:
    rows = [comb(degree, k) * x**k * (1 - x) ** (degree - k) for k in range(degree + 1)]
    return np.array(rows).T


@lru_cache(maxsize=8)
def _split(degree: int) -> tuple[Floats, Floats]:
    """Matrices that give the coefficients on the halves."""
    left = np.array([[comb(i, j) / 2**i for j in range(degree + 1)] for i in range(degree + 1)])
    return left, left[::-1, ::-1].copy()
