"""DeviceModule: the LLVM IR of a function for a GPU, with the proof that it computes its Program.

The IR does not depend on the device, so a certificate of kernels is proved again on any machine.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, Final, cast, final, get_args

from ....algebra.identity import Proof
from ....basics.wording import brief
from ....errors import FileFormatError
from ...ir.program import DTYPES, Dtype, Program
from ..machine_code import MachineCode, text_digest
from ..sincos import NUMBERS
from .elementary import PREFIX
from .layout import WARP, Access, Layout, sizes_of
from .order import Order, best_order
from .parking import Parking
from .parts import divided
from .proof import prove_thread
from .thread import thread_ir, waiting_values

REMARK: Final = (
    "GPU: the lines of a kernel that find the state of a thread and move rows through shared memory, "
    "the launch, and fast.rollout are tested, not proved. LLVM's code generation for PTX, the move of "
    "constants in the PTX text, NVIDIA's translation of it, and the device are trusted. "
    "docs/guide/gpu.md lists the errors of exp, log, tanh, asin, acos, atan and atan2."
)
_OWN: Final = re.compile(rf"define internal \w+ @{PREFIX}.*?\n}}", re.DOTALL)
_SINES: Final = frozenset(("sincos", "sin", "cos", "tan"))
_MOST: Final = {"threads": 1024, "parts": 64}


@lru_cache(32)
def order_of(code: MachineCode) -> Order:
    """Order of the instructions of a function with the fewest live values."""
    return best_order(code.program)


@final
@dataclass(frozen=True)
class Waiting:
    """How many values stay in registers, and where the others are parked (`parking`)."""

    kept: int
    places: int  # of a thread in shared memory
    moved: bool


@final
@dataclass(frozen=True)
class DeviceModule:
    """One GPU module: a function, the layout of its arrays, its parts and parked values."""

    code: MachineCode
    layout: Layout
    parts: int = 1
    waiting: Waiting | None = None

    @property
    def name(self) -> str:
        parts = f", {self.parts} parts" if self.parts > 1 else ""
        parts += f", {self.waiting.kept} values in registers" if self.waiting else ""
        access = " ".join(self.layout.access)
        return f"{self.code.source.name}, {self.layout.dtype}, GPU ({access}{parts})"

    @property
    def dtype(self) -> Dtype:
        return self.layout.dtype

    @property
    def program(self) -> Program:
        return self.code.program

    @cached_property
    def division(self) -> tuple[frozenset[tuple[int, int]], ...]:
        """Entries of each part; empty if there is only one part."""
        return divided(self.program, self.parts) if self.parts > 1 else ()

    @cached_property
    def text(self) -> str:
        """The IR passed to LLVM."""
        return thread_ir(self.program, self.placed, self.division, parking=self._parking)

    @cached_property
    def _parking(self) -> Parking | None:
        """Values parked outside registers."""
        w = self.waiting
        if w is None:
            return None
        order = order_of(self.code)
        return waiting_values(self.program, self.layout, w.kept, w.places, order, w.moved)

    @cached_property
    def placed(self) -> Layout:
        """The layout, with room for parked values."""
        found = self._parking
        if found is None:
            return self.layout
        return replace(self.layout, parked=found.near, far=found.far)

    @property
    def own_text(self) -> str:
        """The IR without the definitions of exp, log …, which have their own constants."""
        return _OWN.sub("", self.text)

    @property
    def more_numbers(self) -> frozenset[float]:
        """Constants that the emitter adds to those of the program: of sines, and of quotients."""
        used = {x.op for x in self.program.instructions}
        sines = NUMBERS[self.dtype].table(True) if used & _SINES else []
        quotients = [1.0] if used & {"div", "tan"} else []
        return frozenset((*sines, *quotients))

    def prove(self) -> Proof:
        """Prove that the IR computes the program, and that a kernel in memory was made from it."""
        known = self.code.on_devices.get(self)
        if known is not None and known != text_digest(self.text):
            return Proof("refuted", reason="the kernel was made from another module of IR")
        return prove_thread(self.program, self.text, self.placed, max(1, len(self.division)))

    def to_data(self) -> dict[str, Any]:
        """Plain data for a certificate."""
        place = self.layout
        return {
            "device": "cuda",
            "access": list(place.access),
            "dtype": place.dtype,
            "threads": place.threads,
            "parts": self.parts,
            "short": place.short,
            **({} if self.waiting is None else {"waiting": asdict(self.waiting)}),
        }

    @staticmethod
    def from_data(code: MachineCode, data: Mapping[str, Any]) -> DeviceModule:
        """Module from the data of a certificate."""
        sizes = sizes_of(code.program)
        access, dtype = data.get("access"), data.get("dtype")
        threads: Any = data.get("threads")
        parts: Any = data.get("parts")
        if (
            not isinstance(access, list)
            or not _are_accesses(cast(list[Any], access), len(sizes))
            or dtype not in DTYPES
            or not _is_count(threads, _MOST["threads"])
            or threads % WARP
            or not _is_count(parts, _MOST["parts"])
            or type(data.get("short")) is not bool
            or not _is_waiting(data.get("waiting"))
        ):
            raise FileFormatError(
                "a GPU module must have access (value, strided or rows for each array), dtype, "
                f"threads, parts and short, got {brief(data)}."
            )
        each = tuple(cast(list[Access], access))
        layout = Layout(each, sizes, dtype, threads, data["short"])
        waiting = Waiting(**data["waiting"]) if "waiting" in data else None
        return DeviceModule(code, layout, parts, waiting)


def _are_accesses(x: list[Any], count: int) -> bool:
    return len(x) == count and all(kind in get_args(Access) for kind in x)


def _is_count(x: Any, most: int) -> bool:
    return type(x) is int and 1 <= x <= most


def _is_waiting(x: Any) -> bool:
    """Whether the value is None or has the fields of Waiting."""
    if x is None:
        return True
    if not isinstance(x, dict) or x.keys() != {"kept", "places", "moved"}:
        return False
    kept, places, moved = (cast(dict[str, Any], x)[n] for n in ("kept", "places", "moved"))
    return (
        _is_count(kept, 10_000)
        and (places == 0 or _is_count(places, 10_000))
        and type(moved) is bool
    )
