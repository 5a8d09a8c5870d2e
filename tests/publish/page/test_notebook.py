"""What a notebook shows is short, escaped, and true to the object."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest

import equamo as eq
from equamo.basics.attached import REPRS, give_reprs
from equamo.motion.simulation.simulate import simulate
from equamo.publish.page import notebook
from equamo.review.claims import audit, claim


class Cells(HTMLParser):
    """The rows of the tables in a text, and all tags."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.rows: list[list[str]] = []
        self.tags: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.tags.append(tag)
        if tag == "tr":
            self.rows.append([])
        elif tag in ("td", "th"):
            self.rows[-1].append("")

    def handle_data(self, data: str) -> None:
        if self.rows and self.rows[-1]:
            self.rows[-1][-1] += data


def test_a_robot_is_its_bodies() -> None:
    robot = eq.load("krang")
    rows = Cells(notebook.robot_html(robot)).rows[1:]
    assert [(r[0], r[1]) for r in rows] == [(b.name, b.parent) for b in robot.bodies]


def test_tables_end_after_thirty_rows() -> None:
    bodies = [eq.Body("b0", eq.revolute("q0"), mass=1)]
    bodies += [
        eq.Body(f"b{k}", eq.revolute(f"q{k}"), mass=1, parent=f"b{k - 1}") for k in range(1, 200)
    ]
    text = notebook.robot_html(eq.Robot("long", bodies))
    assert len(Cells(text).rows) == 31
    assert "and 170 more" in text
    assert len(text) < 10_000


def test_names_are_escaped() -> None:
    robot = eq.Robot("<b>", [eq.Body("<img src=x>", eq.revolute("`</td>`"), mass="m")])
    cells = Cells(notebook.robot_html(robot))
    assert "img" not in cells.tags
    assert "b" not in cells.tags
    assert cells.rows[1][0] == "<img src=x>"


def test_a_certificate_is_its_lines() -> None:
    certificate = eq.prove(eq.load("rr_arm"))
    rows = Cells(notebook.certificate_html(certificate)).rows[1:]
    assert [(r[0], r[1]) for r in rows] == [
        (line.name, line.proof.verdict) for line in certificate.lines
    ]


def test_small_equations_are_typeset_and_the_audit_reads_them_back() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    latex = notebook.equations_latex(eom)
    assert latex is not None
    assert notebook.equations_html(eom) is None
    gravity = latex.split(r"{g} &= \begin{bmatrix} ")[1].split(r" \end{bmatrix}")[0].split(r" \\ ")
    definitions = {"c_1": "cos(q1)", "c_12": "cos(q1 + q2)"}
    claims = [
        claim(f"g{k}", "notebook", text, f"gravity[{k + 1}]", latex=True, definitions=definitions)
        for k, text in enumerate(gravity)
    ]
    found = audit(claims, eom)
    assert found.ok, str(found)


def test_big_equations_are_counted() -> None:
    eom = eq.derive(eq.load("krang"))
    assert notebook.equations_latex(eom) is None
    rows = Cells(str(notebook.equations_html(eom))).rows[1:]
    assert rows[0][1] == f"{eom.mass_matrix.operations().multiplications:,}"


def test_a_trajectory_is_its_coordinates() -> None:
    motion = simulate(eq.derive(eq.load("rr_arm")), q={"q1": 1}, duration=0.5)
    rows = Cells(notebook.trajectory_html(motion)).rows[1:]
    assert [r[0] for r in rows] == ["q1", "q2"]
    assert float(rows[0][1]) == 1
    assert float(rows[0][3]) == pytest.approx(motion["q1"].max(), rel=1e-4)


def test_an_audit_is_its_findings() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    found = audit([claim("wrong", "page 1", "m2*Lc2**2", "mass_matrix[2, 2]")], eom)
    assert Cells(found._repr_html_()).rows[1][:3] == ["wrong", "page 1", "wrong"]


def test_classes_are_given_their_methods() -> None:
    class Robot:  # as the classes below the page, which do not know it
        bodies, v, parameters, name = (), (), (), "empty"

    give_reprs(Robot)
    assert "empty" in Robot()._repr_html_()  # type: ignore[attr-defined]
    assert "empty" not in eq.load("rr_arm")._repr_html_()
    assert {f for methods in REPRS.values() for f in methods.values()} <= set(dir(notebook))
