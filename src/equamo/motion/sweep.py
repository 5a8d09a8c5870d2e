"""eq.sweep: one function at many samples, in processes of this machine or on a cluster.

The function travels as bytes and is read once in each worker process, with all it carries: robots,
equations and compiled code pickle, and what a worker has compiled for one sample it has for the next.

    @dataclass
    class Settling:
        fast: eq.Compiled                      # compiled once in each worker, at its first sample
        def __call__(self, mass): …

    times = eq.sweep(Settling(eq.compile(eom)), masses)
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, Literal, final

from ..errors import EquamoError
from ..program.batch import available_threads
from ..wording import brief
from .carried_function import Direct, carried
from .worker_pool import Failure, WorkerPool, of_executor

Progress = Callable[[int, int], object]


class SweepError(EquamoError):
    """Samples that failed. `failures` names them; `results` has all the others in their places."""

    def __init__(self, results: Sequence[Any], failures: Sequence[Failure]) -> None:
        shown = "\n".join(f"  {f}" for f in failures[:5])
        more = f"\n  … and {len(failures) - 5} more" if len(failures) > 5 else ""
        super().__init__(
            f"sweep: {len(failures)} of {len(results)} samples failed (the others are in .results; "
            f'errors="keep" returns them all):\n{shown}{more}'
        )
        self.results, self.failures = list(results), list(failures)


def sweep(
    function: Callable[[Any], Any],
    samples: Iterable[Any],
    executor: Executor | None = None,
    progress: bool | Progress | None = None,
    errors: Literal["raise", "keep"] = "raise",
    workers: int | None = None,
) -> list[Any]:
    """[function(sample) for each sample], in order, by many processes.

    `executor`: any of `concurrent.futures`, or of a cluster: Dask's `client.get_executor()`. By default
    a pool of `workers` processes (one for each processor), which needs `if __name__ == "__main__":`
    around the script that calls it. `progress`: True for a line on stderr (by default where that is a
    terminal), or a function of (done, total).

    An exception in a sample stops nothing: at the end a SweepError names each failed sample and keeps
    the other results; errors="keep" returns `Failure` objects in their places instead. A process that
    is killed is replaced, and its samples are tried again, three times in all; Dask does that itself.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> sweep(abs, [-1, 2, -3], executor=ThreadPoolExecutor(2))
    [1, 2, 3]
    """
    if not callable(function):
        raise EquamoError(f"sweep: {brief(function)} cannot be called with a sample.")
    if executor is not None and not isinstance(executor, Executor):  # pyright: ignore
        raise EquamoError(
            f"sweep: executor is one of concurrent.futures, not {brief(executor)}; of a Dask client "
            f"it is client.get_executor()."
        )
    if errors not in ("raise", "keep"):
        raise EquamoError(f'sweep: errors is "raise" or "keep", not {brief(errors)}.')
    if workers is not None and (executor is not None or workers < 1):
        raise EquamoError(
            "sweep: workers is 1 or more, of the pool that is made without executor=."
        )
    inputs = list(samples)
    results: list[Any] = [None] * len(inputs)
    report = _reporter(progress, len(inputs))
    if executor is None:
        count = available_threads() if workers is None else workers
        outcomes = WorkerPool(carried(function), inputs, count).run()
    elif isinstance(executor, ThreadPoolExecutor):
        outcomes = of_executor(Direct(function), inputs, executor)
    else:
        outcomes = of_executor(carried(function), inputs, executor)
    for done, (index, outcome) in enumerate(outcomes, 1):
        results[index] = outcome
        report(done, len(inputs))
    failures = [x for x in results if isinstance(x, Failure)]
    if failures and errors == "raise":
        raise SweepError(results, failures)
    return results


# -- progress ------------------------------------------------------------------------------------------
def _reporter(progress: bool | Progress | None, total: int) -> Progress:
    if callable(progress):
        return progress
    if progress is False or (progress is None and not sys.stderr.isatty()):
        return lambda done, total: None
    return _Line(total)


@final
class _Line:
    """A line on stderr that is written over, ten times a second at most."""

    def __init__(self, total: int) -> None:
        self._begin, self._next = time.monotonic(), 0.0

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._next and done < total:
            return
        self._next = now + 0.1
        left = (now - self._begin) / done * (total - done)
        end = "\n" if done == total else ""
        print(f"\rsweep: {done}/{total}, {left:.0f} s left ", end=end, file=sys.stderr, flush=True)
