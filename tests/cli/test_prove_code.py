"""`equamo prove --code`: a verdict per function, and an exit code."""

import json
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

from equamo import cli
from urdf_texts import joint, link, robot

ARM = robot(
    link("base"),
    link("upper"),
    joint("q1", "revolute", "base", "upper", '<axis xyz="0 1 0"/>'),
    name="arm",
)
Run = Callable[[str], tuple[int, str, str]]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Exit code, output and errors of a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def command(text: str) -> tuple[int, str, str]:
        monkeypatch.setattr("sys.argv", ["equamo", *shlex.split(text)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        out, err = capsys.readouterr()
        code = stop.value.code
        return (code if isinstance(code, int) else 0), out, err

    return command


def generate(run: Run, robot: str, options: str = "") -> None:
    code, _, err = run(f"generate {robot} --no-prove --functions gravity,mass_matrix {options}")
    assert code == 0, err


def test_files_of_several_languages(run: Run) -> None:
    for to in ("c", "numpy", "matlab", "javascript"):
        generate(run, "rr_arm", f"--to {to}")
    files = (
        "rr_arm.c",
        "rr_arm.py",
        "rr_arm.mjs",
        "rr_arm_gravity.m",
        "rr_arm_default_parameters.m",
    )
    code, out, err = run(f"prove --robot rr_arm {' '.join(f'--code build/{f}' for f in files)}")
    assert code == 0, out + err
    assert out.count("gravity: text proved: the same expression; program proved") == 4
    assert "all proved: 16 of 16" in out
    assert out.count("header: proved") == 5


def test_a_wrong_function_and_a_torn_file(run: Run) -> None:
    generate(run, "rr_arm")
    path = Path("build/rr_arm.c")
    text = path.read_text()
    path.write_text(text.replace("M[0][0] = ", "M[0][0] = 0.5 + "))
    code, out, _ = run("prove --code build/rr_arm.c --robot rr_arm --json")
    assert code == 1
    data = json.loads(out)
    assert not data["ok"]
    verdicts = {x["function"]: x["text"]["verdict"] for x in data["lines"]}
    assert verdicts == {
        "rr_arm_gravity": "proved", "rr_arm_mass_matrix": "refuted", "default parameters": "proved",
        "header": "proved",  # it claims nothing of the text
    }  # fmt: skip
    path.write_text(text[:-9])
    code, out, _ = run("prove --code build/rr_arm.c --robot rr_arm")
    assert code == 1
    assert "not understood: build/rr_arm.c:" in out


def test_a_file_of_a_urdf_robot(run: Run) -> None:
    Path("arm.urdf").write_text(ARM)
    generate(run, "arm.urdf", "--parameters symbolic")
    name = next(p.name for p in Path("build").glob("*.h"))[:-2]
    assert run(f"prove --code build/{name}.c --robot arm.urdf --parameters symbolic")[0] == 0
    assert run(f"prove --code build/{name}.c --robot arm.urdf")[0] == 1  # no parameters there
    generate(run, "arm.urdf", "--out free --base free")
    assert run(f"prove --code free/{name}.c --robot arm.urdf --base free")[0] == 0


def test_parameters_folded_in(run: Run) -> None:
    generate(run, "rr_arm", "--parameters numeric")
    code, out, _ = run("prove --code build/rr_arm.c --robot rr_arm")
    assert code == 1
    assert "--parameters numeric" in out
    assert run("prove --code build/rr_arm.c --robot rr_arm --parameters numeric")[0] == 0
    code, out, _ = run(
        "prove --code build/rr_arm.c --robot rr_arm --parameters numeric --value m1=2"
    )
    assert code == 1
    assert "refuted" in out


@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("prove --code x.c", "--robot"),
        ("prove rr_arm --code x.c", "--robot"),
        ("prove --code missing.c --robot rr_arm", "missing.c"),
        ("prove rr_arm --value m1=1", "--code"),
        ("prove rr_arm --by kane", "--code"),
        ("prove --code missing.c --robot rr_arm --parameters some",
         "--parameters must be symbolic or numeric, got 'some'."),
        ("prove --code missing.c --robot rr_arm --value m1", "name=number"),
    ],
)  # fmt: skip
def test_bad_options(run: Run, command: str, said: str) -> None:
    code, _, err = run(command)
    assert code == 2
    assert said in err
    assert "Traceback" not in err
