"""NVIDIA's driver (libcuda) through ctypes: no toolkit, no compiler, every return code checked.

All calls of this process go through one `Driver`. A failed call raises a DeviceError with the name
of the function, the driver's name for the error and the operation that failed.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any, Final, final

from ....errors import DeviceError

P: Final = ctypes.c_void_p
I: Final = ctypes.c_int
U: Final = ctypes.c_uint
S: Final = ctypes.c_size_t
TO: Final = ctypes.POINTER
OUT_OF_MEMORY: Final = 2

FUNCTIONS: Final[dict[str, tuple[Any, ...]]] = {  # name -> argument types; all return an int
    "cuInit": (U,),
    "cuDriverGetVersion": (TO(I),),
    "cuDeviceGetCount": (TO(I),),
    "cuDeviceGet": (TO(I), I),
    "cuDeviceGetName": (ctypes.c_char_p, I, I),
    "cuDeviceGetAttribute": (TO(I), I, I),
    "cuDeviceTotalMem_v2": (TO(S), I),
    "cuDevicePrimaryCtxRetain": (TO(P), I),
    "cuCtxPushCurrent_v2": (P,),
    "cuCtxPopCurrent_v2": (TO(P),),
    "cuCtxSynchronize": (),
    "cuMemGetInfo_v2": (TO(S), TO(S)),
    "cuMemAlloc_v2": (TO(P), S),
    "cuMemFree_v2": (P,),
    "cuMemcpyHtoDAsync_v2": (P, P, S, P),
    "cuMemcpyDtoHAsync_v2": (P, P, S, P),
    "cuMemcpyDtoDAsync_v2": (P, P, S, P),
    "cuPointerGetAttribute": (P, I, P),
    "cuStreamSynchronize": (P,),
    "cuStreamGetCtx": (P, TO(P)),
    "cuStreamIsCapturing": (P, TO(I)),
    "cuModuleLoadDataEx": (TO(P), P, U, TO(I), TO(P)),
    "cuModuleGetFunction": (TO(P), P, ctypes.c_char_p),
    "cuModuleUnload": (P,),
    "cuFuncGetAttribute": (TO(I), I, P),
    "cuFuncSetAttribute": (P, I, I),
    "cuLaunchKernel": (P, U, U, U, U, U, U, U, P, TO(P), TO(P)),
    "cuEventCreate": (TO(P), U),
    "cuEventRecord": (P, P),
    "cuEventSynchronize": (P,),
    "cuEventElapsedTime": (TO(ctypes.c_float), P, P),
    "cuEventDestroy_v2": (P,),
}
_LIBRARIES: Final = {"win32": ("nvcuda.dll",)}


@final
class Driver:
    """The functions of libcuda; `driver.cuInit(0, doing="...")` raises unless it returns 0."""

    def __init__(self, library: Any) -> None:
        self._library = library
        self._functions: dict[str, Any] = {}
        for name, types in FUNCTIONS.items():
            try:
                function = getattr(library, name)
            except AttributeError:
                raise DeviceError(
                    f"CUDA: the driver must have the function {name} (CUDA 11.8 or later), but it does "
                    "not; update the NVIDIA driver."
                ) from None
            function.argtypes, function.restype = types, I
            self._functions[name] = function

    def call(self, name: str, *arguments: Any, doing: str) -> None:
        """Call a function; DeviceError unless it succeeds."""
        code: int = self._functions[name](*arguments)
        if code:
            raise self.error(name, code, doing)

    def code(self, name: str, *arguments: Any) -> int:
        """Call a function and return its code, 0 for success."""
        return self._functions[name](*arguments)

    def address(self, name: str) -> int:
        """Address of a function, for code that calls it without Python."""
        found = ctypes.cast(self._functions[name], P).value
        assert found is not None
        return found

    def error(self, name: str, code: int, doing: str) -> DeviceError:
        """Error of a call that returned `code`."""
        advice = "; use smaller batches, or free memory" if code == OUT_OF_MEMORY else ""
        return DeviceError(
            f"CUDA: {doing} failed: got {self._text('cuGetErrorName', code)} "
            f"({self._text('cuGetErrorString', code)}) from {name}{advice}.",
            code,
        )

    def _text(self, function: str, code: int) -> str:
        found = ctypes.c_char_p()
        if getattr(self._library, function)(I(code), ctypes.byref(found)) or not found.value:
            return f"error {code}"
        return found.value.decode(errors="replace")

    @property
    def version(self) -> tuple[int, int]:
        """CUDA version that the driver supports."""
        found = I()
        self.call("cuDriverGetVersion", ctypes.byref(found), doing="reading the driver's version")
        return found.value // 1000, found.value % 1000 // 10


@cache
def driver() -> Driver:
    """The driver, initialised; a DeviceError says what is missing."""
    names = _LIBRARIES.get(sys.platform, ("libcuda.so.1", "libcuda.so"))
    library = None
    for name in names:
        try:
            library = ctypes.CDLL(name)
            break
        except OSError:
            continue
    if library is None:
        raise DeviceError(
            f'CUDA: device="cuda" needs an NVIDIA GPU and its driver, but {names[0]} was not found; '
            'install the NVIDIA driver, or compile for the CPU (device="cpu").'
        )
    found = Driver(library)
    found.call("cuInit", 0, doing="starting the driver (is there a GPU?)")
    return found


def device_count() -> int:
    """Number of GPUs."""
    count = I()
    driver().call("cuDeviceGetCount", ctypes.byref(count), doing="counting devices")
    return count.value
