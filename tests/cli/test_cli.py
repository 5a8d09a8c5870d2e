"""The command `equamo` and its verbs."""

import json
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from command_line import equamo
from equamo import cli
from equamo.basics.extras import Extra
from equamo.cli import doctor
from equamo.errors import EquamoError
from equamo.mechanics.equations import EquationsOfMotion


def in_a_process(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "equamo", *arguments], capture_output=True, text=True
    )


@pytest.mark.ci
def test_version() -> None:
    assert in_a_process("--version").stdout == f"equamo {version('equamo')}\n"


@pytest.mark.ci
def test_help_has_an_example_per_command() -> None:
    text = equamo("--help").stdout
    verbs = [command.name for command in cli.app.registered_commands]
    assert {"demo", "doctor"} <= set(verbs)
    for verb in verbs:
        assert f"equamo {verb}" in text
        shown = CliRunner().invoke(cli.app, [str(verb), "--help"])
        assert f"Example:\n    equamo {verb}" in shown.stdout


def test_doctor_is_plain_when_piped() -> None:
    done = in_a_process("doctor")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert version("numpy") in done.stdout
    assert done.stdout.endswith("all required packages are installed\n")


def test_doctor_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(doctor.NEEDED, "no-such-package", "no_such_module")
    with pytest.raises(typer.Exit) as stop:
        doctor.run()
    assert stop.value.exit_code == 1
    assert "pip install no-such-package\n" in capsys.readouterr().out


@pytest.mark.needs("sympy")
def test_doctor_as_json_is_what_a_report_needs(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    doctor.run(json=True)
    facts = json.loads(capsys.readouterr().out)
    assert facts["packages"]["numpy"] == version("numpy")
    assert facts["missing"] == []
    assert facts["extras"]["sympy"] is True
    assert isinstance(facts["gpus"][0], str)
    assert str(Path.home()) not in json.dumps(facts)

    monkeypatch.setitem(doctor.NEEDED, "no-such-package", "no_such_module")
    with pytest.raises(typer.Exit) as stop:
        doctor.run(json=True)
    assert stop.value.exit_code == 1
    assert json.loads(capsys.readouterr().out)["missing"] == ["no-such-package"]


@pytest.mark.needs("sympy")
def test_doctor_says_which_extras_are_available(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(doctor.EXTRAS, "new", Extra("something", {"no-such-package": "x"}))
    doctor.run()
    lines = capsys.readouterr().out.splitlines()
    (new,) = (line for line in lines if line.startswith("[new]"))
    assert new.split(maxsplit=1)[1] == 'not available; pip install "equamo[new]": something'
    assert any(line.startswith("[sympy]             available: ") for line in lines)


@pytest.mark.ci
def test_demo(tmp_path: Path) -> None:
    done = in_a_process("demo", "--no-open", "--out", str(tmp_path / "krang.html"))
    assert done.returncode == 0, done.stderr
    assert "Certificate of krang: 17 degrees of freedom" in done.stdout
    assert "kane = lagrange" in done.stdout
    assert "all proved" in done.stdout
    assert (tmp_path / "krang.html").read_text("utf-8").startswith("<!doctype html>")


def test_an_error_is_one_paragraph_and_exit_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise EquamoError("Unknown robot 'x'. Valid: rr_arm.")

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    assert capsys.readouterr().err == "equamo: Unknown robot 'x'. Valid: rr_arm.\n"


@pytest.mark.ci
def test_an_unknown_verb_names_itself() -> None:
    done = in_a_process("dance")
    assert done.returncode == 2
    assert "dance" in done.stderr


def test_robots() -> None:
    rows = json.loads(equamo("robots", "--json").stdout)
    assert {"rr_arm", "krang", "starleth"} <= {row["name"] for row in rows}
    text = equamo("robots").stdout
    assert len(text.splitlines()) == len(rows)


def test_check() -> None:
    assert equamo("check", "krang").stdout == "krang: ok\n"
    assert json.loads(equamo("check", "rr_arm", "--json").stdout)["ok"] is True


def test_derive_prints_saves_and_counts(tmp_path: Path) -> None:
    assert "M[q1, q1] = " in equamo("derive", "rr_arm").stdout
    assert "begin{bmatrix}" in equamo("derive", "rr_arm", "--latex").stdout
    big = equamo("derive", "iiwa", "--latex")  # closed forms of seven joints would take minutes
    assert big.returncode == 0, big.stderr
    rows = dict(line.split(" &= ") for line in big.stdout.splitlines() if " &= " in line)
    assert list(rows)[:2] == ["x_{1}", "x_{2}"]
    assert r"\boldsymbol{C} \dot{\boldsymbol{q}}" in rows
    M = rows[r"\boldsymbol{M}"].removesuffix(r" \\")
    assert M.count(r"\\") == 6
    assert M.count("&") == 42
    sizes = json.loads(equamo("derive", "krang", "--json").stdout)
    assert sizes["operations"]["mass_matrix"]["multiplications"] > 100
    out = tmp_path / "arm.eom"
    assert equamo("derive", "rr_arm", "--by", "kane", "--out", str(out)).returncode == 0
    assert EquationsOfMotion.load(out).by == "kane"


def test_prove_and_check_a_certificate(tmp_path: Path) -> None:
    out = tmp_path / "arm.cert.json"
    done = equamo("prove", "rr_arm", "--out", str(out))
    assert done.returncode == 0
    assert "all proved" in done.stdout
    again = equamo("prove", "--check", str(out))
    assert again.returncode == 0, again.stderr
    assert "--robot NAME" in again.stdout
    # New random points each time.
    seeds = [x.stdout.split("seed ")[1].split()[0] for x in (done, again)]
    assert seeds[0] != seeds[1]


def test_the_robot_that_is_meant(tmp_path: Path) -> None:
    out = tmp_path / "arm.cert.json"
    equamo("prove", "rr_arm", "--out", str(out))
    assert equamo("prove", "--check", str(out), "--robot", "rr_arm").returncode == 0
    other = equamo("prove", "--check", str(out), "--robot", "rp_arm")
    assert other.returncode == 2
    assert "certifies a robot other than 'rp_arm'" in other.stderr
    assert equamo("prove", "rr_arm", "--robot", "rr_arm").returncode == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("check", "nao"), "Valid: rr_arm"),
        (("check", "arm.urdf"), "No such file"),
        (("check",), "Missing argument"),
        (("derive", "nao"), "Valid: rr_arm"),
        (("derive", "rr_arm", "--by", "kanes"), "Did you mean 'kane'"),
        (("derive", "rr_arm", "--coriolis", "half"), "christoffel, split"),
        (("prove",), "prove needs either a robot or a certificate to --check, got neither"),
        (("prove", "krangs"), "Did you mean 'krang'"),
        (("prove", "--check", "nowhere.json"), "cannot be read"),
        (("robots", "--yaml"), "--yaml"),
    ],
)
def test_bad_input_names_the_choices_and_exits_with_2(
    arguments: tuple[str, ...], said: str
) -> None:
    done = equamo(*arguments)
    assert done.returncode == 2, done.stdout
    assert said in " ".join(done.stderr.split()).replace("│ ", ""), done.stderr
    assert "Traceback" not in done.stderr


def test_an_internal_error_has_the_plain_traceback_of_python() -> None:
    """Not one in boxes, with the values of all variables: it is copied into reports."""
    assert not cli.app.pretty_exceptions_enable
