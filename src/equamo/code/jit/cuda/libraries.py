"""Libraries whose arrays a call takes and returns: PyTorch, CuPy, JAX, and others by interface."""

from __future__ import annotations

import sys
from abc import ABC, abstractmethod
from contextlib import AbstractContextManager, nullcontext
from importlib import import_module
from typing import Any, Final, final

import numpy as np

from ....errors import DeviceError, EvaluationError
from . import dlpack
from .arrays import DTYPES, DeviceArray, View, by_dlpack, by_interface, copied
from .device import Device, device

_OUT_OF_MEMORY: Final = 2


class Library(ABC):
    """An array library: how to read an array, to create one, and which stream is current."""

    name: str

    @abstractmethod
    def view(self, x: Any, stream: int) -> View:
        """Location of the numbers of an array."""

    @abstractmethod
    def empty(self, place: Device, shape: tuple[int, ...], dtype: str, columns: bool) -> Any:
        """New array (N, …); with `columns`, consecutive states are contiguous."""

    @abstractmethod
    def to_numpy(self, x: Any) -> Any:
        """Copy in host memory."""

    def stream(self, place: Device) -> int:
        """The current stream of a device."""
        return 0

    def using(self, place: Device, stream: int) -> AbstractContextManager[Any]:
        """Make a stream current, so that new arrays do not reuse memory in use on another stream."""
        return nullcontext()

    def finished(self, x: Any, place: Device, stream: int) -> Any:
        """Result for the user, after all work was queued on the stream."""
        return x


@final
class Torch(Library):
    """PyTorch."""

    name = "torch"

    def __init__(self) -> None:
        self._torch: Any = sys.modules["torch"]
        self._dtypes = {self._torch.float64: "float64", self._torch.float32: "float32"}

    def view(self, x: Any, stream: int) -> View:
        if x.requires_grad and self._torch.is_grad_enabled():
            raise EvaluationError(
                "A tensor must not require a gradient, since the result would have none; "
                "pass x.detach(), or call fast.to_torch()."
            )
        if x.dtype not in self._dtypes:
            raise EvaluationError(
                f"A tensor must have dtype float32 or float64, got {x.dtype}; convert it first."
            )
        item = x.element_size()
        strides = tuple(item * s for s in x.stride())
        return View(x.data_ptr(), tuple(x.shape), strides, self._dtypes[x.dtype], x.device.index, x)

    def empty(self, place: Device, shape: tuple[int, ...], dtype: str, columns: bool) -> Any:
        torch = self._torch
        order = (*shape[1:], shape[0]) if columns else shape
        try:
            found = torch.empty(order, dtype=getattr(torch, dtype), device=f"cuda:{place.ordinal}")
        except torch.OutOfMemoryError as error:
            raise out_of_memory(shape, dtype, place) from error
        return found.movedim(-1, 0) if columns else found

    def to_numpy(self, x: Any) -> Any:
        return x.cpu().numpy()

    def stream(self, place: Device) -> int:
        return self._torch.cuda.current_stream(place.ordinal).cuda_stream

    def using(self, place: Device, stream: int) -> AbstractContextManager[Any]:
        cuda = self._torch.cuda
        return cuda.stream(cuda.ExternalStream(stream, device=place.ordinal))


@final
class CuPy(Library):
    """CuPy."""

    name = "cupy"

    def __init__(self) -> None:
        self._cupy: Any = sys.modules["cupy"]

    def view(self, x: Any, stream: int) -> View:
        kind = x.dtype.str
        if kind not in DTYPES:
            raise EvaluationError(
                f"An array must have dtype float32 or float64, got {x.dtype}; convert it first."
            )
        return View(x.data.ptr, x.shape, x.strides, DTYPES[kind], x.device.id, x)

    def empty(self, place: Device, shape: tuple[int, ...], dtype: str, columns: bool) -> Any:
        cupy = self._cupy
        order = (*shape[1:], shape[0]) if columns else shape
        with cupy.cuda.Device(place.ordinal):
            try:
                found = cupy.empty(order, dtype)
            except cupy.cuda.memory.OutOfMemoryError as error:
                raise out_of_memory(shape, dtype, place) from error
        return cupy.moveaxis(found, -1, 0) if columns else found

    def to_numpy(self, x: Any) -> Any:
        return x.get()

    def stream(self, place: Device) -> int:
        with self._cupy.cuda.Device(place.ordinal):  # each device has its own
            return self._cupy.cuda.get_current_stream().ptr

    def using(self, place: Device, stream: int) -> AbstractContextManager[Any]:
        return self._cupy.cuda.ExternalStream(stream, place.ordinal)


@final
class Jax(Library):
    """JAX: its arrays are ready before the launch, and the result is ready when it is returned."""

    name = "jax"

    def view(self, x: Any, stream: int) -> View:
        return by_interface(x.block_until_ready(), stream)

    def empty(self, place: Device, shape: tuple[int, ...], dtype: str, columns: bool) -> Any:
        return Other().empty(place, shape, dtype, columns)

    def to_numpy(self, x: Any) -> Any:
        return np.asarray(x)

    def finished(self, x: Any, place: Device, stream: int) -> Any:
        place.synchronize(stream)
        return import_module("jax.dlpack").from_dlpack(x)


@final
class Other(Library):
    """Arrays with `__cuda_array_interface__` or `__dlpack__`; results are a `DeviceArray`."""

    name = "other"

    def view(self, x: Any, stream: int) -> View:
        if isinstance(x, DeviceArray):
            x.settle(stream)
            return x.view
        known = hasattr(x, "__cuda_array_interface__")
        return by_interface(x, stream) if known else by_dlpack(x, stream)

    def empty(self, place: Device, shape: tuple[int, ...], dtype: str, columns: bool) -> Any:
        return DeviceArray(place, shape, dtype, f"allocating {dtype} {shape} on {place}")

    def finished(self, x: Any, place: Device, stream: int) -> Any:
        x.pending = stream
        return x

    def to_numpy(self, x: Any) -> Any:
        view = self.view(x, 0)
        if not view.is_rows:
            raise EvaluationError(
                f"Parameter values must be contiguous, got strides {view.strides}; pass "
                "a contiguous array."
            )
        return copied(view)


def library_of(x: Any) -> Library | None:
    """Library of an array on a device; None for anything else, including arrays in host memory."""
    root = type(x).__module__.partition(".")[0]
    if root == "torch":
        return Torch() if getattr(x, "is_cuda", False) else None
    if root == "cupy":
        return CuPy()
    if root in ("jax", "jaxlib"):
        return Jax() if _on_gpu(x) else None
    if isinstance(x, DeviceArray) or hasattr(x, "__cuda_array_interface__"):
        return Other()
    if hasattr(x, "__dlpack_device__") and root != "numpy":
        kind, _ = x.__dlpack_device__()
        return Other() if int(kind) in (dlpack.CUDA, dlpack.MANAGED) else None
    return None


def _on_gpu(x: Any) -> bool:
    devices = getattr(x, "devices", None)
    return devices is not None and all(d.platform == "gpu" for d in devices())


def out_of_memory(shape: tuple[int, ...], dtype: str, place: Device) -> DeviceError:
    """Error if a result does not fit in memory."""
    free, total = place.memory
    return DeviceError(
        f"CUDA: cannot allocate {dtype} {shape} on {device(place.ordinal)}: only "
        f"{free / 2**30:.3g} of {total / 2**30:.3g} GiB are free; use smaller batches, or free memory.",
        _OUT_OF_MEMORY,
    )
