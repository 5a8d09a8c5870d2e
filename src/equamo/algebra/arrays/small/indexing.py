"""Indices of an array: integers, slices, …, new axes, lists of indices and truth values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any, cast, final


@final
@dataclass(frozen=True, slots=True)
class Selection:
    """Entries that an index selects: a view (strides), or places in the list."""

    shape: tuple[int, ...]
    strides: tuple[int, ...] | None
    offset: int
    places: list[int]
    keeps_axes: bool = False  # whether "…" was used: the result is an array even without axes


def select(key: Any, shape: tuple[int, ...], strides: tuple[int, ...], offset: int) -> Selection:
    """Apply an index.

    >>> select((slice(None), 1), (2, 3), (3, 1), 0)
    Selection(shape=(2,), strides=(3,), offset=1, places=[], keeps_axes=False)
    """
    given: list[Any] = list(cast(Any, key)) if isinstance(key, tuple) else [key]
    keys = [k for old in given for k in _plain(old)]
    used = sum(k is not None and k is not Ellipsis for k in keys)
    if used > len(shape):
        raise IndexError(f"too many indices: {used} for an array with {len(shape)} axes")
    whole = Ellipsis in [k for k in keys if not isinstance(k, list)]
    at = next((i for i, k in enumerate(keys) if k is Ellipsis), len(keys))
    keys[at : at + whole] = [slice(None)] * (len(shape) - used)
    new_shape: list[int] = []
    new_strides: list[int] = []
    lists: list[tuple[int, int, Any]] = []  # place among the new axes, stride, indices
    axis = 0
    for k in keys:
        if k is None:
            new_shape.append(1)
            new_strides.append(0)
            continue
        n, step = shape[axis], strides[axis]
        axis += 1
        if isinstance(k, slice):
            chosen = range(*k.indices(n))
            offset += chosen.start * step if len(chosen) else 0
            new_shape.append(len(chosen))
            new_strides.append(chosen.step * step)
        elif isinstance(k, int):
            offset += _inside(k, n) * step
        else:
            lists.append((len(new_shape), step, _indices(k, n)))
    if not lists:
        return Selection(tuple(new_shape), tuple(new_strides), offset, [], whole)
    return _listed(new_shape, new_strides, lists, offset)


def _plain(key: Any) -> list[Any]:
    """Index as an int, slice, None, … or nested list; truth values become indices."""
    if key is None or key is Ellipsis or isinstance(key, slice):
        return [key]
    if isinstance(key, range):
        return [list(key)]
    if hasattr(key, "tolist"):
        key = key.tolist()
    if hasattr(key, "__index__"):
        return [key.__index__()]
    entries: list[Any] = list(key)
    shape = _shape(entries)
    places = list(product(*map(range, shape)))
    if places and isinstance(_entry(entries, shape, places[0]), bool):
        # One list of indices for each axis of the truth values.
        chosen = [at for at in places if _entry(entries, shape, at)]
        return [[at[axis] for at in chosen] for axis in range(len(shape))]
    return [entries]


def _inside(k: int, n: int) -> int:
    if not -n <= k < n:
        raise IndexError(f"index {k} is out of bounds for an axis of size {n}")
    return k % n


def _indices(k: Any, n: int) -> Any:
    return [_indices(x, n) if isinstance(x, list) else _inside(int(x), n) for x in k]


def _shape(nested: Any) -> tuple[int, ...]:
    if not isinstance(nested, list):
        return ()
    entries = cast(list[Any], nested)
    return (len(entries), *(_shape(entries[0]) if entries else ()))


def _listed(
    shape: list[int], strides: list[int], lists: list[tuple[int, int, Any]], offset: int
) -> Selection:
    """Selection by lists, which are broadcast to one shape; its axes replace the first list."""
    shapes = [_shape(x) for _, _, x in lists]
    size = max(map(len, shapes))
    padded = [(1,) * (size - len(s)) + s for s in shapes]
    together = tuple(max(ns) if 0 not in ns else 0 for ns in zip(*padded, strict=True))
    at = lists[0][0] if len({place for place, _, _ in lists}) == 1 else 0
    offsets: list[int] = []
    for index in product(*map(range, together)):
        here = 0
        for (_, step, nested), own in zip(lists, padded, strict=True):
            here += step * _entry(nested, own, index)
        offsets.append(here)
    result = (*shape[:at], *together, *shape[at:])
    before, after = _offsets(shape[:at], strides[:at]), _offsets(shape[at:], strides[at:])
    places = [offset + a + b + c for a in before for b in offsets for c in after]
    return Selection(result, None, offset, places)


def _entry(nested: Any, shape: Sequence[int], index: Sequence[int]) -> int:
    extra = len(shape) - len(_shape(nested))
    for n, i in list(zip(shape, index, strict=True))[extra:]:
        nested = nested[0 if n == 1 else i]
    return nested


def _offsets(shape: Sequence[int], strides: Sequence[int]) -> list[int]:
    places = [0]
    for n, step in zip(shape, strides, strict=True):
        places = [p + k * step for p in places for k in range(n)]
    return places
