"""`equamo audit`: exit codes for a build, JSON, a file."""

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from equamo.cli.audit import run
from equamo.errors import FileFormatError

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
