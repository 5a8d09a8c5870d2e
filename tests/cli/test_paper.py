"""`equamo paper`: a line whose proof fails is named, and the exit code says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import equamo
from equamo.document import printed, script
from equamo.expr import Expr, symbol
from equamo.kinematics.steps import Value


def test_a_line_that_is_not_proved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    right = printed.closed

    def wrong(value: Value, budget: int = printed.BUDGET) -> Value:
        form = right(value, budget)
        return form + symbol("m1") if isinstance(form, Expr) else form

    monkeypatch.setattr(script, "closed", wrong)
    run = (
        "paper",
        "rr_arm",
        "--by",
        "lagrange",
        "--quantities",
        "g",
        "--out",
        f"{tmp_path}/a.tex",
    )
    ended = equamo(*run)
    assert ended.returncode == 1
    assert "not proved: (" in ended.stdout
    text = (tmp_path / "a.tex").read_text(encoding="utf-8")
    assert "refuted" in text
    data = json.loads(equamo(*run, "--json").stdout)
    assert data["not_proved"]
    assert data["proved"] + len(data["not_proved"]) <= data["equations"]
