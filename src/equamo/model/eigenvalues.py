"""Eigenvalues of a symmetric matrix of floats, without NumPy.

Proving and checking a robot look at a few small matrices of numbers; they must not need NumPy for it.
Householder reflections make the matrix tridiagonal; Sturm's count of the negative pivots of T − x 1
then says how many eigenvalues lie below x, and bisection finds the k-th (Golub and Van Loan, 8.4).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import fsum, hypot, inf, isfinite
from operator import mul
from sys import float_info
from typing import Final

Rows = Sequence[Sequence[float]]

_STEPS: Final = 128  # of a bisection; far fewer are needed before the interval stops shrinking


def eigenvalues(A: Rows, which: Iterable[int] | None = None) -> list[float]:
    """The eigenvalues with the given indices, counted from the smallest; all of them by default.

    Each has an error of a few units in the last place of the largest.

    >>> [round(x, 12) for x in eigenvalues([[2, 1, 0], [1, 2, 0], [0, 0, 5]])]
    [1.0, 3.0, 5.0]
    >>> [round(x, 12) for x in eigenvalues([[2, 1], [1, 2]], [-1])]
    [3.0]

    Raises:
        ValueError: an entry is infinite or not a number.
    """
    if not all(isfinite(x) for row in A for x in row):
        raise ValueError("the matrix has entries that are not finite")
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
    """A − u wᵀ − w uᵀ in the rows and columns from `start`, u the unit normal of the reflection of x."""
    u = [x[0] + (length if x[0] >= 0 else -length), *x[1:]]
    norm = hypot(*u)
    u = [y / norm for y in u]
    size = range(len(u))
    p = [2 * sum(map(mul, rows[start + i][start:], u)) for i in size]
    half = fsum(map(mul, p, u))
    w = [y - half * z for y, z in zip(p, u, strict=True)]
    for i in size:
        row, u_i, w_i = rows[start + i], u[i], w[i]
        row[start:] = [
            a - u_i * b - w_i * c for a, b, c in zip(row[start:], w, u, strict=True)
        ]  # fmt: skip


def _kth(diagonal: list[float], beside: list[float], k: int) -> float:
    """The k-th eigenvalue by bisection between Gershgorin's bounds."""
    radius = [abs(x) + abs(y) for x, y in zip([0.0, *beside], [*beside, 0.0], strict=True)]
    low = min(d - r for d, r in zip(diagonal, radius, strict=True))
    high = max(d + r for d, r in zip(diagonal, radius, strict=True))
    squares = [b * b for b in beside]
    # A pivot of 0 is moved by less than rounding moves it.
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
    """How many eigenvalues are less than x: the negative pivots of T − x 1."""
    found, pivot = 0, inf
    for d, square in zip(diagonal, [0.0, *squares], strict=True):
        pivot = d - x - square / pivot
        if abs(pivot) < tiny:
            pivot = -tiny
        found += pivot < 0
    return found
