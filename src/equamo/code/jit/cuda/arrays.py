"""Arrays of a call on a device: those of PyTorch, JAX, CuPy and others, without copies, and our own."""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass, field
from typing import Any, Final, final

import numpy as np

from ....basics.wording import brief
from ....errors import EvaluationError
from . import dlpack
from .device import Device, Memory, device, device_of, read

DTYPES: Final = {"<f8": "float64", "<f4": "float32"}


@final
@dataclass(frozen=True)
class View:
    """Location of the numbers of an array on a device; strides in bytes."""

    pointer: int
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    dtype: str
    device: int
    kept: Any = field(default=None, compare=False)  # keeps the memory alive

    @property
    def item(self) -> int:
        return 8 if self.dtype == "float64" else 4

    @property
    def is_rows(self) -> bool:
        """Whether all numbers are contiguous, state by state."""
        return self.strides == dlpack.contiguous(self.shape, self.item) or 0 in self.shape

    @property
    def is_columns(self) -> bool:
        """Whether the numbers of consecutive states are contiguous."""
        return len(self.shape) > 1 and self.shape[0] > 1 and self.strides[0] == self.item

    @property
    def steps(self) -> tuple[int, int] | None:
        """Strides of a batch between states and between elements; None if they are not constant."""
        state, *inner = self.strides
        expected = inner[-1] if inner else self.item
        for n, s in zip(reversed(self.shape[1:]), reversed(inner), strict=True):
            if n > 1 and s != expected:
                return None
            expected *= n
        return state, inner[-1] if inner else self.item

    @property
    def range(self) -> tuple[int, int]:
        """First and last byte, as addresses."""
        if 0 in self.shape:
            return self.pointer, self.pointer
        ends = [s * (n - 1) for n, s in zip(self.shape, self.strides, strict=True)]
        low, high = sum(min(e, 0) for e in ends), sum(max(e, 0) for e in ends)
        return self.pointer + low, self.pointer + high + self.item

    def overlaps(self, other: View) -> bool:
        """Whether two arrays may share memory."""
        (a, b), (c, d) = self.range, other.range
        return a < d and c < b


@final
class DeviceArray:
    """Array on a device: other libraries read it by `__cuda_array_interface__` and `__dlpack__`.

    Results for inputs of unknown libraries are such arrays; `to_numpy()` copies them.
    """

    shape: tuple[int, ...]
    device: Device
    dtype: np.dtype[Any]

    def __init__(self, device: Device, shape: tuple[int, ...], dtype: str, doing: str) -> None:
        self.shape, self.dtype, self.device = shape, np.dtype(dtype), device
        self.pending: int | None = None  # stream with possibly unfinished work on the array
        self.memory: Memory = Memory(
            device, self.dtype.itemsize * int(np.prod(shape, dtype=object)), doing
        )

    @property
    def view(self) -> View:
        """Location of its numbers."""
        strides = dlpack.contiguous(self.shape, self.dtype.itemsize)
        name = self.dtype.name
        return View(self.memory.pointer, self.shape, strides, name, self.device.ordinal, self)

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        kind = self.dtype.str
        return {
            "shape": self.shape,
            "typestr": kind,
            "data": (self.memory.pointer, False),
            "version": 3,
            # 1 is the name of the default stream here, as in DLPack; 0 is not allowed.
            "stream": None if self.pending is None else self.pending or 1,
        }

    def __dlpack__(self, stream: int | None = None, **_options: Any) -> Any:
        if stream != -1:  # -1: the consumer does its own waiting
            self.settle((0 if stream == 1 else stream) or 0)
        v = self.view
        return dlpack.capsule(v.pointer, v.device, v.shape, v.strides, v.dtype, self.memory)

    def __dlpack_device__(self) -> tuple[int, int]:
        return dlpack.CUDA, self.device.ordinal

    def settle(self, stream: int) -> None:
        """Wait for pending work unless it is on the stream that will use the array."""
        if self.pending is not None and self.pending != stream:
            self.device.synchronize(self.pending)

    def reshape(self, *shape: int) -> DeviceArray:
        """The same numbers in another shape of the same size."""
        other = copy(self)
        other.shape = shape
        return other

    def fill(self, array: np.ndarray[Any, Any], stream: int = 0) -> None:
        """Copy a NumPy array of the same shape and dtype to it."""
        source = np.ascontiguousarray(array, self.dtype)
        self.memory.fill(source.ctypes.data, source.nbytes, stream)
        self.device.synchronize(stream)  # the source may be freed

    def to_numpy(self, stream: int = 0) -> np.ndarray[Any, Any]:
        """Copy to a NumPy array."""
        self.settle(stream)
        return copied(self.view, stream)

    def __repr__(self) -> str:
        return f"<array {self.shape}, {self.dtype}, on {self.device}>"


def copied(view: View, stream: int = 0) -> np.ndarray[Any, Any]:
    """Copy of contiguous numbers in host memory."""
    result = np.empty(view.shape, view.dtype)
    if result.nbytes:
        read(device(max(view.device, 0)), view.pointer, result.ctypes.data, result.nbytes, stream)
    return result


def by_interface(x: Any, stream: int = 0) -> View:
    """View of an array that has `__cuda_array_interface__`, for work on a stream."""
    found: dict[str, Any] = x.__cuda_array_interface__
    kind = found["typestr"]
    if kind not in DTYPES:
        raise EvaluationError(
            f"An array must have dtype float32 or float64, got {brief(kind)}; convert it first."
        )
    dtype, shape, pointer = DTYPES[kind], tuple(found["shape"]), int(found["data"][0])
    item = 8 if dtype == "float64" else 4
    strides = found.get("strides") or dlpack.contiguous(shape, item)
    where = device_of(pointer) if pointer else -1  # an empty array may have no address
    pending = found.get("stream")  # with possibly unfinished work on the array
    if pointer and pending is not None and pending != (stream or 1):
        device(where).synchronize(pending)
    return View(pointer, shape, tuple(strides), dtype, where, x)


def by_dlpack(x: Any, stream: int) -> View:
    """View of an array that has `__dlpack__`."""
    t = dlpack.Taken(x, stream)
    return View(t.pointer, t.shape, t.strides, t.dtype, t.device, t)
