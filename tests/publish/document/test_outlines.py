"""Papers have the outlines that were looked at: every section, law, definition and word of prose."""

from __future__ import annotations

import pytest

from paper_outlines import FOLDER, PAPERS, outline, paper


@pytest.mark.parametrize("name", PAPERS)
def test_outline(name: str) -> None:
    expected = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    assert outline(paper(name)).splitlines() == expected.splitlines()
