"""Requests and the processes that answer them, with processes that are none."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, ClassVar

import pytest

from equamo.publish.studio import processes as module
from equamo.publish.studio.processes import LIMIT, Processes


class Fake:
    """Answers as it is told, and keeps what it was asked."""

    made: ClassVar[list[Fake]] = []
    replies: ClassVar[dict[str, list[dict[str, Any]]]] = {}

    def __init__(self) -> None:
        self.made.append(self)
        self.pid = len(self.made)
        self.is_alive = True
        self.asked: list[tuple[dict[str, Any], float | None]] = []

    def ask(self, line: bytes, limit: float | None = None) -> Iterator[dict[str, Any]]:
        request = json.loads(line)
        assert line.endswith(b"\n")
        self.asked.append((request, limit))
        yield from self.replies.get(request["kind"], [result(request["id"])])

    def kill(self) -> None:
        self.is_alive = False

    def stop(self) -> None:
        self.is_alive = False


def result(number: int) -> dict[str, Any]:
    return {"id": number, "kind": "result", "data": {}}


@pytest.fixture
def processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Processes]:
    monkeypatch.setattr(Fake, "made", [])
    monkeypatch.setattr(Fake, "replies", {})
    monkeypatch.setattr(module, "Process", Fake)
    monkeypatch.setattr(module, "Thread", Now)
    made = Processes()
    yield made
    made.close()
    assert not any(x.is_alive for x in Fake.made)


class Now:
    """Thread that runs at once."""

    def __init__(self, target: Any, daemon: bool) -> None:
        assert daemon
        self.start = target


@pytest.mark.parametrize(
    ("kind", "lane", "limit"),
    [("check", 0, LIMIT), ("hello", 0, LIMIT), ("derive", 1, None), ("prove", 2, None)],
)
def test_a_request_goes_to_its_process(
    processes: Processes, kind: str, lane: int, limit: float | None
) -> None:
    """Only quick ones have a limit of time, since they cannot be cancelled."""
    request = {"id": 7, "kind": kind, "model": "…"}
    assert list(processes.ask(request)) == [result(7)]
    assert [x.asked for x in Fake.made] == [
        [(request, limit)] if k == lane else [] for k in range(4)
    ]
    assert processes.pids == [1, 2, 3, 4]  # three lanes, and a spare
    assert not processes.cancel(7)


@pytest.mark.parametrize(
    ("kind", "more"), [("derive", ""), ("check", " A text or a file must be read within 60 s.")]
)
def test_a_process_that_ends_early_is_replaced(processes: Processes, kind: str, more: str) -> None:
    progress = {"id": 3, "kind": "progress", "text": "half"}
    Fake.replies[kind] = [progress]
    first, last = processes.ask({"id": 3, "kind": kind})
    assert first == progress
    message = f"The kernel stopped during this request and was restarted.{more}"
    assert (last["id"], last["kind"], last["message"]) == (3, "error", message)
    lane = 0 if kind == "check" else 1
    assert not Fake.made[lane].is_alive
    pids = [1, 2, 3, 5]
    pids[lane] = 4  # the spare
    assert processes.pids == pids


def test_a_running_request_is_cancelled(processes: Processes) -> None:
    Fake.replies["derive"] = [{"id": 3, "kind": "progress", "text": "half"}] * 2
    replies = processes.ask({"id": 3, "kind": "derive"})
    next(replies)
    assert processes.cancel(3)
    assert not Fake.made[1].is_alive
    last = list(replies)[-1]
    assert (last["id"], last["kind"]) == (3, "cancelled")
    assert processes.pids == [1, 4, 3, 5]
    assert list(processes.ask({"id": 4, "kind": "prove"})) == [result(4)]


def test_a_process_that_ended_between_requests_is_replaced(processes: Processes) -> None:
    Fake.made[1].is_alive = False
    assert list(processes.ask({"id": 1, "kind": "derive"})) == [result(1)]
    assert processes.pids == [1, 4, 3, 5]
    assert Fake.made[3].asked
