"""The printed page: M, C v, g and B in full, no code, and few pages."""

from __future__ import annotations

import re

import pytest

from chromium import Page
from robot_pages import equations, opened

pytestmark = [pytest.mark.browser, pytest.mark.needs("pinocchio")]

MOST_PAGES = 4  # of an arm

SHEET = """(() => {
    window.dispatchEvent(new Event("beforeprint"));
    return [...document.querySelectorAll("#sheet .block")].map((block) => [
        block.querySelector("h3").textContent,
        [...block.querySelectorAll(".definition")].map((line) => [
            line.querySelector("math")?.textContent ?? "", line.textContent]),
    ]);
})()"""


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page[^s]", pdf))


def seen(page: Page, selector: str) -> bool:
    box = f"document.querySelector('{selector}').getBoundingClientRect()"
    return page.evaluate(f"{box}.width * {box}.height") > 0


@pytest.mark.parametrize("name", ["rr_arm", "panda"])  # with and without a certificate
def test_an_arm_has_at_most_four_pages(name: str) -> None:
    with opened(name) as page:
        assert 1 <= pages(page.printed()) <= MOST_PAGES
        assert page.quiet(), page.messages


@pytest.mark.parametrize("name", ["rr_arm", "panda"])
def test_all_entries_and_all_intermediates_are_printed_once(name: str) -> None:
    eom = equations(name)
    n = len(eom.v)
    upper = [(i, j) for i in range(n) for j in range(i, n)]
    expected = {
        "Mass matrix M": sum(eom.mass_matrix[i, j].value != 0 for i, j in upper),
        "Coriolis and centrifugal forces C v": sum(x.value != 0 for x in eom.bias),
        "Gravity g": sum(x.value != 0 for x in eom.gravity),
    }
    with opened(name) as page:
        found = dict(page.evaluate(SHEET))
        for title, count in expected.items():
            left = [x.removesuffix("=") for x, _ in found[title]]
            letter = "(Cv)" if "C v" in title else title[-1]
            assert sum(bool(re.fullmatch(rf"{re.escape(letter)}\d+", x)) for x in left) == count
            assert len(set(left)) == len(left)
            # Every t with a number is defined in the block that uses it.
            used = {t for _, line in found[title] for t in re.findall(r"(?<![a-z])t\d+", line)}
            assert used <= set(left), title
        assert found["Input matrix B"][0][1] == "The identity matrix."
        page.evaluate("window.dispatchEvent(new Event('afterprint'))")
        assert page.evaluate("document.getElementById('sheet').childElementCount") == 0


def test_what_is_printed_and_what_is_not() -> None:
    with opened("rr_arm") as page:
        page.call("Emulation.setEmulatedMedia", media="print")
        page.evaluate(SHEET)
        for shown in ("#sheet .equations", "#canvas", "#proof", "#model"):
            assert seen(page, shown), shown
        for hidden in ("#code", "#grid", "#entry", "#tabs", "nav", "#options", "#motion"):
            assert not seen(page, hidden), hidden
        wide = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wide) == 0


def test_a_big_robot_refers_to_its_paper() -> None:
    with opened("krang") as page:
        page.evaluate(SHEET)
        text = page.evaluate("document.getElementById('sheet').textContent")
        assert re.match(r"The equations of this robot fill \d{4,} lines, too many", text)
        assert "eq.paper(robot" in text
