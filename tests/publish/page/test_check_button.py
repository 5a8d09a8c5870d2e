"""The page's own checker, in a browser: it agrees with `checker/check.py`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest

import equamo as eq
from chromium import Page
from equamo.mechanics.certificate import prove
from equamo.publish.page.report import report
from proof_files import CLAIMS, ROBOTS, TAMPERINGS, Data, accepts, is_false, tampered
from robot_pages import opened

pytestmark = [pytest.mark.browser, pytest.mark.needs("pinocchio")]

CHECK = """(async () => {
  const { readProof, checkProof, data } = equamo.proof;
  const proof = { ...await readProof(data) };
  const given = %s;
  const code = { "+": 0, "-": 1, "*": 2, "/": 3 };
  const steps = given.program.map((line) => line.split(" "));
  Object.assign(proof, given, {
    ops: steps.map((w) => (w.length === 2 ? 4 : code[w[1]])),
    a: steps.map((w) => Number(w.length === 2 ? w[1] : w[0])), b: steps.map((w) => Number(w.at(-1))),
    numbers: given.numbers.map((x) => x.split("/").map(BigInt)).map(([p, q]) => [p, q ?? 1n]),
    groups: [...given.circles, ...given.spheres],
  });
  try { return (await checkProof(proof)).accepted; } catch (error) { return error.message; }
})()"""


@contextmanager
def page_of(robot: eq.Robot, folder: Path) -> Iterator[Page]:
    """The page of a robot that was proved."""
    path = report(
        robot, folder / "page.html", certificate=prove(robot, seed=1), simulate=False, time=False
    )
    with opened(path) as page:
        yield page


def text_of(page: Page) -> Data:
    """The file that the page hands out."""
    return json.loads(
        page.evaluate(
            "equamo.proof.readProof(equamo.proof.data).then((x) => equamo.proof.proofText(x))"
        )
    )


def pressed(page: Page) -> str:
    page.evaluate("""document.querySelector("#check button").click()""")
    page.wait_for("""document.getElementById("check").dataset.verdict""")
    return page.evaluate("""document.getElementById("check").dataset.verdict""")


@pytest.mark.parametrize("name", ["forces", "ball"])
def test_the_button_checks_what_the_file_says(name: str, tmp_path: Path) -> None:
    robot = ROBOTS[name]()
    with page_of(robot, tmp_path) as page:
        data = text_of(page)
        assert pressed(page) == "accepted"
        lines = page.evaluate("[...document.querySelectorAll('#check .proved')].length")
        assert lines == len(data["identities"])
        assert page.quiet(), page.messages
        prove(robot, seed=1).export(tmp_path / "proof.json")
        assert data == json.loads((tmp_path / "proof.json").read_text("utf-8"))
        assert accepts(data)
        for kind in TAMPERINGS:
            wrong = _false_one(data, kind)
            assert page.evaluate(CHECK % json.dumps(wrong)) is not True, kind
        assert page.evaluate(CHECK % json.dumps(data)) is True


def _false_one(data: Data, kind: str) -> Data:
    generator = Random(kind)
    for _ in range(100):
        wrong = tampered(data, kind, generator)
        if kind in CLAIMS or is_false(wrong):
            return wrong
    raise AssertionError(f"no tampering of the {kind} makes an identity false")


def test_data_that_were_changed_are_rejected(tmp_path: Path) -> None:
    with page_of(eq.load("rp_arm"), tmp_path) as page:
        page.evaluate("equamo.proof.data.instructions += 1")
        assert pressed(page) == "rejected"
        assert "Rejected" in page.evaluate(
            "document.querySelector('#check [role=status]').textContent"
        )


def test_no_button_without_a_proof(tmp_path: Path) -> None:
    path = report(
        eq.load("rr_arm"), tmp_path / "page.html", prove=False, time=False, simulate=False
    )
    with opened(path) as page:
        assert page.evaluate("document.getElementById('check')") is None
        assert page.evaluate("equamo.proof") is None
        assert page.quiet(), page.messages


def test_what_does_not_fit_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from equamo.publish.page import proof_data

    monkeypatch.setattr(proof_data, "MOST_INSTRUCTIONS", 300)
    with page_of(eq.load("rr_arm"), tmp_path) as page:
        data: Any = text_of(page)
        assert accepts(data)
        assert 300 > len(data["program"]) > 50
        left_out = [x for x in data["not_checked"] if x.endswith("left out, to keep this short")]
        assert len(left_out) + len(data["identities"]) == len(prove(eq.load("rr_arm")).lines)


def test_krang_fits_in_its_page(tmp_path: Path, whole_sweeps: bool) -> None:
    robot = eq.load("krang" if whole_sweeps else "rr_arm")
    with page_of(robot, tmp_path) as page:
        assert (tmp_path / "page.html").stat().st_size < 1_500_000
        assert pressed(page) == "accepted"
        assert not [x for x in text_of(page)["not_checked"] if "left out" in x]
