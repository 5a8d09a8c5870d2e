"""`equamo simulate`: what it prints is the end of the motion."""

from __future__ import annotations

import json
import shlex

import pytest

from equamo import cli
from equamo.cli.simulate import _split
from equamo.formulations import derive
from equamo.motion.simulate import simulate
from equamo.robots import load


def test_json_is_the_last_state_and_its_energy(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    command = "simulate rr_arm --duration 0.4 --q q1=1 --v dq2=2 --control tau2=3*dq1 --json"
    monkeypatch.setattr("sys.argv", ["equamo", *shlex.split(command)])
    with pytest.raises(SystemExit):
        cli.main()
    found = json.loads(capsys.readouterr().out)
    eom = derive(load("rr_arm"))
    t = simulate(eom, {"q1": 1}, {"dq2": 2}, duration=0.4, control={"tau2": "3*dq1"})
    assert found["t"] == t.t[-1] == 0.4
    assert found["samples"] == len(t)
    for key, rows, symbols in (("q", t.q, eom.q), ("v", t.v, eom.v)):
        assert list(found[key].values()) == pytest.approx(rows[-1])
        assert list(found[key]) == [s.name for s in symbols]
        assert list(found[key].values()) != pytest.approx(rows[0])
    for key, values in (("kinetic", t.energy.kinetic), ("potential", t.energy.potential)):
        assert found["energy"][key] == pytest.approx(values[-1])
        assert found["energy"][key] != pytest.approx(values[0])
    assert found["energy"]["work"] == pytest.approx({n: x[-1] for n, x in t.energy.work.items()})
    assert found["broken"] is None


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a=1,b=2", ["a=1", "b=2"]),
        ("a=atan2(x,y),b=2", ["a=atan2(x,y)", "b=2"]),
        ("a=f(1,(2,3),4),b=(5)", ["a=f(1,(2,3),4)", "b=(5)"]),
        ("a=1,,b=2,", ["a=1", "b=2"]),
    ],
)
def test_commas_in_parentheses_do_not_separate(text: str, parts: list[str]) -> None:
    assert _split(text) == parts
