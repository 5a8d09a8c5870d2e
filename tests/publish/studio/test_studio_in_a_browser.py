"""The studio with the local kernel, used by a script as by a person; times are only reported."""

from __future__ import annotations

import http.client
import os
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from studio_claims import SHEETS, Sheet
from studio_pages import Studio, open_studio

pytestmark = pytest.mark.studio

VALUE = "#entry-value"
EDITS = 50


@pytest.fixture(scope="module")
def studio(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    folder = tmp_path_factory.mktemp("models")
    opened = open_studio("krang", folder)
    yield opened
    opened.close()


def reported(record: pytest.FixtureRequest, name: str, ms: float) -> None:
    """A time in the output of `pytest -s`, and in its report."""
    record.node.user_properties.append((name, ms))
    print(f"\n{name}: {ms:.0f} ms")


def test_krang_is_shown_and_proved(studio: Studio) -> None:
    assert studio.value("#robot-name") == "krang"
    assert studio.value("#verdict") == "✓ proved"
    assert float(studio.value(VALUE)) == pytest.approx(43.09212, abs=1e-9)
    rows = studio.page.evaluate("document.querySelectorAll('#panel-proof tbody tr').length")
    marks = studio.page.evaluate(
        "document.querySelectorAll('#panel-proof tbody .verdict.proved').length"
    )
    assert rows == marks > 5


def test_a_mass_changes_numbers_only(studio: Studio, request: pytest.FixtureRequest) -> None:
    derived = len([x for x in studio.log() if x["what"] == "equations"])
    version = studio.type("XX_1 = { value = 1.8208", "XX_1 = { value = 2.8208")
    ms = studio.done("numbers", version)
    assert float(studio.value(VALUE)) == pytest.approx(44.09212, abs=1e-9)
    assert len([x for x in studio.log() if x["what"] == "equations"]) == derived
    assert studio.proof == "proved"  # it holds for all numbers
    version = studio.type("m_10l = { value = ", "m_10l = { value = 1")
    again = studio.done("numbers", version)
    reported(request, "new numbers", min(ms, again))


def test_an_axis_changes_equations_and_proof(
    studio: Studio, request: pytest.FixtureRequest
) -> None:
    before = studio.page.evaluate("equamo.session.structure")
    text = studio.page.evaluate("equamo.editor.text")
    line = next(x for x in text.split("\n") if 'q = "q_7l"' in x)
    version = studio.type(
        line, 'joint = { kind = "revolute", q = "q_7l", axis = "x", at = "0 -L9 0" }'
    )
    reported(request, "new equations", studio.done("equations", version))
    assert studio.page.evaluate("equamo.session.structure") != before
    reported(request, "new equations and proof", studio.done("proof", version))
    studio.settled()
    assert studio.proof == "proved"


def test_a_typo_is_shown_at_its_line_and_the_result_stays(studio: Studio) -> None:
    before = studio.value(VALUE)
    studio.type('parent = "9l"', 'parent = "9x"')
    problem = studio.page.wait_for("!equamo.session.check.ok && equamo.session.check.problems[0]")
    lines = studio.page.evaluate("equamo.editor.text").split("\n")
    assert lines[problem["line"] - 1] == 'parent = "9x"'
    assert lines[problem["line"] - 1][problem["column"] - 1 : problem["end_column"] - 1] == '"9x"'
    studio.page.wait_for("document.querySelector('.gutter .error') !== null")
    assert studio.value(".gutter .error") == str(problem["line"])
    assert "showing the last valid model" in studio.state
    assert "Unknown parent '9x'" in studio.value("#problems")
    assert studio.value(VALUE) == before
    studio.page.key("Escape")
    studio.page.evaluate("equamo.editor.travel(-1)")  # undo
    studio.settled()
    assert studio.page.evaluate("document.querySelector('.problem.error') === null")


def test_a_hand_follows_the_pointer(studio: Studio) -> None:
    x, y = studio.hand("10r")
    before = studio.page.evaluate("equamo.state.q")
    left, top, width, height = studio.page.evaluate(
        """(() => { const r = document.getElementById("canvas").getBoundingClientRect();
        return [r.left, r.top, r.width, r.height]; })()"""
    )
    # A third of the way to the middle: the arm is stretched, so it reaches what is nearer.
    aim = (x + (left + width / 2 - x) / 3, y + (top + height / 2 - y) / 3)
    studio.page.mouse("mouseMoved", x, y)
    studio.page.drag((x, y), aim)
    studio.page.browser.events(0.5)
    after = studio.page.evaluate("equamo.state.q")
    assert max(abs(a - b) for a, b in zip(before, after, strict=True)) > 0.05
    assert studio.hand("10r") == pytest.approx(aim, abs=15)


def test_motion_is_simulated_and_its_energy_accounted_for(studio: Studio) -> None:
    studio.tab("motion")
    studio.click("#hold")
    first = studio.page.evaluate("document.querySelector('[data-input=tau_imu]').value")
    assert first.startswith("g[q_imu] - ")
    studio.fill("[data-input=tau_1l]", "2*sin(5*t)")
    studio.fill("#motion-duration", "0.5")
    studio.click("#simulate")
    studio.page.wait_for("equamo.motion.simulation === null")
    assert studio.page.evaluate("document.querySelector('#panel-motion .failure').hidden")
    assert "Error at most" in studio.value("#ledger")
    assert studio.page.evaluate("document.querySelectorAll('#panel-motion .chart').length") == 4
    drift, exchanged = studio.page.evaluate(
        "[equamo.motion.last.drift, equamo.motion.last.exchanged]"
    )
    assert exchanged > 1e-3
    assert drift < 1e-7 * max(1.0, exchanged)
    studio.fill("#motion-duration", "600")
    studio.click("#simulate")
    studio.page.wait_for("equamo.motion.simulation?.t > 0.01")
    studio.click("#simulate")  # stop
    assert studio.page.evaluate("equamo.motion.simulation === null")
    studio.fill("[data-input=tau_1l]", "2*sin(")
    studio.click("#simulate")
    assert "tau_1l: unexpected end" in studio.value("#panel-motion .failure")
    studio.fill("[data-input=tau_1l]", "")


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda s: s.robot)
def test_equations_of_documents_are_judged(studio: Studio, sheet: Sheet) -> None:
    studio.choose("#open", sheet.robot.replace("_", " "))
    studio.page.wait_for(f"document.getElementById('robot-name').textContent === '{sheet.robot}'")
    studio.settled()
    studio.tab("check")
    studio.fill("#claims", sheet.text)
    studio.fill("#coriolis", sheet.coriolis)
    studio.click("#check-claims")
    count = len(sheet.verdicts)
    studio.page.wait_for(
        f"document.querySelectorAll('#verdicts .claim').length === {count} && !equamo.session.task",
    )
    cards = "[...document.querySelectorAll('#verdicts .claim')]"
    assert studio.page.evaluate(f"{cards}.map((x) => x.dataset.verdict)") == sheet.verdicts
    texts = studio.page.evaluate(f"{cards}.map((x) => x.textContent)")
    for text, verdict in zip(texts, sheet.verdicts, strict=True):
        if verdict == "wrong":
            assert "written − derived" in text
            assert "Suggestion: " in text
            # All of g has the other sign, which the kernel proves without a state.
            assert "It differs" in text or "holds with the other sign throughout" in text
    studio.page.evaluate("document.querySelector('#verdicts').replaceChildren()")


