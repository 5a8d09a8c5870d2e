"""Matrices of many states at once, as sums of two doubles, and sums of their products.

Arrays are (states, rows, columns) or (states, entries).
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

Sum = tuple[np.ndarray, np.ndarray]  # nearest doubles, and the remainders
Product = tuple[np.ndarray, np.ndarray, np.ndarray]  # A as a sum of two doubles, x


def matrix(x: np.ndarray, rows: int) -> np.ndarray:
    return x.reshape(len(x), rows, -1)


def definite(X: np.ndarray, dtype: str) -> np.ndarray:
    """Whether X of each state, with entries up to 1, stays positive definite after rounding."""
    return np.linalg.eigvalsh(X)[:, 0] > 4 * X.shape[1] * np.finfo(dtype).eps


def largest(*terms: np.ndarray) -> np.ndarray:
    """Largest absolute entry of each state."""
    return np.max([abs(t).reshape(len(t), -1).max(axis=1) for t in terms], axis=0)


def accurate_sum(products: Iterable[Product], more: Iterable[np.ndarray]) -> np.ndarray:
    """Σ A x + Σ b of each state, as if in twice the precision (Ogita, Rump, Oishi: Dot2)."""
    total, lost = 0.0, 0.0
    for b in more:
        total, rounding = two_sum(total, b)
        lost = lost + rounding
    for A, low, x in products:
        for j in range(x.shape[1]):
            product, below = two_product(A[:, :, j], x[:, j, None])
            total, rounding = two_sum(total, product)
            lost = lost + (rounding + below + low[:, :, j] * x[:, j, None])
    return np.asarray(total + lost)


def two_sum(a: np.ndarray | float, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """a + b and its rounding error (Knuth)."""
    s = a + b
    t = s - a
    return s, (a - (s - t)) + (b - t)


def two_product(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """a·b and its rounding error (Dekker), by halves of the digits."""
    p, (a1, a2), (b1, b2) = a * b, _halves(a), _halves(b)
    return p, a2 * b2 - (((p - a1 * b1) - a2 * b1) - a1 * b2)


def _halves(a: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    c = 134217729.0 * a  # 2²⁷ + 1
    high = c - (c - a)
    return high, a - high
