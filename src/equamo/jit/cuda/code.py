"""Code of one function on one device: images by layout and variant, from the disk cache or made now."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, final

from ...formats.json_file import canonical
from ...waiting import waiting
from .. import engine
from ..cache import Cache
from ..machine_code import MachineCode, text_digest, used_parameters
from .device import Device
from .image import Image
from .layout import WARP, Layout
from .module import DeviceModule
from .ptx import directed, machine

FEW: Final = 1024  # states up to which several threads work on one state
SHORT: Final = 300  # instructions of a program that one thread computes in any case
LONG: Final = 2000  # instructions of a program that takes too long to compile in all variants


@final
@dataclass(frozen=True)
class Variant:
    """How a kernel is made; the results do not depend on it, bit for bit."""

    parts: int = 1  # threads per state
    threads: int = 64  # of a block
    spill: bool = True  # values without a register to shared memory, where the driver can
    blocks: int | None = None  # that a multiprocessor must have room for: fewer registers


LARGE: Final = (  # of a large batch: the usual one, and others that may be faster
    Variant(),
    Variant(threads=128),
    Variant(threads=32),
    Variant(spill=False),
    Variant(threads=128, blocks=3),
    Variant(blocks=8),
)
SMALL: Final = tuple(Variant(parts, WARP, spill=False) for parts in (8, 1, 4, 16, 32))


@final
class DeviceCode:
    """Images of one function on one device."""

    def __init__(self, code: MachineCode, device: Device) -> None:
        self.code, self.device = code, device
        self.used: frozenset[int] = frozenset()  # parameters that the kernels read
        self._images: dict[tuple[Layout, Variant], Image] = {}
        self._best: dict[tuple[Layout, bool], Variant] = {}  # by layout and smallness

    def candidates(self, count: int) -> tuple[Variant, ...]:
        """Variants for a batch of this size, the usual one first: several threads per state if small."""
        if count <= FEW:
            return SMALL
        return LARGE[:3] if len(self.code.program.instructions) > LONG else LARGE

    @property
    def images(self) -> tuple[Image, ...]:
        """All images that are loaded, in the order in which they were."""
        return tuple(self._images.values())

    def text(self, layout: Layout, variant: Variant) -> str:
        """PTX of the function."""
        text = engine.assembly(self.module(layout, variant).text, machine(self.device.capability))
        return directed(text, layout.threads, variant.spill, variant.blocks)

    def module(self, layout: Layout, variant: Variant) -> DeviceModule:
        """IR of the function."""
        divides = variant.parts > 1 and len(self.code.program.instructions) > SHORT
        return DeviceModule(self.code, layout, variant.parts if divides else 1)

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
        module = self.module(layout, variant)
        if kept is not None:
            text, used, parts = kept.payload.decode(), kept.meta["used"], kept.meta["parts"]
            made_from = kept.meta["ir"]
        else:
            text = self.text(layout, variant)
            used = used_parameters(self.code.program)
            parts, made_from = max(1, len(module.division)), text_digest(module.text)
            if disk is not None:
                meta = {"function": self.code.source.name, "used": used, "parts": parts}
                disk.put(key, text.encode(), {**meta, "ir": made_from})
        self.code.on_devices[module] = made_from
        self.used = frozenset(used)
        return Image(self.device, text, self.code.source.name, parts)

    def _key(self, layout: Layout, what: Any) -> bytes:
        """Key of the disk cache: all that determines the code, and the device it is for."""
        place = [self.device.name, *self.device.capability]
        data = {
            **self.code.origin.data,
            "code": self.code.variant(layout.dtype, 1),
            "cuda": [*place, *layout.access, layout.threads, what],
        }
        return canonical(data)

    # -- the fastest variant ---------------------------------------------------------------------------
    def best(self, layout: Layout, count: int) -> Variant:
        """Fastest variant as measured, or the usual one; `layout` is that of the usual one."""
        key = layout, count <= FEW
        found = self._best.get(key)
        if found is None:
            disk = Cache() if self.code.options.cache else None
            kept = disk.get(self._key(layout, ["fastest", key[1]])) if disk is not None else None
            usual = (SMALL if key[1] else LARGE)[0]
            found = usual if kept is None else Variant(**kept.meta["variant"])
            self._best[key] = found
        return found

    def keep_best(self, layout: Layout, count: int, variant: Variant) -> None:
        """Use this variant from now on, also in later processes."""
        key = layout, count <= FEW
        self._best[key] = variant
        if self.code.options.cache:
            meta = {"function": self.code.source.name, "variant": asdict(variant)}
            Cache().put(self._key(layout, ["fastest", key[1]]), b"", meta)
