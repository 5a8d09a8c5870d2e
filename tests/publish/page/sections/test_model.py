"""Model on the page: parameters, constraints, and what a file was read as."""

from __future__ import annotations

import re
from fractions import Fraction

import pytest

import equamo as eq
from equamo.publish.page.context import Context
from equamo.publish.page.sections import model
from equamo.publish.page.sections.model import MOST_ENTRIES, section
from equamo.publish.page.sections.robot import REACH, TURN, coordinate_range
from equamo.robot.formats.import_report import KINDS
from equamo.robot.formats.urdf import robot_of_urdf
from urdf_texts import joint, link, robot as urdf


def html(robot: eq.Robot, assumed: tuple[str, ...] = ()) -> str:
    return str(section(Context(eq.derive(robot), None, (), None, "", False, assumed=assumed)).html)


def cells(text: str) -> list[list[str]]:
    rows = re.findall(r"<tr>(<td.*?)</tr>", text)
    return [re.findall(r"<td[^>]*>(.*?)</td>", row) for row in rows]


@pytest.mark.parametrize("count", [0, 1, 12, 13])
def test_many_parameters_are_folded(count: int) -> None:
    """Up to 12 of them are open to view."""
    parameters = [eq.Parameter(f"p{k}", k, "kg", f"mass {k}") for k in range(count)]
    mass = " + ".join([p.name for p in parameters]) or "1"
    body = eq.Body("a", eq.revolute("q1"), mass=mass, com="1 0 0")
    found = html(eq.Robot("r", [body], gravity="0 0 -9.81", parameters=parameters))
    assert cells(found) == [[f"p{k}", str(k), "kg", f"mass {k}"] for k in range(count)]
    assert ("No parameters: all quantities are numbers." in found) == (count == 0)
    assert ("<h3>Parameters</h3>" in found) == (0 < count <= 12)
    assert ("<details><summary>13 parameters</summary>" in found) == (count == 13)
    assert "Gravity in the world frame: (0, 0, -9.81) m/s²." in found


def test_section() -> None:
    """All of it, in order; headings and summaries come first in their blocks."""
    body = eq.Body("a", eq.revolute("q1"), mass="m", com="1 0 0")
    robot = eq.Robot(
        "r", [body], gravity="0 0 -9.81", description="one <joint>", parameters={"m": 2}
    )
    head = "".join(f'<th scope="col">{x}</th>' for x in ("parameter", "value", "unit", "meaning"))
    found = section(Context(eq.derive(robot), None, (), None, "", False))
    assert (found.id, found.title, found.data) == ("model", "Model", {})
    start, _, end = found.html.partition("<ul>")
    assert start == (
        '<div><p>one &lt;joint&gt;</p><div id="tree" class="tree"></div>'
        "<p>Gravity in the world frame: (0, 0, -9.81) m/s².</p>"
        '<div><h3>Parameters</h3><div class="scroll"><table class="parameters">'
        f"<thead><tr>{head}</tr></thead>"
        "<tbody><tr><td>m</td><td>2</td><td></td><td></td></tr></tbody></table></div></div>"
        "<details><summary>Conventions</summary>"
    )
    assert end.count("<li>") == len(model.CONVENTIONS)
    assert end.endswith("</li></ul></details></div>")
    assert html(eq.Robot("r", [body])).startswith('<div><div id="tree" class="tree"></div>')


def test_values_that_are_not_given() -> None:
    body = eq.Body("a", eq.revolute("q1"), mass="m", com="l 0 0")
    parameters = [
        eq.Parameter("m", None, "kg"),
        eq.Parameter("l"),
        eq.Parameter("g", Fraction("9.8066512")),
    ]
    found = html(eq.Robot("r", [body], gravity="0 0 -g", parameters=parameters), ("m",))
    assert [x[:2] for x in cells(found)] == [["m", "1 (assumed)"], ["l", ""], ["g", "9.80665"]]


def test_constraints() -> None:
    found = html(eq.load("wheeled_inverted_pendulum"))
    rows = [x for x in cells(found) if len(x) == 2]
    speed_map = eq.load("wheeled_inverted_pendulum").speed_map
    assert speed_map is not None
    assert '<div><h3>Constraints</h3><div class="scroll"><table>' in found
    assert rows == [[c.name, f"{c.equation} = 0"] for c in speed_map.constraints]
    assert "<h3>Constraints</h3>" not in html(eq.load("rr_arm"))


def test_import_report(monkeypatch: pytest.MonkeyPatch) -> None:
    """What was not simply used, up to a number of entries; the rest is counted."""
    links = [link(n) for n in "abcd"]
    joints = [
        joint("j1", "continuous", "a", "b"),
        joint("j2", "fixed", "b", "c"),
        joint("j3", "fixed", "b", "d"),
    ]
    robot = robot_of_urdf(urdf(*links, *joints), "/tmp/some/arm.urdf")
    report = robot.import_report
    assert report is not None
    entries = [[e.kind, f"arm.urdf:{e.line}", e.text] for e in report if e.kind != "used"]
    assert len(entries) > 2
    counts = ", ".join(f"{n} {kind}" for kind, n in report.counts.items())
    kinds = "".join(f"<li>{k}: {KINDS[k]}</li>" for k in report.counts)
    summary = f"<details><summary>Import of arm.urdf: {counts}</summary><ul>{kinds}</ul>"
    for most in (MOST_ENTRIES, len(entries), len(entries) - 1, 1):
        monkeypatch.setattr(model, "MOST_ENTRIES", most)
        found = html(robot)
        assert f'{summary}<div class="scroll"><table class="import">' in found
        assert [x for x in cells(found) if len(x) == 3] == entries[:most]
        assert ("more: print(robot.import_report)" in found) == (most < len(entries))
    assert f"and {len(entries) - 1} more" in found
    assert "Import of" not in html(eq.load("rr_arm"))


@pytest.mark.parametrize(
    ("lower", "upper"),
    [(None, None), (-0.5, None), (2, None), (None, 0.75), (None, -2), (-0.5, 0.75), (2, 3), (1, 1)],
)
@pytest.mark.parametrize("joint", [eq.revolute("q1"), eq.prismatic("q1")])
def test_the_range_of_a_slider(joint: eq.Joint, lower: float | None, upper: float | None) -> None:
    """Limits where there are some; a turn or the reach otherwise; never an empty range."""
    body = eq.Body("a", joint, mass=1, com="1 0 0")
    limits = {k: x for k, x in (("lower", lower), ("upper", upper)) if x is not None}
    robot = eq.Robot("r", [body], gravity="0 0 -9.81", limits={"q1": limits}, home={"q1": 0.25})
    context = Context(eq.derive(robot), None, (), None, "", False)
    turns = context.unit(robot.q[0]) == "rad"
    found = coordinate_range(context, robot.q[0])
    low, high = (-TURN, TURN) if turns else (0.25 - REACH, 0.25 + REACH)
    low, high = low if lower is None else lower, high if upper is None else upper
    if low >= high:
        low, high = 0.25 - (TURN if turns else REACH), 0.25 + (TURN if turns else REACH)
    assert (found["low"], found["high"], found["home"]) == (low, high, 0.25)
    assert (found["lower"], found["upper"]) == (lower is not None, upper is not None)
