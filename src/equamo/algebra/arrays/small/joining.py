"""Arrays made from others: stacked, joined, split, or with reordered axes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, product
from typing import Any

from .array import SmallArray, as_array


def concatenate(arrays: Sequence[Any], axis: int = 0) -> SmallArray:
    """Join arrays along an existing axis.

    >>> concatenate([[1.0, 2.0], [3.0]]).tolist()
    [1.0, 2.0, 3.0]
    """
    parts = [as_array(a) for a in arrays]
    k = axis % parts[0].ndim
    moved = [p.moved_axis(k, 0) for p in parts]
    if len({m.shape[1:] for m in moved}) > 1:
        raise ValueError(f"shapes {[p.shape for p in parts]} cannot be joined along axis {axis}")
    shape = (sum(len(m) for m in moved), *moved[0].shape[1:])
    return SmallArray([x for m in moved for x in m.numbers()], shape).moved_axis(0, k).copy()


def stack(arrays: Sequence[Any], axis: int = 0) -> SmallArray:
    """Join arrays of one shape along a new axis."""
    whole = as_array(list(arrays))
    return whole.moved_axis(0, axis).copy()


def vstack(arrays: Sequence[Any]) -> SmallArray:
    """Rows below each other."""
    return concatenate([atleast_2d(a) for a in arrays])


def hstack(arrays: Sequence[Any]) -> SmallArray:
    """Columns beside each other."""
    parts = [as_array(a) for a in arrays]
    return concatenate(parts, axis=min(1, parts[0].ndim - 1))


def block(rows: Sequence[Sequence[Any]]) -> SmallArray:
    """Matrix of blocks."""
    return concatenate([concatenate(row, axis=1) for row in rows])


def split(array: Any, places: Sequence[int]) -> list[SmallArray]:
    """Parts between the given places along the first axis."""
    given = as_array(array)
    cuts = [0, *places, len(given)]
    return [given[a:b] for a, b in pairwise(cuts)]


def atleast_2d(array: Any) -> SmallArray:
    """View with two axes: a vector becomes a row."""
    given = as_array(array)
    return given[(None,) * (2 - given.ndim) + (...,)] if given.ndim < 2 else given


def reshape(array: Any, shape: Any) -> SmallArray:
    """Copy with another shape."""
    return as_array(array).reshape(shape)


def broadcast_to(array: Any, shape: Sequence[int]) -> SmallArray:
    """View with a larger shape."""
    return as_array(array).broadcast(tuple(shape))


def moveaxis(array: Any, source: int, destination: int) -> SmallArray:
    """View with one axis in another place."""
    return as_array(array).moved_axis(source, destination)


def swapaxes(array: Any, first: int, second: int) -> SmallArray:
    """View with two axes exchanged."""
    given = as_array(array)
    order = list(range(given.ndim))
    order[first], order[second] = order[second], order[first]
    shape, strides = ([x[k] for k in order] for x in (given.shape, given.strides))
    return SmallArray(given.data, shape, strides, given.offset)


def ndenumerate(array: Any) -> Iterator[tuple[tuple[int, ...], Any]]:
    """Pairs of index and entry."""
    given = as_array(array)
    return zip(product(*map(range, given.shape)), given.numbers(), strict=True)
