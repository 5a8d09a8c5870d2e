"""Workers of a sweep: pools that break, sys.exit, Ctrl-C, and parents that are killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable, Generator
from concurrent.futures import BrokenExecutor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import Pipe
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from equamo.errors import EquamoError, SweepError
from equamo.motion.simulation import worker_pool, worker_process
from equamo.motion.simulation.sweep import sweep
from equamo.motion.simulation.worker_pool import (
    Failure,
    WorkerPool,
    _outcome,  # pyright: ignore[reportPrivateUsage]
)
from sweep_functions import exits_at_3, process_of

TESTS = Path(__file__).parents[2]


# -- pools that break ----------------------------------------------------------------------------------
class PoolThatBreaks:
    """Computes a given number of samples, and breaks when the next one is submitted."""

    def __init__(self, computes: int) -> None:
        self.computes, self.is_broken = computes, False

    def submit(self, task: Callable[[Any], Any], sample: Any) -> Future[Any]:
        assert not self.is_broken, "a broken pool was asked again: the sweep would never end"
        if not self.computes:
            self.is_broken = True
            raise BrokenProcessPool("a process died")
        self.computes -= 1
        future: Future[Any] = Future()
        future.set_result(task(sample))
        return future


@pytest.mark.parametrize("computes", [0, 1, 3])
def test_a_pool_that_breaks_during_submit(monkeypatch: Any, computes: int) -> None:
    """The sweep continues with a new pool, and finished samples are not computed again."""
    pools = [PoolThatBreaks(computes), *(PoolThatBreaks(100) for _ in range(20))]
    calls: list[int] = []

    @contextmanager
    def next_pool(workers: int) -> Generator[PoolThatBreaks]:
        yield pools.pop(0)

    def square(x: int) -> int:
        calls.append(x)
        return x**2

    monkeypatch.setattr(worker_pool, "_pool", next_pool)
    found = dict(WorkerPool(square, range(8), workers=4).run())
    assert found == {k: k**2 for k in range(8)}
    assert sorted(calls) == list(range(8))


# -- sys.exit ------------------------------------------------------------------------------------------
def test_exit_in_a_sample_is_a_failed_sample() -> None:
    with pytest.raises(SweepError, match="1 of 5 samples failed") as caught:
        sweep(exits_at_3, range(5), workers=1)
    (failure,) = caught.value.failures
    assert (failure.index, failure.sample) == (3, 3)
    assert isinstance(failure.error, SystemExit)
    assert failure.error.code == 7
    assert [x for x in caught.value.results if not isinstance(x, Failure)] == [0, 1, 2, 4]


def test_exit_in_a_thread_is_a_failed_sample() -> None:
    with ThreadPoolExecutor(1) as pool:
        found = sweep(exits_at_3, range(5), executor=pool, errors="keep")
    assert isinstance(found[3].error, SystemExit)
    assert [*found[:3], found[4]] == [0, 1, 2, 4]


# -- one worker, without a process ---------------------------------------------------------------------
class EndedError(Exception):
    """Stands for the end of this process."""


@pytest.fixture
def ends(monkeypatch: pytest.MonkeyPatch) -> None:
    def end(status: int) -> None:
        raise EndedError(status)

    monkeypatch.setattr(os, "_exit", end)


@pytest.mark.usefixtures("ends")
def test_a_worker_ends_when_its_parent_has_another_id(monkeypatch: pytest.MonkeyPatch) -> None:
    looks: list[tuple[list[Any], float]] = []

    def wait(sentinels: list[Any], seconds: float) -> list[Any]:
        looks.append((sentinels, seconds))
        return []

    ids = iter([5, 5, 1])  # it lives at the first two looks
    monkeypatch.setattr(worker_process.connection, "wait", wait)
    monkeypatch.setattr(os, "getppid", lambda: next(ids))
    with pytest.raises(EndedError, match=r"^1$"):
        worker_process.watch_parent(5)
    assert looks == [([], worker_process.LOOK)] * 3


@pytest.mark.usefixtures("ends")
def test_a_worker_ends_when_the_pipe_of_its_parent_closes(monkeypatch: pytest.MonkeyPatch) -> None:
    reader, writer = Pipe(duplex=False)
    monkeypatch.setattr(worker_process, "parent_process", lambda: SimpleNamespace(sentinel=reader))
    monkeypatch.setattr(os, "getppid", lambda: 5)
    writer.close()
    with reader, pytest.raises(EndedError, match=r"^1$"):
        worker_process.watch_parent(5)


@pytest.mark.usefixtures("ends")
@pytest.mark.parametrize("platform", ["linux", "darwin"])
def test_the_start_of_a_worker(monkeypatch: pytest.MonkeyPatch, platform: str) -> None:
    """It ignores Ctrl-C, asks the kernel for its end on Linux, and watches its parent in a thread."""
    calls: list[Any] = []
    monkeypatch.setattr(signal, "signal", lambda *x: calls.append(x))
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(worker_process, "die_with_parent", lambda: calls.append("kernel"))
    monkeypatch.setattr(worker_process, "watch_parent", lambda parent: calls.append(parent))
    monkeypatch.setattr(os, "getppid", lambda: 5)
    threads: list[threading.Thread] = []
    start = threading.Thread.start

    def started(thread: threading.Thread) -> None:
        threads.append(thread)
        start(thread)

    monkeypatch.setattr(threading.Thread, "start", started)
    worker_process.start_worker(5)
    (thread,) = threads
    thread.join()
    kernel = ["kernel"] if platform == "linux" else []
    assert calls == [(signal.SIGINT, signal.SIG_IGN), *kernel, 5]
    assert (thread.name, thread.daemon) == ("equamo-parent", True)
    with pytest.raises(EndedError, match=r"^1$"):  # the parent has ended already
        worker_process.start_worker(6)
    assert len(threads) == 1


class FakeProcess:
    """A process that ends at a given signal, or was never started."""

    def __init__(self, ends_at: str, pid: int | None = 7) -> None:
        self.ends_at, self.pid, self.calls = ends_at, pid, list[str]()

    def is_alive(self) -> bool:
        return self.ends_at not in self.calls and self.ends_at != "done"

    def terminate(self) -> None:
        self.calls.append("terminate")

    def join(self, seconds: float) -> None:
        assert 0 <= seconds <= worker_process.GRACE
        self.calls.append("join")

    def kill(self) -> None:
        self.calls.append("kill")


def test_workers_are_terminated_and_then_killed() -> None:
    context = worker_process.WorkerContext()
    assert context.started == []
    polite, stubborn = FakeProcess("terminate"), FakeProcess("kill")
    done, new = FakeProcess("done"), FakeProcess("kill", pid=None)
    context.started += [polite, stubborn, done, new]  # type: ignore[list-item]
    context.terminate()
    assert polite.calls == ["terminate", "join"]
    assert stubborn.calls == ["terminate", "join", "kill"]
    assert done.calls == new.calls == []


# -- the end of the parent -----------------------------------------------------------------------------
SCRIPT = """
    import signal
    import sys
    from pathlib import Path

    signal.signal(signal.SIGINT, signal.default_int_handler)  # tests in the background ignore it

    sys.path.insert(0, {tests!r})
    from equamo.motion.simulation.sweep import sweep
    from sweep_functions import Sleeps

    if __name__ == "__main__":
        try:
            sweep(Sleeps(Path({folder!r})), range(100), workers=2)
        except KeyboardInterrupt:
            print("interrupted", flush=True)
