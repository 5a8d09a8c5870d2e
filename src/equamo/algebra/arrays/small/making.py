"""New arrays: from given numbers, zeros, or evenly spaced numbers."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any, cast

from .array import SmallArray, as_array


def array(value: Any, dtype: Any = None) -> SmallArray:
    """Copy of a number, of nested sequences or of an array."""
    found = as_array(value)
    return found.copy() if dtype is None else found.astype(dtype)


def asarray(value: Any, dtype: Any = None) -> SmallArray:
    """Array, without a copy if it is one already."""
    found = as_array(value)
    return found if dtype is None or found.dtype == dtype else found.astype(dtype)


def full(shape: Any, value: Any) -> SmallArray:
    """Array with the same number everywhere."""
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    return SmallArray([value] * prod(sizes), sizes)


def zeros(shape: Any, dtype: Any = float) -> SmallArray:
    """Array of zeros."""
    return full(shape, dtype(0))


def ones(shape: Any) -> SmallArray:
    """Array of ones."""
    return full(shape, 1.0)


def zeros_like(like: Any) -> SmallArray:
    """Zeros in the shape of another array."""
    return zeros(as_array(like).shape)


def eye(n: int) -> SmallArray:
    """Identity matrix."""
    return SmallArray([float(i == j) for i in range(n) for j in range(n)], (n, n))


def diag(value: Any) -> SmallArray:
    """Diagonal matrix of a vector, or the diagonal of a matrix."""
    given = as_array(value)
    if given.ndim == 2:
        return SmallArray([given[k, k] for k in range(min(given.shape))], (min(given.shape),))
    result = zeros((len(given), len(given)))
    for k, x in enumerate(given):
        result[k, k] = x
    return result


def arange(*limits: int) -> SmallArray:
    """Integers of a range."""
    return as_array(list(range(*limits)))


def linspace(start: float, stop: float, num: int = 50, endpoint: bool = True) -> SmallArray:
    """Evenly spaced numbers.

    >>> linspace(0, 1, 3).tolist()
    [0.0, 0.5, 1.0]
    """
    steps = num - 1 if endpoint else num
    step = (stop - start) / steps if steps > 0 else 0.0
    numbers = [start + k * step for k in range(num)]
    if endpoint and num > 1:
        numbers[-1] = float(stop)
    return SmallArray([float(x) for x in numbers], (num,))


def ix_(*lists: Sequence[int]) -> tuple[list[Any], ...]:
    """Indices of all combinations, one list per axis."""
    found: list[list[Any]] = []
    for k, given in enumerate(lists):
        nested: list[Any] = [int(i) for i in given]
        for _ in range(k + 1, len(lists)):
            nested = _deeper(nested)
        for _ in range(k):
            nested = [nested]
        found.append(nested)
    return tuple(found)


def _deeper(nested: list[Any]) -> list[Any]:
    """Wrap every innermost entry in a list."""
    return [_deeper(cast(list[Any], x)) if isinstance(x, list) else [x] for x in nested]
