"""A J Aᵀ of 3×3 tensors in few operations: a rotation about a coordinate axis leaves one axis alone."""

from __future__ import annotations

from typing import NamedTuple

from ...algebra.expr import ONE, ZERO, Expr
from ...algebra.expr.matrix import Matrix, mirrored
from ...algebra.expr.rules import neg


def rotated(A: Matrix, J: Matrix) -> Matrix:
    """A J Aᵀ of a symmetric J; 8 multiplications and 8 additions if A is about a coordinate axis."""
    plane = _fixed_axis(A)
    if plane is None:
        rows = (A @ J @ A.T).rows
        return mirrored(rows)
    r, c, sign, flip = plane  # axis c becomes ± axis r
    r1, r2 = (i for i in range(3) if i != r)
    c1, c2 = (i for i in range(3) if i != c)
    out: list[list[Expr]] = [[ZERO] * 3 for _ in range(3)]

    def put(i: int, j: int, x: Expr) -> None:
        out[i][j] = out[j][i] = x

    put(r, r, J[c, c])
    for i in (r1, r2):
        x = A[i, c1] * J[c, c1] + A[i, c2] * J[c, c2]
        put(r, i, x if sign > 0 else neg(x))
    # The other two axes rotate in their plane. With k12 negated if the plane is also reflected,
    # w = sin (k11 − k22) + 2 cos k12 gives all three entries.
    cos, sin = A[r1, c1], A[r2, c1]
    k11, k22, k12 = J[c1, c1], J[c2, c2], J[c1, c2]
    if flip:
        k12 = neg(k12)
    w = sin * (k11 - k22) + 2 * (cos * k12)
    put(r1, r1, k11 - sin * w)
    put(r2, r2, k22 + sin * w)
    put(r1, r2, cos * w - k12)
    return Matrix(out)


def rotated_any(A: Matrix, H: Matrix) -> Matrix:
    """A H Aᵀ of any H; 12 multiplications and 11 additions if A is about a coordinate axis."""
    plane = _fixed_axis(A)
    if plane is None:
        return A @ H @ A.T
    r, c, sign, flip = plane
    r1, r2 = (i for i in range(3) if i != r)
    c1, c2 = (i for i in range(3) if i != c)
    out: list[list[Expr]] = [[ZERO] * 3 for _ in range(3)]
    out[r][r] = H[c, c]
    for i in (r1, r2):
        x = A[i, c1] * H[c, c1] + A[i, c2] * H[c, c2]
        y = A[i, c1] * H[c1, c] + A[i, c2] * H[c2, c]
        out[r][i], out[i][r] = (x, y) if sign > 0 else (neg(x), neg(y))
    # As above; the skew part in the plane is invariant: w = sin (k11 − k22) + cos (k12 + k21).
    cos, sin = A[r1, c1], A[r2, c1]
    k11, k12, k21, k22 = H[c1, c1], H[c1, c2], H[c2, c1], H[c2, c2]
    if flip:
        k12, k21 = neg(k12), neg(k21)
    w = sin * (k11 - k22) + cos * (k12 + k21)
    out[r1][r1], out[r2][r2] = k11 - sin * w, k22 + sin * w
    out[r1][r2], out[r2][r1] = cos * w - k21, cos * w - k12
    return Matrix(out)


class _FixedAxis(NamedTuple):
    """The axis that a rotation leaves alone: A has the entry ±1 at (row, column)."""

    row: int
    column: int
    sign: int
    reflects: bool  # whether the other two axes are also reflected, as the sign −1 asks for


def _fixed_axis(A: Matrix) -> _FixedAxis | None:
    for r in range(3):
        for c in range(3):
            x = A[r, c]
            if x is ONE or x is neg(ONE):
                r1, r2 = (i for i in range(3) if i != r)
                c1, c2 = (i for i in range(3) if i != c)
                a, b, d, e = A[r1, c1], A[r1, c2], A[r2, c1], A[r2, c2]
                rotates = e is a and b is neg(d)
                reflects = e is neg(a) and b is d
                if rotates or reflects:
                    return _FixedAxis(r, c, 1 if x is ONE else -1, not rotates)
    return None
