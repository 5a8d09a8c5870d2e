"""Changelog and decisions: each change and each decision stands there once.

Git joins both sides of a conflict in these files, so a merge can bring back an entry that was reworded.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[1]
WINGS = ("algebra", "robot", "mechanics", "code", "motion", "review", "publish")


def repeated(items: Iterable[str]) -> list[str]:
    return [x for x, count in Counter(items).items() if count > 1]


@cache
def decisions() -> dict[str, str]:
    """Text of each page of decisions."""
    folder = ROOT / "docs" / "project" / "decisions"
    return {p.stem: p.read_text("utf-8") for p in sorted(folder.glob("*.md"))}


def test_every_decision_has_one_paragraph_with_its_own_title() -> None:
    text = "\n".join(decisions().values())
    assert repeated(re.findall(r"^\*\*(.+?)\*\*", text, re.MULTILINE)) == []
    assert re.findall(r"\S\n\*\*.{20}", text) == []


def test_every_decision_stands_under_a_subject() -> None:
    assert {*WINGS, "house"} == set(decisions())
    found: list[str] = []
    for text in decisions().values():
        subjects = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
        assert not re.search(r"^\*\*", subjects[0], re.MULTILINE)
        found += subjects[1::2]
        for subject, paragraphs in zip(subjects[1::2], subjects[2::2], strict=True):
            assert re.search(r"^\*\*", paragraphs, re.MULTILINE), f"no decision about {subject}"
    assert repeated(found) == []


def test_every_change_is_listed_once() -> None:
    versions = (ROOT / "CHANGELOG.md").read_text("utf-8").split("\n## ")[1:]
    assert versions[0].startswith("[Unreleased]")
    for changes in (
        "\n".join(versions[:2]),
        *versions[2:],
    ):  # a merge may bring back what was released
        assert repeated(x[:40] for x in changes.split("\n") if x.startswith("- ")) == []
