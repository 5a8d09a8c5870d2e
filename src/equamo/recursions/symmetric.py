"""The inertia of a body seen from its parent, in few operations."""

from __future__ import annotations

from ..expr import ONE, ZERO, Expr
from ..expr.matrix import Matrix, mirrored
from ..expr.rules import neg
from ..expr.vector import Vector
from ..model.inertia import Inertia
from .accumulate import plus_dot


def moved(I: Inertia, A: Matrix, P: Vector) -> Inertia:
    """The inertia about the origin and axes of a frame in which the body has rotation A, origin P.

    J' = A J Aᵀ + (P·(h + g)) 1 − (P hᵀ + g Pᵀ) with first moments h = A MS and g = h + m P.
    """
    h = A @ I.first_moment
    J = rotate(A, I.tensor)
    if P.is_zero:
        return Inertia(I.mass, h, J)
    g = h + P * I.mass
    new = [list(r) for r in J.rows]
    for i in range(3):
        others = [k for k in range(3) if k != i]
        new[i][i] = plus_dot(J[i, i], [P[k] for k in others], [h[k] + g[k] for k in others])
        for j in range(i + 1, 3):
            new[i][j] = J[i, j] - P[i] * h[j] - g[i] * P[j]
    return Inertia(I.mass, g, mirrored(new))


def rotate(A: Matrix, J: Matrix) -> Matrix:
    """A J Aᵀ of a symmetric J; 8 multiplications and 8 additions where A turns about an axis."""
    plane = _plane(A)
    if plane is None:
        rows = (A @ J @ A.T).rows
        return mirrored(rows)
    r, c, sign, flip = plane  # A has the entry ±1 at (r, c): the axis c becomes ± the axis r
    r1, r2 = (i for i in range(3) if i != r)
    c1, c2 = (i for i in range(3) if i != c)
    out: list[list[Expr]] = [[ZERO] * 3 for _ in range(3)]

    def put(i: int, j: int, x: Expr) -> None:
        out[i][j] = out[j][i] = x

    put(r, r, J[c, c])
    for i in (r1, r2):
        x = A[i, c1] * J[c, c1] + A[i, c2] * J[c, c2]
        put(r, i, x if sign > 0 else neg(x))
    # The other two axes turn in their plane: with cos and sin of the turn, and k12 with the sign of a
    # reflection taken in, w = sin (k11 − k22) + 2 cos k12 gives all three entries.
    cos, sin = A[r1, c1], A[r2, c1]
    k11, k22, k12 = J[c1, c1], J[c2, c2], J[c1, c2]
    if flip:
        k12 = neg(k12)
    w = sin * (k11 - k22) + 2 * (cos * k12)
    put(r1, r1, k11 - sin * w)
    put(r2, r2, k22 + sin * w)
    put(r1, r2, cos * w - k12)
    return Matrix(out)


def rotate_any(A: Matrix, H: Matrix) -> Matrix:
    """A H Aᵀ of any H; 12 multiplications and 11 additions where A turns about an axis."""
    plane = _plane(A)
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
    # As above: what is skew in the plane stays, w = sin (k11 − k22) + cos (k12 + k21).
    cos, sin = A[r1, c1], A[r2, c1]
    k11, k12, k21, k22 = H[c1, c1], H[c1, c2], H[c2, c1], H[c2, c2]
    if flip:
        k12, k21 = neg(k12), neg(k21)
    w = sin * (k11 - k22) + cos * (k12 + k21)
    out[r1][r1], out[r2][r2] = k11 - sin * w, k22 + sin * w
    out[r1][r2], out[r2][r1] = cos * w - k21, cos * w - k12
    return Matrix(out)


def _plane(A: Matrix) -> tuple[int, int, int, bool] | None:
    """(row, column, sign, reflected) of an entry ±1 beside which A turns a plane."""
    for r in range(3):
        for c in range(3):
            x = A[r, c]
            if x is ONE or x is neg(ONE):
                r1, r2 = (i for i in range(3) if i != r)
                c1, c2 = (i for i in range(3) if i != c)
                a, b, d, e = A[r1, c1], A[r1, c2], A[r2, c1], A[r2, c2]
                turn = e is a and b is neg(d)
                flip = e is neg(a) and b is d
                if turn or flip:
                    return r, c, 1 if x is ONE else -1, not turn
    return None
