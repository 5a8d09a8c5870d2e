"""Formulas on the page: names, lines, numbers and tabs, as a reader sees them."""

from __future__ import annotations

from pathlib import Path

import pytest

import equamo as eq
from equamo.publish.page.report import report
from equamo.publish.page.sections import equations as sections
from robot_pages import equations, opened

pytestmark = [pytest.mark.browser, pytest.mark.needs("pinocchio")]

OPEN = "document.querySelector('#entry h3').textContent"
WIDER = """(() => {
    const box = document.querySelector("#entry .rows-of-terms").getBoundingClientRect();
    return [...document.querySelectorAll("#entry .rows-of-terms math")]
        .filter((m) => m.getBoundingClientRect().right > box.right + 1).length;
})()"""


def test_the_open_entry_follows_the_tab_and_each_tab_remembers_its_own() -> None:
    with opened("rr_arm") as page:
        assert page.evaluate(OPEN) == "M[q1, q1]"
        page.evaluate("equamo.equations.open('M', 1, 0)")
        page.evaluate("document.getElementById('tab-C').click()")
        assert page.evaluate(OPEN) == "C[q1, q1]"
        assert page.evaluate("document.querySelectorAll('#grid td.open').length") == 1
        page.evaluate("document.getElementById('tab-M').click()")
        assert page.evaluate(OPEN) == "M[q2, q1]"


def test_formulas_have_short_names_and_a_legend() -> None:
    with opened("panda") as page:
        page.evaluate("equamo.equations.open('g', 1, 0)")
        text = page.evaluate("document.querySelector('#entry .rows-of-terms').textContent")
        formulas = page.evaluate(
            "[...document.querySelectorAll('#entry .definition')].map((x) => x.textContent).join()"
        )
        assert "panda" not in formulas
        legend = page.evaluate("document.querySelector('#entry .short-names').textContent")
        assert "q2\u2002panda_joint2" in legend
        assert "body 3\u2002panda_link3" in legend
        assert legend in text
        # Copied programs have the names of the file; copied LaTeX says what its names stand for.
        page.evaluate("equamo.equations.open('M', 6, 5)")
        assert 'Symbol("panda_joint7")' in page.evaluate("equamo.equations.view.text('sympy')")
        assert "% q_{7}: panda_joint7\n" in page.evaluate("equamo.equations.view.text('latex')")


@pytest.mark.parametrize("width", [400, 1200])
def test_no_formula_leaves_its_box(width: int) -> None:
    with opened("krang", width=width) as page:
        for part, i, j in (("C", 0, 1), ("M", 2, 3), ("b", 2, 0), ("g", 1, 0)):
            page.evaluate(f"equamo.equations.open('{part}', {i}, {j})")
            assert page.evaluate(WIDER) == 0, part


def test_pieces_of_a_long_term_light_up_together_and_show_all_of_it() -> None:
    """In a narrow window the closed form is taken apart; it has the same signs and letters."""
    shown = (
        "document.querySelector('#entry .root').textContent.replace(/[\\s\\u2061-\\u2064]/g, '')"
    )
    texts: list[str] = []
    for width in (1200, 400):
        with opened("three_link_arm", width=width) as page:
            page.evaluate("equamo.equations.open('M', 0, 0)")
            texts.append(page.evaluate(shown))
            page.evaluate("equamo.state.light(2)")
            lit = page.evaluate(
                "[...document.querySelectorAll('#entry .lit')].map((t) => t.textContent).join()"
            )
            assert "m3" in lit
            pieces = page.evaluate("document.querySelectorAll('#entry .pieces').length")
    assert pieces
    assert texts[0] == texts[1]


def test_long_fractions_are_shown_as_decimals(tmp_path: Path) -> None:
    mass = "1234567890123456789/9876543210987654321"
    body = eq.Body("rod", eq.revolute("q"), mass=mass, com="1/3 0 0", inertia="1 1 1/30000000000")
    robot = eq.Robot(
        "rod", [body, eq.Body("tip", eq.revolute("p"), parent="rod", mass="m", com="l 0 0")]
    )
    path = report(robot, tmp_path / "rod.html", time=False, prove=False, simulate=False)
    with opened(path) as page:
        page.evaluate("equamo.equations.open('M', 0, 0)")
        numbers = page.evaluate(
            "[...document.querySelectorAll('#entry math mn')].map((x) => x.textContent)"
        )
        assert numbers
        assert max(map(len, numbers)) <= 10, numbers
        assert "Integer(9876543210000000000)" in page.evaluate(
            "equamo.equations.view.text('sympy')"
        )


def test_dots_are_formulas() -> None:
    with opened("rr_arm") as page:
        page.evaluate("document.getElementById('tab-C').click()")
        seen = "document.querySelector('#description span:not([hidden])')"
        assert page.evaluate(f"{seen}.querySelector('mover').textContent") == "M˙"
        assert page.evaluate(f"{seen}.textContent").endswith("M˙ − 2C is skew.")
        text = page.evaluate("document.body.innerText.normalize('NFD')")
        assert "\u0307" not in text


def test_values_that_are_missing_are_one_and_the_page_says_so(tmp_path: Path) -> None:
    body = eq.Body("rod", eq.revolute("q"), mass="m", com="l 0 0", inertia="0 0 I")
    path = report(eq.Robot("rod", [body]), tmp_path / "rod.html", time=False, prove=False)
    with opened(path) as page:
        note = page.evaluate("document.querySelector('header .notice').textContent")
        assert note.startswith("No value was given for I, l, m: the numbers, picture and motion")
        assert page.evaluate("document.getElementById('entry-value').textContent") == "2"
        table = page.evaluate("document.querySelector('.parameters').textContent")
        assert table.count("1 (assumed)") == 3
        assert page.evaluate("equamo.player.duration") > 0
        assert page.quiet(), page.messages


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("rr_arm", r"B \tau"),
        ("krang", r"B \tau + \sum J^\top f"),
        ("four_bar", r"B \tau + A^\top \lambda"),
        ("panda", r"B \tau + f(q, v)"),
    ],
)
def test_the_equation_has_the_terms_of_the_robot(name: str, right: str) -> None:
    latex = sections._formula(equations(name))  # pyright: ignore[reportPrivateUsage]
    assert latex.partition(" = ")[2] == right
