"""Image: PTX translated for one device by its driver, with what it takes, and loaded."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from typing import Any, Final, final

from .device import Device

_PTX: Final = 1  # CU_JIT_INPUT_PTX
_MAX_REGISTERS, _INFO, _INFO_SIZE, _ERROR, _ERROR_SIZE, _VERBOSE = 0, 3, 4, 5, 6, 12
_LOG: Final = 16384  # bytes
_REGISTERS, _LOCAL = 4, 3  # CU_FUNC_ATTRIBUTE_NUM_REGS, _LOCAL_SIZE_BYTES


def translate(device: Device, ptx: str, registers: int | None = None) -> bytes:
    """Machine code of PTX for a device, with at most so many registers per thread."""
    info, error = ctypes.create_string_buffer(_LOG), ctypes.create_string_buffer(_LOG)
    options: dict[int, Any] = {
        _INFO: ctypes.addressof(info),
        _INFO_SIZE: _LOG,
        _ERROR: ctypes.addressof(error),
        _ERROR_SIZE: _LOG,
    }
    if registers is not None:
        options[_MAX_REGISTERS] = registers
    keys = (ctypes.c_int * len(options))(*options)
    values = (ctypes.c_void_p * len(options))(*options.values())
    text = ptx.encode() + b"\0"
    link, code, size = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_size_t()
    doing = f"translating PTX for {device}"
    with device.current():
        device.call(
            "cuLinkCreate_v2", len(options), keys, values, ctypes.byref(link), doing=doing
        )
        try:
            failed = device.driver.code(
                "cuLinkAddData_v2", link, _PTX, text, len(text), b"kernel.ptx", 0, None, None
            )
            if failed:
                log = error.value.decode(errors="replace").strip()[:300]
                raise device.driver.error("cuLinkAddData_v2", failed, f"{doing} ({log})")
            device.call(
                "cuLinkComplete", link, ctypes.byref(code), ctypes.byref(size), doing=doing
            )
            return ctypes.string_at(code.value or 0, size.value)
        finally:
            device.driver.code("cuLinkDestroy", link)


@final
@dataclass(frozen=True)
class Resources:
    """What one thread of a kernel takes."""

    registers: int
    local: int  # bytes of local memory, for values that find no register

    def __str__(self) -> str:
        return f"{self.registers} registers, {self.local} bytes of local memory"


@final
class Image:
    """A kernel on a device, ready to be launched."""

    def __init__(self, device: Device, code: bytes, function: str, parts: int = 1) -> None:
        self.device, self.function, self.parts = device, function, parts
        module, kernel = ctypes.c_void_p(), ctypes.c_void_p()
        with device.current():
            doing = f"loading {function} on {device}"
            device.call("cuModuleLoadData", ctypes.byref(module), code, doing=doing)
            device.call(
                "cuModuleGetFunction", ctypes.byref(kernel), module, b"kernel", doing=doing
            )
        self._module, self._kernel = module, kernel
        self.resources = Resources(self._attribute(_REGISTERS), self._attribute(_LOCAL))

    def _attribute(self, number: int) -> int:
        found = ctypes.c_int()
        with self.device.current():
            self.device.call(
                "cuFuncGetAttribute", ctypes.byref(found), number, self._kernel,
                doing=f"reading what {self.function} takes",
            )  # fmt: skip
        return found.value

    def launch(
        self, blocks: int, threads: int, arguments: Any, stream: int, doing: str
    ) -> None:
        """Start the kernel on a stream; `arguments` is a table of addresses of its arguments."""
        device = self.device
        with device.current():
            device.call(
                "cuLaunchKernel", self._kernel, blocks, self.parts, 1, threads, 1, 1, 0, stream,
                arguments, None, doing=doing,
            )  # fmt: skip

    def __del__(self) -> None:
        try:
            with self.device.current():
                self.device.driver.code("cuModuleUnload", self._module)
        except Exception:  # noqa: S110  at exit the driver may be gone, and the module with it
            pass


def used_by_ptxas(text: str) -> Resources:
    """What `ptxas -v` says that a kernel takes.

    >>> used_by_ptxas("0 bytes stack frame, 8 bytes spill stores, 8 bytes spill loads, Used 40 registers")
    Resources(registers=40, local=8)
    """
    registers = re.search(r"Used (\d+) registers", text)
    spills = re.search(r"(\d+) bytes spill stores", text)
    return Resources(int(registers[1]) if registers else 0, int(spills[1]) if spills else 0)
