"""`traj.show()` writes the page of the motion; without a display it says where."""

import pytest

import equamo as eq


def test_show_without_a_display(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("CI", "1")
    motion = eq.simulate(eq.derive(eq.load("rr_arm")), q={"q1": 1}, duration=0.2)
    path = motion.show()
    assert str(path) in capsys.readouterr().out
    assert path.read_text("utf-8").startswith("<!doctype html>")


def test_show_opens_a_browser(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[str] = []
    monkeypatch.delenv("CI", raising=False)
    monkeypatch.setenv("DISPLAY", ":0")
    monkeypatch.setattr("webbrowser.open", lambda url: opened.append(url) or True)
    motion = eq.simulate(eq.derive(eq.load("rr_arm")), q={"q1": 1}, duration=0.2)
    assert opened == [motion.show().as_uri()]
