"""`make fuzz` finds, shrinks and stores what a reader does wrong."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from runpy import run_path
from types import SimpleNamespace

import pytest
from hypothesis import strategies as st

from equamo.errors import FileFormatError
from fuzz import reader as reader_module
from fuzz.documents import documents
from fuzz.edits import edit_bytes
from fuzz.reader import MiswordedError, Reader, TookTooLongError, accepted
from fuzz.regressions import reason, store, stored

pytestmark = pytest.mark.ci

SCRIPT = Path(__file__).parents[2] / "scripts" / "fuzz.py"
FUZZ = SimpleNamespace(**run_path(str(SCRIPT)))


def reader(read: object, seeds: tuple[bytes, ...] = (b"abc",)) -> Reader:
    return Reader("made_up", read, documents(seeds, edit_bytes), seeds)  # type: ignore[arg-type]


def test_a_result_and_an_error_of_ours_are_fine() -> None:
    def refuse(_: bytes) -> None:
        raise FileFormatError("the file must be better.")

    assert reader(len).check(b"x")
    assert not reader(refuse).check(b"x")


def test_a_refusal_of_what_was_read_is_a_failure() -> None:
    def read(_: bytes) -> None:
        with accepted():
            raise FileFormatError("the file must be better.")

    with pytest.raises(
        AssertionError, match="refused after it was read: the file must be"
    ) as error:
        reader(read).check(b"x")
    why = "refused after it was read, by FileFormatError in the reader's own check, read"
    assert reason(error.value) == why


def test_a_message_off_the_pattern_and_a_hang_are_failures(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: bytes) -> None:
        raise FileFormatError("bad")

    def hang(_: bytes) -> None:
        while True:
            pass

    with pytest.raises(MiswordedError, match="does not say what must hold: bad"):
        reader(refuse).check(b"x")
    if hasattr(signal, "setitimer"):  # not on Windows, where the parent process ends a worker
        monkeypatch.setattr(reader_module, "CPU_SECONDS", 0.1)
        with pytest.raises(TookTooLongError):
            reader(hang).check(b"x")


def test_a_failure_is_found_and_shrunk(tmp_path: Path) -> None:
    def read(data: bytes) -> None:
        if len(data) > 3:
            raise KeyError(data)

    x = Reader("made_up", read, st.binary(max_size=50), (b"abc",))
    turn = FUZZ.Turn(x, set(), time.monotonic() + 60, tmp_path / "current")
    turn.run(1)
    assert turn.failure is not None
    data, why, error = turn.failure
    assert data == bytes(4)
    assert isinstance(error, KeyError)
    assert why == "KeyError in the reader's own check, read"
    again = FUZZ.Turn(x, {why}, time.monotonic() + 60, tmp_path / "current")
    again.run(1)
    assert again.failure is None
    assert again.outcomes["failed"]


def test_a_failure_is_stored_once(tmp_path: Path) -> None:
    first = store("urdf", b"<r/>", "KeyError in robot/formats/urdf.py, f", tmp_path)
    assert first is not None
    assert first.read_bytes() == b"<r/>"
    assert store("urdf", b"<s/>", "KeyError in robot/formats/urdf.py, f", tmp_path) is None
    assert store("sdf", b"<s/>", "KeyError in robot/formats/urdf.py, f", tmp_path)
    assert [x.parent.name for x in stored(tmp_path)] == ["sdf", "urdf"]


def test_a_failure_that_comes_back_is_new(tmp_path: Path) -> None:
    """What an earlier run stored is corrected by now: the same reason must not hide a document."""
    why = "KeyError in robot/formats/urdf.py, f"
    old = store("urdf", b"<r/>", why, tmp_path)
    assert old is not None
    os.utime(old.with_suffix(".txt"), (1000, 1000))
    assert store("urdf", b"<s/>", why, tmp_path, since=2000)
    assert store("urdf", b"<t/>", why, tmp_path, since=2000) is None


def test_the_reason_names_the_function_of_equamo() -> None:
    from equamo.robot.formats.json_file import digest

    with pytest.raises(TypeError) as caught:
        digest({1, 2})
    assert reason(caught.value) == "TypeError in robot/formats/json_file.py, canonical"


def test_an_unknown_reader_is_refused(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["fuzz.py", "--reader", "nothing"])
    with pytest.raises(SystemExit, match="2"):
        FUZZ.main()
    assert "unknown reader 'nothing'; valid: audited_program, " in capsys.readouterr().err


def test_a_worker_that_dies_is_replaced_and_its_document_stored(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The process of the worker is one that writes down a document and ends with exit code 3."""
    place = tmp_path / "worker"
    place.write_bytes(b"")
    program = f"open({str(place)!r}, 'wb').write(b'urdf\\n<r/>'); raise SystemExit(3)"
    started = [subprocess.Popen([sys.executable, "-c", x]) for x in (program, "pass")]
    monkeypatch.setattr(FUZZ.Worker, "_started", lambda self: started.pop(0))
    worker = FUZZ.Worker(["urdf"], "1", time.monotonic() + 600, place, tmp_path / "found")
    while worker.is_running():
        time.sleep(0.01)
    assert worker.new == worker.replaced == 1
    (path,) = stored(tmp_path / "found")
    assert path.read_bytes() == b"<r/>"
    assert path.with_suffix(".txt").read_text("utf-8") == "the process ended with exit code 3\n"
    assert "FOUND urdf" in capsys.readouterr().out
