"""Worker processes of a sweep: they end with their parent, and ignore Ctrl-C.

A worker whose parent was killed would continue, and then wait for samples forever. Three mechanisms end
it:

    kernel       PR_SET_PDEATHSIG (Linux): SIGKILL when the parent ends, even in long machine code
    pipe         the parent holds its other end, so it closes when the parent ends
    parent id    checked once per second, in case another process inherited the pipe

Ctrl-C reaches every process of a terminal. Workers ignore it: the parent terminates them, so that no
sample counts as failed because of it.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
from contextlib import suppress
from multiprocessing import connection, parent_process
from multiprocessing.context import SpawnContext
from multiprocessing.process import BaseProcess
from time import monotonic
from typing import Any, Final, final

PR_SET_PDEATHSIG: Final = 1  # of linux/prctl.h
LOOK: Final = 1.0  # seconds between two checks of the parent id
GRACE: Final = 0.5  # seconds between terminating and killing workers


def start_worker(parent: int) -> None:
    """Prepare this process as a worker of the process `parent`."""
    with suppress(ValueError):  # only the main thread can set signal handlers
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        die_with_parent()
    if _is_orphan(parent):  # the parent ended before the lines above
        os._exit(1)
    threading.Thread(target=watch_parent, args=(parent,), name="equamo-parent", daemon=True).start()


def die_with_parent() -> None:
    """Ask the kernel for SIGKILL when the thread that started this process ends.

    That thread runs the sweep, and outlives its pool.
    """
    import ctypes

    with suppress(OSError, AttributeError):  # a C library without prctl
        ctypes.CDLL(None, use_errno=True).prctl(PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)


def _is_orphan(parent: int) -> bool:
    return hasattr(os, "getppid") and os.getppid() != parent


def watch_parent(parent: int) -> None:
    """End this process when its parent ends."""
    process = parent_process()
    sentinels: list[Any] = [] if process is None else [process.sentinel]
    while not connection.wait(sentinels, LOOK) and not _is_orphan(parent):
        pass
    os._exit(1)  # at once: no process is left to receive a result


@final
class WorkerContext(SpawnContext):
    """Context that spawns new processes, instead of forking, and keeps a list of them.

    Forked copies of threads and locks do not work, and executors have no public list of processes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.started: list[BaseProcess] = []

    def Process(self, *args: Any, **options: Any) -> Any:  # pyright: ignore
        process = SpawnContext.Process(*args, **options)
        self.started.append(process)
        return process

    def terminate(self) -> None:
        """Terminate all processes, and kill those that do not end in time."""
        alive = [p for p in self.started if p.pid is not None and p.is_alive()]
        for process in alive:
            process.terminate()
        until = monotonic() + GRACE
        for process in alive:
            process.join(max(0.0, until - monotonic()))
        for process in alive:
            if process.is_alive():
                process.kill()
