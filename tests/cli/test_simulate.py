"""`equamo simulate`: what it reads from options, and the numbers that it writes."""

import json

import pytest

import equamo as eq
from equamo import cli
from equamo.cli import simulate

CONTROL = "tau1=atan2(sin(q1), cos(q1)) - 2*dq1,tau2=-3*(dq2 + atan2(dq1, 2))"


def test_json_is_the_end_of_the_motion(capsys: pytest.CaptureFixture[str]) -> None:
    """Energies, works and the state at the last sample, not at the first."""
    arguments = ["simulate", "rr_arm", "--duration", "0.4", "--q", "q1=1,q2=pi/4", "--json"]
    with pytest.raises(SystemExit) as done:
        cli.app([*arguments, "--control", CONTROL])
    assert done.value.code == 0
    found = json.loads(capsys.readouterr().out)
    control = {"tau1": "atan2(sin(q1), cos(q1)) - 2*dq1", "tau2": "-3*(dq2 + atan2(dq1, 2))"}
    motion = eq.simulate(
        eq.derive(eq.load("rr_arm")), q={"q1": 1, "q2": 0.7853981633974483}, duration=0.4,
        control=control,
    )  # fmt: skip
    energy = motion.energy
    for name, along in (("kinetic", energy.kinetic), ("potential", energy.potential)):
        assert found["energy"][name] == pytest.approx(along[-1], rel=1e-6)
        assert abs(along[-1] - along[0]) > 0.01 * abs(along[-1])  # else first and last look alike
    assert found["energy"]["work"] == {
        name: pytest.approx(x[-1], rel=1e-6) for name, x in energy.work.items()
    }
    assert all(abs(x[-1]) > 1e-3 for x in energy.work.values())
    assert found["q"] == {
        "q1": pytest.approx(motion["q1"][-1]),
        "q2": pytest.approx(motion["q2"][-1]),
    }
    assert found["v"] == {
        "dq1": pytest.approx(motion["dq1"][-1]), "dq2": pytest.approx(motion["dq2"][-1])
    }  # fmt: skip
    assert found["t"] == 0.4


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a=1,b=2", ["a=1", "b=2"]),
        ("a=atan2(x, y),b=2", ["a=atan2(x, y)", "b=2"]),
        ("a=f((x, y), z),b=g(h(u, v), w),c=3", ["a=f((x, y), z)", "b=g(h(u, v), w)", "c=3"]),
        ("a=(x)*(y, z),b=2", ["a=(x)*(y, z)", "b=2"]),
        (",a=1,,", ["a=1"]),
    ],
)
def test_commas_inside_parentheses_do_not_separate(text: str, parts: list[str]) -> None:
    assert simulate._split(text) == parts  # pyright: ignore[reportPrivateUsage]
