"""SmallArray: numbers in a list, with a shape; slices are views, as in NumPy."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, Final, final

from . import arithmetic
from .dtype import Dtype, Flags, is_real, kind_of
from .indexing import Selection, select
from .operators import Operators


@final
class SmallArray(Operators):
    """Array of numbers in a list.

    >>> from equamo.algebra.arrays.small import array
    >>> a = array([[1.0, 2.0], [3.0, 4.0]])
    >>> (a @ a.T).tolist(), a[:, 1].tolist(), a.max(axis=0).tolist()
    ([[5.0, 11.0], [11.0, 25.0]], [2.0, 4.0], [3.0, 4.0])
    """

    __slots__ = ("data", "offset", "shape", "strides")
    flags: Final = Flags()
    data: list[Any]
    offset: int
    shape: tuple[int, ...]

    def __init__(
        self,
        data: list[Any],
        shape: Sequence[int],
        strides: Sequence[int] | None = None,
        offset: int = 0,
    ) -> None:
        self.data, self.shape, self.offset = data, tuple(shape), offset
        self.strides: tuple[int, ...] = (
            contiguous(self.shape) if strides is None else tuple(strides)
        )

    # -- properties ------------------------------------------------------------------------------------
    @property
    def ndim(self) -> int:
        return len(self.shape)

    @property
    def size(self) -> int:
        return prod(self.shape)

    @property
    def dtype(self) -> Dtype:
        return kind_of(self.numbers())

    @property
    def T(self) -> SmallArray:
        return SmallArray(self.data, self.shape[::-1], self.strides[::-1], self.offset)

    def positions(self) -> list[int]:
        """Places of the entries in the list, in the order of their indices."""
        places = [self.offset]
        for n, step in zip(self.shape, self.strides, strict=True):
            places = [p + k * step for p in places for k in range(n)]
        return places

    def numbers(self) -> list[Any]:
        """Entries in the order of their indices."""
        data = self.data
        return [data[p] for p in self.positions()]

    # -- forms -----------------------------------------------------------------------------------------
    def tolist(self) -> Any:
        if not self.shape:
            return self.data[self.offset]
        return [x.tolist() if isinstance(x, SmallArray) else x for x in self]

    def item(self) -> Any:
        (x,) = self.numbers()
        return x

    def copy(self) -> SmallArray:
        return SmallArray(self.numbers(), self.shape)

    def ravel(self) -> SmallArray:
        return SmallArray(self.numbers(), (self.size,))

    def reshape(self, *shape: Any) -> SmallArray:
        first: Any = shape[0]
        sizes: list[int] = list(shape if isinstance(first, int) else first)
        if -1 in sizes:
            known = prod(n for n in sizes if n != -1)
            sizes[sizes.index(-1)] = self.size // known if known else 0
        if prod(sizes) != self.size:
            raise ValueError(f"cannot reshape array of size {self.size} into shape {tuple(sizes)}")
        return SmallArray(self.numbers(), sizes)

    def astype(self, dtype: Any) -> SmallArray:
        convert = float if is_real(dtype) else dtype
        return SmallArray([convert(x) for x in self.numbers()], self.shape)

    def moved_axis(self, source: int, to: int) -> SmallArray:
        """View with one axis in another place."""
        order = [k for k in range(self.ndim) if k != source % self.ndim]
        order.insert(to % self.ndim, source % self.ndim)
        shape, strides = ([x[k] for k in order] for x in (self.shape, self.strides))
        return SmallArray(self.data, shape, strides, self.offset)

    def broadcast(self, shape: Sequence[int]) -> SmallArray:
        """View with a larger shape; axes of length 1 are repeated."""
        extra = len(shape) - self.ndim
        own = (1,) * extra + self.shape
        if extra < 0 or any(n not in (1, m) for n, m in zip(own, shape, strict=True)):
            raise ValueError(f"shape {self.shape} cannot be broadcast to {tuple(shape)}")
        steps = (0,) * extra + self.strides
        strides = [0 if n == 1 else s for n, s in zip(own, steps, strict=True)]
        return SmallArray(self.data, shape, strides, self.offset)

    # -- entries ---------------------------------------------------------------------------------------
    def __len__(self) -> int:
        if not self.shape:
            raise TypeError("an array without axes has no length")
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    def __contains__(self, x: object) -> bool:
        return x in self.numbers()

    def _selected(self, key: Any) -> Selection:
        return select(key, self.shape, self.strides, self.offset)

    def __getitem__(self, key: Any) -> Any:
        found = self._selected(key)
        if found.strides is None:  # lists of indices: a copy
            return SmallArray([self.data[p] for p in found.places], found.shape)
        if not found.shape and not found.keeps_axes:
            return self.data[found.offset]
        return SmallArray(self.data, found.shape, found.strides, found.offset)

    def __setitem__(self, key: Any, value: Any) -> None:
        found = self._selected(key)
        places = found.places
        if found.strides is not None:
            places = SmallArray(self.data, found.shape, found.strides, found.offset).positions()
        source = as_array(value)
        while source.ndim > len(found.shape) and source.shape[0] == 1:
            source = source[0]  # leading axes of length 1 do not matter
        for p, x in zip(places, source.broadcast(found.shape).numbers(), strict=True):
            self.data[p] = x

    # -- arithmetic ------------------------------------------------------------------------------------
    def _with(self, other: Any, function: Any, reverse: bool = False) -> Any:
        if not isinstance(other, (SmallArray, list, tuple, float, int, complex)):
            return NotImplemented
        pair = (as_array(other), self) if reverse else (self, as_array(other))
        return elementwise(function, *pair)

    def _each(self, function: Any) -> Any:
        return elementwise(function, self)

    def __matmul__(self, other: Any) -> Any:
        from .products import matmul

        return matmul(self, as_array(other))

    def __rmatmul__(self, other: Any) -> Any:
        from .products import matmul

        return matmul(as_array(other), self)

    def __bool__(self) -> bool:
        if self.size != 1:
            raise ValueError("the truth value of an array with several entries is ambiguous")
        return bool(self.item())

    def __float__(self) -> float:
        return float(self.item())

    def __int__(self) -> int:
        return int(self.item())

    def __index__(self) -> int:
        return self.item().__index__()

    def __format__(self, spec: str) -> str:
        return format(self.item(), spec) if not self.shape else str(self)

    def __repr__(self) -> str:
        return f"array({self.tolist()})"

    # -- reductions ------------------------------------------------------------------------------------
    def _reduced(self, name: str, axis: int | None, **more: Any) -> Any:
        from . import reductions

        return getattr(reductions, name)(self, axis=axis, **more)

    def max(self, axis: int | None = None, **more: Any) -> Any:
        return self._reduced("amax", axis, **more)

    def min(self, axis: int | None = None, **more: Any) -> Any:
        return self._reduced("amin", axis, **more)

    def sum(self, axis: int | None = None, **more: Any) -> Any:
        return self._reduced("total", axis, **more)

    def mean(self, axis: int | None = None) -> Any:
        return self._reduced("mean", axis)

    def any(self, axis: int | None = None) -> Any:
        return self._reduced("any_of", axis)

    def all(self, axis: int | None = None) -> Any:
        return self._reduced("all_of", axis)

    def argmax(self, axis: int | None = None) -> Any:
        return self._reduced("argmax", axis)

    def argmin(self, axis: int | None = None) -> Any:
        return self._reduced("argmin", axis)

    def round(self, decimals: int = 0) -> SmallArray:
        return elementwise(arithmetic.rounded, self, SmallArray([decimals], ()))


def contiguous(shape: Sequence[int]) -> tuple[int, ...]:
    """Strides of an array whose entries are in the order of their indices."""
    strides: list[int] = []
    step = 1
    for n in reversed(shape):
        strides.insert(0, step)
        step *= n
    return tuple(strides)


def as_array(value: Any) -> SmallArray:
    """Array of a number, of nested sequences, or of an array, which is not copied."""
    if isinstance(value, SmallArray):
        return value
    if isinstance(value, (float, int, complex, str)) or not _is_sequence(value):
        return SmallArray([value], ())
    parts = [as_array(x) for x in value]
    if not parts:
        return SmallArray([], (0,))
    if len({p.shape for p in parts}) > 1:
        raise ValueError("nested sequences must have the same lengths")
    return SmallArray([x for p in parts for x in p.numbers()], (len(parts), *parts[0].shape))


def _is_sequence(value: Any) -> bool:
    return isinstance(value, (Sequence, range)) or hasattr(value, "__array__")


def elementwise(function: Any, *arrays: SmallArray) -> SmallArray:
    """A function of the entries of arrays that are broadcast to one shape."""
    if all(a.shape == arrays[0].shape for a in arrays):
        shape = arrays[0].shape
        columns = [a.numbers() for a in arrays]
    else:
        shape = common_shape([a.shape for a in arrays])
        columns = [a.broadcast(shape).numbers() for a in arrays]
    return SmallArray([function(*x) for x in zip(*columns, strict=True)], shape)


def common_shape(shapes: Sequence[tuple[int, ...]]) -> tuple[int, ...]:
    """Shape that all shapes can be broadcast to."""
    size = max(map(len, shapes))
    rows = [(1,) * (size - len(s)) + s for s in shapes]
    found = tuple(max(ns) if 0 not in ns else 0 for ns in zip(*rows, strict=True))
    if any(n not in (1, m) for row in rows for n, m in zip(row, found, strict=True)):
        raise ValueError(f"shapes {' and '.join(map(str, shapes))} do not match")
    return found
