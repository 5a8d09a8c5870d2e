"""A bar that shows how far a run has come, where it takes long and a person looks."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final, cast

LONG: Final = 1.0  # seconds after which a bar appears
OFTEN: Final = 0.1  # seconds between its moves


@contextmanager
def shown(duration: float, wanted: Any) -> Generator[Callable[[float], None]]:
    """A function that is told the time of the motion; `wanted` as `progress=` of `simulate`."""
    if callable(wanted):
        yield cast(Callable[[float], None], wanted)
        return
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    text = TextColumn("{task.completed:.2f} of {task.total:g} s")
    bar = Progress(
        TextColumn("simulating"), BarColumn(), text, TimeRemainingColumn(),
        console=Console(stderr=True), transient=True,
    )  # fmt: skip
    task = bar.add_task("", total=duration)
    began = last = monotonic()
    visible = False

    def tell(t: float) -> None:
        nonlocal last, visible
        now = monotonic()
        if not visible and now - began > LONG:
            bar.start()
            visible = True
        if visible and now - last > OFTEN:
            last = now
            bar.update(task, completed=t)

    try:
        yield tell
    finally:
        if visible:
            bar.stop()
