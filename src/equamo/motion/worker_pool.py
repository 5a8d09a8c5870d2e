"""Who works on the samples of a sweep: an executor of the user's, or processes of our own."""

from __future__ import annotations

import os
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

from ..errors import EquamoError, WorkerDiedError
from ..wording import brief
from .carried_function import Raised
from .worker_process import WorkerContext, start_worker

TRIES: Final = 3  # of a sample whose worker died
AHEAD: Final = 2  # samples handed out for each process of our own pool

Outcomes = Generator[tuple[int, Any]]  # (index, result or Failure)


@final
@dataclass(frozen=True)
class Failure:
    """A sample that gave no result: its place, the sample itself, and what was raised."""

    index: int
    sample: Any
    error: BaseException
    traceback: str = field(default="", repr=False)

    def __str__(self) -> str:
        sample, error = brief(self.sample, limit=200), f"{type(self.error).__name__}: {self.error}"
        return f"sample {self.index} ({sample}): {error}"


def of_executor(task: Callable[[Any], Any], samples: Sequence[Any], executor: Executor) -> Outcomes:
    """An executor of the user's has a queue of its own, and its own way with workers that die."""
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
    """Processes of our own. A pool that lost one is made anew, and what it had in hand is suspected.

    Suspects then go one by one, so that the one that kills its process is known.
    """

    def __init__(self, task: Callable[[Any], Any], samples: Sequence[Any], workers: int) -> None:
        self.task, self.samples, self.workers = task, samples, workers
        self.waiting = list(range(len(samples)))[::-1]
        self.suspects: list[int] = []
        self.tries = [0] * len(samples)
        self.alive = False  # whether a process of ours ever answered

    def run(self) -> Outcomes:
        """(index, result or Failure) of every sample, as they come."""
        while self.waiting or self.suspects:
            if self.suspects:
                self._check_processes()
                yield from self._until_broken(self.suspects, 1, 1)
            else:
                workers = min(self.workers, len(self.waiting))
                yield from self._until_broken(self.waiting, workers, AHEAD * workers)

    def _until_broken(self, queue: list[int], workers: int, at_once: int) -> Outcomes:
        """The samples of a queue, until it is empty or a process dies."""
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
        # What a broken pool still had in hand: results are taken, the rest is tried again.
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
            f"its process ended without a result, {TRIES} times (killed, out of memory, or a crash)."
        )
        yield index, Failure(index, self.samples[index], error)

    def _check_processes(self) -> None:
        """An error where no process can work at all, so that this is not said of every sample."""
        if self.alive:
            return
        try:
            with _pool(1) as pool:
                self.alive = pool.submit(bool, 1).result()
        except BrokenExecutor:
            raise EquamoError(
                "sweep: no worker process can start. A script that calls sweep does so under "
                'if __name__ == "__main__": and comes from a file, not from standard input.'
            ) from None


def _outcome(index: int, sample: Any, future: Future[Any]) -> Any:
    try:
        found = future.result()
    except (Exception, CancelledError) as error:  # of the executor, or on the way
        return Failure(index, sample, error)
    if isinstance(found, Raised):
        return Failure(index, sample, found.error, found.traceback)
    return found


@contextmanager
def _pool(workers: int) -> Generator[ProcessPoolExecutor]:
    """Processes of our own; on Ctrl-C, or where nobody wants more results, they end at once."""
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
