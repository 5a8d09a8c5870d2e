"""Every command with a good input and three bad ones: exit code 0, and 2 with one clear paragraph."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest

from equamo import cli

PAPER = """
robot = "rr_arm"
[[claims]]
id = "d22"
place = "step 2"
printed = "m2*Lc2**2 + I2"
quantity = "mass_matrix[2, 2]"
"""
# verb: (a good command, three bad ones, each with a word of what must be said)
COMMANDS: dict[str, tuple[str, tuple[tuple[str, str], ...]]] = {
    "robots": ("robots", (
        ("robots rr_arm", "rr_arm"), ("robots --jason", "--jason"), ("robots --json=1", "json"),
    )),
    "new": ("new rrp --out arm.toml", (
        ("new r7p", "7"), ("new ''", "joint"), ("new rrp --out no/such/folder/arm.toml", "no/such"),
    )),
    "check": ("check rr_arm", (
        ("check rr_arn", "rr_arm"), ("check missing.urdf", "missing.urdf"), ("check torn.urdf", "torn"),
    )),
    "derive": ("derive rp_arm --by kane", (
        ("derive rp_arm --by newton", "kane"), ("derive nobody", "nobody"),
        ("derive rp_arm --out no/such/x.eom", "no/such"),
    )),
    "prove": ("prove rr_arm --seed 1", (
        ("prove", "got neither"), ("prove rr_arn", "rr_arm"), ("prove --check paper.toml", "paper.toml"),
    )),
    "audit": ("audit paper.toml --seed 1", (
        ("audit missing.toml", "missing.toml"), ("audit torn.toml", "line"),
        ("audit paper.toml nobody", "nobody"),
    )),
    "compare": ("compare rr_arm --states 2", (
        ("compare rr_arm --with pinochio", "pinocchio"), ("compare rr_arm --states 0", "states"),
        ("compare krang --states 2", "URDF"),
    )),
    "generate": ("generate rr_arm --to numpy --out made --functions gravity --no-prove", (
        ("generate rr_arm --to cobol", "numpy"), ("generate rr_arm --functions gravitas", "gravity"),
        ("generate rr_arm --dtype float16 --no-prove", "float32"),
    )),
    "simulate": ("simulate rr_arm --duration 0.1 --q q1=1 --save out.csv", (
        ("simulate rr_arm --duration -1", "duration"), ("simulate rr_arm --q q7=1", "q1"),
        ("simulate rr_arm --q q1", "q1"),
    )),
    "linearize": ("linearize rr_arm --q q1=0.3", (
        ("linearize rr_arm --q q7=1", "q1"), ("linearize rr_arm --dt -1", "dt"),
        ("linearize rr_arm --base free", "base"),
    )),
    "view": ("view rr_arm --png arm.png --q q1=0.5", (
        ("view rr_arm --png arm.doc", "doc"), ("view rr_arm --png a.png --q q1", "q1"),
        ("view rr_arm --png a.png --q q9=1", "q1"),
    )),
    "paper": ("paper rr_arm --out arm.tex --quantities M --check", (
        ("paper nobody --out a.html", "nobody"), ("paper rr_arm --by newton --out a.html", "kane"),
        ("paper rr_arm --out arm.doc", ".pdf"),
    )),
    "report": ("report rr_arm --out arm.html --no-time", (
        ("report nobody", "nobody"), ("report rr_arm --by newton", "kane"),
        ("report rr_arm --out no/such/arm.html --no-time --no-prove", "no/such"),
    )),
    "studio": ("studio rr_arm --no-browser", (
        ("studio nobody", "nobody"), ("studio missing.toml", "missing.toml"),
        ("studio --port 99999", "65535"),
    )),
    "doctor": ("doctor", (
        ("doctor who", "who"), ("doctor --fix", "--fix"), ("doctor --help=1", "help"),
    )),
    "demo": ("demo --out krang.html --no-open", (
        ("demo krang", "krang"), ("demo --out no/such/krang.html --no-open", "no/such"),
        ("demo --fast", "--fast"),
    )),
}  # fmt: skip


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("paper.toml").write_text(PAPER)
    Path("torn.toml").write_text('robot = "rr_arm"\n[[claims]\n')
    Path("torn.urdf").write_text("<robot name='x'><link name='a'>")
    monkeypatch.setattr("equamo.publish.studio.server.Processes", Idle)
    monkeypatch.setattr("equamo.publish.studio.serve.sleep", interrupt)


class Idle:
    """Stands in for the processes of the studio."""

    def close(self) -> None:
        pass


def interrupt(seconds: float) -> None:
    """Ctrl-C, which ends the studio."""
    raise KeyboardInterrupt


def run(
    command: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> tuple[int, str, str]:
    """Exit code, output and errors, in this process: starting another for each would take minutes."""
    monkeypatch.setattr("sys.argv", ["equamo", *shlex.split(command)])
    with pytest.raises(SystemExit) as stop:
        cli.main()
    out, err = capsys.readouterr()
    code = stop.value.code
    return (code if isinstance(code, int) else 0), out, err


@pytest.mark.needs("pinocchio", cases="compare")
@pytest.mark.needs("matplotlib", cases="view")
@pytest.mark.parametrize("verb", COMMANDS)
def test_a_good_input(
    verb: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = run(COMMANDS[verb][0], monkeypatch, capsys)
    assert code == 0, err
    assert out.strip()


@pytest.mark.needs("pinocchio", cases="^compare krang --states")
@pytest.mark.needs("matplotlib", cases="^view rr_arm --png arm.doc")
@pytest.mark.parametrize(
    ("command", "said"), [bad for _, bads in COMMANDS.values() for bad in bads]
)
def test_a_bad_input(
    command: str, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = run(command, monkeypatch, capsys)
    assert code == 2
    assert said in err
    assert "Traceback" not in err


def test_no_command_is_left_out() -> None:
    assert set(COMMANDS) == {c.name for c in cli.app.registered_commands}
    assert all(len(bads) == 3 for _, bads in COMMANDS.values())
