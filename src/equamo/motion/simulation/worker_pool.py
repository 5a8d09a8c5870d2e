"""Workers of a sweep: the user's executor, or a pool of our own processes."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import (
    FIRST_COMPLETED,
    BrokenExecutor,
    CancelledError,
    Executor,
    Future,
    ProcessPoolExecutor,
    as_completed,
    wait,
)
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final, final

from ...basics.wording import brief
from ...errors import EquamoError, WorkerDiedError
from .carried_function import Raised
from .worker_process import WorkerContext, start_worker

TRIES: Final = 3  # attempts at a sample whose worker dies
AHEAD: Final = 2  # samples submitted per process of our own pool
MOST_ON_WINDOWS: Final = 61  # processes that one call of Windows can wait for

Outcomes = Generator[tuple[int, Any]]  # (index, result or Failure)


@final
@dataclass(frozen=True)
class Failure:
    """Sample without a result: its index, the sample itself, and the exception."""

    index: int  # number of the sample
    sample: Any  # the sample itself
    error: BaseException  # what was raised
    traceback: str = field(default="", repr=False)  # where it was raised

    def __str__(self) -> str:
        sample, error = brief(self.sample, limit=200), f"{type(self.error).__name__}: {self.error}"
        return f"sample {self.index} ({sample}): {error}"


def of_executor(task: Callable[[Any], Any], samples: Sequence[Any], executor: Executor) -> Outcomes:
    """Outcomes by the user's executor, which has its own queue and handles dead workers itself."""
    futures: dict[Future[Any], int] = {}
    for index, sample in enumerate(samples):
        try:
            futures[executor.submit(task, sample)] = index
        except RuntimeError as error:  # broken, or shut down
            yield index, Failure(index, sample, error)
    try:
        for future in as_completed(futures):
            index = futures[future]
            yield index, _outcome(index, samples[index], future)
    finally:
        for future in futures:
            future.cancel()


@final
class WorkerPool:
    """Pool of our own processes, replaced when a process dies.

    The samples in progress at that moment are suspects. They are then run one by one, which shows the
    one that kills its process.
    """

    task: Callable[[Any], Any]
    samples: Sequence[Any]
    workers: int
    alive: bool

    def __init__(self, task: Callable[[Any], Any], samples: Sequence[Any], workers: int) -> None:
        self.task, self.samples = task, samples
        self.workers = min(workers, MOST_ON_WINDOWS) if sys.platform == "win32" else workers
        self.waiting: list[int] = list(range(len(samples)))[::-1]
        self.suspects: list[int] = []
        self.tries: list[int] = [0] * len(samples)
        self.alive = False  # whether a process ever answered

    def run(self) -> Outcomes:
        """(index, result or Failure) of every sample, in order of completion."""
        while self.waiting or self.suspects:
            if self.suspects:
                self._check_processes()
                yield from self._until_broken(self.suspects, 1, 1)
            else:
                workers = min(self.workers, len(self.waiting))
                yield from self._until_broken(self.waiting, workers, AHEAD * workers)

    def _until_broken(self, queue: list[int], workers: int, at_once: int) -> Outcomes:
        """Process the samples of a queue until it is empty or a process dies."""
        futures: dict[Future[Any], int] = {}
        broken = False
        with _pool(workers) as pool:
            while (queue or futures) and not broken:
                try:
                    while queue and len(futures) < at_once:
                        futures[pool.submit(self.task, self.samples[queue[-1]])] = queue[-1]
                        queue.pop()
                except BrokenExecutor:
                    break
                for future in wait(futures, return_when=FIRST_COMPLETED).done:
                    index = futures.pop(future)
                    if isinstance(future.exception(), BrokenExecutor):
                        broken = True
                        yield from self._died(index)
                    else:
                        self.alive = True
                        yield index, _outcome(index, self.samples[index], future)
        # Samples in progress in a broken pool: take results, try the others again.
        for future, index in futures.items():
            if future.done() and not isinstance(future.exception(), BrokenExecutor):
                yield index, _outcome(index, self.samples[index], future)
            else:
                self.suspects.append(index)

    def _died(self, index: int) -> Outcomes:
        self.tries[index] += 1
        if self.tries[index] < TRIES:
            self.suspects.append(index)
            return
        error = WorkerDiedError(
            f"the worker process did not return a result in {TRIES} attempts (killed, out of memory, or "
            f"a crash)."
        )
        yield index, Failure(index, self.samples[index], error)

    def _check_processes(self) -> None:
        """Raise one error if no process can start at all, instead of one failure per sample."""
        if self.alive:
            return
        try:
            with _pool(1) as pool:
                self.alive = pool.submit(bool, 1).result()
        except BrokenExecutor:
            raise EquamoError(
                "sweep: worker processes cannot start; a script must call sweep under "
                'if __name__ == "__main__": and must be a file, not standard input.'
            ) from None


def _outcome(index: int, sample: Any, future: Future[Any]) -> Any:
    try:
        result = future.result()
    except (Exception, CancelledError) as error:  # of the executor, or during the transfer
        return Failure(index, sample, error)
    if isinstance(result, Raised):
        return Failure(index, sample, result.error, result.traceback)
    return result


@contextmanager
def _pool(workers: int) -> Generator[ProcessPoolExecutor]:
    """Pool of processes that end at once on Ctrl-C, or when no more results are needed."""
    context = WorkerContext()
    pool = ProcessPoolExecutor(
        workers, mp_context=context, initializer=start_worker, initargs=(os.getpid(),)
    )
    try:
        yield pool
    except BaseException:
        pool.shutdown(wait=False, cancel_futures=True)
        context.terminate()
        raise
    finally:
        pool.shutdown()
