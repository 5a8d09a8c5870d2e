"""The robot of a command: options of URDF files, and model files from standard input."""

from __future__ import annotations

import io
import json
import shlex
from pathlib import Path
from types import SimpleNamespace

import pytest

import equamo as eq
from equamo import cli
from equamo.cli import model
from equamo.mechanics.equations import EquationsOfMotion
from equamo.robot.formats.toml_writer import write_toml

URDF = """<robot name="arm"><link name="base"><inertial><mass value="3"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<link name="hand"><inertial><origin xyz="0 0 0.1"/><mass value="2"/>
<inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
<joint name="elbow" type="continuous"><origin xyz="0 0 0.5"/><parent link="base"/>
<child link="hand"/><axis xyz="0 1 0"/><dynamics damping="0.5"/></joint></robot>"""


class Command:
    """Runs the command in this process, with text on its standard input."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, command: str, given: bytes = b"", code: int = 0) -> str:
        stream = SimpleNamespace(buffer=io.BytesIO(given))
        self.monkeypatch.setattr("sys.stdin", stream)
        self.monkeypatch.setattr("sys.argv", ["equamo", *shlex.split(command)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        out, err = self.capsys.readouterr()
        assert (stop.value.code or 0) == code, err
        return out if code == 0 else err


@pytest.fixture
def command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Command:
    monkeypatch.chdir(tmp_path)
    Path("arm.urdf").write_text(URDF)
    return Command(monkeypatch, capsys)


def test_a_free_base(command: Command) -> None:
    assert json.loads(command("derive arm.urdf --json"))["v"] == ["delbow"]
    free = json.loads(command("derive arm.urdf --base free --json"))
    assert len(free["q"]) == 8
    assert free["v"][-1] == "delbow"
    assert "wheels" in command("derive arm.urdf --base wheels", code=2)
    command("prove arm.urdf --base free --seed 1")
    command("check arm.urdf --base free")
    command("simulate arm.urdf --base free --duration 0.01")
    command("view arm.urdf --base free --tree tree.svg")


def test_symbolic_parameters(command: Command) -> None:
    assert json.loads(command("derive arm.urdf --json"))["parameters"] == []
    named = json.loads(command("derive arm.urdf --parameters symbolic --json"))
    assert {"m_hand", "z_elbow", "damping_elbow", "g"} <= set(named["parameters"])
    assert named["equations"]["passive_force"] == ["-damping_elbow*delbow"]
    assert "numeric" in command("derive arm.urdf --parameters maybe", code=2)
    assert "rr_arm" in command("derive rr_arm --parameters symbolic", code=2)


def test_generated_code_has_the_symbols_of_a_file(command: Command) -> None:
    generate = "generate {} --to numpy --functions gravity --no-prove --out {}"
    command(generate.format("arm.urdf", "plain"))
    command(generate.format("arm.urdf", "named") + " --parameters symbolic")
    command(generate.format("rr_arm", "own") + " --parameters symbolic")
    texts = {
        folder: "".join(p.read_text("utf-8") for p in Path(folder).rglob("*.py"))
        for folder in ("plain", "named", "own")
    }
    assert "MZ_hand" in texts["named"]
    assert "MZ_hand" not in texts["plain"]
    assert "Lc1" in texts["own"]


def test_standard_input(command: Command) -> None:
    file = json.loads(command("derive arm.urdf --json"))
    assert json.loads(command("derive - --json", URDF.encode())) == file
    free = json.loads(command("derive - --base free --json", URDF.encode()))
    assert len(free["v"]) == 7
    toml = write_toml(eq.load("rr_arm"))
    for text in (toml, "\ufeff" + toml, toml.replace("\n", "\r\n")):
        assert command("derive - --by kane", text.encode()) == command("derive rr_arm --by kane")
    assert "rr_arm: ok" in command("check -", toml.encode())
    assert "all proved" in command("prove - --seed 1", toml.encode())
    command("derive - --out arm.eom", toml.encode())
    assert EquationsOfMotion.load("arm.eom").robot.name == "rr_arm"
    assert "delbow" in command("linearize -", URDF.encode())


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"", "must have the line 'equamo = 1'"),
        (b"equamo = 1\nname = ", "<stdin>"),
        (b"\xff\xfe", "<stdin>: cannot be read"),
        (b"<robot name='x'><link name='a'>", "<stdin>"),
        (b"<mujoco/>", "MJCF must be read from a file"),
    ],
)
def test_what_is_not_a_model(command: Command, text: bytes, message: str) -> None:
    assert message in command("derive -", text, code=2)


def test_options_of_another_kind_of_file(command: Command) -> None:
    toml = write_toml(eq.load("rr_arm")).encode()
    assert "Unknown option 'base' in <stdin>, a TOML file" in command(
        "derive - --base free", toml, 2
    )


def test_options_that_do_not_go_together(command: Command) -> None:
    command("new rr --out new.toml")
    assert "new.toml already exists; use --force to over" in command(
        "new rr --out new.toml", code=2
    )
    command("new rr --out new.toml --force")
    assert "only with --check" in command("prove rr_arm --robot rr_arm", code=2)


def test_standard_input_has_a_limit(command: Command, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model, "MOST_BYTES", 100)
    assert "standard input must have at most 100 bytes" in command(
        "derive -", URDF.encode(), code=2
    )
