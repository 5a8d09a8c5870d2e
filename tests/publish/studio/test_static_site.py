"""The static site in Chromium without a network: Pyodide derives, proves and checks in the browser.

Times are reported, not asserted; `pytest -s` shows them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest

from chromium import browser
from studio_claims import SHEETS, Sheet
from studio_pages import Studio
from studio_site import SITE, served_site
from urdf_texts import joint, link, robot as urdf

pytestmark = pytest.mark.studio

LIMITS = '<limit lower="-1" upper="2" effort="10" velocity="3"/>'
ARM = urdf(
    link("base"), link("arm"), joint("shoulder", "revolute", "base", "arm", LIMITS), name="dropped"
)
DROP = """((name, text) => {
    const given = new DataTransfer();
    given.items.add(new File([text], name, { type: "application/xml" }));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: given, cancelable: true }));
})"""


def opened(address: str, robot: str) -> Studio:
    start = time.monotonic()
    page = browser().open(f"{address}?robot={robot}", 1500, 950)
    studio = Studio(cast(Any, None), address, page)
    studio.settled()
    print(f"\n{robot}: derived and proved {time.monotonic() - start:.1f} s after a cold load")
    return studio


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    with served_site() as found:
        yield found


@pytest.fixture(scope="module")
def krang(address: str) -> Iterator[Studio]:
    studio = opened(address, "krang")
    yield studio
    studio.page.close()


@pytest.fixture(scope="module")
def arm(address: str) -> Iterator[Studio]:
    studio = opened(address, "rr_arm")
    yield studio
    studio.page.close()


def assert_quiet(studio: Studio) -> None:
    """No message in the console, and no request but to the server of the site."""
    studio.page.quiet()
    assert studio.page.messages == []
    assert all(x.startswith(studio.url) for x in studio.page.requests), studio.page.requests


def test_krang_is_proved(krang: Studio) -> None:
    assert krang.page.evaluate("equamo.session.proof.lines.length") > 20
    assert krang.page.evaluate("document.getElementById('robot-name').textContent") == "krang"
    assert_quiet(krang)


def test_numbers_and_structure_change(arm: Studio) -> None:
    before = arm.page.evaluate("equamo.session.structure")
    version = arm.type("m1 = { value = 1,", "m1 = { value = 3,")
    arm.page.wait_for(
        f"equamo.session.log.some((x) => x.version >= {version} && x.what === 'numbers')"
    )
    assert arm.page.evaluate("equamo.session.structure") == before
    arm.type('coordinate = "q2"\ninput = "tau2"', 'coordinate = "q1"\ninput = "tau2"')
    arm.page.wait_for(f"equamo.session.structure !== {json.dumps(before)}")
    arm.settled()
    print(f"\n{[(x['what'], round(x['ms'])) for x in arm.log()]}")
    assert_quiet(arm)


def test_a_typo_leaves_the_last_result(arm: Studio) -> None:
    arm.settled()
    before = arm.page.evaluate("equamo.session.structure")
    arm.type("[[bodies]]", "[[bodies]")
    arm.page.wait_for("!equamo.session.check.ok")
    assert arm.page.evaluate("equamo.session.check.problems[0].line") > 0
    assert arm.page.evaluate("equamo.session.structure") == before
    arm.type("[[bodies]\n", "[[bodies]]\n")
    arm.settled()


@pytest.mark.parametrize("sheet", SHEETS, ids=[x.robot for x in SHEETS])
def test_pasted_equations_are_judged(arm: Studio, sheet: Sheet) -> None:
    given = json.dumps({"claims": sheet.text, "coriolis": sheet.coriolis})
    arm.page.evaluate(
        f"""(async () => {{
            window.verdicts = null;
            const {{ text }} = await equamo.session.ask("templates", {{ name: "{sheet.robot}" }});
            const {{ findings }} = await equamo.session.ask("audit", {given}, null, {{ text }});
            window.verdicts = findings.map((x) => x.verdict);
        }})(), null"""
    )
    verdicts = arm.page.wait_for("window.verdicts")
    assert verdicts == sheet.verdicts


def test_a_urdf_is_dropped_in(arm: Studio) -> None:
    arm.page.evaluate(f"{DROP}('arm.urdf', {json.dumps(ARM)})")
    arm.page.wait_for("document.getElementById('robot-name').textContent === 'dropped'")
    arm.settled()
    assert_quiet(arm)


def test_cancelling_is_survived(krang: Studio) -> None:
    error = krang.page.evaluate(
        """(async () => {
            const model = equamo.session.good.replaceAll("q_imu", "q_other"); // not proved before
            const request = equamo.session.kernel.ask("prove", { model }, () => {});
            setTimeout(() => request.cancel(), 300);
            return request.promise.then(() => "done", (e) => e.message);
        })()"""
    )
    assert error == "cancelled"
    alive = "equamo.session.ask('hello', {}).then((x) => x.protocol)"
    assert krang.page.evaluate(alive) == 1
    assert_quiet(krang)


def test_memory_after_fifty_edits(arm: Studio) -> None:
    text = arm.page.evaluate("equamo.session.text")
    for k in range(50):
        edited = json.dumps(text.replace("shoulder", f"shoulder{k}"))
        arm.page.evaluate(f"equamo.editor.load({edited})")
        arm.page.wait_for(f"equamo.session.good === {edited}")
    arm.settled()
    megabytes = max(resident(p["id"]) for p in processes() if p["type"] == "renderer")
    print(f"\nlargest renderer after 50 edits: {megabytes:.0f} MB")
    assert megabytes < 1000


def processes() -> list[dict[str, Any]]:
    return browser().call("SystemInfo.getProcessInfo")["processInfo"]


def resident(process: int) -> float:
    """Memory of a process in MB."""
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1000
    return 0.0


def test_the_gallery_links_to_every_robot(address: str) -> None:
    from equamo.robot.library import names

    page = browser().open(f"{address}gallery.html", 1200, 900)
    links = page.evaluate(
        "[...document.querySelectorAll('li a')].map((a) => a.getAttribute('href'))"
    )
    assert links == [f"./?robot={n}" for n in names()]
    assert page.evaluate("[...document.images].every((x) => x.complete && x.naturalWidth > 0)")
    assert page.messages == []
    page.close()


def test_no_file_names_another_server() -> None:
    policy = (SITE / "index.html").read_text(encoding="utf-8")
    assert "'wasm-unsafe-eval'" in policy
    assert "'unsafe-eval'" not in policy
    assert "'unsafe-inline'" not in policy
    for name in ("index.html", "worker.js", "pyodide_kernel.js", "packages.js", "gallery.html"):
        assert "http://" not in (SITE / name).read_text(encoding="utf-8")
        assert "https://" not in (SITE / name).read_text(encoding="utf-8")
