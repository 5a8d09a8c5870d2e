"""A sign of life for work that takes longer than a second, where a person looks: on stderr.

`waiting` is a spinner, for work of unknown length; `counting` a bar, for work that knows how far it is.
Only one spinner is shown at a time: work inside other work changes the text of the one that is there.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final, cast, final

LONG: Final = 1.0  # seconds after which it appears
OFTEN: Final = 0.1  # seconds between the moves of a bar

_lock: Final = threading.RLock()
_current: list[_Spinner] = []  # at most one


@contextmanager
def waiting(text: str) -> Generator[Callable[[str], None]]:
    """Show what is being done if it takes longer than a second; gives a function that changes the text.

    >>> with waiting("counting") as say:
    ...     for k in range(3):
    ...         say(f"counting: {k}")
    """
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    with _lock:
        inside = bool(_current)
        spinner = _current[0] if inside else _Spinner(text)
        if not inside:
            _current.append(spinner)
    if inside:
        spinner.say(text)
        yield spinner.say
        return
    try:
        yield spinner.say
    finally:
        with _lock:
            _current.remove(spinner)
        spinner.stop()


@contextmanager
def counting(
    text: str, total: float, unit: str, wanted: Any = None
) -> Generator[Callable[[float], None]]:
    """Show how much of a total is done if it takes long; gives a function that is told how much.

    `wanted` as `progress=` of `simulate` and `sweep`: a function is told instead, True shows the bar at
    once, and by default it is shown only where a person looks.

    >>> with counting("adding", total=3, unit="numbers") as tell:
    ...     for k in range(3):
    ...         tell(k + 1)
    """
    if callable(wanted):
        yield cast(Callable[[float], None], wanted)
        return
    if wanted is False or (wanted is None and not sys.stderr.isatty()):
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    done = TextColumn(f"{{task.fields[done]}} of {total:g} {unit}")
    bar = Progress(
        TextColumn(text), BarColumn(), done, TimeRemainingColumn(),
        console=Console(stderr=True), transient=sys.stderr.isatty(),  # a log keeps the last line
    )  # fmt: skip
    shown = "d" if isinstance(total, int) else ".2f"
    task = bar.add_task("", total=total, done=format(type(total)(0), shown))
    began = last = monotonic()
    visible = False

    def tell(x: float) -> None:
        nonlocal last, visible
        now = monotonic()
        if not visible and (wanted is True or now - began > LONG):
            bar.start()
            visible = True
        if visible and (now - last > OFTEN or x >= total):
            last = now
            bar.update(task, completed=x, done=format(x, shown))

    try:
        yield tell
    finally:
        if visible:
            bar.stop()


@final
class _Spinner:
    """Appears after a while, by a thread of its own."""

    def __init__(self, text: str) -> None:
        self._text, self._ended = text, False
        self._live: Any = None
        self._spinner: Any = None
        self._timer = threading.Timer(LONG, self._appear)
        self._timer.daemon = True
        self._timer.start()

    def say(self, text: str) -> None:
        """Change the text."""
        with _lock:
            self._text = text
            if self._live is not None:
                self._spinner.update(text=text)

    def stop(self) -> None:
        """Take it away, or see that it never comes."""
        self._timer.cancel()
        with _lock:
            self._ended = True
            if self._live is not None:
                self._live.stop()

    def _appear(self) -> None:
        from rich.console import Console
        from rich.live import Live
        from rich.spinner import Spinner

        with _lock:
            if self._ended:
                return
            self._spinner = Spinner("dots", self._text)
            # What others print meanwhile stays where they print it.
            self._live = Live(
                self._spinner, console=Console(stderr=True), transient=True,
                refresh_per_second=10, redirect_stdout=False, redirect_stderr=False,
            )  # fmt: skip
            self._live.start()
