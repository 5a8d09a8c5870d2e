"""Rank of the closure equations with 50 digits, where double precision cannot distinguish a value from
zero.

Newton's method on the independent rows, in as many coordinates as there are rows, with the exact values
of the parameters. If the other rows are redundant, their φ vanishes too, and so does what remains
of them after elimination: to about 45 digits, not 12.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from ...algebra.arrays import np
from ...algebra.expr import Expr, symbol
from ...algebra.expr.evaluate import Multiprecision, Tape
from ...robot.model.robot import Robot
from .characteristic_sizes import CharacteristicSizes
from .state_reader import Floats

DIGITS: Final = 50
_ZERO: Final = 35  # digits that must vanish
_STEPS: Final = 8  # each doubles the digits
_SMALL: Final = 1e-9  # pivots smaller than this, with rows and columns by size, count as zero


def rank_holds(robot: Robot, q: Floats, rows: Sequence[int]) -> bool:
    """Whether only these rows are independent at a point of φ = 0 near q, to 35 digits.

    Args:
        robot: Robot whose joints have q̇ = u, with values of all parameters.
        q: Configuration that is closed in double precision.
        rows: Rows that are independent there, in order.

    Returns:
        False also if the loops do not close with more digits, or the joints have quaternions.
    """
    if robot.speed_map is not None or len(robot.q) != len(robot.v):
        return False
    ring = Multiprecision(DIGITS)
    mp = ring.context
    known: dict[Expr, Any] = {
        symbol(n): ring.constant(x) for n, x in robot.values.items() if x is not None
    }
    x = [mp.mpf(float(e)) for e in q]
    phi = Tape([r.phi for r in robot.rows if r.phi is not None])
    matrix = Tape([a for r in robot.rows for a in r.A])
    n = len(robot.v)

    def at(tape: Tape) -> list[Any]:
        return tape.run(ring, known | dict(zip(robot.q, x, strict=True)))

    def coefficients() -> list[list[Any]]:
        entries = at(matrix)
        return [entries[i * n : (i + 1) * n] for i in range(len(robot.rows))]

    if any(robot.rows[i].phi is None for i in rows):
        return False
    sizes = CharacteristicSizes(robot)
    row_sizes = sizes.of_rows(robot.rows)
    by_size = np.array([[float(e) for e in r] for r in coefficients()]) * sizes.u
    columns = _pivots((by_size / row_sizes[:, None])[list(rows)])
    if len(columns) < len(rows):
        return False
    for _ in range(_STEPS):
        A, gap = coefficients(), at(phi)
        square = mp.matrix([[A[i][j] for j in columns] for i in rows])
        try:
            step = mp.lu_solve(square, mp.matrix([-gap[i] for i in rows]))
        except ZeroDivisionError:  # a singular configuration
            return False
        for j, d in zip(columns, step, strict=True):
            x[j] += d
    small = mp.mpf(10) ** -_ZERO
    loops = [size for r, size in zip(robot.rows, row_sizes, strict=True) if r.phi is not None]
    if any(abs(e) > small * size for e, size in zip(at(phi), loops, strict=True)):
        return False
    table = [
        [e * u / size for e, u in zip(row, sizes.u, strict=True)]
        for row, size in zip(coefficients(), row_sizes, strict=True)
    ]
    return all(abs(e) <= small for e in _rest(table, rows, columns))


def _pivots(A: Floats) -> list[int]:
    """Columns of the pivots of elimination with full pivoting, fewer at a singular configuration."""
    left, chosen = np.array(A), list[int]()
    for _ in range(len(A)):
        i, j = np.unravel_index(int(np.argmax(np.abs(left))), left.shape)
        if abs(left[i, j]) < _SMALL:
            break
        chosen.append(int(j))
        left = left - np.outer(left[:, j] / left[i, j], left[i])
        left[i] = 0
    return chosen


def _rest(A: list[list[Any]], rows: Sequence[int], columns: Sequence[int]) -> list[Any]:
    """Remainder of the other rows after elimination with the pivots."""
    table = [list(r) for r in A]
    free = list(columns)
    for i in rows:
        j = max(free, key=lambda c: abs(table[i][c]))
        free.remove(j)
        for k, row in enumerate(table):
            if k != i:
                factor = row[j] / table[i][j]
                table[k] = [a - factor * b for a, b in zip(row, table[i], strict=True)]
    return [e for k, row in enumerate(table) if k not in rows for e in row]
