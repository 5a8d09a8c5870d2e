"""Progress display on stderr for work that takes longer than a second.

`waiting` shows a spinner, for work of unknown length; `counting` shows a bar, for work of known length.
Only one spinner is visible at a time: nested work changes the text of the outer spinner.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from time import monotonic
from typing import Any, Final, cast, final

LONG: Final = 1.0  # seconds before the display appears
OFTEN: Final = 0.1  # seconds between updates of a bar

_lock: Final = threading.RLock()
_current: list[_Spinner] = []  # at most one


@contextmanager
def waiting(text: str) -> Generator[Callable[[str], None]]:
    """Show a spinner if the work takes longer than a second; yields a function that changes its text.

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
    """Show a progress bar if the work takes longer than a second; yields a function that advances it.

    `wanted` is the `progress=` of `simulate` and `sweep`: a function is called instead of drawing a bar,
    True shows the bar at once, False never; by default a bar is shown only on a terminal.

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
    style = "d" if isinstance(total, int) else ".2f"
    task = bar.add_task("", total=total, done=format(type(total)(0), style))
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
            bar.update(task, completed=x, done=format(x, style))

    try:
        yield tell
    finally:
        if visible:
            bar.stop()


@final
class _Spinner:
    """Spinner that a timer thread shows after `LONG` seconds."""

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
        """Remove the spinner, or cancel it if it is not visible yet."""
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
            # Output that is printed meanwhile is left alone.
            self._live = Live(
                self._spinner, console=Console(stderr=True), transient=True,
                refresh_per_second=10, redirect_stdout=False, redirect_stderr=False,
            )  # fmt: skip
            self._live.start()
