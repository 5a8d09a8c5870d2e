"""Seconds of a call: programs take turns, and what is counted is processor time."""

from __future__ import annotations

import gc
import math
import statistics
import time
from collections.abc import Callable
from typing import Any, NamedTuple

SLOT = 0.004  # seconds that a program has at a time

Work = Callable[
    [int], float
]  # takes a number of passes over all states, gives seconds for one state


class Seconds(NamedTuple):
    """Of one call, over the rounds."""

    median: float
    least: float


def in_turns(work: dict[str, Work], rounds: int, states: int) -> dict[str, Seconds]:
    """Seconds of each for one state; a pass goes over so many states."""
    repeat: dict[str, int] = {}
    for name, run in work.items():
        run(1)  # builds, loads, warms
        seconds = run(1)
        usable = seconds == seconds and seconds > 0
        repeat[name] = max(1, math.ceil(SLOT / (seconds * states))) if usable else 1
    found: dict[str, list[float]] = {name: [] for name in work}
    gc.collect()
    gc.disable()
    for _ in range(rounds):
        for name, run in work.items():
            found[name].append(run(repeat[name]))
    gc.enable()
    return {name: Seconds(statistics.median(x), min(x)) for name, x in found.items()}


def over_states(call: Callable[[int], Any], count: int) -> Work:
    """Seconds of a call from Python, without the loop around it."""
    indices = range(count)

    def nothing(i: int) -> None:
        return None

    def clock(function: Callable[[int], Any], passes: int) -> float:
        start = time.thread_time()
        for _ in range(passes):
            for i in indices:
                function(i)
        return time.thread_time() - start

    return lambda passes: (clock(call, passes) - clock(nothing, passes)) / (passes * count)


def per_state(run: Callable[[], Any], count: int) -> Work:
    """Seconds for one state of a batch that is computed at once."""

    def clock(passes: int) -> float:
        start = time.process_time()
        for _ in range(passes):
            run()
        return (time.process_time() - start) / (passes * count)

    return clock
