"""One paper in every format: the same numbers, nothing unescaped, and files by suffix."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import equamo as eq
from equamo.algebra.identity import Proof
from equamo.errors import EquamoError, FileFormatError, UnknownNameError
from equamo.publish.document import notebook_code, typst
from equamo.publish.document.blocks import Code, Equation, Section, Text
from equamo.publish.document.notebook_code import checking_code, setup_code
from equamo.publish.document.paper import SUFFIXES, Paper
from equamo.robot.catalog import load_bytes
from equamo.robot.model.storage import robot_to_data
from papers import paper_of, small_paper

OWN = b"""equamo = 1
name = "rr_arm"
[[bodies]]
name = "a"
joint = {kind = "revolute", q = "q1", axis = "z"}
mass = "m"
"""


@pytest.fixture(params=["small", "rr_arm"])
def paper(request: pytest.FixtureRequest) -> Paper:
    return small_paper() if request.param == "small" else paper_of("rr_arm")


def test_numbers_are_the_same_in_every_format(paper: Paper) -> None:
    numbers = [x.number for x in paper.equations]
    assert numbers == list(range(1, len(numbers) + 1))
    html = [int(x) for x in re.findall(r'id="eq-(\d+)"', paper.html())]
    typ = [int(x) for x in re.findall(r"<eq-(\d+)>", paper.typst())]
    cells = "\n".join(x["source"] for x in json.loads(paper.notebook())["cells"])
    notebook = [int(x) for x in re.findall(r"\\tag\{(\d+)\}", cells)]
    assert html == typ == notebook == numbers


def test_html_is_one_well_formed_file_without_requests(paper: Paper) -> None:
    text = paper.html()
    body = text[text.index("<main>") : text.index("</main>") + 7].replace("&ensp;", " ")
    root = ElementTree.fromstring(body)
    targets = {x.get("id") for x in root.iter() if x.get("id")}
    links = {x.get("href", "") for x in root.iter("a")}
    assert links
    assert {x[1:] for x in links if x.startswith("#")} <= targets
    assert "default-src 'none'" in text
    assert "<script" not in text
    assert "src=" not in text
    assert body.count("<math") > len(paper.equations)


def test_prose_is_escaped() -> None:
    paper = small_paper()
    assert "<h1>Title &amp; 100 %</h1>" in paper.html()
    assert "&lt;b&gt;" in paper.html()
    assert r"\_x\_ \#1 \[a\] \<b\>" in paper.typst()
    cells = json.loads(paper.notebook())["cells"]
    assert r"\_x\_ \#1 \[a\] \<b\>" in cells[2]["source"]
    assert r"100 \% \& \_x\_ \#1 [a] \textless{}b\textgreater{}" in paper.latex()


@pytest.mark.needs("typst")
def test_pdf(paper: Paper, tmp_path: Path) -> None:
    path = paper.save(tmp_path / "paper.pdf")
    assert path.read_bytes().startswith(b"%PDF")
    assert path.read_bytes() == paper.pdf()  # no date, no random names


def test_two_methods_stand_side_by_side() -> None:
    paper = small_paper()
    assert paper.html().count('class="equation same"') == 2
    assert paper.typst().count("[$ = $], ") == 1
    assert " & $=$ & " in paper.latex()
    assert "kane (equal lines)" in paper.notebook()


def test_links_in_prose() -> None:
    paper = dataclasses.replace(small_paper(), abstract="See https://example.org/a_b.")
    assert '<a href="https://example.org/a_b">https://example.org/a_b</a>.' in paper.html()


def test_a_cell_proves_the_equations_of_a_section_again() -> None:
    cells = json.loads(paper_of("rr_arm").notebook())["cells"]
    code = [x["source"] for x in cells if x["cell_type"] == "code"]
    assert code[0].startswith(
        "import equamo as eq\n\nrobot = eq.load('rr_arm')\npaper = eq.paper(robot"
    )
    checks = re.findall(r"for number in \(([^)]*)\)", "\n".join(code))
    numbers = [int(x) for line in checks for x in line.split(",") if x.strip()]
    assert numbers == [x.number for x in paper_of("rr_arm").equations if x.proofs]
    assert all(x["id"] for x in cells)


def test_the_notebook_runs(capsys: pytest.CaptureFixture[str]) -> None:
    cells = json.loads(paper_of("rr_arm").notebook())["cells"]
    names: dict[str, object] = {}
    for cell in cells:
        if cell["cell_type"] == "code":
            exec(cell["source"], names)
    printed = capsys.readouterr().out
    proved = [x for x in paper_of("rr_arm").equations if x.proofs]
    assert printed.count("proved") >= len(proved)
    assert "refuted" not in printed


def test_a_robot_of_ones_own_is_in_the_notebook() -> None:
    own = dataclasses.replace(
        small_paper(), robot=load_bytes(OWN), formulations=("kane", "lagrange"), short=True
    )
    text = setup_code(own)
    assert "by=('kane', 'lagrange')" in text
    assert "short=True" in text
    names: dict[str, Any] = {}
    exec(text.partition("\npaper =")[0], names)
    assert names["robot"].name == "rr_arm"
    assert [x.name for x in names["robot"].bodies] == ["a"]


@pytest.mark.parametrize("change", ["values", "home", "name"])
def test_the_notebook_has_the_robot_of_the_paper(change: str) -> None:
    """A built-in robot that was changed, and a name that would end a literal of Python."""
    arm = eq.load("rr_arm")
    robot = {
        "values": lambda: arm.with_values(m1=7),
        "home": lambda: arm.with_home(q1=1),
        "name": lambda: eq.Robot("r", arm.bodies, description="''' + oops() + '''"),
    }[change]()
    names: dict[str, Any] = {}
    text = setup_code(dataclasses.replace(small_paper(), robot=robot))
    exec(text.partition("\npaper =")[0], names)
    assert robot_to_data(names["robot"]) == robot_to_data(robot)


def test_a_robot_that_no_file_can_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(robot: eq.Robot, lossy: bool = False) -> str:
        raise EquamoError("no")

    monkeypatch.setattr(notebook_code, "write_toml", refuse)
    own = dataclasses.replace(small_paper(), robot=load_bytes(OWN))
    assert "robot = ...  # rr_arm: define the robot here" in setup_code(own)


@pytest.mark.needs("typst", cases="pdf")
@pytest.mark.parametrize("suffix", SUFFIXES)
def test_the_suffix_selects_the_format(suffix: str, tmp_path: Path) -> None:
    paper = small_paper()
    path = paper.save(tmp_path / f"paper{suffix.upper()}")
    begins = {
        ".pdf": "%PDF", ".html": "<!doctype html>", ".tex": "% Written by equamo",
        ".ipynb": "{\n", ".typ": "// Written by equamo",
    }  # fmt: skip
    assert path.read_bytes().startswith(begins[suffix].encode())


def test_errors_of_files(tmp_path: Path) -> None:
    with pytest.raises(EquamoError, match=r"must end with one of .*got 'arm.doc'"):
        eq.paper(eq.load("rr_arm"), tmp_path / "arm.doc")
    with pytest.raises(FileFormatError, match=r"folder of the file must exist.*create it first"):
        eq.paper(eq.load("rr_arm"), tmp_path / "no" / "arm.tex")
    (tmp_path / "arm.tex").mkdir()
    with pytest.raises(FileFormatError, match="cannot be written"):
        small_paper().save(tmp_path / "arm.tex")
    with pytest.raises(EquamoError, match="path must be a file name, got 3"):
        small_paper().save(3)  # pyright: ignore[reportArgumentType]
    with pytest.raises(UnknownNameError, match="Unknown number of an equation 99"):
        small_paper().equation(99)
    with pytest.raises(EquamoError, match="paper: expected a Robot"):
        eq.paper("rr_arm")  # pyright: ignore[reportArgumentType]


def test_one_method_or_two_different_ones() -> None:
    arm = eq.load("rr_arm")
    for by in (("kane", "kane"), ("kane", "lagrange", "recursive"), ()):
        with pytest.raises(EquamoError, match="`by` must be one method, or two different ones"):
            eq.paper(arm, by=by)  # pyright: ignore[reportArgumentType]
    for by in ("foo", ("kane", "foo"), 5):
        with pytest.raises(UnknownNameError, match="Unknown formulation"):
            eq.paper(arm, by=by)  # pyright: ignore[reportArgumentType]


@pytest.mark.parametrize("name", ["path", "title", "quantities"])
def test_arguments_of_a_wrong_type(name: str) -> None:
    with pytest.raises(EquamoError, match=f"paper: `{name}` must be .*, got 5"):
        eq.paper(eq.load("rr_arm"), **{name: 5})  # pyright: ignore[reportArgumentType]


def test_words_that_announce_an_equation_stay_with_it() -> None:
    source = small_paper().typst()
    assert "#block(sticky: true)[A $" in source
    assert source.count("sticky: true") == 1


def test_typst_is_needed_only_for_pdf(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(typst, "find_spec", lambda _: None)
    with pytest.raises(EquamoError, match=r'pip install "equamo\[paper\]"'):
        eq.paper(eq.load("rr_arm"), tmp_path / "arm.pdf")
    small_paper().save(tmp_path / "arm.typ")


@pytest.mark.needs("typst")
def test_errors_of_typst_are_passed_on() -> None:
    with pytest.raises(EquamoError, match="typst could not read the document"):
        typst.to_pdf("#let x = ")


def test_the_cells_of_nested_sections() -> None:
    """A cell that proves follows the equations of its section, before the sections below it."""
    first = Equation(1, "a", ("b",), proofs=(Proof("proved"),))
    last = dataclasses.replace(first, number=2)
    inner = (Section("B", (Text("b"),)), Section("C", (last, Code("y = 1"), Text("c"))))
    sections = (Section("A", (Text("a"), first, *inner)), Section("D", (Text("d"), *inner[:1])))
    made = dataclasses.replace(small_paper(), sections=sections)
    cells = json.loads(made.notebook())["cells"]
    found = [x["source"].split("\n")[0][:30] for x in cells]
    start = next(k for k, line in enumerate(found) if line.endswith(" A"))
    checks = [checking_code([n]).split("\n")[0][:30] for n in (1, 2)]
    depth = len(found[start]) - 2
    a, b = "#" * depth, "#" * (depth + 1)
    assert found[start : start + 9] == [
        f"{a} A", checks[0], f"{b} B", f"{b} C", "y = 1", "c", checks[1], f"{a} D", f"{b} B",
    ]  # fmt: skip
    assert [x["cell_type"] for x in cells[start + 1 :]].count("code") == 3


@pytest.mark.parametrize(("equations", "beside"), [((1,), True), ((12,), True), ((123,), False)])
def test_a_short_note_stands_below_its_number_in_typst(
    equations: tuple[int, ...], beside: bool
) -> None:
    """A note of up to 9 characters, such as "from (12)"."""
    section = Section("One", (Equation(124, "a", ("b",), follows=equations, standing="law"),))
    source = dataclasses.replace(small_paper(), sections=(section,)).typst()
    assert (", beside: true) <eq-124>" in source) is beside
