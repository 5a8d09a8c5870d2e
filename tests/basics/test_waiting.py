"""The spinner of long work: after a second, where a person looks, and only one."""

from __future__ import annotations

import io
import sys
import threading
import time
from collections.abc import Callable

import pytest

from equamo.basics import waiting as module
from equamo.basics.waiting import counting, waiting


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def looked_at(monkeypatch: pytest.MonkeyPatch, after: float) -> Terminal:
    """A terminal as stderr; no fixture, since pytest puts its own in place before each test."""
    monkeypatch.setattr(module, "LONG", after)
    found = Terminal()
    monkeypatch.setattr(sys, "stderr", found)
    monkeypatch.setenv("TERM", "xterm")
    return found


def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + 60  # for a busy machine, not a measurement
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_long_work_is_shown(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    terminal = looked_at(monkeypatch, 0.0)
    with waiting("first stage") as say:
        until(lambda: "first stage" in terminal.getvalue())
        print("to whoever reads it")
        say("second stage")
        until(lambda: "second stage" in terminal.getvalue())
    assert capsys.readouterr().out == "to whoever reads it\n"
    ended = terminal.getvalue()
    assert not [t for t in threading.enumerate() if isinstance(t, threading.Timer)]
    assert terminal.getvalue() == ended


def test_work_inside_work_shares_the_spinner(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = looked_at(monkeypatch, 0.0)
    with waiting("outside"):
        until(lambda: "outside" in terminal.getvalue())
        with waiting("inside"):
            assert len(module._current) == 1
            until(lambda: "inside" in terminal.getvalue())
        assert len(module._current) == 1
    assert not module._current


def test_short_work_is_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = looked_at(monkeypatch, 600.0)
    with pytest.raises(ValueError, match="stop"), waiting("quick"):
        raise ValueError("stop")
    assert not module._current
    until(lambda: not [t for t in threading.enumerate() if isinstance(t, threading.Timer)])
    assert terminal.getvalue() == ""


def test_nobody_looks(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "LONG", 0.0)
    with waiting("in a file") as say:
        say("nothing")
        assert not module._current
    assert capsys.readouterr().err == ""


@pytest.mark.needs("sympy")
def test_conversions_and_closed_forms_are_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    """`.sympy()` and `.closed_form()` of a matrix say what they do."""
    from equamo.algebra.expr import sympy_bridge, vector
    from equamo.algebra.expr.matrix import Matrix

    said: list[str] = []

    class Spy:
        def __init__(self, text: str) -> None:
            said.append(text)

        def __enter__(self) -> Callable[[str], None]:
            return said.append

        def __exit__(self, *_: object) -> None:
            pass

    monkeypatch.setattr(sympy_bridge, "waiting", Spy)
    monkeypatch.setattr(vector, "waiting", Spy)
    m = Matrix([["x", "y"], ["y", "x"]])
    m.sympy()
    m.closed_form()
    assert said == [
        "converting to SymPy", "closed forms", *(f"closed forms: {k} of 4" for k in (1, 2, 3, 4))
    ]  # fmt: skip


# -- the bar -----------------------------------------------------------------------------------------
def test_a_bar_is_shown_of_long_work(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = looked_at(monkeypatch, 0.0)
    with counting("adding", 3, "numbers") as tell:
        tell(1)
        tell(3)
        until(lambda: "3 of 3 numbers" in terminal.getvalue())
    assert "adding" in terminal.getvalue()


class Clock:
    """Seconds that a test sets, for `monotonic`."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def updates(
    monkeypatch: pytest.MonkeyPatch,
    at: list[tuple[float, float]],
    total: float,
    wanted: object = None,
) -> list[tuple[float, str]]:
    """What the bar shows for (seconds, progress), told one after the other: (completed, text)."""
    from rich.progress import Progress

    shown: list[tuple[float, str]] = []
    clock = Clock()
    monkeypatch.setattr(module, "monotonic", clock)
    monkeypatch.setattr(
        Progress, "update", lambda _, task, completed, done: shown.append((completed, done))
    )
    with counting("adding", total, "numbers", wanted) as tell:
        for seconds, x in at:
            clock.now = 1000 + seconds
            tell(x)
    return shown


def test_a_bar_is_updated_ten_times_per_second_and_at_the_end(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked_at(monkeypatch, 1.0)
    told = [(0.5, 1.0), (1.0, 2), (1.05, 3), (1.1, 4), (1.14, 5), (1.2, 6), (1.25, 7), (1.26, 10)]
    assert updates(monkeypatch, told, 10) == [(3, "3"), (6, "6"), (10, "10")]
    # At once if it is wanted; a number of seconds has two digits.
    found = updates(
        monkeypatch, [(0.0, 1.0), (0.11, 2.0), (0.2, 3.0), (0.21, 9.0)], 9.0, wanted=True
    )
    assert found == [(2.0, "2.00"), (9.0, "9.00")]


@pytest.mark.parametrize("terminal", [True, False])
def test_a_bar_ends_and_a_log_keeps_its_last_line(
    terminal: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    from rich.progress import Progress

    made: list[Progress] = []
    start = Progress.start
    monkeypatch.setattr(Progress, "start", lambda bar: (made.append(bar), start(bar))[1])
    stderr = Terminal() if terminal else io.StringIO()
    monkeypatch.setattr(sys, "stderr", stderr)

    def work(tell: Callable[[float], None]) -> None:
        tell(4)
        raise ValueError("stop")

    with pytest.raises(ValueError, match="stop"), counting("adding", 4, "parts", True) as tell:
        work(tell)
    (bar,) = made
    assert bar.finished
    assert not bar.live.is_started
    assert bar.live.transient is terminal
    assert bar.console.stderr
    (task,) = bar.tasks
    assert (task.total, task.completed, task.fields) == (4, 4, {"done": "4"})
    if not terminal:
        assert "adding" in stderr.getvalue()
        assert "4 of 4 parts" in stderr.getvalue()


def test_the_program_can_end_before_the_spinner_appears(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python waits for threads that are not daemons."""
    looked_at(monkeypatch, 600.0)
    with waiting("quick"):
        (timer,) = [t for t in threading.enumerate() if isinstance(t, threading.Timer)]
        assert timer.daemon
        assert timer.interval == 600
    until(lambda: not timer.is_alive())


def test_a_spinner_that_appears_too_late_shows_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """The timer may run just when the work ends."""
    terminal = looked_at(monkeypatch, 600.0)
    spinner = module._Spinner("late")
    spinner.stop()
    spinner._appear()
    assert terminal.getvalue() == ""
    assert spinner._live is None


def test_the_text_that_is_shown_is_the_last_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Said before the spinner appears, after it, and by work inside the work."""
    terminal = looked_at(monkeypatch, 600.0)
    with waiting("outer") as say:
        (spinner,) = module._current
        say("early")
        spinner._appear()
        assert spinner._live.is_started
        assert str(spinner._spinner.text) == "early"
        with waiting("inner") as say_inside:
            assert str(spinner._spinner.text) == "inner"
            say_inside("within")
            assert str(spinner._spinner.text) == "within"
        say("late")
        assert str(spinner._spinner.text) == "late"
        assert spinner._live.transient
    assert not spinner._live.is_started
    assert "late" in terminal.getvalue()


def test_no_bar_of_short_work_or_if_it_is_not_wanted(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = looked_at(monkeypatch, 1e9)
    for wanted in (None, False):
        with counting("adding", 3, "numbers", wanted) as tell:
            tell(3)
    assert not terminal.getvalue()


def test_a_bar_goes_to_a_log_only_if_it_is_wanted(capsys: pytest.CaptureFixture[str]) -> None:
    for wanted in (None, False):
        with counting("adding", 2.5, "s", wanted) as tell:
            tell(2.5)
    assert not capsys.readouterr().err
    with counting("adding", 2.5, "s", True) as tell:
        tell(2.5)
    assert "2.50 of 2.5 s" in capsys.readouterr().err


def test_a_function_is_told_instead(capsys: pytest.CaptureFixture[str]) -> None:
    told: list[float] = []
    with counting("adding", 3, "numbers", told.append) as tell:
        tell(1)
        tell(3)
    assert told == [1, 3]
    assert not capsys.readouterr().err
