"""States of rest: known ones of small robots, and the equations that all of them must satisfy."""

from __future__ import annotations

import numpy as np
import pytest

from equamo.errors import EquamoError, EvaluationError, UnknownNameError
from equamo.mechanics.equations import derive
from equamo.motion.control.equilibria import equilibria
from equamo.robot.library import load
from equamo.robot.model import (
    Body,
    Robot,
    free,
    joint_damper,
    joint_spring,
    prismatic,
    revolute,
    spherical,
    spring,
)

pytestmark = pytest.mark.needs("scipy")


def test_the_four_of_a_double_pendulum() -> None:
    eom = derive(load("rr_arm"))
    found = equilibria(eom)
    known = {(-90, 0), (-90, 180), (90, 0), (90, 180)}
    assert {tuple(np.degrees(e.q).round(9) + 0.0) for e in found} == known
    for e in found:
        rest = eom.evaluate("state_derivative", q=e.q, inputs=e.inputs)
        assert np.abs(rest).max() < 1e-9
        assert e.residual < 1e-8
    # by height: hanging first, upright last; without friction only a growing mode decides
    assert [e.stable for e in found] == [None, False, False, False]
    assert "q1 = -1.5708" in str(found[0])


def test_damping_makes_hanging_stable() -> None:
    arm = load("rr_arm")
    dampers = [joint_damper(n, "1/5") for n in ("q1", "q2")]
    eom = derive(Robot("damped", arm.bodies, gravity=arm.gravity, forces=dampers,
                       parameters=arm.parameter_info.values()))  # fmt: skip
    assert [e.stable for e in equilibria(eom)] == [True, False, False, False]


def test_the_pendulum_on_wheels_balances_over_its_axle() -> None:
    """tan q_imu = MZ/MY, up or down, at any position of the wheels."""
    eom = derive(load("wheeled_inverted_pendulum"))
    down, up = equilibria(eom)
    assert up.q[-1] == pytest.approx(-np.arctan(0.1), abs=1e-10)
    assert down.q[-1] == pytest.approx(np.pi - np.arctan(0.1), abs=1e-10)
    assert up.stable is False
    assert down.stable is None
    (other,) = equilibria(eom, q={"q_imu": 0.2, "theta_L": 3}, values={"MZ_B": 7})
    assert other.q[-1] == pytest.approx(np.arctan(7 / 35), abs=1e-10)
    assert other.q[2] == 3


def test_inputs_can_be_solved_for() -> None:
    """Held coordinates: the torques are gravity's. One held torque: the joint finds its place."""
    eom = derive(load("rr_arm"))
    (held,) = equilibria(eom, q=[0.3, 0.5], free=["tau1", "tau2"])
    np.testing.assert_allclose(held.inputs, eom.evaluate("gravity", q=[0.3, 0.5]), rtol=1e-12)
    found = equilibria(eom, q=[0.3, 0.0], inputs={"tau2": 2}, free=["q2", "tau1"], starts=20)
    assert len(found) == 2  # cos(q1 + q2) = 2/(m2 Lc2 g), twice
    for e in found:
        assert e.q[0] == 0.3
        assert np.cos(e.q.sum()) == pytest.approx(2 / (0.5 * 9.81), abs=1e-9)


def test_quaternions_stay_unit() -> None:
    """A body on a ball joint rests with its centre of mass above or below the joint."""
    ball = Robot("ball", [Body("b", spherical("s"), mass=2, com="0.3 -0.2 -0.5",
                               inertia="0.1 0.2 0.15")])  # fmt: skip
    eom = derive(ball)
    found = equilibria(eom, starts=12)
    assert len(found) >= 2
    for e in found:
        assert np.linalg.norm(e.q) == pytest.approx(1, abs=1e-12)
        x, y, z = eom.evaluate("center_of_mass", q=e.q)
        assert max(abs(x), abs(y)) < 1e-9
        assert abs(z) == pytest.approx(np.sqrt(0.38), abs=1e-9)


def test_springs_count_and_full_turns_are_not_taken_for_the_same() -> None:
    """m g = k x; and a joint with a spring is not the same after a turn."""
    weight = Robot("weight", [Body("w", prismatic("z", axis="z"), mass=3)],
                   forces=[joint_spring("z", 50)])  # fmt: skip
    (e,) = equilibria(derive(weight), starts=5)
    assert e.q[0] == pytest.approx(-3 * 9.81 / 50, rel=1e-10)
    lever = Robot("lever", [Body("w", revolute("q", axis="z"), mass=3, com="1 0 0", inertia="0 1 1")],
                  gravity="0 -g 0", forces=[joint_spring("q", "1/2")])  # fmt: skip
    for e in equilibria(derive(lever), starts=40):
        assert 0.5 * e.q[0] + 3 * 9.81 * np.cos(e.q[0]) == pytest.approx(0, abs=1e-7)


def test_nowhere_to_rest() -> None:
    falling = Robot("stone", [Body("b", free("b"), mass=1, inertia="1 1 1")])
    assert equilibria(derive(falling), starts=3) == []


def test_wrong_arguments() -> None:
    eom = derive(load("rr_arm"))
    with pytest.raises(UnknownNameError, match="q7"):
        equilibria(eom, free=["q7"])
    with pytest.raises(EvaluationError, match=r"free must be a list of .* names, got 3"):
        equilibria(eom, free=3)  # type: ignore[arg-type]
    with pytest.raises(EvaluationError, match=r"starts must be an integer ≥ 0, got -1"):
        equilibria(eom, starts=-1)
    with pytest.raises(UnknownNameError, match="m7"):
        equilibria(eom, values={"m7": 1})
    with pytest.raises(EvaluationError, match="shape"):
        equilibria(eom, q=[1])
    with pytest.raises(EquamoError, match="takes EquationsOfMotion"):
        equilibria(3)  # type: ignore[arg-type]
    ball = Robot("ball", [Body("b", spherical("s"), mass=1, inertia="1 2 2.5")], forces=[])
    with pytest.raises(EvaluationError, match=r"equilibria: the quaternion .* length 1, got 2"):
        equilibria(derive(ball), q=[2, 0, 0, 0])
    bare = Robot("bare", [Body("b", revolute("q", axis="y"), mass="m", com="L 0 0")])
    with pytest.raises(EvaluationError, match=r"no value for 2 parameters of robot 'bare': .*'L'"):
        equilibria(derive(bare))


def test_starts_where_the_equations_have_no_value(capfd: pytest.CaptureFixture[str]) -> None:
    """A spring of length 0 and the pole of 1/x: neither a warning of NumPy nor text of LAPACK."""
    point = Robot("point", [Body("b", prismatic("x", axis="x"), mass=1)], gravity="0 0 0",
                  forces=[spring("b", "world", stiffness=3, rest=1)])  # fmt: skip
    assert sorted(float(e.q[0]) for e in equilibria(derive(point))) == pytest.approx([-1, 1])
    falling = Robot("pole", [Body("b", prismatic("x", axis="x"), mass=1)], gravity="-g 0 0",
                    forces=[joint_spring("x", stiffness=1, rest="1/x")])  # fmt: skip
    roots = np.roots([1, 9.81, -1])  # x = 1/x - g
    found = sorted(float(e.q[0]) for e in equilibria(derive(falling)))
    np.testing.assert_allclose(found, np.sort(roots), atol=1e-9)
    without = Robot("log", [Body("b", prismatic("x", axis="x"), mass=1)], gravity="-g 0 0",
                    forces=[joint_spring("x", stiffness=1, rest="log(x)")])  # fmt: skip
    assert equilibria(derive(without)) == []
    assert capfd.readouterr() == ("", "")
