"""PTX of a Program: the assembly language of NVIDIA's GPUs, which their driver translates at load time."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...ir.program import Program
from .. import engine
from .layout import Layout
from .segments import Segment
from .thread import Entry, thread_ir

TRIPLE: Final = "nvptx64-nvidia-cuda"
OLDEST: Final = (6, 0)  # compute capability with __syncwarp and 32-bit registers for all
NEWEST: Final = (9, 0)  # later devices run the PTX of this one


def machine(capability: tuple[int, int]) -> engine.Machine:
    """LLVM's machine of a compute capability.

    >>> machine((9, 0))
    Machine(triple='nvptx64-nvidia-cuda', cpu='sm_90', features='+ptx78')
    """
    major, minor = min(capability, NEWEST)
    # PTX 7.8 (CUDA 11.8) is the first that knows sm_90, and every later driver reads it.
    return engine.Machine(TRIPLE, f"sm_{major}{minor}", "+ptx78")


def ptx(
    program: Program,
    layout: Layout,
    capability: tuple[int, int] = NEWEST,
    parts: Sequence[frozenset[Entry]] = (),
    segments: Sequence[Segment] = (),
    spill: bool = False,
    blocks: int | None = None,
    quick: bool = True,
) -> str:
    """PTX of a program for a layout of its arrays and a compute capability; see `thread`.

    With `spill`, values without a register go to shared memory first (CUDA 13); `blocks` is the number
    of blocks that a multiprocessor must have room for, which limits registers.
    """
    text = engine.assembly(
        thread_ir(program, layout, parts, segments, quick), machine(capability)
    )
    head = f"\n.maxntid {layout.threads}\n{{"
    if blocks:
        head = head.replace("{", f".minnctapersm {blocks}\n{{")
    if spill:
        text = text.replace(".version 7.8", ".version 9.0", 1)
        head += '\n\t.pragma "enable_smem_spilling";'
    return text.replace("\n{", head, 1)
