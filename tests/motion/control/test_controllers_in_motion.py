"""Controllers as `control=` of simulate, as objects and as expressions, and of rollout: one motion."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.motion.control.computed_torque import computed_torque
from equamo.motion.control.equilibria import equilibria
from equamo.motion.control.gravity_compensation import gravity_compensation
from equamo.motion.control.linearize import linearize
from equamo.motion.control.lqr import lqr
from equamo.motion.simulation.rollout import rollout
from equamo.motion.simulation.simulate import simulate
from equamo.robot.library import load
from equamo.robot.model import Body, Robot
from equamo.robot.model.joints import revolute


def case(name: str) -> tuple[EquationsOfMotion, Any, np.ndarray]:
    if name == "lqr":
        eom = derive(load("wheeled_inverted_pendulum"))
        lin = linearize(eom, q={"q_imu": -np.arctan(0.1)})
        feedback = lqr(lin, 1, 0.01, drop=["X0", "Y0"])
        start = np.array([0, 0, 0.1, -0.1, 0.1])
        return eom, feedback.following({"theta_L": "t", "theta_R": "t", "dx": "R"}), start
    eom = derive(load("rr_arm"))
    if name == "computed torque":
        return (
            eom,
            computed_torque(eom, {"q1": "sin(t)", "q2": "t/2"}, 25, 10),
            np.array([0.2, 0.1]),
        )
    return eom, gravity_compensation(eom), np.array([0.2, 0.1])


@pytest.mark.needs("scipy", cases="lqr")
@pytest.mark.parametrize("name", ["lqr", "computed torque", "gravity compensation"])
def test_object_and_expressions_give_one_motion(name: str) -> None:
    eom, controller, start = case(name)
    called = simulate(eom, q=start, duration=2, control=controller)
    compiled = simulate(eom, q=start, duration=2, control=controller.expressions)
    batch = rollout(eom, start, step=0.002, duration=2, control=controller.expressions)
    np.testing.assert_allclose(compiled.q[-1], called.q[-1], atol=1e-9)
    np.testing.assert_allclose(batch.q[-1], called.q[-1], atol=1e-6)


@pytest.mark.needs("scipy")
def test_an_equilibrium_stays_where_it_is() -> None:
    eom = derive(load("rr_arm"))
    (rest,) = equilibria(eom, q=[0.3, 0.5], free=["tau1", "tau2"])
    motion = simulate(eom, q=rest.q, duration=1, control=rest.inputs)
    np.testing.assert_allclose(motion.q[-1], rest.q, atol=1e-12)


def test_without_gravity_a_robot_rests_where_it_is() -> None:
    bar = Robot("bar", [Body("b", revolute("q"), mass=1, com="1 0 0", inertia="0 1 1")],
                gravity="0 0 -g")  # fmt: skip
    (rest,) = equilibria(derive(bar), q=[0.7])
    assert rest.q == [0.7]
    assert rest.stable is None
