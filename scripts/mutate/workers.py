"""Workspaces for work in parallel: each task takes a free one."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import TypeVar

from .workspace import Workspace

Task = TypeVar("Task")


class Workers:
    """Copies of a project, deleted on exit; no two tasks use one at the same time.

    Args:
        project: the folder to copy.
        count: number of copies.
        prepare: called with the first copy; the others are copies of that one.
    """

    def __init__(self, project: Path, count: int, prepare: Callable[[Workspace], None]) -> None:
        self.project = project
        self.count = count
        self.prepare = prepare
        self.stop = threading.Event()
        self._free: SimpleQueue[Workspace] = SimpleQueue()
        self._copies = ExitStack()

    def __enter__(self) -> Workers:
        with ExitStack() as copies:  # deleted if this is interrupted
            first = copies.enter_context(Workspace(self.project, self.stop))
            self.prepare(first)
            self._free.put(first)
            for _ in range(self.count - 1):
                self._free.put(copies.enter_context(Workspace(first.root, self.stop, whole=True)))
            self._copies = copies.pop_all()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        at: TracebackType | None,
    ) -> None:
        self._copies.close()

    def each(self, tasks: Iterable[Task], work: Callable[[Workspace, Task], None]) -> None:
        """Work on all tasks, the first ones first.

        An exception, also Ctrl-C here, ends the processes in all copies and is raised.
        """

        def run(task: Task) -> None:
            workspace = self._free.get()
            try:
                work(workspace, task)
            finally:
                self._free.put(workspace)

        with ThreadPoolExecutor(self.count) as pool:
            try:
                for done in as_completed([pool.submit(run, task) for task in tasks]):
                    done.result()
            except BaseException:
                self.stop.set()
                pool.shutdown(cancel_futures=True)
                raise
