"""Device: one GPU in its primary context, which PyTorch, JAX and CuPy use too."""

from __future__ import annotations

import ctypes
from collections.abc import Generator
from contextlib import contextmanager
from functools import cache, cached_property
from typing import Any, Final, final

from ....errors import DeviceError
from .driver import Driver, device_count, driver

_MAJOR, _MINOR, _PROCESSORS, _CLOCK, _MEMORY_CLOCK, _SHARED = 75, 76, 16, 13, 36, 97
_SHARED_OF_ALL, _RESERVED = 81, 111  # of a multiprocessor, and by the driver for each block
_DEVICE_OF_POINTER: Final = 9


@final
class Device:
    """One GPU: its properties, memory and copies; `with device.current()` makes its context current."""

    def __init__(self, ordinal: int) -> None:
        count = device_count()
        if not 0 <= ordinal < count:
            raise DeviceError(
                f"CUDA: the device number must be below {count}, the number of available GPUs, got "
                f"{ordinal}."
            )
        self.ordinal = ordinal
        handle = ctypes.c_int()
        self.call("cuDeviceGet", ctypes.byref(handle), ordinal, doing=f"finding device {ordinal}")
        self._handle = handle.value
        context = ctypes.c_void_p()
        doing = f"opening the primary context of {self}"
        self.call("cuDevicePrimaryCtxRetain", ctypes.byref(context), self._handle, doing=doing)
        self._context = context

    @property
    def context(self) -> int:
        """The driver's handle of the primary context."""
        return self._context.value or 0

    @property
    def driver(self) -> Driver:
        return driver()

    def call(self, name: str, *arguments: Any, doing: str) -> None:
        """Call a function of the driver; DeviceError unless it succeeds."""
        driver().call(name, *arguments, doing=doing)

    @cached_property
    def name(self) -> str:
        """Name of the GPU: "NVIDIA H200"."""
        text = ctypes.create_string_buffer(128)
        doing = f"reading the name of device {self.ordinal}"
        self.call("cuDeviceGetName", text, 128, self._handle, doing=doing)
        return text.value.decode(errors="replace")

    def attribute(self, number: int) -> int:
        """Property of the device, by its number in CUDA's list (CUdevice_attribute)."""
        found = ctypes.c_int()
        doing = f"reading property {number} of device {self.ordinal}"
        self.call("cuDeviceGetAttribute", ctypes.byref(found), number, self._handle, doing=doing)
        return found.value

    @cached_property
    def capability(self) -> tuple[int, int]:
        """Compute capability: (9, 0) for an H200."""
        return self.attribute(_MAJOR), self.attribute(_MINOR)

    @cached_property
    def processors(self) -> int:
        """Number of multiprocessors."""
        return self.attribute(_PROCESSORS)

    @cached_property
    def shared(self) -> int:
        """Largest shared memory of a block [bytes]."""
        return self.attribute(_SHARED)

    def room(self, blocks: int) -> int:
        """Largest shared memory of a block if several blocks share a multiprocessor [bytes]."""
        each = self.attribute(_SHARED_OF_ALL) // blocks - self.attribute(_RESERVED)
        return min(self.shared, each)

    @property
    def clocks(self) -> tuple[float, float]:
        """Highest clocks of the multiprocessors and of the memory [GHz]."""
        return self.attribute(_CLOCK) / 1e6, self.attribute(_MEMORY_CLOCK) / 1e6

    @property
    def memory(self) -> tuple[int, int]:
        """Free and total memory [bytes]."""
        free, total = ctypes.c_size_t(), ctypes.c_size_t()
        doing = f"reading the memory of {self}"
        with self.current():
            self.call("cuMemGetInfo_v2", ctypes.byref(free), ctypes.byref(total), doing=doing)
        return free.value, total.value

    @contextmanager
    def current(self) -> Generator[None]:
        """Make the context of this device current in this thread; the previous one is restored."""
        self.call("cuCtxPushCurrent_v2", self._context, doing=f"switching to {self}")
        try:
            yield
        finally:
            before = ctypes.c_void_p()
            driver().code("cuCtxPopCurrent_v2", ctypes.byref(before))

    def synchronize(self, stream: int = 0) -> None:
        """Wait for all work of a stream."""
        with self.current():
            self.call("cuStreamSynchronize", stream, doing=f"work on {self}")

    def __repr__(self) -> str:
        return (
            f"cuda:{self.ordinal} ({self.name})"
            if "name" in self.__dict__
            else f"cuda:{self.ordinal}"
        )


@cache
def device(ordinal: int = 0) -> Device:
    """A GPU by its number, from 0."""
    return Device(ordinal)


def device_of(pointer: int) -> int:
    """Number of the device that owns the memory at an address."""
    found = ctypes.c_int(-1)
    with device(0).current():
        driver().call(
            "cuPointerGetAttribute", ctypes.byref(found), _DEVICE_OF_POINTER, pointer,
            doing="finding the device of an array",
        )  # fmt: skip
    return found.value


@final
class Memory:
    """Memory on a device, freed with the last reference."""

    device: Device
    size: int
    pointer: int

    def __init__(self, device: Device, size: int, doing: str) -> None:
        self.device, self.size, self.pointer = device, size, 0
        if size:
            found = ctypes.c_void_p()
            with device.current():
                device.call("cuMemAlloc_v2", ctypes.byref(found), size, doing=doing)
            assert found.value
            self.pointer = found.value

    def fill(self, data: int, size: int, stream: int = 0) -> None:
        """Copy `size` bytes from a host address."""
        if size:
            with self.device.current():
                self.device.call(
                    "cuMemcpyHtoDAsync_v2", self.pointer, data, size, stream,
                    doing=f"copying {size} bytes to {self.device}",
                )  # fmt: skip

    def __del__(self) -> None:
        if self.pointer:
            try:
                with self.device.current():
                    self.device.driver.code("cuMemFree_v2", self.pointer)
            except Exception:  # when Python exits, the driver may already be gone
                pass


def read(device: Device, pointer: int, target: int, size: int, stream: int = 0) -> None:
    """Copy bytes from a device to a host address, and wait until done."""
    doing = f"copying {size} bytes from {device}"
    with device.current():
        device.call("cuMemcpyDtoHAsync_v2", target, pointer, size, stream, doing=doing)
        device.call("cuStreamSynchronize", stream, doing=doing)
