"""Layout of the numbers of one state in a device array, and how a thread accesses them.

VALUE     the same for all states, passed by value with the launch: constant memory, no loads
STRIDED   anywhere: two strides in bytes, between states and between elements
ROWS      rows of consecutive elements: a warp moves its 32 rows through shared memory, so that
          each access to the array covers whole sectors
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, final

from ...ir.program import Dtype, Program

Access = Literal["value", "strided", "rows"]
WARP: Final = 32
MOST_BY_VALUE: Final = 3072  # bytes of numbers among the arguments of a launch, which has 4096
MOST_STAGED: Final = 512  # bytes of a row that goes through shared memory
MOST_SHARED: Final = 49152  # bytes of shared memory of a block


@final
@dataclass(frozen=True)
class Layout:
    """Access to each array of a kernel: its arguments, then its outputs."""

    access: tuple[Access, ...]
    sizes: tuple[int, ...]  # elements of each
    dtype: Dtype
    threads: int = 64  # of a block
    short: bool = False  # whether strides between elements fit in 32 bits
    parked: int = 0  # numbers that a thread parks in shared memory
    far: int = 0  # and in local memory

    @property
    def bytes(self) -> int:
        """Size of a number."""
        return 8 if self.dtype == "float64" else 4

    @property
    def element(self) -> str:
        """Type of a number in LLVM."""
        return "double" if self.dtype == "float64" else "float"

    def pitch(self, array: int) -> int:
        """Distance of two rows in shared memory: odd, so that 32 threads use all banks."""
        return self.sizes[array] | 1

    @property
    def staged(self) -> tuple[int, ...]:
        """Arrays that go through shared memory."""
        return tuple(k for k, kind in enumerate(self.access) if kind == "rows" and self.sizes[k])

    def offset(self, array: int) -> int:
        """Offset of an array in the shared memory of a warp."""
        return sum(WARP * self.pitch(k) for k in self.staged if k < array)

    @property
    def shared(self) -> int:
        """Shared memory of the rows of a warp [bytes]."""
        return self.bytes * self.offset(len(self.sizes))

    @property
    def dynamic(self) -> int:
        """Shared memory of a block, requested at launch [bytes]: rows, then parked numbers."""
        if not self.parked:
            return 0
        return self.threads * (self.shared // WARP + self.bytes * self.parked)


def sizes_of(program: Program) -> tuple[int, ...]:
    """Elements of the arguments and of the outputs."""
    return (*(len(a) for a in program.arguments), *(len(y.values) for y in program.outputs))


def chosen(
    access: tuple[Access, ...], sizes: tuple[int, ...], dtype: Dtype, threads: int = 64
) -> Layout:
    """Layout with feasible kinds: long rows, and rows that exceed shared memory, become strided.

    >>> chosen(("value", "rows", "rows"), (3, 7, 900), "float64").access
    ('value', 'rows', 'strided')
    """
    width, used, by_value = 8 if dtype == "float64" else 4, 0, 0
    found: list[Access] = []
    for kind, n in zip(access, sizes, strict=True):
        place = threads * width * (n | 1)
        if kind == "rows" and (n * width > MOST_STAGED or used + place > MOST_SHARED):
            kind = "strided"
        if kind == "value" and by_value + n * width > MOST_BY_VALUE:
            kind = "strided"
        by_value += n * width if kind == "value" else 0
        used += place if kind == "rows" else 0
        found.append(kind)
    return Layout(tuple(found), sizes, dtype, threads)
