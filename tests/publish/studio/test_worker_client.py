"""The client of the kernel in the browser: which worker gets a request, and what cancelling does."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.ci, pytest.mark.needs("node")]

HERE = Path(__file__).parent
ASSETS = HERE.parents[2] / "src" / "equamo" / "publish" / "studio" / "assets"


@pytest.fixture(scope="module")
def steps(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    folder = tmp_path_factory.mktemp("client")
    command = ["node", HERE / "worker_client_test.mjs", ASSETS, folder]
    run = subprocess.run(command, capture_output=True, text=True, timeout=60)
    assert run.returncode == 0, run.stderr
    found = [json.loads(line) for line in run.stdout.splitlines()]
    return {x["name"]: (x["settled"], x["workers"]) for x in found}


def test_requests_wait_for_the_worker(steps: dict[str, Any]) -> None:
    assert steps["asked before the worker is ready"] == ([], [[1, []]])
    assert steps["ready"] == ([], [[1, ["derive"]]])


def test_without_a_spare_a_cancelled_request_comes_to_its_end(steps: dict[str, Any]) -> None:
    settled, workers = steps["cancelled without a spare"]
    assert settled == ["derive says half", "derive Cancelled: cancelled"]
    assert workers == [[1, ["derive"]]]  # not ended: a new one would take longer
    settled, workers = steps["it came to its end"]
    assert settled == []
    assert workers == [[1, ["derive", "check"]]]  # no spare beside the first requests
    settled, workers = steps["the check is answered, and a spare starts"]
    assert settled == ["check done"]
    assert workers == [[1, ["derive", "check"]], [2, []]]


def test_the_spare_answers_what_is_quick(steps: dict[str, Any]) -> None:
    _, workers = steps["quick requests go to the spare"]
    assert workers == [[1, ["derive", "check", "prove"]], [2, ["check"]]]
    settled, after = steps["a queued request is dropped"]
    assert settled == ["derive Cancelled: cancelled"]
    assert after == workers


def test_the_spare_takes_over_at_once(steps: dict[str, Any]) -> None:
    settled, workers = steps["the spare takes over"]
    assert settled == ["prove Cancelled: cancelled"]
    assert workers == [[2, ["check"]], [3, []]]
    assert steps["it derives"] == (["check done"], [[2, ["check", "derive"]], [3, []]])


def test_a_broken_worker_is_replaced(steps: dict[str, Any]) -> None:
    settled, workers = steps["a broken worker is replaced"]
    assert settled == ["derive KernelError: no memory"]
    assert [number for number, _ in workers] == [3, 4]


def test_a_kernel_that_cannot_start_is_an_error(steps: dict[str, Any]) -> None:
    settled, workers = steps["none can be started"]
    assert settled == ["check KernelError: no file"]
    assert workers == []
