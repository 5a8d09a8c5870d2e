"""eq.sweep: evaluate one function at many samples, in processes of this machine or on a cluster.

The function is sent as bytes and read once in each worker process, with the data it holds: robots,
equations and compiled code can be pickled, and a worker reuses what it compiled for an earlier sample.

    @dataclass
    class Settling:
        fast: eq.Compiled                      # compiled once per worker, at its first sample
        def __call__(self, mass): …

    times = eq.sweep(Settling(eq.compile(eom)), masses)
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from contextlib import closing
from dataclasses import replace
from functools import partial
from os import PathLike
from pathlib import Path
from typing import Any, Literal

from ...basics.arguments import expect_function, is_one_of, items_of
from ...basics.waiting import counting
from ...basics.wording import brief
from ...code.jit.batch import available_threads
from ...errors import EquamoError, SweepError
from .carried_function import Direct, carried
from .conditions import read_positive_integer
from .sweep_store import SweepStore
from .worker_pool import Failure, Outcomes, WorkerPool, of_executor

Progress = Callable[[int, int], object]


def sweep(
    function: Callable[[Any], Any],
    samples: Iterable[Any],
    executor: Executor | None = None,
    progress: bool | Progress | None = None,
    errors: Literal["raise", "keep"] = "raise",
    workers: int | None = None,
    resume: str | Path | None = None,
) -> list[Any]:
    """Compute [function(sample) for sample in samples] in many processes.

    An exception in a sample, or sys.exit(), does not stop the sweep: at the end a SweepError names each
    failed sample and has the other results. A process that is killed is replaced, and its samples are
    tried again, up to three times in total (Dask does so itself). On Ctrl-C, pending samples are
    cancelled and the processes are terminated; they also end if this process is killed.

    Args:
        function: Called with one sample. It is sent to the processes by pickle (or cloudpickle).
        samples: Its arguments, one per call.
        executor: An executor of `concurrent.futures` or of a cluster, such as Dask's
            `client.get_executor()`. By default a pool of processes, which needs
            `if __name__ == "__main__":` around the script.
        progress: True for a bar on stderr (the default if that is a terminal), or a function of
            (done, total).
        errors: "raise" a SweepError if samples failed, or "keep" `Failure` objects in their places.
        workers: Number of processes of the pool, by default one per processor.
        resume: A folder that keeps the result of each finished sample. An interrupted sweep reads them
            and computes only the missing samples; failed samples are tried again. Results are stored by
            pickle, and reading a pickle can run code: the folder is created with mode 0700, and a folder
            or file that others own or can write is rejected. Never resume from a folder that somebody
            else gave you. A folder belongs to one function: it is rejected if the function's source or
            data has changed. Functions that it calls are not compared.

    Returns:
        The results, in the order of the samples.

    Raises:
        SweepError: Samples failed, and `errors` is "raise".
        EquamoError: An argument has the wrong type, the function or a sample cannot be sent to a
            process, or `resume` cannot be used.

    >>> from concurrent.futures import ThreadPoolExecutor
    >>> sweep(abs, [-1, 2, -3], executor=ThreadPoolExecutor(2))
    [1, 2, 3]
    """
    if not callable(function):
        raise EquamoError(f"sweep: function must be callable with a sample, got {brief(function)}.")
    inputs = items_of(samples)
    if inputs is None:
        raise EquamoError(
            f"sweep: samples must be a list or another iterable, got {brief(samples)}; for a "
            f"number of samples, pass range(…)."
        )
    if executor is not None and not isinstance(executor, Executor):  # pyright: ignore
        raise EquamoError(
            f"sweep: executor must be an executor of concurrent.futures, got {brief(executor)}; for a "
            f"Dask client pass client.get_executor()."
        )
    if callable(progress):
        if isinstance(progress, type):
            raise EquamoError(f"sweep: progress must be a function, got {brief(progress)}.")
        expect_function("sweep: progress", progress, "done", "total")
    if not is_one_of(errors, ("raise", "keep")):
        raise EquamoError(f'sweep: errors must be "raise" or "keep", got {brief(errors)}.')
    if workers is not None:
        workers = read_positive_integer("workers", workers, "sweep")
        if executor is not None:
            raise EquamoError(
                "sweep takes either workers or executor, got both; set the number of workers when "
                "you make the executor."
            )
    if resume is not None and not isinstance(resume, (str, PathLike)):  # pyright: ignore
        raise EquamoError(f"sweep: resume must be the path of a folder, got {brief(resume)}.")
    total = len(inputs)
    results: list[Any] = [None] * total
    store = None if resume is None else SweepStore(Path(resume), function, inputs)
    stored = {} if store is None else store.read()
    missing = [index for index in range(total) if index not in stored]
    todo = [inputs[index] for index in missing]
    told = partial(_tell, progress, total) if callable(progress) else progress
    # Always closed: the traceback of an error would keep the pool alive.
    with (
        counting("sweep", total, "samples", told) as tell,
        closing(_outcomes(function, todo, executor, workers)) as outcomes,
    ):
        for done, (index, result) in enumerate(stored.items(), 1):
            results[index] = result
            tell(done)
        for done, (place, outcome) in enumerate(outcomes, len(stored) + 1):
            index = missing[place]
            if isinstance(outcome, Failure):
                outcome = replace(outcome, index=index)
            elif store is not None:
                store.write(index, outcome)
            results[index] = outcome
            tell(done)
    failures = [x for x in results if isinstance(x, Failure)]
    if failures and errors == "raise":
        raise SweepError(results, failures)
    return results


def _tell(progress: Progress, total: int, done: int) -> None:
    progress(done, total)


def _outcomes(
    function: Callable[[Any], Any],
    samples: Sequence[Any],
    executor: Executor | None,
    workers: int | None,
) -> Outcomes:
    if executor is None:
        count = available_threads() if workers is None else workers
        return WorkerPool(carried(function), samples, count).run()
    if isinstance(executor, ThreadPoolExecutor):
        return of_executor(Direct(function), samples, executor)
    return of_executor(carried(function), samples, executor)
