"""Every reader on changed and stored documents: a result, or an error of ours."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings

from fuzz.registry import readers
from fuzz.regressions import FOLDER, stored

NAMES = sorted(readers())


@pytest.mark.parametrize("name", NAMES)
def test_changed_documents_are_read_or_refused(name: str, whole_sweeps: bool) -> None:
    reader = readers()[name]

    @settings(
        max_examples=200 if whole_sweeps else reader.examples,
        suppress_health_check=list(HealthCheck),
        derandomize=True, database=None, deadline=None,
    )  # fmt: skip
    @given(reader.documents)
    def check(data: bytes) -> None:
        reader.check(data)

    check()


@pytest.mark.parametrize("path", stored(), ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_what_once_failed(path: Path) -> None:
    readers()[path.parent.name].check(path.read_bytes())


def test_stored_documents_belong_to_a_reader_and_have_a_reason() -> None:
    for path in stored():
        assert path.parent.name in NAMES
        assert path.with_suffix(".txt").read_text("utf-8").strip().count("\n") == 0
    assert {x.suffix for x in FOLDER.glob("*/*")} <= {".input", ".txt"}
