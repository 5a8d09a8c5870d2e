"""LaTeX of papers: text, drawings, equations; TeX compiles it in whole sweeps."""

from __future__ import annotations

import re
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

import equamo as eq
from equamo.algebra.expr import parse, symbol
from equamo.errors import FileFormatError
from equamo.publish.document.blocks import Equation, Section, Table, Text
from equamo.publish.document.latex_columns import table_columns
from equamo.publish.document.latex_members import members, members_by_number
from equamo.publish.document.latex_text import escaped
from equamo.publish.document.paper import Paper
from equamo.publish.document.short_names import short_name
from equamo.publish.document.tikz import to_tikz
from papers import SVG, paper_of, small_paper


def test_plain_text() -> None:
    assert escaped("a_b & 5 % {x} \\ ^ ~ #$") == (
        r"a\_b \& 5 \% \{x\} \textbackslash{} \textasciicircum{} \textasciitilde{} \#\$"
    )
    assert escaped("2⁻¹¹⁸ q₁₂ φ ẋ é") == r"2$^{-118}$ q$_{12}$ $\phi$ $\dot{x}$ é"
    assert escaped("q̇ and q̈") == r"$\dot{q}$ and $\ddot{q}$"
    assert escaped("☃") == "(snowman)"
    assert escaped("ḍ") == "(latin small letter d with dot below)"


def test_drawings() -> None:
    text = to_tikz(SVG)
    assert r"\clip (0,0) rectangle (90,60);" in text
    assert "fill=area,draw=hue,line width=2.00pt,opacity=0.5] (0,0) -- (9,6) -- cycle;" in text
    assert r"\definecolor{area}{HTML}{112233}" in text  # of the circle: #123
    assert "circle[radius=0.200cm]" in text
    assert r"\node[anchor=base," in text
    assert r"{q\_1};" in text
    assert to_tikz('<svg viewBox="0 0 9 9"><path d="M0 0L1 1"/></svg>').count("{000000}") == 1
    with pytest.raises(FileFormatError, match="got 'ellipse'"):
        to_tikz('<svg viewBox="0 0 9 9"><title>x</title><ellipse/></svg>')


def test_members_of_equations() -> None:
    assert members(r"\fit{ \begin{aligned} a &= b \\ &\quad + c \end{aligned} }") == ["a", "b + c"]
    assert members(r"a = \begin{bmatrix} b & c \\ d & e \end{bmatrix}") == [
        "a", r"\begin{bmatrix} b & c \\ d & e \end{bmatrix}"
    ]  # fmt: skip
    text = "\\begin{align}\na &=b \\notag \\\\\n&=c \\tag{7}\\label{eq:7}\n\\end{align}"
    assert members_by_number(text + "\\fit{\nx = y\n}\\hfill(8)") == {
        7: ["a", "b", "c"],
        8: ["x", "y"],
    }


def test_short_names() -> None:
    known = {"q_{1}": "q1", "q_{2}": "q2", "q_{imu}": "q_imu", "x": "x"}

    def meaning(latex: str, more: str = "") -> dict[str, eq.Expr]:
        table = known | ({more: "q12"} if more else {})
        return {latex: symbol(table[latex])} if latex in table else {}

    assert short_name("s_{12}", meaning) is parse("sin(q1 + q2)")
    assert short_name("c_{1-2}", meaning) is parse("cos(q1 - q2)")
    assert short_name("c_{imu+1}", meaning) is parse("cos(q_imu + q1)")
    assert short_name("s_{x}", meaning) is parse("sin(x)")
    assert short_name("s_{3}", meaning) is None
    assert short_name("s_{12}", lambda x: meaning(x, "q_{12}")) is parse("sin(q12)")
    assert short_name("s_{1}", lambda x: meaning(x, r"\theta_{1}")) is None  # of q_1 or of theta_1


@pytest.mark.ci
def test_every_equation_has_its_number_and_every_reference_a_target() -> None:
    for paper in (small_paper(), paper_of("rr_arm")):
        latex = paper.latex()
        assert sorted(members_by_number(latex)) == [x.number for x in paper.equations]
        for x in paper.equations:
            assert latex.count(rf"\label{{eq:{x.number}}}") == 1


def test_pages_may_end_between_equations_but_not_before_the_first() -> None:
    blocks = (Text("So"), Equation(1, "a", ("b",)), Equation(2, "a", ("c",)))
    latex = replace(small_paper(), sections=(Section("s", blocks),)).latex()
    assert "\\predisplaypenalty=0" in latex
    assert latex.count("{\\announced\n") == 1
    assert "So\n{\\announced\n{\\tight\n\\begin{equation}\na = b" in latex


def test_wide_tables_have_columns_of_paragraphs() -> None:
    long, longer = ", ".join(["$q_{1}$"] * 20), ", ".join([r"$\dot q_{1}$"] * 25)
    columns = table_columns(Table(("a", "b", "c"), (("x", long, longer), ("y", "1", "2"))))
    assert columns.startswith("l")
    parts = [float(x) for x in re.findall(r"p\{([\d.]+)", columns)]
    assert len(parts) == 2
    assert 0.7 < sum(parts) < 1


def test_tall_equations_may_be_broken_over_pages_and_wide_ones_are_scaled() -> None:
    tall = Equation(1, "a", tuple(f"+ b_{{{k}}}" for k in range(20)))
    wide = Equation(2, "a", (" ".join([r"\sin q_{1}"] * 60),))
    paper = replace(small_paper(), sections=(Section("s", (tall, wide)),))
    assert r"\begin{align}" in paper.latex()
    assert r"\fit{" in paper.latex()
    assert "breakable: true" in paper.typst()


def compiled(paper: Paper, folder: Path) -> str:
    """Log of pdflatex."""
    folder.mkdir()
    paper.save(folder / "paper.tex")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "paper.tex"]
    for _ in range(2):  # the second run finds the references
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
        assert run.returncode == 0, run.stdout[-2000:]
    return run.stdout


def test_tex_compiles_the_papers(whole_sweeps: bool, tmp_path: Path) -> None:
    """In `make test` only if TeX is installed; whole sweeps need it."""
    if shutil.which("pdflatex") is None:
        assert not whole_sweeps, "whole sweeps need pdflatex: scripts/system-packages python3 all"
        return
    papers = [small_paper(), paper_of("rr_arm")]
    if whole_sweeps:
        papers += [paper_of(r, by) for r in ROBOTS for by in METHODS]
    for k, paper in enumerate(papers):
        log = compiled(paper, tmp_path / str(k))
        assert "undefined references" not in log
        assert "Overfull" not in log  # nothing leaves its line or its page
        assert "multiply defined" not in log


ROBOTS = (
    "rr_arm",
    "rp_arm",
    "three_link_arm",
    "wheeled_inverted_pendulum",
    "krang",
    "starleth",
    "four_bar",
)
METHODS = ("kane", "lagrange", "projected_newton_euler", "gibbs_appell", "recursive")


@pytest.mark.parametrize(
    ("title", "latex"),
    [
        ("Bodies & joints", r"Bodies \& joints"),
        ("Matrix $M_{12}$", r"\texorpdfstring{Matrix $M_{12}$}{Matrix M12}"),
        ("`x_1` and 50 %", r"\texorpdfstring{\texttt{x\_1} and 50 \%}{x1 and 50 \%}"),
    ],
)
def test_titles_have_a_plain_text_for_bookmarks(title: str, latex: str) -> None:
    assert (
        f"\n\\section{{{latex}}}\n"
        in replace(small_paper(), sections=(Section(title, ()),)).latex()
    )