def test_the_page_is_exported(studio: Studio, tmp_path: Path) -> None:
    studio.page.call("Page.setDownloadBehavior", behavior="allow", downloadPath=str(tmp_path))
    studio.choose("#export", "Page")
    until = time.monotonic() + 120
    while not (found := list(tmp_path.glob("*.html"))) and time.monotonic() < until:
        studio.page.browser.events(0.1)
    studio.page.browser.events(0.3)
    text = found[0].read_text("utf-8")
    assert text.startswith("<!doctype html>")
    assert "equations of motion" in text


def test_fifty_edits_leak_nothing(studio: Studio) -> None:
    def counts() -> dict[str, float]:
        for _ in range(3):
            studio.page.call("HeapProfiler.collectGarbage")
        heap = studio.page.call("Runtime.getHeapUsage")["usedSize"]
        return {**studio.page.call("Memory.getDOMCounters"), "heap": heap}

    axes = ["y", "z"]
    first: dict[str, float] = {}
    for k in range(EDITS):
        old, new = axes[k % 2 - 1], axes[k % 2]
        text = studio.page.evaluate("equamo.editor.text")
        line = next(x for x in text.split("\n") if "joint = " in x)
        version = studio.type(line, line.replace(f'axis = "{old}"', f'axis = "{new}"') + " ")
        assert version
        studio.page.wait_for("equamo.session.text.length > 0 && !equamo.session.looking")
        studio.settled()
        if k == 9:
            first = counts()
    last = counts()
    assert last["nodes"] <= 1.1 * first["nodes"] + 200
    assert last["jsEventListeners"] <= 1.1 * first["jsEventListeners"] + 50
    assert last["heap"] <= first["heap"] + 8e6


def test_nothing_was_said_and_nothing_else_was_asked(studio: Studio) -> None:
    studio.page.quiet()
    assert studio.page.messages == []
    assert all(x.startswith((studio.url, "blob:")) for x in studio.page.requests)


def test_others_are_rejected(studio: Studio) -> None:
    place = urlsplit(studio.url)

    def status(path: str, method: str = "GET", body: str | None = None, **headers: str) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", place.port or 0, timeout=30)
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        answer.read()
        connection.close()
        return answer.status

    origin = f"http://127.0.0.1:{place.port}"
    hello, kind = '{"id": 1, "kind": "hello"}', "application/json"
    assert status("/") == 403
    assert status("/message", "POST", hello, **{"Origin": origin, "Content-Type": kind}) == 403
    message = f"{place.path}message"
    assert (
        status(message, "POST", hello, **{"Origin": "http://example.org", "Content-Type": kind})
        == 403
    )
    assert status(message, "POST", hello, **{"Origin": origin, "Content-Type": kind}) == 200
    assert status(f"{place.path}../../etc/passwd") == 404
    error = studio.page.evaluate(
        """equamo.session.kernel.ask("open", { name: "../secret.toml" }).promise
        .then(() => "", (e) => e.message)"""
    )
    assert "must be a model file in the folder" in error


def test_closing_the_browser_leaves_no_process(tmp_path: Path) -> None:
    opened = open_studio("rr_arm", tmp_path)
    children = _children(opened.process.pid)
    assert children
    opened.page.close()
    assert opened.process.wait(60) == 0
    until = time.monotonic() + 10
    while any(map(_is_running, children)) and time.monotonic() < until:
        time.sleep(0.1)
    assert not any(map(_is_running, children))
    assert opened.process.stdout is not None
    opened.process.stdout.close()


def _children(pid: int) -> list[int]:
    found: list[int] = []
    for entry in Path("/proc").iterdir():
        if not entry.name.isdecimal():
            continue
        try:
            parent = entry.joinpath("stat").read_text().rsplit(")", 1)[1].split()[1]
        except OSError:
            continue
        if int(parent) == pid:
            found.append(int(entry.name))
    return found


def _is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return "Z" not in Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
