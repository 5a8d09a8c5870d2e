"""`equamo audit`: exit codes for a build, JSON, a file."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

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
        result = CliRunner().invoke(app, [*options, "rr_arm"])
        assert result.exit_code == status, result.stdout
    assert "code − derived = Lc2*m2*(1 - Lc2)" in result.stdout
    assert "line 1" in result.stdout
    code.write_text(right + text, encoding="utf-8")
    result = CliRunner().invoke(app, [*options, "rr_arm"])
    assert isinstance(result.exception, FileFormatError)
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
    assert data["findings"][0]["verdict"] == "proved"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--code", "a.c"], "takes one more argument: the robot"),
        (["--code", "a.c", "rr_arm", "rr_arm"], "takes one more argument: the robot"),
        ([], "needs a claims file, or --code FILE and a robot"),
        (["a.toml", "--map", "b.toml"], "mapping, functions and rounding need code"),
    ],
)
def test_wrong_arguments(options: list[str], message: str) -> None:
    result = CliRunner().invoke(app, options)
    assert isinstance(result.exception, ModelError)
    assert message in str(result.exception)
