"""Linear algebra of small matrices: lists of rows, in double precision.

Singular values come from one-sided Jacobi rotations, eigenvalues from FLINT with 128 bits.
"""

from __future__ import annotations

from collections.abc import Callable
from math import copysign, hypot, isfinite, sqrt
from typing import Any, Final, NamedTuple

from .array import SmallArray, as_array
from .making import asarray, eye
from .reductions import total

EPS: Final = 2.0**-52
_SWEEPS: Final = 60
_DIGITS: Final = 128  # bits of FLINT's eigenvalues

Rows = list[list[float]]


class LinAlgError(ValueError):
    """A matrix is singular, or not positive definite."""


class Factors(NamedTuple):
    """A = U diag(S) Vh."""

    U: SmallArray
    S: SmallArray
    Vh: SmallArray


def norm(array: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """Euclidean norm; for a matrix, the Frobenius norm."""
    given = as_array(array)
    if axis is None:
        return hypot(*given.numbers())
    squares = total(given * given, axis=axis, keepdims=keepdims)
    return squares**0.5


def _each(function: Callable[..., Rows], *matrices: SmallArray) -> SmallArray:
    """Apply a matrix function to every matrix of a batch."""
    if all(m.ndim == 2 for m in matrices):
        return as_array(function(*(m.tolist() for m in matrices)))
    count = len(matrices[0])
    return as_array([_each(function, *(m[k] for m in matrices)) for k in range(count)])


def solve(A: Any, b: Any) -> SmallArray:
    """Solution of A x = b for a vector or a matrix b.

    >>> solve([[2.0, 0.0], [0.0, 4.0]], [1.0, 1.0]).tolist()
    [0.5, 0.25]
    """
    matrix, right = asarray(A), asarray(b)
    if right.ndim == 1:
        return solve(matrix, right[:, None])[:, 0]
    return _each(_gauss, matrix, right) if right.size else right.copy()


def inv(A: Any) -> SmallArray:
    """Inverse of a matrix, or of each matrix of a batch."""
    matrix = asarray(A)
    one = eye(matrix.shape[-1])
    return solve(matrix, one.broadcast((*matrix.shape[:-2], *one.shape)))


def det(A: Any) -> float:
    """Determinant."""
    try:
        return _eliminate([list(map(float, row)) for row in asarray(A).tolist()])[0]
    except LinAlgError:
        return 0.0


def _gauss(A: Rows, b: Rows) -> Rows:
    rows = [[*map(float, x), *map(float, y)] for x, y in zip(A, b, strict=True)]
    _eliminate(rows)
    n = len(A)
    for k in reversed(range(n)):
        row = rows[k]
        for j in range(n, len(row)):
            row[j] = (row[j] - sum(row[i] * rows[i][j] for i in range(k + 1, n))) / row[k]
    return [row[n:] for row in rows]


def _eliminate(rows: Rows) -> tuple[float, Rows]:
    """Gaussian elimination with pivots in place; returns the determinant."""
    n, product = len(rows), 1.0
    for k in range(n):
        at = max(range(k, n), key=lambda i: abs(rows[i][k]))
        if rows[at][k] == 0:
            raise LinAlgError("Singular matrix")
        if at != k:
            rows[k], rows[at] = rows[at], rows[k]
            product = -product
        product *= rows[k][k]
        for i in range(k + 1, n):
            f = rows[i][k] / rows[k][k]
            if f:
                rows[i] = [a - f * b for a, b in zip(rows[i], rows[k], strict=True)]
    return product, rows


def cholesky(A: Any) -> SmallArray:
    """Lower triangular L with A = L Lᵀ."""
    matrix = asarray(A).tolist()
    n = len(matrix)
    L: Rows = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            rest = matrix[i][j] - sum(L[i][k] * L[j][k] for k in range(j))
            if i == j:
                if not rest > 0:
                    raise LinAlgError("Matrix is not positive definite")
                L[i][i] = sqrt(rest)
            else:
                L[i][j] = rest / L[j][j]
    return asarray(L).reshape(n, n)


def svd(A: Any, full_matrices: bool = True) -> Factors:
    """Singular values, largest first, by one-sided Jacobi rotations of the columns.

    >>> svd([[0.0, 2.0], [1.0, 0.0]]).S.tolist()
    [2.0, 1.0]
    """
    matrix = asarray(A)
    n, m = matrix.shape
    if not all(isfinite(x) for x in matrix.numbers()):
        raise LinAlgError("SVD did not converge")
    if m > n:
        U, S, Vh = svd(matrix.T, full_matrices)
        return Factors(Vh.T.copy(), S, U.T.copy())
    columns: Rows = matrix.T.tolist()
    V: Rows = eye(m).tolist()
    for _ in range(_SWEEPS):
        if not any([_rotate(columns, V, i, j) for i in range(m) for j in range(i)]):
            break
    sizes = [hypot(*c) for c in columns]
    order = sorted(range(m), key=lambda k: -sizes[k])
    S = [sizes[k] for k in order]
    small = EPS * n * max(S, default=0.0)
    basis = [[x / s for x in columns[k]] for k, s in zip(order, S, strict=True) if s > small]
    U = _completed(basis, n, n if full_matrices else m)
    Vh = asarray([V[k] for k in order]).reshape(m, m)
    return Factors(asarray(U).reshape(len(U), n).T.copy(), asarray(S), Vh)


def _rotate(columns: Rows, V: Rows, i: int, j: int) -> bool:
    """Make two columns orthogonal; False if they were."""
    a, b = columns[i], columns[j]
    p, q = sum(x * x for x in a), sum(x * x for x in b)
    r = sum(x * y for x, y in zip(a, b, strict=True))
    if not abs(r) > 4e-16 * sqrt(p * q):  # 0, too, if p overflows and q is 0
        return False
    z = (q - p) / (2 * r)
    t = copysign(1.0, z) / (abs(z) + hypot(1.0, z))
    c = 1 / hypot(1.0, t)
    s = c * t
    for rows in (columns, V):
        x, y = rows[i], rows[j]
        rows[i] = [c * u - s * v for u, v in zip(x, y, strict=True)]
        rows[j] = [s * u + c * v for u, v in zip(x, y, strict=True)]
    return True


def _completed(basis: Rows, n: int, count: int) -> Rows:
    """Orthonormal vectors, completed by Gram–Schmidt on the unit vectors."""
    found = [list(v) for v in basis]
    for k in sorted(range(n), key=lambda k: sum(v[k] ** 2 for v in basis)):
        if len(found) >= count:
            break
        e = [float(i == k) for i in range(n)]
        for _ in range(2):  # twice is enough
            for v in found:
                d = sum(x * y for x, y in zip(e, v, strict=True))
                e = [x - d * y for x, y in zip(e, v, strict=True)]
        size = hypot(*e)
        if size > 1e-6:
            found.append([x / size for x in e])
    return found


def lstsq(
    A: Any, b: Any, rcond: float | None = None
) -> tuple[SmallArray, SmallArray, int, SmallArray]:
    """Smallest x that minimises |A x − b|: (x, residuals, rank, singular values).

    >>> [round(x, 12) for x in lstsq([[1.0], [1.0]], [1.0, 3.0])[0]]
    [2.0]
    """
    matrix = asarray(A)
    U, S, Vh = svd(matrix, full_matrices=False)
    small = (EPS * max(matrix.shape) if rcond is None else rcond) * max(S, default=0.0)
    rank = sum(1 for s in S if s > small)
    x = Vh[:rank].T @ ((U.T[:rank] @ asarray(b)).T / S[:rank]).T
    return x, asarray([]), rank, S


def pinv(A: Any) -> SmallArray:
    """Pseudoinverse."""
    matrix = asarray(A)
    return lstsq(matrix, eye(len(matrix)), rcond=1e-15)[0]


def cond(A: Any) -> float:
    """Largest over smallest singular value."""
    S = svd(A).S
    return float("inf") if S[-1] == 0 else S[0] / S[-1]


def eigh(A: Any) -> tuple[SmallArray, SmallArray]:
    """Eigenvalues of a symmetric matrix, smallest first, and eigenvectors as columns."""
    matrix = asarray(A)
    n = len(matrix)
    # Shifted to a positive matrix, singular vectors are eigenvectors.
    shift = norm(matrix) + 1.0 if n else 0.0
    U, S, _ = svd(matrix + shift * eye(n))
    order = list(reversed(range(n)))
    vectors = U[:, order]
    return asarray(
        [vectors[:, k] @ matrix @ vectors[:, k] for k in range(n)]
    ), vectors if S.size else U


def eigvals(A: Any) -> SmallArray:
    """Eigenvalues of a matrix, in FLINT's order."""
    from flint import acb_mat, ctx

    rows = asarray(A).tolist()
    if not rows:
        return asarray([])
    before, ctx.prec = ctx.prec, _DIGITS
    try:
        found: Any = acb_mat(rows).eig(algorithm="approx")
    finally:
        ctx.prec = before
    return asarray([complex(float(x.real.mid()), float(x.imag.mid())) for x in found])
