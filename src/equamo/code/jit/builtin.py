"""Builtin function object around the machine code of `entry`."""

from __future__ import annotations

import ctypes
import pickle
import struct
from collections.abc import Sequence
from functools import cache
from typing import Any, Final, final

import numpy as np

from .entry import (
    ALIGNED,
    CONTIGUOUS,
    DATA,
    DESCRIPTION,
    FLAGS,
    KIND,
    NDIM,
    SHAPE,
    TABLE,
    TYPE,
    WRITE,
    WRITEABLE,
    Signature,
)


@cache
def layout_is_known() -> bool:
    """Whether the array objects of this process have the memory layout that the entry expects."""
    if struct.calcsize("P") != 8 or np.dtype(np.intp).itemsize != 8:
        return False
    sample = np.zeros((7, 5, 3))
    read_only = np.zeros(4, np.float32)
    read_only.flags.writeable = False
    unpickled = pickle.loads(pickle.dumps(np.arange(3.0)))
    arrays = [sample, sample.T, sample[::2, 1], sample[:, 0, ::-1], read_only, unpickled]
    if not all(_reads_right(x) for x in arrays):
        return False
    others = ("f4", "i8", "u8", "c16", ">f8", "M8[s]", "m8[s]", "V8", "S8", "O", "f2", "?")
    kinds = {_word(id(np.dtype(t)) + KIND) for t in others} - {_word(id(np.dtype("f4")) + KIND)}
    floats = {_word(id(np.dtype("f8")) + KIND), _word(id(np.dtype("f4")) + KIND)}
    return len(floats) == 2 and not floats & kinds


def _reads_right(x: np.ndarray[Any, Any]) -> bool:
    """Whether the fields in memory agree with the array's attributes."""
    if _word(id(x) + TYPE) != id(np.ndarray):  # also catches other layouts of reference counts
        return False
    flags = CONTIGUOUS * x.flags.c_contiguous + ALIGNED * x.flags.aligned
    flags += WRITEABLE * x.flags.writeable
    return (
        _word(id(x) + DATA) == x.ctypes.data
        and _word(id(x) + NDIM) & 0xFFFFFFFF == x.ndim
        and all(_word(_word(id(x) + SHAPE) + 8 * i) == n for i, n in enumerate(x.shape))
        and _word(_word(id(x) + DESCRIPTION) + KIND) == _word(id(np.dtype(x.dtype.char)) + KIND)
        and _word(id(x) + FLAGS) & WRITE == flags
    )


def _word(address: int) -> int:
    return ctypes.c_uint64.from_address(address).value


class _MethodDefinition(ctypes.Structure):
    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


_FASTCALL_WITH_KEYWORDS: Final = 0x0080 | 0x0002
_definitions: Final[list[_MethodDefinition]] = []


@final
class Binding:
    """Data that an entry needs while it can be called; the object behind `self` keeps it alive."""

    def __init__(
        self,
        signature: Signature,
        addresses: tuple[int, int],
        defaults: Sequence[np.ndarray[Any, Any]],
        name: str,
        doc: str,
    ) -> None:
        """`addresses` are those of `entry` and `bind`; `defaults` the arguments after the states."""
        python = ctypes.pythonapi
        dtype = np.dtype(signature.dtype)
        self._kept = (signature.shapes, dtype, np.empty, tuple(defaults))
        values = {
            "vectorcall": _address(python.PyObject_Vectorcall),
            "empty": id(np.empty),
            "shape": id(signature.shapes[0]),
            "dtype": id(dtype),
            "array": id(np.ndarray),
            "kind": _word(id(dtype) + KIND),
            "out": id(_OUT),
            "tuple_size": _address(python.PyTuple_Size),
            "tuple_item": _address(python.PyTuple_GetItem),
            "take": _address(python.Py_IncRef),
            "drop": _address(python.Py_DecRef),
            "new_float": _address(python.PyFloat_FromDouble),
            "new_tuple": _address(python.PyTuple_New),
            "set_item": _address(python.PyTuple_SetItem),
        }
        words = [*(values[n] for n in TABLE), *(x.ctypes.data for x in defaults)]
        words += [x for shape in signature.shapes for x in (id(shape), id(dtype))]
        self._table = (ctypes.c_uint64 * len(words))(*words)
        entry, bind = addresses
        ctypes.CFUNCTYPE(None, ctypes.c_void_p)(bind)(ctypes.addressof(self._table))
        self._definition = _MethodDefinition(
            name.encode(), entry, _FASTCALL_WITH_KEYWORDS, doc.encode()
        )
        # Never freed: Python reads it when the function object is deleted, and in a reference cycle
        # that can be after everything else.
        _definitions.append(self._definition)

    def function(self, general: object) -> Any:
        """Builtin function; `general` must keep this binding and the machine code alive."""
        new = ctypes.PYFUNCTYPE(
            ctypes.py_object, ctypes.c_void_p, ctypes.py_object, ctypes.py_object
        )(("PyCFunction_NewEx", ctypes.pythonapi))
        return new(ctypes.addressof(self._definition), general, __name__)


_OUT: Final = next(iter(dict(out=0)))  # interned, as in calls


def _address(function: Any) -> int:
    found = ctypes.cast(function, ctypes.c_void_p).value
    assert found is not None
    return found
