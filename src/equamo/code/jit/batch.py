"""Machine code on batches: one loaded module, with threads for large batches.

The code runs without the interpreter's lock. The result for a state does not depend on its position in
the batch, so threads can start and end anywhere.
"""

from __future__ import annotations

import ctypes
import os
import struct
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import pairwise
from threading import Lock
from typing import Any, Final, final

from . import engine
from .arrays import Array

# Handing work to a thread takes about 50 µs, in which a core executes about 50 bytes of straight-line
# code per nanosecond.
WORTH_A_THREAD: Final = 5_000_000  # bytes of machine code

_Batch = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64, ctypes.c_int64)


def available_threads() -> int:
    """Number of processors that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


@final
class Code:
    """Module of machine code in memory: `kernel` and `batch` for a number of lanes."""

    size: int
    lanes: int

    def __init__(self, code: bytes, lanes: int) -> None:
        self.size, self.lanes = len(code), lanes
        self.loaded: engine.Loaded = engine.load(code)
        self.kernel: int = self.loaded.address("kernel")
        self._batch = _Batch(self.loaded.address("batch"))

    def run(
        self, arrays: Sequence[Array], strides: Sequence[int], count: int, threads: int
    ) -> None:
        """Run states 0 to `count` of arrays, which have two strides each, in bytes."""
        if count <= 0:
            return
        # As bytes, since creating a ctypes array takes longer than many kernels.
        pointers = struct.pack(f"{len(arrays)}Q", *(x.ctypes.data for x in arrays))
        steps = struct.pack(f"{len(strides)}q", *strides)

        def piece(begin: int, end: int, _kept: Any = arrays) -> None:
            # An interrupt may end the call before the pieces, so each keeps its arrays alive.
            self._batch(pointers, steps, begin, end)

        first, *rest = self.pieces(count, threads)
        futures = [_submit(piece, *bounds) for bounds in rest]
        piece(*first)
        for future, bounds in zip(futures, rest, strict=True):
            if future is None:
                piece(*bounds)
            else:
                future.result()

    def pieces(self, count: int, threads: int) -> list[tuple[int, int]]:
        """Range of each thread; a single one if there is too little work for more."""
        work = self.size * (count // self.lanes + 1)
        number = max(1, min(threads, work // WORTH_A_THREAD, count // self.lanes))
        groups = -(-count // self.lanes)  # whole vectors, except in the last piece
        edges = [min(count, self.lanes * (groups * k // number)) for k in range(number)] + [count]
        return list(pairwise(edges))


# -- the threads ---------------------------------------------------------------------------------------
_lock = Lock()
_pool: ThreadPoolExecutor | None = None


def _submit(function: Any, *arguments: Any) -> Future[None] | None:
    """Submit a call to the shared pool; None if no thread is available."""
    global _pool
    with _lock:
        if _pool is None:
            _pool = ThreadPoolExecutor(available_threads(), thread_name_prefix="equamo")
        try:
            return _pool.submit(function, *arguments)
        except RuntimeError:  # the interpreter is shutting down, or no thread can be started
            return None


def _forget_threads() -> None:
    """Forget the pool after a fork: the child has its records, but not its threads."""
    global _lock, _pool
    _lock, _pool = Lock(), None


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_threads)
