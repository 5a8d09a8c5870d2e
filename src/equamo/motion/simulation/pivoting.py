"""Linear complementarity by Lemke's pivoting method, which ends after finitely many pivots ([CPS] 4.4).

    (1) w = q + M z,   w ≥ 0,   z ≥ 0,   wᵀ z = 0

A further variable z₀ ≥ 0 is added to every row and driven out again: each pivot brings in the
complement of the variable that has left. Ties are broken lexicographically, so no basis occurs twice.
For a positive semidefinite M (also after a positive scaling of its columns) the method ends with a
solution if one exists. Dry friction of joints at rest is such a problem, and so is a linear program.

[CPS] Cottle, Pang, Stone: The Linear Complementarity Problem, SIAM 2009.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

PIVOTS: Final = 50  # per variable; the method usually needs one or two
_ZERO: Final = 1e-11  # a smaller entry of a column, relative to its largest, is rounding


def complementary(M: Floats, q: Floats, cover: Floats | None = None) -> Floats | None:
    """z of (1); None if there is none. Another `cover` > 0 of z₀ means another path to a solution.

    >>> complementary(np.array([[2.0, 1.0], [1.0, 2.0]]), np.array([-5.0, -6.0])).round(12)
    array([1.33333333, 2.33333333])
    >>> complementary(np.array([[0.0]]), np.array([-1.0])) is None
    True
    """
    n = len(q)
    if not (q < 0).any():
        return np.zeros(n)
    rows = np.abs(np.column_stack([M, q])).max(axis=1)
    rows[rows == 0] = 1.0  # equations of one size, so that one z₀ serves all of them
    # Columns: w, z, z₀ and the right-hand side, which is positive after the first pivot.
    d = np.ones(n) if cover is None else cover
    right = q / rows
    T = np.column_stack([np.eye(n), -M / rows[:, None], -d, right])
    basis = list(range(n))
    # The last of several rows with the same ratio: so the rest stay positive lexicographically.
    ratios = right / d
    leaving, entering = int(np.flatnonzero(ratios <= ratios.min()).max()), 2 * n
    for _ in range(PIVOTS * (n + 1)):
        left = basis[leaving]
        _pivot(T, leaving, entering)
        basis[leaving] = entering
        if left == 2 * n:  # z₀ has left
            z = np.zeros(2 * n)
            z[basis] = T[:, -1]
            return np.maximum(z[n:], 0)
        entering = left + n if left < n else left - n
        row = _ratio_test(T, entering, basis)
        if row is None:
            return None  # a ray: no solution
        leaving = row
    return None


def _pivot(T: Floats, row: int, column: int) -> None:
    T[row] /= T[row, column]
    others: Floats = T[:, column].copy()
    others[row] = 0
    T -= others[:, None] * T[row]
    T[:, column] = 0
    T[row, column] = 1


def _ratio_test(T: Floats, entering: int, basis: list[int]) -> int | None:
    """Row that limits the entering variable: the lexicographically smallest one; z₀ if it is one."""
    n, column = len(T), T[:, entering]
    rows = np.flatnonzero(column > _ZERO * max(1.0, np.abs(column).max()))
    if not len(rows):
        return None
    for k in (-1, *range(n)):
        keys = T[rows, k] / column[rows]
        rows = rows[keys <= keys.min() + _ZERO * max(1.0, abs(float(keys.min())))]
        ends = [int(r) for r in rows if basis[r] == 2 * n]
        if ends or len(rows) == 1:
            return ends[0] if ends else int(rows[0])
    return int(rows[0])
