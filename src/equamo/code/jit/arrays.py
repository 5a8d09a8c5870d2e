"""Arrays of a call to machine code: common dtype, output array and strides.

`equations.state_reader` reads the arguments that users pass.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, cast

import numpy as np

from ...basics.wording import brief
from ...errors import EvaluationError
from ...mechanics.equations.state_reader import Array

FLOAT32: Final = np.dtype("float32")


def common_dtype(arrays: Iterable[Array]) -> str:
    """float32 if all arrays are, else float64."""
    return "float32" if all(x.dtype == FLOAT32 for x in arrays) else "float64"


def check_out(function: str, out: Any, shape: Sequence[int], dtype: str) -> Array:
    """Check the array `out` for the result, and return it."""
    wanted = f"a writeable array of shape {tuple(shape)} and dtype {dtype}"
    if not isinstance(out, np.ndarray):
        raise EvaluationError(f"{function}: out must be {wanted}, got {brief(out)}.")
    array = cast(Array, out)
    if array.shape != tuple(shape) or array.dtype != np.dtype(dtype):
        raise EvaluationError(
            f"{function}: out must be {wanted}, got shape {array.shape} and dtype {array.dtype}."
        )
    if not array.flags.writeable:
        raise EvaluationError(f"{function}: out must be {wanted}, got a read-only array.")
    if _overlaps_itself(array):
        raise EvaluationError(
            f"{function}: the entries of out must not share memory, got an array with strides "
            f"{array.strides}; pass another array, such as np.empty({tuple(shape)})."
        )
    return array


def _overlaps_itself(array: Array) -> bool:
    """Whether two entries share memory, as in some arrays of `as_strided`.

    >>> _overlaps_itself(np.lib.stride_tricks.as_strided(np.zeros(5), (4, 2), (8, 8)))
    True
    >>> _overlaps_itself(np.zeros((6, 4))[::2, ::-2])
    False
    """
    reach = array.itemsize  # bytes that the inner axes cover
    pairs = zip(array.strides, array.shape, strict=True)
    axes = sorted((abs(step), n) for step, n in pairs if n > 1)
    for step, n in axes if array.size else []:
        if step < reach:
            places: Array = np.zeros(1, np.int64)
            for x, m in axes:
                steps: Array = x * np.arange(m, dtype=np.int64)
                places = np.add.outer(places, steps).ravel()
            return bool((np.diff(np.sort(places)) < array.itemsize).any())
        reach += step * (n - 1)
    return False


def check_outs(
    function: str, names: Sequence[str], out: Any, shapes: Sequence[tuple[int, ...]], dtype: str
) -> list[Array]:
    """Check `out`: an array, or a tuple of arrays for several results, which have these names."""
    if len(shapes) == 1:
        return [check_out(function, out, shapes[0], dtype)]
    given: Sequence[Any] = cast(Any, out) if isinstance(out, (tuple, list)) else ()
    if len(given) != len(shapes):
        every, got = ", ".join(names), cast(object, out)
        raise EvaluationError(
            f"{function}: out must be a tuple of {len(shapes)} arrays ({every}), got {brief(got)}."
        )
    return [check_out(function, x, shape, dtype) for x, shape in zip(given, shapes, strict=True)]


def is_direct(out: Array, inputs: Iterable[Array]) -> bool:
    """Whether a kernel can write directly to `out`: rows are contiguous and overlap no input."""
    if not (out.flags.c_contiguous and out.flags.aligned and out.dtype.isnative):
        return False
    return not any(np.may_share_memory(out, x) for x in inputs)


def strides(array: Array) -> tuple[int, int]:
    """Strides in bytes from state to state (0 if shared by all) and from element to element."""
    return (0, array.strides[0]) if array.ndim == 1 else (array.strides[0], array.strides[1])


def flat_out(call: str, out: Any, shape: tuple[int, int, int]) -> Any:
    """`out` for matrices as an array of flat ones: the same memory, or a NumPy array to copy from."""
    rows, columns, width = shape
    given: tuple[int, ...] | None = getattr(out, "shape", None)
    if given is None or tuple(given)[-3:] != shape:
        got = brief(out) if given is None else f"shape {tuple(given)}"
        raise EvaluationError(
            f"{call}: out must be an array of shape {shape}, or {('N', *shape)} for a batch, got {got}."
        )
    flat = *tuple(given)[:-3], rows * columns, width
    if isinstance(out, np.ndarray):
        found = cast(Array, out).reshape(flat)
        found.flags.writeable = out.flags.writeable
        return found
    flags = getattr(out, "flags", None)
    contiguous = getattr(out, "is_contiguous", lambda: getattr(flags, "c_contiguous", True))
    if not contiguous():
        raise EvaluationError(
            f"{call}: out must be contiguous on a device, got other strides; pass another array."
        )
    return out.reshape(*flat)


def copy_back(flat: Any, out: Any) -> None:
    """Copy the result in `flat`, from `flat_out`, to `out` if they do not share memory."""
    if isinstance(out, np.ndarray) and not np.may_share_memory(flat, cast(Array, out)):
        array = cast(Array, out)
        array[...] = flat.reshape(array.shape)