"""


@pytest.fixture
def sweeping(tmp_path: Path) -> Generator[tuple[subprocess.Popen[str], list[int]]]:
    """A script in the middle of a sweep whose samples sleep, and its two workers."""
    folder = tmp_path / "workers"
    folder.mkdir()
    path = tmp_path / "script.py"
    text = textwrap.dedent(SCRIPT).format(tests=str(TESTS), folder=str(folder))
    path.write_text(text, encoding="utf-8")
    process = subprocess.Popen(
        [sys.executable, str(path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    until(lambda: len(list(folder.iterdir())) == 2)
    workers = [int(p.name) for p in folder.iterdir()]
    yield process, workers
    process.kill()
    process.communicate()
    for worker in workers:
        if runs(worker):
            os.kill(worker, signal.SIGKILL)


def until(condition: Callable[[], bool], seconds: float = 60) -> None:
    """Waits until something holds; the limit is for a machine that is busy, not a measurement."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.02)


def runs(pid: int) -> bool:
    """Whether a process is there, and not only its entry that nobody has collected."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"


@pytest.mark.linux
@pytest.mark.sweep(1)
@pytest.mark.parametrize("to_all", [False, True], ids=["parent", "terminal"])
def test_interrupt(sweeping: tuple[subprocess.Popen[str], list[int]], to_all: bool) -> None:
    """Ctrl-C ends samples that sleep for minutes; a terminal sends it to the workers as well."""
    process, workers = sweeping
    (os.killpg if to_all else os.kill)(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (out, err) == ("interrupted\n", "")
    assert process.returncode == 0
    assert not any(runs(worker) for worker in workers)


@pytest.mark.linux
@pytest.mark.sweep(1)
@pytest.mark.parametrize("how", ["SIGTERM", "SIGKILL"])
def test_no_worker_survives(sweeping: tuple[subprocess.Popen[str], list[int]], how: str) -> None:
    process, workers = sweeping
    assert all(runs(worker) for worker in workers)
    os.kill(process.pid, signal.Signals[how])
    process.wait(60)
    until(lambda: not any(runs(worker) for worker in workers))


WATCHED = """
    import multiprocessing, sys, time

    sys.path.insert(0, {tests!r})
    from sweep_functions import waits_for_its_parent

    if __name__ == "__main__":
        context = multiprocessing.get_context("spawn")
        context.Process(target=waits_for_its_parent, args=({watch!r}, {folder!r})).start()
        time.sleep(600)
