"""`equamo linearize` prints what eq.linearize gives."""

from __future__ import annotations

import json
import shlex

import numpy as np
import pytest

import equamo as eq
from equamo import cli


@pytest.fixture
def output(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def run(command: str) -> str:
        monkeypatch.setattr("sys.argv", ["equamo", *shlex.split(command)])
        with pytest.raises(SystemExit) as stop:
            cli.main()
        out, err = capsys.readouterr()
        assert not stop.value.code, err
        return out

    return run


def test_json_is_the_linear_system(output) -> None:
    command = "linearize rr_arm --q q1=0.3 --q q2=1/2 --v dq1=1 --inputs tau1=2 --value m2=3 --json"
    state = {"q1": 0.3, "q2": 0.5}, {"dq1": 1}, {"tau1": 2}
    lin = eq.linearize(eq.derive(eq.load("rr_arm")), *state, values={"m2": 3})
    data = json.loads(output(command))
    for name in ("A", "B", "drift"):
        assert np.array_equal(data[name], getattr(lin, name))
    assert tuple(data["states"]) == lin.states
    assert tuple(data["inputs"]) == lin.inputs
    assert data["q"] == {"q1": 0.3, "q2": 0.5}
    assert data["inputs_at_point"] == {"tau1": 2, "tau2": 0}
    poles = np.array([complex(*x) for x in data["poles"]])
    assert np.allclose(np.sort_complex(poles), np.sort_complex(lin.poles))


@pytest.mark.needs("scipy")
def test_discrete(output) -> None:
    lin = eq.linearize(eq.derive(eq.load("rr_arm")), dt=0.01)
    data = json.loads(output("linearize rr_arm --dt 0.01 --json"))
    assert data["dt"] == 0.01
    assert np.array_equal(data["A"], lin.A)


def test_text(output) -> None:
    """An arm that hangs: rows of A by name, and poles of an oscillation."""
    lines = output("linearize rr_arm --q q1=-pi/2").splitlines()
    assert lines[0].startswith("rr_arm at q1 = -1.5708, q2 = 0, dq1 = 0")
    assert lines[1:4] == ["ẋ = A x + B u", "states q1, q2, dq1, dq2", "inputs tau1, tau2"]
    lin = eq.linearize(eq.derive(eq.load("rr_arm")), q={"q1": -np.pi / 2})
    row = next(line for line in lines if line.startswith("dq2"))
    assert row.split()[1:] == [f"{x + 0.0:.6g}" for x in lin.A[3]]
    assert lines[-1].startswith("poles ")
    assert len(lines[-1].split(",")) == 4
    assert "i" in lines[-1].removeprefix("poles ")
