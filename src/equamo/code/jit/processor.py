"""Processor that machine code is made for: this machine's, or a level that many machines have in common.

A level names its instruction sets in full, and nothing of the host enters: the machine code of a level
is the same, byte for byte, on every machine.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Final, final

from ...errors import EquamoError, UnknownNameError
from . import engine
from .engine import Machine

HOST: Final = "host"
VARIABLE: Final = "EQUAMO_CPU"

_X86: Final = "x86_64"
_ARM: Final = ("arm64", "aarch64")
_V2: Final = (
    "cmov", "crc32", "cx16", "cx8", "fxsr", "mmx", "popcnt", "sahf", "sse", "sse2", "sse3", "sse4.1",
    "sse4.2", "ssse3",
)  # fmt: skip
_V3: Final = (*_V2, "avx", "avx2", "bmi", "bmi2", "f16c", "fma", "lzcnt", "movbe", "xsave")
_V4: Final = (*_V3, "avx512bw", "avx512cd", "avx512dq", "avx512f", "avx512vl")


@final
@dataclass(frozen=True)
class Level:
    """Processors with certain instruction sets, in LLVM's terms."""

    architectures: tuple[str, ...]  # first parts of the triples
    triple: str  # on machines of another architecture, which can only prove such code
    cpu: str
    needs: tuple[str, ...]
    tuning: tuple[str, ...] = ()


LEVELS: Final = {
    "x86-64-v2": Level((_X86,), "x86_64-unknown-linux-gnu", "x86-64-v2", _V2),
    "x86-64-v3": Level((_X86,), "x86_64-unknown-linux-gnu", "x86-64-v3", _V3),
    # LLVM's tuning for this level would avoid registers of 512 bits.
    "x86-64-v4": Level((_X86,), "x86_64-unknown-linux-gnu", "x86-64-v4", _V4, ("-prefer-256-bit",)),
    # Later levels of ARM add nothing that the machine code would use: all have FMA and 128 bits.
    "armv8-a": Level(_ARM, engine.LINUX_ARM.triple, "generic", ("fp-armv8", "neon")),
}
NAMES: Final = (HOST, *LEVELS)


def machine(name: str) -> Machine:
    """Machine of a processor by its name, whether or not code for it runs here.

    >>> machine("x86-64-v3").cpu, engine.widest("float64", machine("x86-64-v3"))
    ('x86-64-v3', 4)
    """
    if name == HOST:
        return engine.host()
    level, triple = LEVELS[name], engine.host().triple
    if not triple.startswith(level.architectures):
        triple = level.triple
    return Machine(triple, level.cpu, ",".join((*(f"+{x}" for x in level.needs), *level.tuning)))


def selected(name: str | None = None, place: str = "compile: cpu") -> str:
    """Name of the processor to make code for: the given one, that in EQUAMO_CPU, or "host".

    Args:
        name: Name of a processor; None for that in EQUAMO_CPU.
        place: Start of an error message.

    Returns:
        A name whose machine code runs here.

    Raises:
        UnknownNameError: Unknown processor.
        EquamoError: The processor of this machine lacks an instruction set.
    """
    if name is None:
        name, place = os.environ.get(VARIABLE, "").strip() or HOST, VARIABLE
    if not isinstance(name, str) or name not in NAMES:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise UnknownNameError("processor", name, NAMES, place.removesuffix(": cpu"))
    reason = missing(name)
    if reason:
        usable = ", ".join(repr(n) for n in NAMES if not missing(n))
        raise EquamoError(
            f"{place} must name a processor whose code runs on this machine, got {name!r}, which needs "
            f"{reason}; use one of {usable}."
        )
    return name


def missing(name: str) -> str:
    """What the processor of this machine lacks for the code of another; empty if nothing.

    >>> missing("host")
    ''
    """
    if name == HOST:
        return ""
    level, here = LEVELS[name], engine.host()
    if not here.triple.startswith(level.architectures):
        return f"the architecture {level.architectures[0]}"
    if level.architectures == _ARM:  # every one has what the level needs; LLVM cannot always tell
        return ""
    present = here.features.split(",")
    return ", ".join(x for x in level.needs if f"+{x}" not in present)


def current() -> Machine:
    """Machine of EQUAMO_CPU, by default this one: for code that no option selects a processor for."""
    return machine(selected())
