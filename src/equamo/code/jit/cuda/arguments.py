"""Checks of the arrays of a call on a device: shapes, dtypes, devices, sizes and overlaps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, cast, final

import numpy as np

from ....basics.wording import brief
from ....errors import EvaluationError
from ....mechanics.equations.state_reader import Array, native
from ...ir.program import Dtype
from ..compiled_function import CompiledFunction
from .arrays import DeviceArray, View
from .device import Device
from .libraries import Jax, Library, library_of


@final
class Arguments:
    """Checks of the arrays of one function on one device."""

    host: CompiledFunction
    device: Device

    def __init__(self, function: CompiledFunction, device: Device) -> None:
        self.host, self.device = function, device

    @property
    def name(self) -> str:
        return self.host.name

    def new(self, shape: tuple[int, ...], dtype: str) -> DeviceArray:
        """New array on the device."""
        doing = f"{self.name}: allocating {dtype} {shape} on {self.device}"
        return DeviceArray(self.device, shape, dtype, doing)

    def view(self, name: str, x: Any, library: Library, stream: int) -> View:
        """View of an argument, with its shape and its device checked."""
        view = library.view(x, stream)
        reader = self.host.reader(name)
        if name in self.host.numbers and len(view.shape) == 1:
            view = View(
                view.pointer, (*view.shape, 1), (*view.strides, view.item), view.dtype, view.device,
                view.kept,
            )  # fmt: skip
        if len(view.shape) not in (1, 2) or view.shape[-1] != reader.part.size:
            raise reader.shape_error(view.shape)
        if view.device not in (self.device.ordinal, -1):
            raise EvaluationError(
                f"{self.name}: {name} must be on {self.device}, got an array on cuda:{view.device}; "
                "move it, or compile for that device."
            )
        return view

    def host_state(self, name: str, x: Any) -> Array:
        """One state in host memory, beside arrays on the device; a batch is an error."""
        array = self.host.read(name, x)
        if array.ndim != 1:
            raise EvaluationError(
                f"{self.name}: {name} must be on {self.device}, like the other arguments, got "
                f"{brief(x)} in host memory; move it to the device."
            )
        return array

    def dtype(self, views: Mapping[str, View]) -> Dtype:
        """The one dtype of all arrays on the device."""
        each = {n: x.dtype for n, x in views.items()}
        wanted = self.host.options.dtype
        if len({*each.values(), wanted} - {None}) > 1:
            expected = f"dtype {wanted}" if wanted else "the same dtype"
            got = ", ".join(f"{n} has {x}" for n, x in each.items())
            raise EvaluationError(
                f"{self.name}: arrays on a device must have {expected}, got {got}; convert them first."
            )
        return cast(Dtype, next(iter(each.values())))

    def size(self, batches: Mapping[str, View], table: Mapping[Any, Any]) -> int | None:
        """Size N of the batch; None for one state."""
        sizes = {n: x.shape[0] for n, x in batches.items()}
        for key, x in table.items():
            if np.ndim(x) == 1:
                sizes[f"values[{key!r}]"] = len(x)
        if len(set(sizes.values())) > 1:
            each = ", ".join(f"{n} has {x}" for n, x in sizes.items())
            raise EvaluationError(f"{self.name}: batches must have the same size, got {each}.")
        return next(iter(sizes.values()), None)

    def parameters(self, table: Mapping[Any, Any], dtype: str, stream: int) -> Array | View:
        """Parameters; if one of them has N numbers, all of them per state, as columns on the device."""
        rows = native(self.host.readers["parameters"].read_names(table), dtype)
        if rows.ndim == 1:
            return rows
        copy = self.new((rows.shape[1], rows.shape[0]), dtype)
        copy.fill(rows.T, stream)
        view, (n, count) = copy.view, copy.shape
        return View(view.pointer, (count, n), view.strides[::-1], dtype, view.device, copy)

    def targets(
        self,
        given: Sequence[Any],
        shapes: Sequence[tuple[int, ...]],
        dtype: str,
        size: int | None,
        stream: int,
        inputs: Mapping[str, View],
    ) -> list[View]:
        """Check `out`: arrays on the device that do not overlap any argument."""
        names = ", ".join(y.name for y in self.host.results)
        if len(given) != len(shapes):
            raise EvaluationError(
                f"{self.name}: out must be a tuple of {len(shapes)} arrays ({names}), got "
                f"{len(given)} in a tuple or list."
            )
        found: list[View] = []
        for x, shape in zip(given, shapes, strict=True):
            wanted = shape if size is not None else shape[1:]
            library = library_of(x)
            if isinstance(library, Jax):
                raise EvaluationError(
                    f"{self.name}: out must not be a JAX array, which is immutable; use the result."
                )
            view = None if library is None else library.view(x, stream)
            if (
                view is None
                or view.shape != wanted
                or view.dtype != dtype
                or view.device not in (self.device.ordinal, -1)
            ):
                raise EvaluationError(
                    f"{self.name}: out must be an array of shape {wanted} and dtype {dtype} on "
                    f"{self.device}, got {brief(x)}."
                )
            if size is None:
                view = View(view.pointer, shape, (0, *view.strides), dtype, view.device, x)
            if view.steps is None:
                raise EvaluationError(
                    f"{self.name}: the entries of each state of out must have one common stride, got "
                    f"strides {view.strides}; pass a contiguous array."
                )
            for n, y in inputs.items():
                if view.overlaps(y):
                    raise EvaluationError(
                        f"{self.name}: out must not overlap {n} on a device; pass another array."
                    )
            found.append(view)
        return found


def on_host(x: Any) -> Any:
    """Values of a parameter in host memory."""
    library = library_of(x)
    return x if library is None else library.to_numpy(x)
