"""The schematic of a tree: XML whatever the names are, each body once, children right of parents."""

from typing import Any
from xml.etree import ElementTree

import pytest

import equamo as eq
from equamo.publish.picture.schematic import schematic

SVG = "{http://www.w3.org/2000/svg}"


def boxes(text: str) -> dict[str, tuple[float, float]]:
    """{body: corner of its box}"""
    found: dict[str, tuple[float, float]] = {}
    for group in ElementTree.fromstring(text).iter(f"{SVG}g"):
        if "data-body" in group.attrib:
            box = group.find(f"{SVG}rect")
            assert box is not None
            found[group.attrib["data-body"]] = float(box.attrib["x"]), float(box.attrib["y"])
    return found


@pytest.mark.parametrize("name", ["krang", "starleth", "krang_on_wheels", "stanford"])
def test_every_body_has_its_own_place(name: str) -> None:
    robot = eq.load(name)
    found = boxes(schematic(robot))
    assert list(found) == [b.name for b in robot.bodies]
    assert len(set(found.values())) == len(found)
    for b in robot.bodies:
        if b.parent != "world":
            assert found[b.name][0] > found[b.parent][0]
            assert found[b.name][1] >= found[b.parent][1]


def test_the_signs_of_the_joints() -> None:
    text = schematic(eq.load("stanford"))  # five revolute joints and one prismatic
    assert text.count("<title>revolute: ") == 5
    assert text.count("<title>prismatic: ") == 1


@pytest.mark.parametrize(
    ("joint", "title", "sign"),
    [
        (eq.revolute("q"), "revolute: q", '<circle r="1.4"/>'),
        (eq.prismatic("q"), "prismatic: q", '<path d="M-4 0H4" stroke="currentColor"/>'),
        (eq.planar("x y a"), "planar: x, y, a", '<path d="M-6 0H6M0 -6V6" stroke="currentColor"/>'),
        (eq.fixed(), "", ""),
    ],
)
def test_the_sign_of_a_joint(joint: Any, title: str, sign: str) -> None:
    """A dot, a slide or a cross in the middle of the edge; a fixed joint has none."""
    bodies = [eq.Body("a", eq.revolute("p"), mass=1), eq.Body("b", joint, mass=1, parent="a")]
    text = schematic(eq.Robot("r", bodies))
    assert text.count("<g transform=") == (2 if title else 1)
    if title:
        shown = text[text.rindex("<g transform=") :].partition("</g>")[0]
        assert f"<title>{title}</title>" in shown
        assert shown.endswith(sign)


@pytest.mark.ci
def test_hostile_names_and_long_chains() -> None:
    names = ['<script>alert("x")</script>', "a&b", "x" * 300, "tab\tand\x01control", "'quoted'"]
    bodies = [eq.Body(n, eq.revolute(f"q{k}"), mass=1, parent=names[k - 1] if k else "world")
              for k, n in enumerate(names)]  # fmt: skip
    found = boxes(schematic(eq.Robot("<&>", bodies, gravity=[0, 0, -9])))
    assert list(found)[:3] == names[:3]
    assert len(found) == 5
    chain = [eq.Body(f"b{k}", eq.revolute(f"q{k}"), mass=1, parent=f"b{k - 1}" if k else "world")
             for k in range(1500)]  # fmt: skip
    assert len(boxes(schematic(eq.Robot("chain", chain, gravity=[0, 0, -9])))) == 1500
