"""The command `equamo` and its verbs."""

import subprocess
import sys
from importlib.metadata import version

import pytest
import typer

from equamo import cli
from equamo.cli import demo, doctor
from equamo.errors import EquamoError


def equamo(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "equamo", *arguments], capture_output=True, text=True
    )


def test_version() -> None:
    assert equamo("--version").stdout == f"equamo {version('equamo')}\n"


def test_help_has_an_example_per_command() -> None:
    text = equamo("--help").stdout
    verbs = [command.name for command in cli.app.registered_commands]
    assert {"demo", "doctor"} <= set(verbs)
    for verb in verbs:
        assert f"equamo {verb}" in text
        assert f"Example:\n    equamo {verb}" in equamo(str(verb), "--help").stdout


def test_doctor_is_plain_when_piped() -> None:
    done = equamo("doctor")
    assert done.returncode == 0
    assert "\x1b" not in done.stdout
    assert version("numpy") in done.stdout
    assert done.stdout.endswith("all that equamo needs is here\n")


def test_doctor_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(doctor.NEEDED, "no-such-package", "no_such_module")
    with pytest.raises(typer.Exit) as stop:
        doctor.run()
    assert stop.value.exit_code == 1
    assert "pip install no-such-package\n" in capsys.readouterr().out


def test_doctor_knows_every_dependency() -> None:
    from importlib.metadata import requires

    needed = {line.split(">=")[0] for line in requires("equamo") or ()}
    assert needed == set(doctor.NEEDED)


def test_demo() -> None:
    done = equamo("demo")
    assert done.returncode == 0, done.stderr
    assert "cos(q1 + q2)\n  proved" in done.stdout
    assert "cos(q1 + q2)\n  refuted" in done.stdout


def test_demo_fails_when_the_verdict_is_not_the_expected_one(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(demo, "IDENTITIES", (("x", "x + 1", "proved"),))
    with pytest.raises(typer.Exit) as stop:
        demo.run()
    assert stop.value.exit_code == 1


def test_an_error_is_one_paragraph_and_exit_code_2(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fail() -> None:
        raise EquamoError("There is no robot 'x'. Valid: rr_arm.")

    monkeypatch.setattr(cli, "app", fail)
    with pytest.raises(SystemExit) as stop:
        cli.main()
    assert stop.value.code == 2
    assert capsys.readouterr().err == "equamo: There is no robot 'x'. Valid: rr_arm.\n"


def test_an_unknown_verb_names_itself() -> None:
    done = equamo("dance")
    assert done.returncode == 2
    assert "dance" in done.stderr
