"""Pools that break: every sample still gets an outcome, and the run ends."""

from __future__ import annotations

from concurrent.futures import Executor, Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any

import pytest

from equamo.motion import worker_pool
from equamo.motion.worker_pool import WorkerPool


class BreaksOnSubmit(ThreadPoolExecutor):
    """A pool that takes some tasks and is broken for the next one."""

    def __init__(self, workers: int, accepts: int) -> None:
        super().__init__(workers)
        self.accepts = accepts
        self.refused = 0

    def submit(self, *task: Any, **_: Any) -> Future[Any]:
        if not self.accepts:
            self.refused += 1
            assert self.refused < 3, "the broken pool is asked again and again"
            raise BrokenProcessPool("a process ended")
        self.accepts -= 1
        return super().submit(*task)


def double(sample: int) -> int:
    return 2 * sample


def test_a_pool_that_breaks_while_it_is_filled_is_made_anew(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    made: list[Executor] = []

    def pool(workers: int) -> Executor:
        made.append(BreaksOnSubmit(workers, 1 if len(made) < 3 else 100))
        assert len(made) < 20, "a new pool is made again and again"
        return made[-1]

    monkeypatch.setattr(worker_pool, "_pool", pool)
    outcomes = dict(WorkerPool(double, [1, 2, 3, 4, 5], 2).run())
    assert outcomes == {k: 2 * (k + 1) for k in range(5)}
    assert len(made) > 3
