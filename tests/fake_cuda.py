"""A driver of CUDA in the host's memory, for tests without a GPU: kernels are run by the CPU's code.

Memory is the host's, and a launch reads its arguments as a kernel would: count, then for each array an
address and two strides, or numbers by value, as the parameters of the PTX say.
"""

from __future__ import annotations

import ctypes
import re
from typing import Any

import numpy as np

NAMES = (
    "cuInit", "cuCtxPushCurrent_v2", "cuCtxPopCurrent_v2", "cuCtxSynchronize", "cuStreamSynchronize",
    "cuStreamGetCtx",
    "cuModuleUnload", "cuEventCreate", "cuEventRecord",
    "cuEventSynchronize", "cuEventElapsedTime", "cuEventDestroy_v2",
)  # fmt: skip


class Function:
    """A function of the library: `argtypes` and `restype` can be set, as with ctypes."""

    def __init__(self, action: Any) -> None:
        self.action = action
        self.argtypes: Any = ()
        self.restype: Any = None

    def __call__(self, *arguments: Any) -> int:
        return self.action(*arguments) or 0


def put(reference: Any, value: int) -> None:
    """Write through ctypes.byref."""
    reference._obj.value = value


class FakeCuda:
    """The library; `limit` is the number of bytes there are.

    `launches` has the function, blocks, parts, threads and shared memory of each launch.
    """

    def __init__(self, cpu: Any, devices: int = 1, limit: int = 2**28) -> None:
        self.cpu, self.devices, self.limit = cpu, devices, limit
        self.memory: dict[int, Any] = {}
        self.texts: list[bytes] = []
        self.launches: list[tuple[str, int, int, int, int]] = []
        self.fail: dict[str, int] = {}
        self.function: Any = None  # what the next launch runs
        self.run: Any = None  # or what is called with its arguments
        self.capturing = False  # whether streams are recorded
        self.spills = True  # whether the driver knows spilling to shared memory
        for name in NAMES:
            setattr(self, name, Function(lambda *_: 0))
        for name in dir(type(self)):
            if name.startswith("do_"):
                setattr(self, name[3:], Function(self._checked(name[3:], getattr(self, name))))

    def _checked(self, name: str, action: Any) -> Any:
        def run(*arguments: Any) -> int:
            return self.fail[name] if name in self.fail else action(*arguments)

        return run

    def cuGetErrorName(self, code: Any, found: Any) -> int:
        found._obj.value = b"CUDA_ERROR_OUT_OF_MEMORY" if code.value == 2 else None
        return 0

    def cuGetErrorString(self, code: Any, found: Any) -> int:
        found._obj.value = b"out of memory" if code.value == 2 else None
        return 0

    def do_cuDriverGetVersion(self, found: Any) -> None:
        put(found, 13000)

    def do_cuDeviceGetCount(self, found: Any) -> None:
        put(found, self.devices)

    def do_cuDeviceGet(self, found: Any, number: int) -> None:
        put(found, number)

    def do_cuDeviceGetName(self, text: Any, size: int, number: int) -> None:
        text.value = b"Fake GPU"

    def do_cuDeviceGetAttribute(self, found: Any, number: int, device: int) -> None:
        put(
            found,
            {
                75: 9,
                76: 0,
                16: 4,
                97: 200_000,
                13: 1_500_000,
                36: 3_000_000,
                81: 233_472,
                111: 1024,
            }[number],
        )

    def do_cuDeviceTotalMem_v2(self, found: Any, device: int) -> None:
        put(found, self.limit)

    def do_cuDevicePrimaryCtxRetain(self, found: Any, device: int) -> None:
        put(found, 1)

    def do_cuMemGetInfo_v2(self, free: Any, total: Any) -> None:
        put(free, self.limit - self.used)
        put(total, self.limit)

    @property
    def used(self) -> int:
        return sum(len(x) for x in self.memory.values())

    def do_cuMemAlloc_v2(self, found: Any, size: int) -> int:
        if self.used + size > self.limit:
            return 2
        buffer = ctypes.create_string_buffer(size)
        self.memory[ctypes.addressof(buffer)] = buffer
        put(found, ctypes.addressof(buffer))
        return 0

    def do_cuMemFree_v2(self, pointer: int) -> None:
        self.memory.pop(pointer)

    def do_cuMemcpyHtoDAsync_v2(self, target: int, source: int, size: int, stream: int) -> None:
        ctypes.memmove(target, source, size)

    def do_cuMemcpyDtoHAsync_v2(self, target: int, source: int, size: int, stream: int) -> None:
        ctypes.memmove(target, source, size)

    def do_cuMemcpyDtoDAsync_v2(self, target: int, source: int, size: int, stream: int) -> None:
        ctypes.memmove(target, source, size)

    def do_cuPointerGetAttribute(self, found: Any, number: int, pointer: int) -> None:
        put(found, 0)

    def do_cuModuleLoadDataEx(
        self, module: Any, code: bytes, count: int, keys: Any, values: Any
    ) -> int:
        if b".pragma" in code and not self.spills:
            return 218
        self.texts.append(code.rstrip(b"\0"))
        put(module, len(self.texts))  # the number of its text
        return 0

    def do_cuModuleGetFunction(self, kernel: Any, module: Any, name: bytes) -> None:
        assert name == b"kernel"
        put(kernel, module.value)

    def do_cuFuncGetAttribute(self, found: Any, number: int, kernel: Any) -> None:
        put(found, {4: 100, 3: 16}[number])

    def do_cuFuncSetAttribute(self, kernel: Any, number: int, value: int) -> None:
        assert number in (8, 9)

    def do_cuStreamIsCapturing(self, stream: Any, found: Any) -> None:
        put(found, int(self.capturing))

    def do_cuLaunchKernel(
        self, kernel: Any, blocks: int, parts: int, _z: int, threads: int, _y: int, _x: int,
        shared: int, stream: int, table: Any, more: Any,
    ) -> None:  # fmt: skip
        if self.run is not None:
            self.run(table)
            return
        text = self.texts[kernel.value - 1].decode()
        if "globaltimer" in text:  # a pause
            return
        f = self.function
        count = ctypes.c_int64.from_address(table[0]).value
        assert 0 < count <= blocks * threads
        assert shared <= 200_000
        self.launches.append((f.name, blocks, parts, threads, shared))
        kinds = re.findall(r"\.param (\.u64|\.align \d+ \.b8)[^,)]*kernel_param_\d+", text)
        dtype = np.dtype("float64" if ".f64" in text else "float32")  # %f64 is a register
        place, inputs = 1, []
        for reader in f.readers.values():
            n = reader.part.size
            if kinds[place] != ".u64":
                address, step = table[place], (0, dtype.itemsize)
                place += 1
            else:
                address, *step = (
                    ctypes.c_int64.from_address(table[place + i]).value for i in range(3)
                )
                place += 3
            inputs.append(array(address, (count, n), step, dtype))
        results = run(f, dict(zip(f.readers, inputs, strict=True)), dtype)
        for y, size in zip(results, f.sizes, strict=True):
            address, *step = (ctypes.c_int64.from_address(table[place + i]).value for i in range(3))
            place += 3
            array(address, (count, size), step, dtype)[...] = y.reshape(count, size)
        assert place == len(kinds)


def array(address: int, shape: tuple[int, int], step: Any, dtype: Any) -> Any:
    """Array at an address, with strides in bytes."""
    length = sum((n - 1) * s for n, s in zip(shape, step, strict=True)) + dtype.itemsize
    buffer = (ctypes.c_char * length).from_address(address)
    return np.ndarray(shape, dtype, buffer, strides=tuple(step))


def run(f: Any, inputs: dict[str, Any], dtype: Any) -> list[Any]:
    """Results of the CPU for arguments as a kernel has them, parameters included."""
    values = inputs.pop("parameters", None)
    table = None
    if values is not None:
        names = f.readers["parameters"].part.names
        table = {n: values[:, i].astype("float64") for i, n in enumerate(names)}
    external = inputs.pop("external", None)
    found = f(*inputs.values(), values=table, external=external)
    return list(found) if isinstance(found, tuple) else [found]
