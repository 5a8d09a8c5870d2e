"""IR without parked values: a load from a place is replaced by the value stored there last.

`%near` and `%far` are memory of this thread alone, and nothing else has their addresses: the lines that
make them are compared word by word, and LLVM's own types tell the kinds of memory apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from ....basics.wording import brief
from ....errors import EquamoError
from .layout import Layout

_SEAT: Final = re.compile(
    r"  (%[\w.]+) = getelementptr i8, ptr(?: addrspace\(3\))? %(near|far), i64 (\d+)", re.ASCII
)
_STORE: Final = re.compile(
    r"  store (?:volatile )?(?:double|float) (%[\w.]+), ptr(?: addrspace\(3\))? (%[\w.]+), align \d+",
    re.ASCII,
)
_LOAD: Final = re.compile(
    r"  (%[\w.]+) = load (?:volatile )?(?:double|float), ptr(?: addrspace\(3\))? (%[\w.]+), align \d+",
    re.ASCII,
)
_NAME: Final = re.compile(r"%[\w.]+", re.ASCII)


def unparked(lines: Sequence[str], layout: Layout) -> list[str]:
    """Lines of a kernel with each loaded value replaced by the one that was stored.

    >>> place = Layout((), (), "float64", 32, parked=1)
    >>> seat = "getelementptr i8, ptr addrspace(3) %near, i64 0"
    >>> unparked([
    ...     f"  %a = {seat}", "  store volatile double %x, ptr addrspace(3) %a, align 8",
    ...     f"  %b = {seat}", "  %y = load volatile double, ptr addrspace(3) %b, align 8",
    ...     "  %z = fneg double %y",
    ... ], place)
    ['  %z = fneg double %x']
    """
    if not layout.parked and not layout.far:
        return list(lines)
    seats: dict[str, tuple[str, int]] = {}
    memory: dict[tuple[str, int], str] = {}
    same: dict[str, str] = {}  # loaded value -> stored value
    out: list[str] = []

    def first(m: re.Match[str]) -> str:
        return same.get(m[0], m[0])

    for given in lines:
        line = _NAME.sub(first, given) if same else given
        if m := _SEAT.fullmatch(line):
            seats[m[1]] = _place(layout, m[2], int(m[3]), line)
        elif (m := _STORE.fullmatch(line)) and m[2] in seats:
            memory[seats[m[2]]] = m[1]
        elif (m := _LOAD.fullmatch(line)) and seats.get(m[2]) in memory:
            same[m[1]] = memory[seats[m[2]]]
        elif "volatile" in line or any(x in seats for x in _NAME.findall(line)):
            raise EquamoError(f"IR: a parked value must be stored first, got {brief(line)}.")
        else:
            out.append(line)
    return out


def _place(layout: Layout, kind: str, offset: int, line: str) -> tuple[str, int]:
    """A place private to one thread; an error if another place overlaps it."""
    near = kind == "near"
    step, count = (layout.threads, layout.parked) if near else (1, layout.far)
    place, rest = divmod(offset, step * layout.bytes)
    if rest or place >= count:
        raise EquamoError(f"IR: a parked value must have a separate place, got {brief(line)}.")
    return kind, place
