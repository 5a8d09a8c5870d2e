"""Code of one function on one device: images by layout and variant, cached on disk or compiled now."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from functools import cached_property
from typing import Any, Final, final

from ....basics.waiting import waiting
from ....robot.formats.json_file import canonical
from ...ir.program import Dtype
from .. import engine
from ..cache import Cache
from ..machine_code import MachineCode, text_digest, used_parameters
from .device import Device
from .image import Image
from .layout import WARP, Layout
from .module import DeviceModule, Waiting, order_of
from .order import Order, most_live
from .ptx import translated
from .variants import FEW, SMALL, Variant, large

SHORT: Final = 300  # programs up to this many instructions are always computed by one thread


@final
class DeviceCode:
    """Images of one function on one device."""

    code: MachineCode
    device: Device

    def __init__(self, code: MachineCode, device: Device) -> None:
        self.code, self.device = code, device
        self.used: frozenset[int] = frozenset()  # parameters that the kernels read
        self._images: dict[tuple[Layout, Variant], Image] = {}
        self._best: dict[tuple[Layout, bool], Variant | None] = {}  # by layout and smallness
        self.times: dict[tuple[Layout, bool], dict[Variant, float]] = {}  # as measured [s]

    @cached_property
    def order(self) -> Order:
        """Order of the instructions with the fewest live values."""
        return order_of(self.code)

    @cached_property
    def live(self) -> int:
        """Most values that are live at the same time; from the disk cache, if it was counted before."""
        data = {**self.code.origin.data, "code": self.code.variant("float64", 1), "cuda": "live"}
        disk, key = Cache() if self.code.options.cache else None, canonical(data)
        kept = disk.get(key) if disk is not None else None
        if kept is not None:
            return int(kept.meta["live"])
        found = most_live(self.code.program.instructions, self.order)
        if disk is not None:
            disk.put(key, b"", {"function": self.code.source.name, "live": found})
        return found

    def candidates(self, count: int, dtype: Dtype) -> tuple[Variant, ...]:
        """Variants for a batch of this size, the default one first; some divide the work on a state."""
        return SMALL if count <= FEW else large(dtype, self.live)

    @property
    def images(self) -> tuple[Image, ...]:
        """All loaded images, in the order of loading."""
        return tuple(self._images.values())

    def text(self, layout: Layout, variant: Variant) -> str:
        """PTX of the function."""
        module = self.module(layout, variant)
        own = variant.spill, variant.blocks, variant.constants
        return translated(module.text, layout.threads, self.device.capability, *own)

    def module(self, layout: Layout, variant: Variant, divides: bool | None = None) -> DeviceModule:
        """IR of the function; `divides` says whether it is divided into parts, if known."""
        if divides is None:
            divides = variant.parts > 1 and len(self.code.program.instructions) > SHORT
        parts = variant.parts if divides else 1
        return DeviceModule(self.code, layout, parts, self._waiting(layout, variant))

    def _waiting(self, layout: Layout, variant: Variant) -> Waiting | None:
        """Values parked outside registers, if the variant has any."""
        if variant.kept is None:
            return None
        assert variant.blocks is not None
        room = self.device.room(variant.blocks) // layout.threads - layout.shared // WARP
        return Waiting(variant.kept, max(0, room // layout.bytes), variant.moved)

    def image(self, layout: Layout, variant: Variant) -> Image:
        """Loaded image."""
        key = layout, variant
        found = self._images.get(key)
        if found is None:
            with engine.LOCK:
                with waiting(f"compiling {self.code.source.name} for {self.device}"):
                    found = self._images.get(key) or self._load(layout, variant)
                self._images[key] = found
        return found

    def _load(self, layout: Layout, variant: Variant) -> Image:
        disk = Cache() if self.code.options.cache else None
        key = self._key(layout, asdict(variant))
        kept = disk.get(key) if disk is not None else None
        if kept is not None:
            text, used, parts = kept.payload.decode(), kept.meta["used"], kept.meta["parts"]
            shared, made_from = int(kept.meta["shared"]), kept.meta["ir"]
            module = self.module(layout, variant, parts > 1)
        else:
            module = self.module(layout, variant)
            text, shared = self.text(layout, variant), module.placed.dynamic
            used = used_parameters(self.code.program)
            parts, made_from = max(1, len(module.division)), text_digest(module.text)
            if disk is not None:
                meta = {"function": self.code.source.name, "used": used, "parts": parts}
                disk.put(key, text.encode(), {**meta, "shared": shared, "ir": made_from})
        self.code.on_devices[module] = made_from
        self.used = frozenset(used)
        return Image(self.device, text, self.code.source.name, parts, shared)

    def _key(self, layout: Layout, what: Any) -> bytes:
        """Key of the disk cache: everything that determines the code, including its device."""
        place = [self.device.name, *self.device.capability]
        data = {
            **self.code.origin.data,
            "code": self.code.variant(layout.dtype, 1),
            "cuda": [*place, *layout.access, layout.threads, layout.short, what],
        }
        return canonical(data)

    # -- the fastest variant ---------------------------------------------------------------------------
    def best(self, layout: Layout, count: int) -> Variant | None:
        """Fastest variant if it was measured; `layout` is that of the default variant."""
        key = layout, count <= FEW
        if key not in self._best:
            disk = Cache() if self.code.options.cache else None
            kept = disk.get(self._key(layout, ["times", key[1]])) if disk is not None else None
            self._best[key] = None
            if kept is not None:
                times = self.times[key] = {Variant(**x): t for x, t in kept.meta["times"]}
                self._best[key] = min(times, key=times.__getitem__)
        return self._best[key]

    def keep_times(self, layout: Layout, count: int, times: Mapping[Variant, float]) -> None:
        """Use the fastest variant from now on, also in later processes."""
        key = layout, count <= FEW
        self.times[key] = dict(times)
        self._best[key] = min(times, key=times.__getitem__)
        if self.code.options.cache:
            each = [[asdict(variant), t] for variant, t in times.items()]
            meta = {"function": self.code.source.name, "times": each}
            Cache().put(self._key(layout, ["times", key[1]]), b"", meta)
