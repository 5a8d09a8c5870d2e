"""Code of one function on one device: images by layout, from the disk cache or made now."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from ...formats.json_file import canonical
from ...waiting import waiting
from .. import engine
from ..cache import Cache
from ..machine_code import MachineCode, used_parameters
from .device import Device
from .image import Image, translate
from .layout import Layout
from .parts import divided
from .ptx import ptx

SMALL: Final = 1024  # states up to which several threads work on one state
THREADS: Final = 8  # at most, for one state of a small batch
SHORT: Final = 300  # instructions of a program that one thread computes in any case


@final
@dataclass(frozen=True)
class Variant:
    """How a kernel is made: the threads per state, and the most registers of a thread."""

    parts: int = 1
    registers: int | None = None


@final
class DeviceCode:
    """Images of one function on one device."""

    def __init__(self, code: MachineCode, device: Device) -> None:
        self.code, self.device = code, device
        self.used: frozenset[int] = frozenset()  # parameters that the kernels read
        self._images: dict[tuple[Layout, Variant], Image] = {}

    def variant(self, count: int) -> Variant:
        """Variant for a batch of this size: several threads per state for small ones."""
        return Variant(THREADS if count <= SMALL and self.code.source.size > 1 else 1)

    def text(self, layout: Layout, variant: Variant) -> str:
        """PTX of the function."""
        program = self.code.program
        parts = variant.parts if len(program.instructions) > SHORT else 1
        division = divided(program, parts) if parts > 1 else ()
        return ptx(program, layout, self.device.capability, division)

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
        major, minor = self.device.capability
        own = [*layout.access, layout.threads, variant.parts, variant.registers, major, minor]
        data = {
            **self.code.origin.data,
            "code": self.code.variant(layout.dtype, 1),
            "cuda": [*own, *self.device.driver.version],
        }
        key = canonical(data)
        kept = disk.get(key) if disk is not None else None
        if kept is None:
            payload = translate(self.device, self.text(layout, variant), variant.registers)
            used = used_parameters(self.code.program)
            parts = self._parts(variant)
            if disk is not None:
                meta = {"function": self.code.source.name, "used": used, "parts": parts}
                disk.put(key, payload, meta)
        else:
            payload, used, parts = kept.payload, kept.meta["used"], kept.meta["parts"]
        self.used = frozenset(used)
        return Image(self.device, payload, self.code.source.name, parts)

    def _parts(self, variant: Variant) -> int:
        program = self.code.program
        if variant.parts == 1 or len(program.instructions) <= SHORT:
            return 1
        return len(divided(program, variant.parts))
