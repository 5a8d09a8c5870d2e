"""PTX of a Program: the assembly language of NVIDIA's GPUs, which the driver translates."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ...ir.program import Program
from .. import engine
from .constants import in_constant_memory
from .layout import Layout
from .parking import Parking
from .thread import Entry, thread_ir

TRIPLE: Final = "nvptx64-nvidia-cuda"
OLDEST: Final = (6, 0)  # compute capability with __syncwarp and 32-bit registers for all
NEWEST: Final = (9, 0)  # later devices run the PTX of this one
VERSION: Final = "7.8"  # of PTX (CUDA 11.8): the first with sm_90, which every later driver reads
SPILLING: Final = "9.0"  # the first with spilling to shared memory (CUDA 13)
_SPILL: Final = '\n\t.pragma "enable_smem_spilling";'


def machine(capability: tuple[int, int]) -> engine.Machine:
    """LLVM's machine of a compute capability.

    >>> machine((9, 0))
    Machine(triple='nvptx64-nvidia-cuda', cpu='sm_90', features='+ptx78')
    """
    major, minor = min(capability, NEWEST)
    return engine.Machine(TRIPLE, f"sm_{major}{minor}", f"+ptx{VERSION.replace('.', '')}")


def ptx(
    program: Program,
    layout: Layout,
    capability: tuple[int, int] = NEWEST,
    parts: Sequence[frozenset[Entry]] = (),
    spill: bool = False,
    blocks: int | None = None,
    parking: Parking | None = None,
    constants: bool = False,
) -> str:
    """PTX of a program for a layout of its arrays and a compute capability; see `thread`."""
    text = thread_ir(program, layout, parts, parking=parking)
    return translated(text, layout.threads, capability, spill, blocks, constants)


def translated(
    text: str,
    threads: int,
    capability: tuple[int, int] = NEWEST,
    spill: bool = False,
    blocks: int | None = None,
    constants: bool = False,
) -> str:
    """PTX of the IR of a kernel, with directives."""
    made = engine.assembly(text, machine(capability))
    made = in_constant_memory(made) if constants else made
    return directed(made, threads, spill, blocks)


def directed(text: str, threads: int, spill: bool = False, blocks: int | None = None) -> str:
    """PTX with directives for the translator.

    Args:
        text: PTX of one kernel.
        threads: Threads of a block.
        spill: Whether values without a register go to shared memory first (CUDA 13).
        blocks: Number of blocks that must fit on a multiprocessor, which limits registers.
    """
    before, entry, kernel = text.partition(".entry kernel(")  # other functions come first
    head = f"\n.maxntid {threads}\n{{"
    if blocks:
        head = head.replace("{", f".minnctapersm {blocks}\n{{")
    if spill:
        before = before.replace(f".version {VERSION}", f".version {SPILLING}", 1)
        head += _SPILL
    return before + entry + kernel.replace("\n{", head, 1)


def undirected(text: str) -> str:
    """PTX without the features that need a CUDA 13 driver."""
    return text.replace(f".version {SPILLING}", f".version {VERSION}", 1).replace(_SPILL, "", 1)
