"""Code of one function on one device: images by layout and variant, from the disk cache or made now."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any, Final, final

from ...formats.json_file import canonical
from ...waiting import waiting
from .. import engine
from ..cache import Cache
from ..machine_code import MachineCode, used_parameters
from .device import Device
from .image import Image
from .layout import WARP, Layout
from .parking import Parking
from .parts import divided
from .ptx import ptx
from .thread import waiting_values

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
    kept: int | None = None  # values in registers; others wait in shared memory (`parking`)


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

    def text(self, layout: Layout, variant: Variant, parking: Parking | None = None) -> str:
        """PTX of the function."""
        program = self.code.program
        division = divided(program, variant.parts) if self._is_divided(variant) else ()
        own = variant.spill, variant.blocks, parking
        return ptx(program, layout, self.device.capability, division, *own)

    def parking(self, layout: Layout, variant: Variant) -> Parking | None:
        """Values that wait outside of registers, if the variant says so."""
        if variant.kept is None:
            return None
        assert variant.blocks is not None
        room = self.device.room(variant.blocks) // layout.threads - layout.shared // WARP
        return waiting_values(
            self.code.program, layout, variant.kept, max(0, room // layout.bytes)
        )

    def _is_divided(self, variant: Variant) -> bool:
        return variant.parts > 1 and len(self.code.program.instructions) > SHORT

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
            shared = int(kept.meta["shared"])
        else:
            parking = self.parking(layout, variant)
            if parking is not None:
                layout = replace(layout, parked=parking.near, far=parking.far)
            text, shared = self.text(layout, variant, parking), layout.dynamic
            used = used_parameters(self.code.program)
            divides = self._is_divided(variant)
            parts = len(divided(self.code.program, variant.parts)) if divides else 1
            if disk is not None:
                meta = {"function": self.code.source.name, "used": used, "parts": parts}
                meta["shared"] = shared
                disk.put(key, text.encode(), meta)
        self.used = frozenset(used)
        return Image(self.device, text, self.code.source.name, parts, shared)

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
