"""Eigenvalues of a symmetric matrix of floats, without NumPy.

Proofs and checks of a robot need the eigenvalues of a few small matrices and must work without NumPy.
Householder reflections make the matrix tridiagonal. By Sturm's theorem the number of negative pivots of
T − x 1 is the number of eigenvalues below x, and bisection finds the k-th one (Golub and Van Loan, 8.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum, hypot, inf, isfinite
from operator import mul
from sys import float_info
from typing import Final

Rows = Sequence[Sequence[float]]

_STEPS: Final = 128  # of a bisection; the interval stops shrinking much earlier


def eigenvalues(A: Rows, which: Iterable[int] | None = None) -> list[float]:
    """Eigenvalues of a symmetric matrix, with an error of a few ulps of the largest one.

    Args:
        A: Rows of the matrix.
        which: Indices, counted from the smallest eigenvalue; by default all.

    Returns:
        The eigenvalues with these indices.

    Raises:
        ValueError: An entry is not finite.

    >>> [round(x, 12) for x in eigenvalues([[2, 1, 0], [1, 2, 0], [0, 0, 5]])]
    [1.0, 3.0, 5.0]
    >>> [round(x, 12) for x in eigenvalues([[2, 1], [1, 2]], [-1])]
    [3.0]
    """
    if not all(isfinite(x) for row in A for x in row):
        raise ValueError("the entries of the matrix must be finite")
    diagonal, beside = _tridiagonal(A)
    n = len(diagonal)
    return [_kth(diagonal, beside, k % n) for k in (range(n) if which is None else which)]


def _tridiagonal(A: Rows) -> tuple[list[float], list[float]]:
    """Diagonal and subdiagonal of Qᵀ A Q."""
    rows = [[float(x) for x in row] for row in A]
    n = len(rows)
    beside: list[float] = []
    for k in range(n - 2):
        x = [rows[i][k] for i in range(k + 1, n)]
        length = hypot(*x)
        if length > 0:
            _reflect(rows, k + 1, x, length)
        # The reflection sends x to ∓|x| e₁; eigenvalues do not depend on the sign.
        beside.append(length)
    if n > 1:
        beside.append(rows[n - 1][n - 2])
    return [rows[i][i] for i in range(n)], beside


def _reflect(rows: list[list[float]], start: int, x: list[float], length: float) -> None:
    """Apply A − u wᵀ − w uᵀ to rows and columns from `start`; u is the unit normal for x."""
    u = [x[0] + (length if x[0] >= 0 else -length), *x[1:]]
    norm = hypot(*u)
    u = [y / norm for y in u]
    size = range(len(u))
    p = [2 * sum(map(mul, rows[start + i][start:], u)) for i in size]
    half = fsum(map(mul, p, u))
    w = [y - half * z for y, z in zip(p, u, strict=True)]
    for i in size:
        row, u_i, w_i = rows[start + i], u[i], w[i]
        row[start:] = [a - u_i * b - w_i * c for a, b, c in zip(row[start:], w, u, strict=True)]


def _kth(diagonal: list[float], beside: list[float], k: int) -> float:
    """Find the k-th eigenvalue by bisection between Gershgorin's bounds."""
    radius = [abs(x) + abs(y) for x, y in zip([0.0, *beside], [*beside, 0.0], strict=True)]
    low = min(d - r for d, r in zip(diagonal, radius, strict=True))
    high = max(d + r for d, r in zip(diagonal, radius, strict=True))
    squares = [b * b for b in beside]
    # A zero pivot is shifted by less than its rounding error.
    tiny = max(float_info.min, float_info.epsilon**2 * max(squares, default=0.0))
    for _ in range(_STEPS):
        middle = low + (high - low) / 2
        if not low < middle < high:
            break
        if _below(diagonal, squares, middle, tiny) > k:
            high = middle
        else:
            low = middle
    return 0.0 if low <= 0 <= high else low + (high - low) / 2


def _below(diagonal: list[float], squares: list[float], x: float, tiny: float) -> int:
    """Number of eigenvalues below x: the negative pivots of T − x 1."""
    count, pivot = 0, inf
    for d, square in zip(diagonal, [0.0, *squares], strict=True):
        pivot = d - x - square / pivot
        if abs(pivot) < tiny:
            pivot = -tiny
        count += pivot < 0
    return count
