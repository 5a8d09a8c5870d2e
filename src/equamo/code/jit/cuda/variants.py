"""Variants of a kernel: how many threads, and where values without a register go.

Which one is fastest depends on the robot, the function, the order of the arrays and the device, so
it is measured. The lists here are those that were fastest for some function of a Panda, an ANYmal or a
G1 on an H200, by the number of values that are live at the same time.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, final

from ...ir.program import Dtype
from .layout import WARP

FEW: Final = 1024  # most states for which several threads work on one state
MANY: Final = 2**18  # fewest states for which the variants are measured automatically


@final
@dataclass(frozen=True)
class Variant:
    """How a kernel is built; the results are bitwise independent of it."""

    parts: int = 1  # threads per state
    threads: int = 64  # of a block
    spill: bool = True  # spill to shared memory if the driver can
    blocks: int | None = None  # that must fit on a multiprocessor: fewer registers
    kept: int | None = None  # values in registers; the others are parked (`parking`)
    moved: bool = False  # whether the assembler may move loads of parked values
    constants: bool = False  # whether 64-bit numbers are in constant memory

    def __str__(self) -> str:
        words = [f"{self.threads} threads"]
        words += [f"{self.parts} per state"] if self.parts > 1 else []
        words += [f"{self.blocks} blocks"] if self.blocks else []
        words += [f"{self.kept} values in registers"] if self.kept else []
        words += ["loads moved"] if self.moved else []
        words += ["constant memory"] if self.constants else []
        words += ["spilling to shared memory"] if self.spill else []
        return ", ".join(words)


def _parking(threads: int, blocks: int, kept: int, **more: bool) -> Variant:
    return Variant(1, threads, False, blocks, kept, **more)


SMALL: Final = tuple(Variant(parts, WARP, spill=False) for parts in (8, 1, 4, 16, 32))
_USUAL: Final = (Variant(), Variant(threads=32), Variant(threads=128))
_DOUBLE: Final = (  # most live values, and the variants for them, the default one first
    (110, (*_USUAL, _parking(64, 5, 75), _parking(128, 4, 46), _parking(64, 8, 50))),
    (
        210,
        (
            *_USUAL[:2],
            Variant(threads=32, constants=True),
            _parking(128, 2, 100),
            _parking(64, 4, 110, moved=True),
            _parking(64, 4, 110, moved=True, constants=True),
        ),
    ),
    (
        10**9,
        (
            _parking(128, 1, 100),
            _parking(128, 1, 100, constants=True),
            _parking(96, 1, 100, constants=True),
            Variant(),
        ),
    ),
)
_SINGLE: Final = (
    (220, (*_USUAL, Variant(spill=False, blocks=8), Variant(spill=False, blocks=10))),
    (10**9, (_parking(64, 4, 200), _parking(64, 4, 210, moved=True), *_USUAL[:1])),
)


def large(dtype: Dtype, live: int) -> tuple[Variant, ...]:
    """Variants for a large batch, the default one first; `live` values are live at the same time."""
    table = _DOUBLE if dtype == "float64" else _SINGLE
    return next(variants for most, variants in table if live <= most)
