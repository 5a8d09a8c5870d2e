"""Pasted LaTeX is in the document literally; differences are listed in `repairs`."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from claim_numbers import Document
from conftest import DOCUMENTS
from equamo.errors import FileFormatError
from equamo.review.claims import audit, parse_claims

FOLDER = Path(__file__).parents[3] / "examples" / "audits"
NAMES = ("000", "001", "002", "003", "004")


def pasted(x: Any) -> Iterator[str]:
    """All texts under a key `latex`."""
    if isinstance(x, dict):
        for key, e in x.items():
            yield from _texts(e) if key == "latex" else pasted(e)
    elif isinstance(x, list):
        for e in x:
            yield from pasted(e)


def _texts(x: Any) -> Iterator[str]:
    if isinstance(x, str):
        yield x
    else:
        for e in x:
            yield from _texts(e)


@pytest.mark.documents
@pytest.mark.parametrize("name", NAMES)
def test_every_pasted_text_occurs_in_the_document(name: str) -> None:
    (path,) = DOCUMENTS.glob(f"{name}_*.txt")
    text = re.sub(r"\s", "", path.read_text(encoding="utf-8"))
    found = list(pasted(Document(FOLDER / f"document_{name}.toml").data))
    assert len(found) > 20
    assert not [x for x in found if re.sub(r"\s", "", x) not in text]


@pytest.mark.parametrize("name", NAMES)
def test_more_than_a_comma_is_noted(name: str) -> None:
    """A repair of signs, names or factors has a note; signs of alignment need none."""
    layout = re.compile(r"[&\\\s]*|&?=")
    for claim in Document(FOLDER / f"document_{name}.toml").data["claims"]:
        repairs = claim.get("repairs", {})
        if any(not layout.fullmatch(old) for old in repairs):
            assert "epair" in claim.get("note", ""), claim["id"]


CLAIM = """
robot = "rr_arm"
[[claims]]
id = "d22"
place = "eq. 1"
latex = 'm_2 L_{c2}^2 + I 2'
repairs = { 'I 2' = 'I_2' }
quantity = "mass_matrix[2, 2]"
"""


def test_repairs_are_reported() -> None:
    wrong = CLAIM.replace("m_2 L", "2 m_2 L")
    report = audit(parse_claims(wrong), seed=1)
    assert "repaired: I 2 read as I_2" in str(report)
    assert report["d22"].to_data()["repairs"] == {"I 2": "I_2"}


def test_repairs_are_read_and_kept() -> None:
    (claim,) = parse_claims(CLAIM).claims
    assert claim.printed is not None
    assert claim.printed.parts[0].text == "m_2 L_{c2}^2 + I_2"
    assert claim.repairs == {"I 2": "I_2"}


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("{ 'I 2' =", "{ 'J 2' =", "a repair must occur in the pasted text, got 'J 2'"),
        ("= 'I_2' }", "= 2 }", "expected text, found a number"),
        ("{ 'I 2' = 'I_2' }", "3", "expected a table"),
    ],
)
def test_a_repair_must_apply(old: str, new: str, words: str) -> None:
    with pytest.raises(FileFormatError, match=words):
        parse_claims(CLAIM.replace(old, new))


def test_repairs_of_lists_and_definitions() -> None:
    text = CLAIM.replace("latex = 'm_2 L_{c2}^2 + I 2'", "latex = ['0', 'm_2 L_{c2}^2 + I 2']")
    (claim,) = parse_claims(text).claims
    assert claim.printed is not None
    assert [p.text for p in claim.printed.parts] == ["0", "m_2 L_{c2}^2 + I_2"]
    table = "definitions = { h = { latex = 'a b', repairs = { 'a' = 'm_1' } } }"
    (claim,) = parse_claims(CLAIM + table).claims
    assert claim.setting.definitions["h"].parts[0].text == "m_1 b"
