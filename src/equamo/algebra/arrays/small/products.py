"""Products of vectors and matrices; leading axes are those of batches."""

from __future__ import annotations

from typing import Any

from .array import SmallArray, as_array, common_shape


def matmul(a: SmallArray, b: SmallArray) -> Any:
    """A @ B for vectors, matrices and batches of matrices; a number for two vectors."""
    if not a.ndim or not b.ndim:
        raise ValueError("matmul needs arrays with at least one axis")
    left = a[None, :] if a.ndim == 1 else a
    right = b[:, None] if b.ndim == 1 else b
    if left.shape[-1] != right.shape[-2]:
        raise ValueError(f"shapes {a.shape} and {b.shape} do not match in a product")
    batch = common_shape([left.shape[:-2], right.shape[:-2]])
    n, m, p = left.shape[-2], left.shape[-1], right.shape[-1]
    x = left.broadcast((*batch, n, m)).numbers()
    y = right.moved_axis(-1, -2).broadcast((*batch, p, m)).numbers()
    result: list[Any] = []
    for k in range(len(x) // (n * m) if n * m else _count(batch)):
        rows = [x[(k * n + i) * m : (k * n + i + 1) * m] for i in range(n)]
        columns = [y[(k * p + j) * m : (k * p + j + 1) * m] for j in range(p)]
        result += [_dot(r, c) for r in rows for c in columns]
    shape = (*batch, *(() if a.ndim == 1 else (n,)), *(() if b.ndim == 1 else (p,)))
    return SmallArray(result, shape) if shape else result[0]


def _count(batch: tuple[int, ...]) -> int:
    count = 1
    for n in batch:
        count *= n
    return count


def _dot(a: list[Any], b: list[Any]) -> Any:
    return sum(x * y for x, y in zip(a, b, strict=True)) if a else 0.0


def cross(a: Any, b: Any) -> SmallArray:
    """Vector product along the last axis.

    >>> cross([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]).tolist()
    [0.0, 0.0, 1.0]
    """
    x, y = as_array(a), as_array(b)
    shape = common_shape([x.shape, y.shape])
    u, v = x.broadcast(shape).numbers(), y.broadcast(shape).numbers()
    result: list[Any] = []
    for k in range(0, len(u), 3):
        (a0, a1, a2), (b0, b1, b2) = u[k : k + 3], v[k : k + 3]
        result += [a1 * b2 - a2 * b1, a2 * b0 - a0 * b2, a0 * b1 - a1 * b0]
    return SmallArray(result, shape)


def outer(a: Any, b: Any) -> SmallArray:
    """Matrix a bᵀ of two vectors."""
    x, y = as_array(a).ravel(), as_array(b).ravel()
    return x[:, None] * y[None, :]
