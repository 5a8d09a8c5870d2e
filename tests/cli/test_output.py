"""Output of the verbs on terminals and in pipes of other encodings."""

from __future__ import annotations

import io
import json
import sys

import pytest

from equamo.cli.output import print_json

DATA = {"ω": "≤ 2⁻¹⁰⁰", "plain": 1.5}


@pytest.mark.parametrize(
    ("encoding", "escaped"), [("cp1252", True), ("ascii", True), ("utf-8", False)]
)
def test_json_loses_nothing(encoding: str, escaped: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pipe on Windows is cp1252; characters that it lacks must not become question marks."""
    raw = io.BytesIO()
    stream = io.TextIOWrapper(raw, encoding=encoding, errors="replace")
    monkeypatch.setattr(sys, "stdout", stream)
    print_json(DATA)
    stream.flush()
    text = raw.getvalue().decode(encoding)
    assert json.loads(text) == DATA
    assert ("\\u03c9" in text) == escaped
