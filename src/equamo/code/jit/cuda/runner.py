"""Runner: launches one function with the fastest variant of its kernel."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping
from functools import partial
from typing import Any, final

from ....basics.waiting import waiting
from ....errors import DeviceError
from ....mechanics.equations.state_reader import no_value
from ..compiled_function import CompiledFunction
from .code import DeviceCode
from .device import Device
from .image import Image
from .launch import Arrays, launch
from .layout import Layout
from .timing import seconds
from .variants import MANY, Variant


@final
class Runner:
    """Kernels of one function on one device, and which of them is used for which arrays."""

    host: CompiledFunction
    device: Device

    def __init__(self, function: CompiledFunction, device: Device) -> None:
        self.host, self.device = function, device
        self.code: DeviceCode = DeviceCode(function.machine_code, device)

    @property
    def name(self) -> str:
        return self.host.name

    @property
    def variants(self) -> dict[str, dict[Variant, float]]:
        """Time of each variant that was measured [s], by the type and the order of the arrays."""
        found: dict[str, dict[Variant, float]] = {}
        for (layout, few), times in self.code.times.items():
            names = zip((*self.host.readers, *self.host.results), layout.access, strict=True)
            each = ", ".join(f"{n if isinstance(n, str) else n.name} {kind}" for n, kind in names)
            found[f"{layout.dtype}: {each}{' (few states)' if few else ''}"] = dict(times)
        return found

    def run(
        self,
        arrays: Arrays,
        stream: int,
        table: Mapping[Any, Any] | None,
        tune: bool | None = None,
    ) -> None:
        """Launch; `table` has the values that were passed, None if all were."""
        usual = self._usual(arrays)
        place = arrays.layout(usual.parts, usual.threads)
        best = self.code.best(place, arrays.count)
        image, layout = self._image(arrays, best or usual)
        missing = [] if table is None else self.host.missing(table, self.code.used)
        if missing:
            raise no_value(self.name, self.host.origin.name, missing)
        if best is None and tune is None and self._measures(arrays, stream):
            self.tune(arrays, stream)
            image, layout = self._image(arrays, self.code.best(place, arrays.count) or usual)
        launch(image, arrays, layout, stream)

    def _image(self, arrays: Arrays, variant: Variant) -> tuple[Image, Layout]:
        layout = arrays.layout(variant.parts, variant.threads)
        return self.code.image(layout, variant), layout

    def _usual(self, arrays: Arrays) -> Variant:
        return self.code.candidates(arrays.count, arrays.dtype)[0]

    def _measures(self, arrays: Arrays, stream: int) -> bool:
        """Whether to measure the variants automatically."""
        if arrays.count < MANY or os.environ.get("EQUAMO_TUNE") == "0":
            return False
        state = ctypes.c_int()
        with self.device.current():
            code = self.device.driver.code("cuStreamIsCapturing", stream, ctypes.byref(state))
        return code == 0 and state.value == 0

    def tune(self, arrays: Arrays, stream: int) -> dict[Variant, float]:
        """Time of each variant [s]; the fastest is used from now on, also in later processes."""
        found: dict[Variant, float] = {}
        failed: DeviceError | None = None
        with waiting(f"measuring kernels of {self.name} on {self.device}"):
            for variant in self.code.candidates(arrays.count, arrays.dtype):
                try:
                    image, layout = self._image(arrays, variant)
                    action = partial(launch, image, arrays, layout, stream)
                    found[variant] = seconds(self.device, stream, action)
                except DeviceError as error:  # another device may have less shared memory
                    failed = error
        if not found:
            assert failed is not None
            raise failed
        usual = self._usual(arrays)
        layout = arrays.layout(usual.parts, usual.threads)
        self.code.keep_times(layout, arrays.count, found)
        return found
