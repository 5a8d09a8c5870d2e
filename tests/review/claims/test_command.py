"""`equamo audit`: exit codes for a build, JSON, a file."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from equamo.cli import audit as command
from equamo.cli.audit import run
from equamo.errors import FileFormatError, ModelError

CLAIM = 'robot = "rr_arm"\n[[claims]]\nid = "a"\nplace = "b"\nquantity = "mass_matrix[2, 2]"\n'
RIGHT, WRONG = 'printed = "m2*Lc2**2 + I2"\n', 'printed = "m2*Lc2**2"\nexpect = "wrong"\n'

app = typer.Typer()
app.command()(run)


def invoke(path: Path, text: str, *options: str) -> tuple[int, str]:
    path.write_text(text, encoding="utf-8")
    result = CliRunner().invoke(app, [str(path), *options])
    if isinstance(result.exception, FileFormatError):
        raise result.exception
    return result.exit_code, result.stdout


def test_exit_codes(tmp_path: Path) -> None:
    path = tmp_path / "claims.toml"
    assert invoke(path, CLAIM + RIGHT)[0] == 0
    assert invoke(path, CLAIM + WRONG)[0] == 1
    assert invoke(path, CLAIM + WRONG, "--expected")[0] == 0
    assert invoke(path, CLAIM.replace('robot = "rr_arm"\n', "") + RIGHT, "rr_arm")[0] == 0
    with pytest.raises(FileFormatError, match="line 6, column 1"):  # `main` makes it exit code 2
        invoke(path, CLAIM + 'print = "x"')


def test_json_and_file_say_the_same(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    _, text = invoke(
        tmp_path / "claims.toml", CLAIM + WRONG, "--json", "--out", str(out), "--seed", "1"
    )
    assert json.loads(text) == json.loads(out.read_text(encoding="utf-8"))


def test_only_what_failed_is_shown(tmp_path: Path) -> None:
    second = CLAIM.partition("\n")[2].replace('"a"', '"second"')
    text = CLAIM + WRONG + second + RIGHT
    code, shown = invoke(tmp_path / "claims.toml", text, "--failed")
    assert code == 1
    assert "printed: m2*Lc2**2" in shown
    assert "second" not in shown
    assert "second" in invoke(tmp_path / "claims.toml", text)[1]


def test_claims_from_standard_input() -> None:
    result = CliRunner().invoke(app, ["-"], input=CLAIM + RIGHT)
    assert result.exit_code == 0
    assert "all proved" in result.stdout
    result = CliRunner().invoke(app, ["-"], input="claims = 1")
    assert "standard input, line 1" in str(result.exception)


@pytest.mark.needs("pcpp", "pycparser")
def test_programs(tmp_path: Path) -> None:
    code, names = tmp_path / "arm.c", tmp_path / "names.toml"
    text = "double f(double x, double y) { return x*y*y + I2(); }\n"
    right = "void f(double m, double a, double J, double *d) { d[0] = m*a*a + J; }\n"
    names.write_text(
        '[outputs]\nd = "mass_matrix[2, 2]"\n[inputs]\nm = "m2"\na = "Lc2"\nJ = "I2"\n',
        encoding="utf-8",
    )
    options = ["--code", str(code), "--map", str(names)]
    for source, status in ((right, 0), (right.replace("a*a", "a"), 1)):
        code.write_text(source, encoding="utf-8")
        result = CliRunner().invoke(app, [*options, "rr_arm", "--accept", "as read"])
        assert result.exit_code == status, result.stdout
        for more in ([], ["--expected"], ["--failed"]):
            assert CliRunner().invoke(app, [*options, "rr_arm", *more]).exit_code == 1
    assert "code − derived = Lc2*m2*(1 - Lc2)" in result.stdout
    assert "line 1" in result.stdout
    code.write_text(right + text, encoding="utf-8")
    result = CliRunner().invoke(app, [*options, "rr_arm", "--accept", "as read"])
    assert result.exit_code == 1  # what is not a function of C is refused
    out = tmp_path / "out.json"
    code.write_text(right, encoding="utf-8")
    options += [
        "--function",
        "f",
        "--rounding",
        "1e-12",
        "--seed",
        "1",
        "--json",
        "--out",
        str(out),
    ]
    result = CliRunner().invoke(app, [*options, "rr_arm"])
    data = json.loads(result.stdout)
    assert data == json.loads(out.read_text(encoding="utf-8"))
    assert data["findings"][0]["verdict"] == "proved as read"
    assert (data["ok"], data["as_expected"], data["accept"]) == (False, False, [])
    assert [(f["function"], f["state"]) for f in data["functions"]] == [("f", "compared")]
    sources = {x["name"]: (x["meaning"], x["source"]) for x in data["functions"][0]["names"]}
    assert sources["a"] == (["Lc2"], str(names))


@pytest.mark.parametrize(
    ("options", "args", "passed"),
    [
        (["a.toml"], ("a.toml", None), {}),
        (["a.toml", "rr_arm", "--seed", "3"], ("a.toml", "rr_arm"), {"seed": 3}),
        (["a.toml", "--map", "b", "--function", "f", "--rounding", "1e-9"], ("a.toml", None),
         {"mapping": Path("b"), "functions": ["f"], "rounding": "1e-9"}),
        (["--code", "a.c", "rr_arm"], (), {"robot": "rr_arm", "code": [Path("a.c")]}),
        (["--code", "a.c", "--code", "b.m", "rr_arm", "--function", "f", "--function", "g", "--map",
          "b.toml", "--rounding", "1e-9", "--seed", "5", "--accept", "as read"], (),
         {"robot": "rr_arm", "code": [Path("a.c"), Path("b.m")], "functions": ["f", "g"],
          "mapping": Path("b.toml"), "rounding": "1e-9", "seed": 5, "accept": ["as read"]}),
    ],
)  # fmt: skip
def test_options_are_passed_on(
    options: list[str],
    args: tuple[Any, ...],
    passed: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked: list[Any] = []

    def audit(*args: Any, progress: Callable[[str], None], **given: Any) -> Any:
        progress("reading")
        asked.append((args, given))
        return SimpleNamespace(text=lambda failed: f"failed {failed}", ok=True, as_expected=True)

    monkeypatch.setattr(command, "audit", audit)
    result = CliRunner().invoke(app, options)
    assert result.exit_code == 0, result.output
    nothing = {"mapping": None, "functions": None, "rounding": None, "accept": None, "seed": None}
    assert asked == [(args, nothing | passed)]


@pytest.mark.parametrize("expected", [False, True])
@pytest.mark.parametrize("failed", [False, True])
def test_the_verdict_decides_the_exit_code(
    failed: bool, expected: bool, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    saved: list[Path] = []
    report = SimpleNamespace(
        text=lambda failed: f"failed only: {failed}", ok=False, as_expected=True,
        to_data=lambda: {"a": 1}, save=saved.append,
    )  # fmt: skip
    monkeypatch.setattr(command, "audit", lambda *_, **__: report)
    options = ["a.toml", *["--failed"] * failed, *["--expected"] * expected]
    result = CliRunner().invoke(app, options)
    assert (result.exit_code, result.stdout) == (1 - expected, f"failed only: {failed}\n")
    assert saved == []
    result = CliRunner().invoke(app, [*options, "--json", "--out", str(tmp_path / "a.json")])
    assert (result.exit_code, json.loads(result.stdout)) == (1 - expected, {"a": 1})
    assert saved == [tmp_path / "a.json"]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--code", "a.c"], "takes one more argument: the robot"),
        (["--code", "a.c", "rr_arm", "rr_arm"], "takes one more argument: the robot"),
        ([], "needs a claims file, or --code FILE and a robot"),
        (["a.toml", "--map", "b.toml"], "mapping, functions, rounding and accept need code"),
        (["a.toml", "--function", "f"], "mapping, functions, rounding and accept need code"),
        (["a.toml", "--rounding", "1e-9"], "mapping, functions, rounding and accept need code"),
        (["a.toml", "--accept", "as read"], "mapping, functions, rounding and accept need code"),
        (
            ["--code", "a.c", "rr_arm", "--accept", "all"],
            "list with some of 'as read', got ['all']",
        ),
    ],
)
def test_wrong_arguments(options: list[str], message: str) -> None:
    result = CliRunner().invoke(app, options)
    assert isinstance(result.exception, ModelError)
    assert message in str(result.exception)
