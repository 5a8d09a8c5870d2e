"""Joint limits: violations are reported where they are, and can end a run."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from equamo.cli import app
from equamo.errors import EvaluationError
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.motion.simulation.limit_violations import LimitViolation
from equamo.motion.simulation.simulate import simulate
from equamo.motion.simulation.trajectory import Trajectory, _cut  # pyright: ignore[reportPrivateUsage]
from equamo.robot.library import load
from equamo.robot.model import Body, Robot, joint_actuator, prismatic
from equamo.robot.model.edits import copy_with


def slider(**limits: Any) -> EquationsOfMotion:
    """ẍ = 3 τ/m: the input has a gear."""
    body = Body("b", prismatic("x", axis="x"), mass="m")
    robot = Robot(
        "slider", [body], gravity="0 0 0", forces=[joint_actuator("x", "tau", gear=3)],
        parameters={"m": 1, "L": 2}, limits={"x": limits} if limits else None,
    )  # fmt: skip
    return derive(robot)


def test_every_kind_is_reported() -> None:
    """x = t²/2 · 3/2, ẋ = 3 t/2, effort 3/2."""
    eom = slider(lower=-1, upper="L", speed=2, effort=1)
    t_eval = np.linspace(0, 2, 201)
    motion = simulate(eom, duration=2, control=0.5, t_eval=t_eval)
    upper, speed, effort = motion.limit_violations
    assert upper == LimitViolation("x", "upper", 2.0, pytest.approx(3), pytest.approx(1.64))
    assert speed == LimitViolation("x", "speed", 2.0, pytest.approx(3), pytest.approx(1.34))
    assert effort == LimitViolation("x", "effort", 1.0, 1.5, 0.0)
    assert str(upper) == "x reaches 3, above its limit 2, first at t = 1.64 s"
    assert "beyond the limits of x>" in repr(motion)
    # the other way, with other values
    motion = simulate(eom, duration=2, control=-0.5, values={"L": 9}, t_eval=t_eval)
    kinds = [(x.kind, x.worst) for x in motion.limit_violations]
    assert kinds == [("lower", pytest.approx(-3)), ("speed", pytest.approx(3)), ("effort", 1.5)]
    assert "x reaches -3, below its limit -1" in str(motion.limit_violations[0])


def test_within_the_limits() -> None:
    motion = simulate(slider(lower=-5, upper=5), [5], duration=1)  # on the limit
    assert motion.limit_violations == ()
    assert "limits" not in repr(motion)
    assert simulate(slider(), duration=1, control=1).limit_violations == ()


def test_a_start_outside_is_reported() -> None:
    (violation,) = simulate(slider(upper=1), [4], duration=1).limit_violations
    assert (violation.first, violation.worst) == (0.0, 4.0)


@pytest.mark.parametrize("how", [{}, {"method": "rk4", "step": 0.125}], ids=["DOP853", "rk4"])
def test_a_run_can_stop(how: dict[str, Any]) -> None:
    motion = simulate(slider(upper="L"), v=[1], duration=4, limits="stop", **how)
    assert motion.stopped_by == "upper limit of x"
    assert motion.t[-1] == pytest.approx(2)
    assert motion.q[-1, 0] == pytest.approx(2)
    assert motion.limit_violations == ()
    motion = simulate(slider(lower=-1), v=[-1], duration=4, limits="stop", **how)
    assert (motion.stopped_by, motion.t[-1]) == ("lower limit of x", pytest.approx(1))
    motion = simulate(slider(speed=1), duration=4, control=-1, limits="stop", **how)
    assert (motion.stopped_by, motion.t[-1]) == ("speed limit of x", pytest.approx(1 / 3))


def test_from_a_limit_inwards_and_outwards() -> None:
    inwards = simulate(slider(upper=1), [1], [-1], duration=1, limits="stop")
    assert inwards.stopped_by is None
    outwards = simulate(slider(upper=1), [1], [1], duration=1, limits="stop")
    assert outwards.stopped_by == "upper limit of x"
    assert outwards.t[-1] < 1e-6


def test_a_coordinate_that_follows_from_others() -> None:
    """The heading of the robot on two wheels is not a state of its own."""
    robot = load("wheeled_inverted_pendulum")
    dependent = [x.name for x in robot.joint_coordinates if x not in robot.q]
    eom = derive(copy_with(robot, limits={dependent[0]: (-10, 0.5)}))
    v = np.zeros(len(eom.v))
    assert dependent == ["psi"]
    v[[s.name for s in eom.v].index("dpsi")] = 1.0
    reported = simulate(eom, v=v, duration=1)
    assert [x.coordinate for x in reported.limit_violations] == ["psi"]
    stopped = simulate(eom, v=v, duration=1, limits="stop")
    assert stopped.stopped_by == "upper limit of psi"
    assert stopped["psi"][-1] == pytest.approx(0.5)


def test_errors() -> None:
    with pytest.raises(EvaluationError, match="x must start within its limits, got 4, above"):
        simulate(slider(upper=1), [4], limits="stop")
    open_end = copy_with(slider().robot, parameters={"m": 1, "L": None}, limits={"x": (0, "L")})
    with pytest.raises(
        EvaluationError, match=r"upper limit of x must be a finite number, got nan; pass"
    ):
        simulate(derive(open_end), limits="stop")
    with pytest.raises(EvaluationError, match='limits must be "report" or "stop", got True'):
        simulate(slider(), limits=True)  # type: ignore[arg-type]


def test_files_keep_it(tmp_path: Path) -> None:
    motion = simulate(slider(upper=1), v=[2], duration=1)
    motion.save(tmp_path / "m.npz")
    assert Trajectory.load(tmp_path / "m.npz").limit_violations == motion.limit_violations != ()


def command(*words: str) -> str:
    result = CliRunner().invoke(app, ["simulate", "stanford", "--duration", "0.1", *words])
    assert result.exit_code == 0, result.output
    return result.stdout


def test_the_command() -> None:
    """A Stanford arm whose third joint slides beyond its 1.27 m."""
    start = ("--q", "q3=1.25", "--v", "dq3=1")
    (violation,) = json.loads(command(*start, "--json"))["limit_violations"]
    assert (violation["coordinate"], violation["kind"], violation["limit"]) == ("q3", "upper", 1.27)
    assert "joint limit: q3 reaches 1.3" in command(*start)
    assert "stopped by upper limit of q3" in command(*start, "--stop-at-limits")


@pytest.mark.parametrize("L", [2.0**-30, 1.0, 2.0**30])
def test_a_violation_is_a_fraction_of_the_limit(L: float) -> None:
    """Limits of a robot of nanometres are limits, too, and 0 is a limit of the size of the robot."""
    eom = slider(lower=0, upper=L, effort=1e-12)
    times = np.linspace(0, 2, 21)
    run = simulate(
        eom, [0.5 * L], [0.6 * L], duration=2, control=2e-12, values={"m": 1 / L}, t_eval=times
    )
    assert [x.kind for x in run.limit_violations] == ["upper", "effort"]
    run = simulate(eom, [0.5 * L], [-0.6 * L], duration=2, t_eval=times, limits="stop")
    assert run.stopped_by == "lower limit of x"
    assert abs(run.q[-1, 0]) < 1e-8 * L


def test_a_long_list_of_coordinates_is_cut() -> None:
    assert _cut("q" * 60) == "q" * 60
    assert _cut("q" * 61) == "q" * 59 + "…"
