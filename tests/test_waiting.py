"""The spinner of long work: after a second, where a person looks, and only one."""

from __future__ import annotations

import io
import sys
import threading
import time
from collections.abc import Callable

import pytest

from equamo import waiting as module
from equamo.waiting import counting, waiting


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
    from equamo.expr import sympy_bridge, vector
    from equamo.expr.matrix import Matrix

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