"""


@pytest.mark.linux
@pytest.mark.sweep(1)
@pytest.mark.parametrize("watch", ["kernel", "pipe"])
def test_each_watch_alone_ends_a_worker(tmp_path: Path, watch: str) -> None:
    """Not only both together: the kernel's is for Linux, the pipe's for workers that can listen."""
    folder = tmp_path / "workers"
    folder.mkdir()
    path = tmp_path / "script.py"
    text = textwrap.dedent(WATCHED).format(tests=str(TESTS), folder=str(folder), watch=watch)
    path.write_text(text, encoding="utf-8")
    process = subprocess.Popen([sys.executable, str(path)])
    until(lambda: any(folder.iterdir()))
    (worker,) = (int(p.name) for p in folder.iterdir())
    process.kill()
    process.wait(60)
    try:
        until(lambda: not runs(worker))
    finally:
        if runs(worker):
            os.kill(worker, signal.SIGKILL)


@pytest.mark.linux
def test_an_error_in_progress_ends_the_workers(tmp_path: Path) -> None:
    """Also while the error is looked at, whose traceback would keep the pool."""
    seen: list[int] = []

    def fails(done: int, total: int) -> None:
        seen.append(done)
        raise RuntimeError("no terminal")

    with pytest.raises(RuntimeError, match="no terminal") as caught:
        sweep(process_of, range(50), workers=1, progress=fails)
    frame = caught.traceback[1].frame
    (worker,) = {x for x in frame.f_locals["results"] if x is not None}
    until(lambda: not runs(worker))
    assert seen == [1]


def test_processes_that_cannot_start(monkeypatch: pytest.MonkeyPatch) -> None:
    """One error for all samples, which says how to call sweep."""

    def broken(workers: int) -> ProcessPoolExecutor:
        raise BrokenExecutor

    monkeypatch.setattr(worker_pool, "_pool", broken)
    with pytest.raises(
        EquamoError, match=r'cannot start; a script must call .* __name__ == "__main_'
    ):
        worker_pool.WorkerPool(abs, [1], 1)._check_processes()


@pytest.mark.parametrize(("platform", "expected"), [("linux", 200), ("darwin", 200), ("win32", 61)])
def test_windows_waits_for_few_processes(
    platform: str, expected: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    assert WorkerPool(abs, range(1000), 200).workers == expected


def test_an_error_of_the_executor_is_the_failure_of_its_sample() -> None:
    """Such as a result that cannot be sent back."""
    future: Future[Any] = Future()
    error = ValueError("cannot be pickled")
    future.set_exception(error)
    assert _outcome(3, "sample", future) == Failure(3, "sample", error)
