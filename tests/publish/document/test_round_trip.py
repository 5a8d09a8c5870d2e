"""The LaTeX of a paper is read back and proved; errors in it are found."""

from __future__ import annotations

import dataclasses
import re

import pytest

import equamo as eq
from equamo.errors import ParseError
from equamo.publish.document.blocks import Equation, Section
from equamo.publish.document.round_trip import read_back
from papers import corrupted, paper_of


@pytest.mark.parametrize("robot", ["rr_arm", "rp_arm"])
def test_every_line_is_read_back_and_proved(robot: str) -> None:
    paper = paper_of(robot)
    trip = read_back(paper)
    assert trip, str(trip)
    with_value = [x for x in paper.equations if x.value is not None]
    assert [x.number for x in trip.lines] == [x.number for x in with_value]
    assert sum(x.members for x in trip.lines) > 10  # middle members, by quantities of earlier lines
    assert "read back and proved" in str(trip)


def test_short_sines_and_cosines_are_read_back() -> None:
    paper = paper_of("rr_arm", short=True)
    assert "c_{12}" in paper.latex()
    assert read_back(paper)


def test_fifty_corrupted_lines_are_found(whole_sweeps: bool) -> None:
    paper = paper_of("rr_arm")
    found = 0
    for seed in range(30 if whole_sweeps else 2):
        text, changed = corrupted(paper.latex(), seed)
        wrong = {x.number for x in read_back(paper, text).wrong}
        assert wrong == changed  # lines with a value are refuted, laws must be the document's
        found += len(wrong)
    assert found >= 50


def test_errors_in_left_sides_and_middle_members() -> None:
    paper = paper_of("rr_arm")
    latex = paper.latex()

    def wrong(old: str, new: str) -> list[str]:
        assert old in latex
        return [str(x) for x in read_back(paper, latex.replace(old, new, 1)).wrong]

    [line] = wrong("M_{22} =", "M_{21} =")
    assert "left side must be 'M_{22}', got 'M_{21}'" in line
    [line] = wrong(r"U_{1} + U_{2}", r"U_{1} - U_{2}")
    assert "refuted" in line
    [line] = wrong(r"= \dot{\boldsymbol{r}}_{G,1}", r"= \dot{\boldsymbol{r}}_{G,2}")
    assert "middle member must be" in line
    [line] = wrong(r"U_{1} + U_{2} =", r"")
    assert "must have 3 members, got 2" in line


def test_missing_lines_and_unknown_names() -> None:
    paper = paper_of("rr_arm")
    one = re.search(
        r"\\begin\{equation\}(?:(?!equation).)*?\\tag\{17\}.*?\\end\{equation\}",
        paper.latex(),
        re.S,
    )
    assert one
    [line] = read_back(paper, paper.latex().replace(one[0], "")).wrong
    assert line.number == 17
    assert "this one is missing" in line.problem
    text = paper.latex().replace(r"\sin q_{1}", r"\sin r_{1}")
    assert "'r_1' is not" in str(read_back(paper, text))


def test_a_quantity_of_the_audit_is_not_a_name() -> None:
    """Every name of a right side must be defined by the document."""
    equation = Equation(1, "x", ("y",), value=eq.parse("m1"))
    paper = dataclasses.replace(paper_of("rr_arm"), sections=(Section("s", (equation,)),))
    assert "defined by the document" in str(read_back(paper))


# -- what is not read ----------------------------------------------------------------------------------
LINE = r"= \frac{L_{c1}^{2} m_{1} \dot q_{1}^{2}}{2} \tag{19}"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (LINE, LINE + r" + m_{1}", "behind the line must stand"),
        (LINE, r"= 7 \tag{19} \end{equation} \begin{equation} T_{1} " + LINE, "used twice"),
        (r"\tag{19}", r"\tag{999}", r"[(]999[)] the document has no equation with this number"),
        (LINE, r"= 7 % \frac{L_{c1}^{2} m_{1} \dot q_{1}^{2}}{2}" + "\n" + r"\tag{19}", "refuted"),
        (
            r"L = T - U \tag{1}",
            r"L = T + U \tag{1}",
            "this law must be 'L = T - U', got 'L = T [+] U'",
        ),
        ("proved, closed form", "derived", "behind the line must stand"),
    ],
)
def test_all_of_a_numbered_line_counts(old: str, new: str, problem: str) -> None:
    paper = paper_of("rr_arm")
    assert old in paper.latex()
    trip = read_back(paper, paper.latex().replace(old, new, 1))
    assert not trip
    assert re.search(problem, str(trip))


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (r"\begin{document}", r"\renewcommand{\sin}{\cos}\begin{document}", "the preamble"),
        (r"\section{Notation}", r"\section{Notation}\let\sin\cos", r"commands, got '\\\\let'"),
        (r"\section{Notation}", r"\section{Notation}\iffalse x \fi", "meaning of commands"),
        (r"\section{Notation}", r"\section{N}\begin{equation*}m_1 = 7\end{equation*}", "displayed"),
        (r"\section{Notation}", r"\section{N} Here $m_{1} = m_{2}$.", "formulas in sentences"),
        (r"{$j$} & \textbf{body}", r"{$j$} & \textbf{link}", "tables"),
        ("$L_{1}$ & 1 & m", "$L_{1}$ & 2 & m", "tables"),
        ("0 & -g & 0", "0 & g & 0", "formulas in sentences"),
    ],
)
def test_what_is_not_read_must_be_the_documents(old: str, new: str, problem: str) -> None:
    paper = paper_of("rr_arm")
    assert old in paper.latex()
    with pytest.raises(ParseError, match=problem):
        read_back(paper, paper.latex().replace(old, new, 1))


def test_sentences_may_be_edited() -> None:
    paper = paper_of("rr_arm")
    text = paper.latex().replace("Translation:", "First, the translation. % a remark\n")
    assert text != paper.latex()
    assert read_back(paper, text)
