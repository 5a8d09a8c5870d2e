"""Derivation section: every shown step once, with links to its sources."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

import equamo as eq
from equamo.publish.page.context import Context
from equamo.publish.page.sections import derivation


def section_of(robot: str, by: str) -> ElementTree.Element:
    eom = eq.derive(eq.load(robot), by=by)
    made = derivation.section(Context(eom, None, (), None, "", False))
    assert (made.id, made.title) == ("derivation", "Derivation")
    return ElementTree.fromstring(made.html)


@pytest.mark.parametrize("by", ["recursive", "lagrange"])
def test_every_step_of_a_small_robot(by: str) -> None:
    root = section_of("rr_arm", by)
    steps = eq.derivation(eq.load("rr_arm"), by=by).steps
    lines = {int(x.get("value", "0")): x for x in root.iter("li")}
    assert sorted(lines) == list(range(1, len(steps) + 1))
    for k, step in enumerate(steps, 1):
        text = "".join(lines[k].itertext())
        assert f"rule {step.rule}" in text
        links = [x.get("href") for x in lines[k].iter("a")]
        assert len(links) == len(step.inputs)
        assert all(int(re.sub(r"\D", "", x or "")) < k for x in links)
    assert [x.tag for x in root] == ["p"] + ["details"] * (len(root) - 1)


def test_the_steps_of_a_large_robot_are_limited() -> None:
    root = section_of("krang", "recursive")
    lines = list(root.iter("li"))
    assert 20 < len(lines) <= derivation.MOST
    head = "".join(root[0].itertext())
    assert f"The first {len(lines)} are shown" in head
    assert "eq.derivation(robot, by='recursive').steps" in head
