"""The timing loops in C, and arrays as they take them."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import cache
from typing import Any

import numpy as np

from .build import HERE, library


@cache
def loops() -> ctypes.CDLL:
    """The library of calls.c."""
    made = library(HERE / "calls.c", "calls")
    for name in ("time_kernel", "time_batch", "time_casadi"):
        getattr(made, name).restype = ctypes.c_double
    return made


def pointers(arrays: Sequence[np.ndarray]) -> Any:
    """An array of their addresses."""
    return (ctypes.c_void_p * len(arrays))(*(a.ctypes.data for a in arrays))
