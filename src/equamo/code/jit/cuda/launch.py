"""Launches: kernel arguments in the driver's form, and the number of blocks."""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, final

import numpy as np

from ....errors import EvaluationError
from ....mechanics.equations.state_reader import Array
from .arrays import DeviceArray, View
from .device import Device
from .image import Image
from .layout import WARP, Access, Layout, chosen

MOST_STATES: Final = (2**31 - 1) * WARP


@final
@dataclass(frozen=True)
class Arrays:
    """Arrays of a call: arguments (one in host memory is shared by all states), then outputs."""

    inputs: tuple[Array | View, ...]
    targets: tuple[View, ...]
    sizes: tuple[int, ...]  # elements of each
    dtype: Any
    count: int  # states

    def layout(self, parts: int, threads: int) -> Layout:
        """Access to each array, for a number of threads per state and per block."""
        access: list[Access] = []
        whole = self.count >= WARP
        for x in self.inputs:
            if isinstance(x, View):
                rows = whole and len(x.shape) == 2 and x.is_rows
                access.append("rows" if rows else "strided")
            else:
                access.append("value")
        # A part writes its own entries only, so rows cannot be moved as a whole.
        for y in self.targets:
            access.append("rows" if whole and y.is_rows and parts == 1 else "strided")
        found = chosen(tuple(access), self.sizes, self.dtype, threads)
        return replace(found, short=self._short)

    @property
    def _short(self) -> bool:
        """Whether all strides between elements fit in 32 bits."""
        steps = [x.strides[-1] for x in self.inputs if isinstance(x, View)]
        steps += [y.steps[1] for y in self.targets if y.steps is not None]
        return all(0 <= step < 2**32 for step in steps)

    def given(self, layout: Layout, device: Device) -> list[Any]:
        """Kernel arguments as ctypes objects, and the objects that must stay alive with them."""
        out: list[Any] = [ctypes.c_int64(self.count)]
        kept: list[Any] = []
        for kind, x in zip(layout.access, self.inputs, strict=False):
            if kind == "value":
                assert not isinstance(x, View)
                data = np.ascontiguousarray(x, layout.dtype).tobytes().ljust(8, b"\0")
                out.append((ctypes.c_char * len(data)).from_buffer_copy(data))
                continue
            if not isinstance(x, View):  # too many numbers to be passed by value
                copy = DeviceArray(device, x.shape, layout.dtype, f"copying parameters to {device}")
                copy.fill(x)
                kept.append(copy)
                x = copy.view
            state, element = (0, x.strides[0]) if len(x.shape) == 1 else x.strides
            out += [ctypes.c_void_p(x.pointer), ctypes.c_int64(state), ctypes.c_int64(element)]
        for y in self.targets:
            steps = y.steps
            assert steps is not None
            out += [ctypes.c_void_p(y.pointer), ctypes.c_int64(steps[0]), ctypes.c_int64(steps[1])]
        return [out, kept]


def launch(image: Image, arrays: Arrays, layout: Layout, stream: int) -> None:
    """Start a kernel on a stream; nothing happens for an empty batch."""
    count, device = arrays.count, image.device
    if count == 0:
        return
    if count > MOST_STATES:
        raise EvaluationError(
            f"{image.function}: a batch must have at most {MOST_STATES} states, got {count}."
        )
    given, _kept = arrays.given(layout, device)
    start(image, given, count, layout.threads, stream)


def start(image: Image, given: Sequence[Any], count: int, threads: int, stream: int) -> None:
    """Start one thread per state with ctypes arguments."""
    table = (ctypes.c_void_p * len(given))(*(ctypes.addressof(x) for x in given))
    blocks = -(-count // threads)
    doing = (
        f"{image.function} of {count} states on {image.device} ({blocks} × {image.parts} blocks of "
        f"{threads} threads, {image.resources})"
    )
    image.launch(blocks, threads, table, stream, doing)
