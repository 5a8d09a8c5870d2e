"""What a user gives to a compiled function, as arrays; what does not fit is said in full.

A state is a sequence, an array (n,), a batch (N, n) in any order and with any strides, or
{name: number} with the rest at `robot.home`. All arrays that come out are float64 or float32, aligned,
in the byte order of the machine, with one or two axes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast, final

import numpy as np
from numpy.typing import NDArray

from ..errors import EvaluationError, UnknownNameError
from ..expr import Expr
from ..wording import brief

Array = NDArray[Any]

KINDS: Final = {"U": "text", "S": "bytes", "O": "objects", "c": "complex numbers"}  # that are not
NUMBERS: Final = "biuf"  # kinds of dtypes that are real numbers
FLOAT32: Final = np.dtype("float32")


@final
@dataclass(frozen=True, slots=True)
class Slot:
    """Where an argument goes: its names, and the numbers of those that are not given."""

    function: str
    argument: str
    names: tuple[str, ...]
    defaults: tuple[float | None, ...]

    def read(self, given: Any) -> Array:
        """(n,) or (N, n) of what was given."""
        if isinstance(given, Mapping):
            return self.read_names(cast(Mapping[Any, Any], given))
        array = self._numbers(given, self.argument)
        if array.ndim not in (1, 2) or array.shape[-1] != len(self.names):
            raise EvaluationError(
                f"{self.function}: {self.argument} has {self.sizes()}, not {array.shape}."
            )
        return array

    def read_names(self, given: Mapping[Any, Any]) -> Array:
        """(n,), or (N, n) where a name has N numbers, of {name: number}."""
        columns: dict[int, Array] = {}
        for key, x in given.items():
            name = key.name if isinstance(key, Expr) else key
            if name not in self.names:
                kind = "parameter" if self.argument == "values" else "name"
                raise UnknownNameError(
                    kind, name, self.names, f"{self.argument} of {self.function}"
                )
            column = self._numbers(x, f"{self.argument}[{name!r}]")
            if column.ndim > 1:
                raise EvaluationError(
                    f"{self.function}: {self.argument}[{name!r}] is a number, or N numbers in a batch; "
                    f"its shape is () or (N,), not {column.shape}."
                )
            columns[self.names.index(name)] = column
        size = batch_size(self.function, {self.names[i]: x for i, x in columns.items()}, ndim=1)
        filled = np.empty((*(() if size is None else (size,)), len(self.names)))
        filled[...] = [np.nan if x is None else x for x in self.defaults]
        for i, column in columns.items():
            filled[..., i] = column
        return filled

    def default(self) -> Array:
        """What stands for an argument that was not given."""
        return np.array([np.nan if x is None else float(x) for x in self.defaults])

    def sizes(self) -> str:
        """Shape and names, for an error."""
        n = len(self.names)
        shown = ", ".join(self.names[:8]) + " …" * (n > 8)
        return f"the shape ({n},) or (N, {n}) (its entries: {shown or 'none'})"

    def _numbers(self, given: Any, what: str) -> Array:
        """Real numbers, as float32 if they are that, else as float64."""
        place = f"{self.function}: {what}"
        if isinstance(given, np.ma.MaskedArray):
            raise EvaluationError(f"{place} is a masked array; fill its gaps first.")
        try:
            array: Array = np.asarray(given)
        except Exception as error:  # whatever an object of the user raises when it is read
            raise EvaluationError(
                f"{place} cannot be read as numbers: {type(given).__name__} ({error!s:.80})."
            ) from error
        if array.dtype.kind not in NUMBERS:
            raise EvaluationError(
                f"{place} must be real numbers with {self.sizes()}, got {brief(given)} "
                f"({KINDS.get(array.dtype.kind, array.dtype)})."
            )
        single = array.dtype.kind == "f" and array.dtype.itemsize == 4
        return native(array, "float32" if single else "float64")


def native(array: Array, dtype: str) -> Array:
    """The array in the machine's own form of a dtype; itself if it is that already."""
    if array.dtype == dtype and array.dtype.isnative and array.flags.aligned:
        return array
    with np.errstate(all="ignore"):
        return array.astype(dtype)


def batch_size(function: str, arrays: Mapping[str, Array], ndim: int = 2) -> int | None:
    """N of the batch; None of one state. An array with fewer axes goes with every state."""
    sizes = {name: x.shape[0] for name, x in arrays.items() if x.ndim == ndim}
    if len(set(sizes.values())) > 1:
        shown = ", ".join(f"{name} has {n}" for name, n in sizes.items())
        raise EvaluationError(f"{function}: the arguments are batches of different sizes: {shown}.")
    return next(iter(sizes.values()), None)


def common_dtype(arrays: Iterable[Array]) -> str:
    """float32 if everything is, else float64."""
    return "float32" if all(x.dtype == FLOAT32 for x in arrays) else "float64"


def check_out(function: str, out: Any, shape: Sequence[int], dtype: str) -> Array:
    """The array that a result is to be written to."""
    wanted = f"a writeable array of shape {tuple(shape)} and dtype {dtype}"
    if not isinstance(out, np.ndarray):
        raise EvaluationError(f"{function}: out is {wanted}, not {brief(out)}.")
    array = cast(Array, out)
    if array.shape != tuple(shape) or array.dtype != np.dtype(dtype):
        raise EvaluationError(
            f"{function}: out is {wanted}, not of shape {array.shape} and dtype {array.dtype}."
        )
    if not array.flags.writeable:
        raise EvaluationError(f"{function}: out is {wanted}; this one is read-only.")
    return array


def is_direct(out: Array, inputs: Iterable[Array]) -> bool:
    """Whether a kernel may write to `out` itself: row by row, and away from what it reads."""
    if not (out.flags.c_contiguous and out.flags.aligned and out.dtype.isnative):
        return False
    return not any(np.may_share_memory(out, x) for x in inputs)


def strides(array: Array) -> tuple[int, int]:
    """Bytes from state to state (0: the same for all) and from element to element."""
    return (0, array.strides[0]) if array.ndim == 1 else (array.strides[0], array.strides[1])
