"""A sign of life for work that takes longer than a second, where a person looks: a spinner on stderr.

Everything that has no bar of its own uses this one place. Only one spinner is shown at a time: work
inside other work changes the text of the spinner that is there.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any, Final, final

LONG: Final = 1.0  # seconds after which it appears

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
