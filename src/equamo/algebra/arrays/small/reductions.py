"""Sums, extremes and searches along an axis, or over all entries."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan, nan, prod
from typing import Any

from .array import SmallArray, as_array


def _reduce(
    function: Callable[[list[Any]], Any], array: Any, axis: int | None, keepdims: bool = False
) -> Any:
    given = as_array(array)
    if axis is None:
        found = function(given.numbers())
        return SmallArray([found], (1,) * given.ndim) if keepdims else found
    last = given.moved_axis(axis, -1)
    *rest, n = last.shape
    numbers = last.numbers()
    results = [function(numbers[k * n : (k + 1) * n]) for k in range(prod(rest))]
    if keepdims:
        rest.insert(axis % given.ndim, 1)
    return SmallArray(results, rest) if rest else results[0]


def _extreme(choose: Callable[[list[Any]], Any], initial: Any) -> Callable[[list[Any]], Any]:
    def found(x: list[Any]) -> Any:
        numbers = [*x, *([] if initial is None else [initial])]
        return nan if any(isinstance(a, float) and isnan(a) for a in numbers) else choose(numbers)

    return found


def amax(array: Any, axis: int | None = None, initial: Any = None, keepdims: bool = False) -> Any:
    """Largest entry; nan if one is."""
    return _reduce(_extreme(max, initial), array, axis, keepdims)


def amin(array: Any, axis: int | None = None, initial: Any = None, keepdims: bool = False) -> Any:
    """Smallest entry; nan if one is."""
    return _reduce(_extreme(min, initial), array, axis, keepdims)


def ptp(array: Any, axis: int | None = None) -> Any:
    """Largest minus smallest entry."""
    return _reduce(lambda x: max(x) - min(x), array, axis)


def total(array: Any, axis: int | None = None, keepdims: bool = False) -> Any:
    """Sum of the entries."""
    return _reduce(sum, array, axis, keepdims)


def mean(array: Any, axis: int | None = None) -> Any:
    """Mean of the entries."""
    return _reduce(lambda x: sum(x) / len(x), array, axis)


def median(array: Any, axis: int | None = None) -> Any:
    """Middle entry, or the mean of the two in the middle."""

    def middle(x: list[Any]) -> Any:
        ordered, n = sorted(x), len(x)
        return (ordered[(n - 1) // 2] + ordered[n // 2]) / 2

    return _reduce(middle, array, axis)


def any_of(array: Any, axis: int | None = None) -> Any:
    """Whether an entry is true."""
    return _reduce(lambda x: any(map(bool, x)), array, axis)


def all_of(array: Any, axis: int | None = None) -> Any:
    """Whether all entries are true."""
    return _reduce(lambda x: all(map(bool, x)), array, axis)


def argmax(array: Any, axis: int | None = None) -> Any:
    """Index of the first largest entry."""
    return _reduce(lambda x: max(range(len(x)), key=x.__getitem__), array, axis)


def argmin(array: Any, axis: int | None = None) -> Any:
    """Index of the first smallest entry."""
    return _reduce(lambda x: min(range(len(x)), key=x.__getitem__), array, axis)


def argwhere(array: Any) -> list[tuple[int, ...]]:
    """Indices of the entries that are true."""
    from .joining import ndenumerate

    return [place for place, x in ndenumerate(array) if x]


def flatnonzero(array: Any) -> SmallArray:
    """Indices of the entries that are not 0."""
    return as_array([k for k, x in enumerate(as_array(array).numbers()) if x])


def unravel_index(k: int, shape: Sequence[int]) -> tuple[int, ...]:
    """Multi-index of entry number k.

    >>> unravel_index(4, (2, 3))
    (1, 1)
    """
    found: list[int] = []
    for n in reversed(shape):
        found.insert(0, k % n)
        k //= n
    return tuple(found)


def sort(array: Any) -> SmallArray:
    """Entries in ascending order."""
    given = as_array(array)
    return SmallArray(sorted(given.numbers()), given.shape)


def unique(array: Any) -> SmallArray:
    """Distinct entries in ascending order."""
    return as_array(sorted(set(as_array(array).numbers())))
