"""What a worker process of a sweep does about signals: it dies with its parent, and only with it.

A worker whose parent was killed would work on, and then wait for samples for ever. Three watches end it:

    the kernel   PR_SET_PDEATHSIG (Linux): SIGKILL when the parent ends, even in long machine code
    a pipe       the parent holds its other end, so that it closes whenever the parent ends
    the parent's number   looked at once a second, in case another process inherited that pipe

Ctrl-C reaches every process of a terminal. Workers ignore it: the parent terminates them, and no sample
is counted as failed because of it.
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
LOOK: Final = 1.0  # seconds between two looks at the number of the parent
GRACE: Final = 0.5  # seconds that terminated workers have before they are killed


def start_worker(parent: int) -> None:
    """Prepare this process to be a worker of the process `parent`."""
    with suppress(ValueError):  # not in the main thread: signals are then not ours to set
        signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        die_with_parent()
    if _is_orphan(parent):  # it ended before the lines above
        os._exit(1)
    threading.Thread(target=watch_parent, args=(parent,), name="equamo-parent", daemon=True).start()


def die_with_parent() -> None:
    """Ask the kernel for SIGKILL at the end of the thread that started this process.

    That thread is the one that runs the sweep, which outlives its pool.
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
    os._exit(1)  # at once: nobody is there to take a result


@final
class WorkerContext(SpawnContext):
    """Starts new processes, not copies of this one, and remembers them.

    Copies of threads and locks do not work; and executors have no public list of their processes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.started: list[BaseProcess] = []

    def Process(self, *args: Any, **options: Any) -> Any:  # pyright: ignore
        process = SpawnContext.Process(*args, **options)
        self.started.append(process)
        return process

    def terminate(self) -> None:
        """End all processes now; those that do not listen are killed."""
        alive = [p for p in self.started if p.pid is not None and p.is_alive()]
        for process in alive:
            process.terminate()
        until = monotonic() + GRACE
        for process in alive:
            process.join(max(0.0, until - monotonic()))
        for process in alive:
            if process.is_alive():
                process.kill()
