"""`equamo paper`: a line whose proof fails is named, and the exit code says so."""

from __future__ import annotations

import json
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from typer.testing import CliRunner

from command_line import equamo
from equamo.algebra.expr import Expr, symbol
from equamo.cli import app, paper as command
from equamo.mechanics.kinematics.steps import Value
from equamo.publish.document import printed, script


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


class Trip(list[str]):
    """What is read back: its lines, and those that are wrong."""

    lines = ("a", "b", "c")

    @property
    def wrong(self) -> list[str]:
        return list(self)

    def __bool__(self) -> bool:
        return not self.wrong

    def __str__(self) -> str:
        return "3 lines read back"


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The arguments with which the command asks for a document; none is composed."""
    got: dict[str, Any] = {"equations": "111", "wrong": []}

    def paper(robot: Any, path: Path, **options: Any) -> Any:
        got.update(options, robot=robot.name, path=path)
        path.write_text("1234567", encoding="utf-8")
        numbers = enumerate(got["equations"], start=1)
        lines = [SimpleNamespace(number=n, standing="proved" if x == "1" else "law",
                                 proofs=[True, x != "0"]) for n, x in numbers]  # fmt: skip
        return SimpleNamespace(equations=lines)

    monkeypatch.setattr(command, "paper", paper)
    monkeypatch.setattr(command, "read_back", lambda document: Trip(got["wrong"]))
    return got


def test_options_are_passed_on(
    asked: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    done = CliRunner().invoke(app, ["paper", "rr_arm"])
    assert done.exit_code == 0, done.output
    nothing = {"title": None, "short": None, "letters": "MCg", "quantities": None}
    expected = {"robot": "rr_arm", "path": Path("rr_arm.pdf"), "by": "lagrange"} | nothing
    assert {k: asked[k] for k in expected} == expected
    assert done.output == "rr_arm.pdf: 3 equations, 3 of them derived and proved\n"
    options = [
        "--out",
        "a.html",
        "--by",
        " kane",
        "--title",
        "An arm",
        "--short",
        "--letters",
        "DCG",
    ]
    done = CliRunner().invoke(app, ["paper", "rp_arm", *options, "--quantities", "M, g"])
    assert done.exit_code == 0, done.output
    expected = {"robot": "rp_arm", "path": Path("a.html"), "by": "kane", "title": "An arm"}
    expected |= {"short": True, "letters": "DCG", "quantities": ["M", "g"]}
    assert {k: asked[k] for k in expected} == expected
    CliRunner().invoke(app, ["paper", "rr_arm", "--long"])
    assert asked["short"] is False


@pytest.mark.parametrize(
    ("by", "passed"),
    [
        ("kane", "kane"), ("kane,", "kane"), ("kane, lagrange", ("kane", "lagrange")),
        ("lagrange,,kane ", ("lagrange", "kane")), ("", ""), (",", ","),
    ],
)  # fmt: skip
def test_methods(by: str, passed: Any, asked: dict[str, Any], tmp_path: Path) -> None:
    """One as text, two as a tuple; what is empty is an error of `paper`, which names it."""
    done = CliRunner().invoke(app, ["paper", "rr_arm", "--by", by, "--out", f"{tmp_path}/a.tex"])
    assert done.exit_code == 0, done.output
    assert asked["by"] == passed


def test_what_is_printed(asked: dict[str, Any], tmp_path: Path) -> None:
    """1: proved, -: a law, 0: a law with a proof that failed."""
    path = tmp_path / "a.tex"
    run = ["paper", "rr_arm", "--out", str(path)]
    asked["equations"] = "11-"
    done = CliRunner().invoke(app, [*run, "--check"])
    text = f"{path}: 3 equations, 2 of them derived and proved\n"
    assert (done.exit_code, done.output) == (0, f"{text}3 lines read back\n")
    data = {"robot": "rr_arm", "file": str(path), "bytes": 7, "equations": 3, "proved": 2}
    done = CliRunner().invoke(app, [*run, "--json"])
    assert (done.exit_code, json.loads(done.output)) == (0, data | {"not_proved": []})
    asked["wrong"] = ["b"]
    done = CliRunner().invoke(app, [*run, "--json", "--check"])
    checked = {"not_proved": [], "read_back": 3, "wrong": 1}
    assert (done.exit_code, json.loads(done.output)) == (1, data | checked)
    asked["equations"] = "10-0"
    done = CliRunner().invoke(app, run)
    text = f"{path}: 4 equations, 1 of them derived and proved\nnot proved: (2), (4)\n"
    assert (done.exit_code, done.output) == (1, text)
