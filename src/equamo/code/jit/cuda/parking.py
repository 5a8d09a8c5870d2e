"""Parking: values kept in shared memory, because a thread has at most 255 registers.

A long program has more live values than registers. The assembler then spills to local memory,
which exceeds the caches of a GPU. Here the values whose next use is farthest away
(Belady's rule, best for straight-line code) are stored to shared memory and loaded again before that
use. What does not fit in shared memory goes to local memory: of the values parked at the same time,
those that are parked longest.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from math import inf
from typing import final

from ...ir.program import Instruction
from .order import NOWHERE, Order

Moves = Mapping[int, Sequence[tuple[int, int]]]  # before an instruction: (value, place)


@final
@dataclass(frozen=True)
class Parking:
    """Values that are stored and loaded before each instruction, and their places.

    Places below `near` are in shared memory, the next `far` ones in local memory.
    """

    order: Order
    stores: Moves
    loads: Moves
    near: int
    far: int
    moved: bool = False  # whether the assembler may move stores and loads


@dataclass
class _Wait:
    """A parked value, from its store to its last load."""

    value: int
    begin: int
    loads: list[int]
    place: int = -1

    @property
    def end(self) -> int:
        return self.loads[-1]


def parked(
    code: Sequence[Instruction],
    order: Order,
    kept: int,
    room: int,
    free: Callable[[int], bool],
    moved: bool = False,
) -> Parking:
    """Decide which values are parked, and where.

    Args:
        code: Instructions of a program.
        order: Those that are computed, in this order.
        kept: Number of values that stay in registers.
        room: Places in shared memory.
        free: Whether an input takes no register, because it can be read again at any time.
        moved: Whether the assembler may move stores and loads, which can cost registers.
    """
    waits = _waits(code, order, kept, free)
    near, distant = _divided(waits, room)
    used, more = _placed(near), _placed(distant)
    for wait in distant:
        wait.place += used
    stores: dict[int, list[tuple[int, int]]] = defaultdict(list)
    loads: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for wait in waits:
        stores[order[wait.begin]].append((wait.value, wait.place))
        for t in wait.loads:
            loads[order[t]].append((wait.value, wait.place))
    return Parking(order, stores, loads, used, more, moved)


def _waits(
    code: Sequence[Instruction], order: Sequence[int], kept: int, free: Callable[[int], bool]
) -> list[_Wait]:
    """Values to move out of registers, by Belady's rule."""
    uses: dict[int, list[int]] = defaultdict(list)
    for t, i in enumerate(order):
        for a in code[i].args:
            if code[a].op not in NOWHERE and not free(a):
                uses[a].append(t)

    def following(value: int, t: int) -> float:
        k = bisect_right(uses[value], t)
        return uses[value][k] if k < len(uses[value]) else inf

    here: dict[int, float] = {}  # values in registers, and their next use
    away: dict[int, _Wait] = {}
    for t, i in enumerate(order):
        own = {a for a in code[i].args if a in uses}
        for a in own:
            if a not in here:
                away[a].loads.append(t)
            here[a] = following(a, t)
        later = {a: x for a, x in here.items() if a not in own or x < inf}
        more = 1 if i in uses else 0
        while len(later) + more > kept:
            value = max((a for a in later if a not in own), key=later.__getitem__, default=None)
            if value is None:
                break
            away.setdefault(value, _Wait(value, t, []))
            del later[value]
        here = later
        if more:
            here[i] = following(i, t)
    return [wait for wait in away.values() if wait.loads]


def _divided(waits: Sequence[_Wait], room: int) -> tuple[list[_Wait], list[_Wait]]:
    """Values for shared memory, and the others: those parked longest if too many are parked at once."""
    distant: list[_Wait] = []
    active: list[_Wait] = []
    for wait in sorted(waits, key=lambda w: w.begin):
        active = [w for w in active if w.end >= wait.begin]
        active.append(wait)
        if len(active) > room:
            longest = max(active, key=lambda w: w.end)
            active.remove(longest)
            distant.append(longest)
    away = {id(w) for w in distant}
    return [w for w in waits if id(w) not in away], distant


def _placed(waits: Sequence[_Wait]) -> int:
    """Assign places, which are reused after the last load; return their number."""
    count, unused, ends = 0, list[int](), list[tuple[int, int]]()
    for wait in sorted(waits, key=lambda w: w.begin):
        while ends and ends[0][0] < wait.begin:
            heappush(unused, heappop(ends)[1])
        if unused:
            wait.place = heappop(unused)
        else:
            wait.place, count = count, count + 1
        heappush(ends, (wait.end, wait.place))
    return count
