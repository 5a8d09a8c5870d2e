"""The subprocesses of the local kernel: cancelling, replacing, ending. With real processes."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen

import pytest

from equamo.errors import EquamoError
from equamo.publish.studio import processes as processes_module
from equamo.publish.studio.processes import Processes
from equamo.publish.studio.templates import template_text

pytestmark = pytest.mark.studio
PROOFS = 2  # index of the process that proves


@pytest.fixture(scope="module")
def krang() -> str:
    return template_text("krang")


@pytest.fixture
def processes() -> Iterator[Processes]:
    found = Processes()
    yield found
    found.close()


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def gone(pids: list[int]) -> bool:
    for _ in range(200):
        if not any(map(is_running, pids)):
            return True
        time.sleep(0.05)
    return False


def request(number: int, kind: str, model: str = "") -> dict[str, Any]:
    return {"id": number, "kind": kind, "model": model}


def test_a_running_request_is_cancelled(processes: Processes, krang: str) -> None:
    before = processes.pids
    found: list[dict[str, Any]] = []
    for reply in processes.ask(request(1, "prove", krang)):
        found.append(reply)
        if len(found) == 2:  # it runs
            assert processes.cancel(1)
    assert found[-1] == {"id": 1, "kind": "cancelled"}
    # The spare answers at once, and the process of quick requests was not touched.
    assert list(processes.ask(request(2, "prove", krang)))[-1]["data"]["ok"]
    assert processes.pids[:2] == before[:2]
    assert before[PROOFS] not in processes.pids
    assert gone([before[PROOFS]])
    assert not processes.cancel(1)


def test_quick_requests_do_not_wait(processes: Processes, krang: str) -> None:
    proof = processes.ask(request(1, "prove", krang))
    assert next(proof)["kind"] == "progress"
    assert list(processes.ask(request(2, "check", krang)))[-1]["data"]["ok"]
    assert list(proof)[-1]["data"]["ok"]


def test_a_waiting_request_is_cancelled(processes: Processes, krang: str) -> None:
    proof = processes.ask(request(1, "prove", krang))
    assert next(proof)["kind"] == "progress"
    waiting: list[dict[str, Any]] = []
    thread = Thread(target=lambda: waiting.extend(processes.ask(request(2, "prove", krang))))
    thread.start()
    while not processes.cancel(2):
        time.sleep(0.01)
    assert list(proof)[-1]["data"]["ok"]
    thread.join()
    assert waiting == [{"id": 2, "kind": "cancelled"}]


def test_a_process_that_ends_is_replaced(processes: Processes, krang: str) -> None:
    found: list[dict[str, Any]] = []
    for reply in processes.ask(request(1, "prove", krang)):
        found.append(reply)
        if len(found) == 1:
            os.kill(processes.pids[PROOFS], signal.SIGKILL)
    assert found[-1]["where"] == "kernel"
    assert list(processes.ask(request(2, "hello")))[-1]["kind"] == "result"
    assert list(processes.ask(request(3, "prove", krang)))[-1]["data"]["ok"]


def test_a_process_that_ended_between_requests_is_replaced(processes: Processes) -> None:
    pid = processes.pids[0]
    assert list(processes.ask(request(1, "hello")))[-1]["kind"] == "result"
    os.kill(pid, signal.SIGKILL)
    while processes._quick.process.is_alive:  # pyright: ignore[reportPrivateUsage]
        time.sleep(0.01)
    assert list(processes.ask(request(2, "hello")))[-1]["kind"] == "result"
    assert pid not in processes.pids


def test_a_quick_request_that_takes_too_long_is_ended(
    processes: Processes, krang: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as short:
        short.setattr(processes_module, "LIMIT", 0.001)
        (found,) = processes.ask(request(1, "check", krang))
    assert "must be read within 0 s" in found["message"]
    assert list(processes.ask(request(2, "check", krang)))[-1]["data"]["ok"]


def test_a_request_that_cannot_be_written_ends_no_process(processes: Processes) -> None:
    before = processes.pids
    with pytest.raises(EquamoError, match="must be finite"):
        list(processes.ask({**request(1, "linearize"), "q": {"q1": float("inf")}}))
    assert processes.pids == before


def memory(pid: int) -> int:
    """Resident memory [bytes]."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_fifty_edits_leak_nothing(processes: Processes, krang: str) -> None:
    sizes: list[int] = []
    pids = sorted(processes.pids)
    for k in range(50):
        model = krang.replace('name = "krang"', f'name = "krang {k}"').replace(
            "0 L1 -L2", f"{k} L1 -L2"
        )
        # The memory of proofs settles after about ten of them.
        kinds = ("check", "derive", "prove") if k < 10 or k % 10 == 0 else ("check", "derive")
        for kind in kinds:
            assert list(processes.ask(request(k, kind, model)))[-1]["kind"] == "result"
        sizes.append(sum(map(memory, processes.pids)))
    assert sorted(processes.pids) == pids
    assert sizes[-1] - sizes[24] < 20e6, [round(x / 1e6) for x in sizes]


def heed_interrupts() -> None:
    """Undo what tests in the background inherit: that Ctrl-C is ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGKILL"])
def test_the_command_leaves_no_process(name: str, tmp_path: Path) -> None:
    number = signal.Signals[name]
    command = [sys.executable, "-m", "equamo", "studio", "rr_arm", "--no-browser"]
    studio = subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, text=True, preexec_fn=heed_interrupts
    )
    assert studio.stdout is not None
    url = studio.stdout.readline().split()[-1]
    body = json.dumps({"id": 1, "kind": "check", "model": ""}).encode()
    origin = "/".join(url.split("/")[:3])
    headers = {"Content-Type": "application/json", "Origin": origin}
    with urlopen(Request(f"{url}message", body, headers)) as answer:
        assert json.loads(answer.read())["kind"] == "result"
    tasks = Path("/proc", str(studio.pid), "task")
    children = [int(x) for t in tasks.iterdir() for x in (t / "children").read_text().split()]
    assert len(children) == 4
    studio.send_signal(number)
    assert studio.wait(20) == (0 if number != signal.SIGKILL else -number)
    assert gone(children)
    studio.stdout.close()


def test_the_command_ends_with_its_page(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "equamo", "studio", "--no-browser"]
    studio = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, text=True)
    assert studio.stdout is not None
    url = studio.stdout.readline().split()[-1]
    with urlopen(f"{url}alive") as page:
        assert page.read(1) == b"."
        assert studio.poll() is None
    assert studio.wait(60) == 0
    studio.stdout.close()


def test_ctrl_c_does_not_reach_the_processes_on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    """A new session is without effect there; a group of processes of its own is not."""
    given: dict[str, Any] = {}
    monkeypatch.setattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 512, raising=False)
    monkeypatch.setattr(subprocess, "Popen", lambda *_, **options: given.update(options))
    processes_module.Process()
    assert given["creationflags"] == 512
