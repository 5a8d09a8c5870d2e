"""DLPack: address, shape and strides of arrays of other libraries, and export of ours."""

from __future__ import annotations

import ctypes
from typing import Any, Final, final

from ....errors import EvaluationError

CUDA: Final = 2  # kDLCUDA
MANAGED: Final = 13  # kDLCUDAManaged
_FLOAT: Final = 2  # kDLFloat
_NAME: Final = b"dltensor"
_USED: Final = b"used_dltensor"


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_type", ctypes.c_int32),
        ("device_id", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    _fields_ = (("tensor", _Tensor), ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p))


_Deleter = ctypes.CFUNCTYPE(None, ctypes.c_void_p)
_python: Final = ctypes.pythonapi
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = (ctypes.py_object, ctypes.c_char_p)
_python.PyCapsule_IsValid.argtypes = (ctypes.c_void_p, ctypes.c_char_p)
_new_capsule: Final = ctypes.PYFUNCTYPE(
    ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)(("PyCapsule_New", _python))
_Destructor = ctypes.PYFUNCTYPE(None, ctypes.c_void_p)


@final
class Taken:
    """An array of another library, read through DLPack; it stays alive with this object."""

    strides: tuple[int, ...]

    def __init__(self, array: Any, stream: int) -> None:
        # Streams 1 and 2 are DLPack's names of the two default streams; 0 is not allowed.
        capsule = array.__dlpack__(stream=stream or 1)
        address = _python.PyCapsule_GetPointer(capsule, _NAME)
        self._kept = capsule, array
        tensor = _Managed.from_address(address).tensor
        if tensor.code != _FLOAT or tensor.lanes != 1 or tensor.bits not in (32, 64):
            raise EvaluationError(
                f"An array must have dtype float32 or float64, got DLPack type {tensor.code} "
                f"with {tensor.bits} bits; convert it first."
            )
        self.dtype: str = f"float{tensor.bits}"
        self.pointer: int = (tensor.data or 0) + tensor.byte_offset
        self.device: int = tensor.device_id
        self.shape: tuple[int, ...] = tuple(tensor.shape[i] for i in range(tensor.ndim))
        item = tensor.bits // 8
        if tensor.strides:
            self.strides = tuple(item * tensor.strides[i] for i in range(tensor.ndim))
        else:
            self.strides = contiguous(self.shape, item)


def contiguous(shape: tuple[int, ...], item: int) -> tuple[int, ...]:
    """Strides in bytes of contiguous rows.

    >>> contiguous((5, 3, 2), 8)
    (48, 16, 8)
    """
    strides: list[int] = []
    for n in reversed(shape):
        strides.insert(0, item)
        item *= n
    return tuple(strides)


_given: Final[dict[int, tuple[Any, ...]]] = {}  # objects that other libraries hold, by address


def capsule(
    pointer: int,
    device: int,
    shape: tuple[int, ...],
    strides: tuple[int, ...],
    dtype: str,
    owner: Any,
) -> Any:
    """Capsule of an array on a device; `owner` stays alive until the consumer frees it."""
    bits = 64 if dtype == "float64" else 32
    sizes = (ctypes.c_int64 * len(shape))(*shape)
    steps = (ctypes.c_int64 * len(shape))(*(8 * s // bits for s in strides))
    managed = _Managed(
        _Tensor(pointer, CUDA, device, len(shape), _FLOAT, bits, 1, sizes, steps, 0),
        None,
        ctypes.cast(_delete, ctypes.c_void_p),
    )
    address = ctypes.addressof(managed)
    _given[address] = managed, sizes, steps, owner
    return _new_capsule(address, _NAME, ctypes.cast(_forget, ctypes.c_void_p))


@_Deleter
def _delete(address: int) -> None:
    _given.pop(address, None)


@_Destructor
def _forget(capsule_address: int) -> None:
    """Free an array that was never consumed: its capsule still has the original name."""
    if _python.PyCapsule_IsValid(capsule_address, _NAME):
        address = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)(
            ("PyCapsule_GetPointer", _python)
        )(capsule_address, _NAME)
        _given.pop(address, None)
