"""Image: a kernel that the driver has translated from PTX for its device and loaded.

The driver caches translations on disk, so a second process loads them at once.
"""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from typing import Any, Final, final

from .device import Device
from .ptx import undirected

_ERROR, _ERROR_SIZE = 5, 6  # CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES
_LOG: Final = 16384  # bytes
_REGISTERS, _LOCAL = 4, 3  # CU_FUNC_ATTRIBUTE_NUM_REGS, _LOCAL_SIZE_BYTES
_MOST_SHARED, _CARVEOUT = 8, 9  # CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, _PREFERRED_…
_REJECTED: Final = (218, 222)  # invalid PTX, unsupported version of PTX


@final
@dataclass(frozen=True)
class Resources:
    """Resources of one thread of a kernel."""

    registers: int
    local: int  # bytes of local memory, for values without a register

    def __str__(self) -> str:
        return f"{self.registers} registers, {self.local} bytes of local memory"


@final
class Image:
    """A kernel on a device, ready to be launched."""

    device: Device
    function: str
    parts: int

    def __init__(
        self, device: Device, ptx: str, function: str, parts: int = 1, shared: int = 0
    ) -> None:
        self.device, self.function, self.parts = device, function, parts
        self.shared = shared  # bytes of shared memory per launch
        self._module, self._kernel = ctypes.c_void_p(), ctypes.c_void_p()
        doing = f"translating {function} for {device}"
        with device.current():
            rejected, log = self._load(ptx)
            if rejected in _REJECTED:  # a driver that does not know these directives
                rejected, log = self._load(undirected(ptx))
            if rejected:
                raise device.driver.error("cuModuleLoadDataEx", rejected, f"{doing} ({log})")
            device.call(
                "cuModuleGetFunction",
                ctypes.byref(self._kernel),
                self._module,
                b"kernel",
                doing=doing,
            )
        if shared:
            self._set(_MOST_SHARED, shared)
            self._set(_CARVEOUT, 100)  # percent of the L1 cache to use as shared memory
        self.resources: Resources = Resources(self._attribute(_REGISTERS), self._attribute(_LOCAL))

    def _load(self, ptx: str) -> tuple[int, str]:
        """Translate and load; the return code of the driver, and its log."""
        log = ctypes.create_string_buffer(_LOG)
        options = {_ERROR: ctypes.addressof(log), _ERROR_SIZE: _LOG}
        keys = (ctypes.c_int * len(options))(*options)
        values = (ctypes.c_void_p * len(options))(*options.values())
        code = self.device.driver.code(
            "cuModuleLoadDataEx", ctypes.byref(self._module), ptx.encode() + b"\0", len(options), keys,
            values,
        )  # fmt: skip
        return code, log.value.decode(errors="replace").strip()[:300]

    @property
    def handle(self) -> int:
        """The driver's handle of the kernel."""
        return self._kernel.value or 0

    def _attribute(self, number: int) -> int:
        found = ctypes.c_int()
        with self.device.current():
            self.device.call(
                "cuFuncGetAttribute", ctypes.byref(found), number, self._kernel,
                doing=f"reading the resources of {self.function}",
            )  # fmt: skip
        return found.value

    def _set(self, number: int, value: int) -> None:
        with self.device.current():
            self.device.call(
                "cuFuncSetAttribute", self._kernel, number, value,
                doing=f"reserving {self.shared} bytes of shared memory for {self.function}",
            )  # fmt: skip

    def launch(self, blocks: int, threads: int, arguments: Any, stream: int, doing: str) -> None:
        """Start the kernel on a stream; `arguments` is a table of addresses of its arguments."""
        device = self.device
        with device.current():
            device.call(
                "cuLaunchKernel", self._kernel, blocks, self.parts, 1, threads, 1, 1, self.shared,
                stream, arguments, None, doing=doing,
            )  # fmt: skip

    def __del__(self) -> None:
        try:
            with self.device.current():
                self.device.driver.code("cuModuleUnload", self._module)
        except Exception:  # when Python exits, the driver may already be gone
            pass


def used_by_ptxas(text: str) -> Resources:
    """Resources of a kernel as printed by `ptxas -v`.

    >>> used_by_ptxas("8 bytes spill stores, 8 bytes spill loads; Used 40 registers")
    Resources(registers=40, local=8)
    """
    registers = re.search(r"Used (\d+) registers", text)
    spills = re.search(r"(\d+) bytes spill stores", text)
    return Resources(int(registers[1]) if registers else 0, int(spills[1]) if spills else 0)
