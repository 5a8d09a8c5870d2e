"""Laws of controllers: expressions with the reference as an argument, equal to what is called."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.errors import EvaluationError


def states(eom: eq.EquationsOfMotion, count: int = 5) -> Any:
    rng = np.random.default_rng(3)
    return zip(
        rng.normal(size=(count, len(eom.q))), rng.normal(size=(count, len(eom.v))), strict=True
    )


def test_computed_torque_takes_its_reference_from_the_caller() -> None:
    eom = eq.derive(eq.load("rr_arm"))
    control = eq.computed_torque(
        eom, lambda t: ([t, 0], [1, 0], [0, 0]), kp=9, kd=6, values={"m1": 3}
    )
    assert [a.name for a in control.law.arguments] == ["q", "v", "q_ref", "v_ref", "a_ref"]
    fast = eq.compile(eom, functions={"control": control})
    plain = eq.function(control, values=eom.robot.values)
    for q, v in states(eom):
        wanted = control.inputs(0.4, q, v)
        np.testing.assert_allclose(fast.control(q, v, *control.reference(0.4)), wanted, rtol=1e-12)
        np.testing.assert_allclose(plain(q, v, *control.reference(0.4)), wanted, rtol=1e-12)
    assert fast.certificate().ok


def test_gravity_compensation() -> None:
    eom = eq.derive(eq.load("wheeled_inverted_pendulum"))
    with pytest.raises(eq.EquamoError):
        eq.gravity_compensation(eom)
    arm = eq.derive(eq.load("rr_arm"))
    control = eq.gravity_compensation(arm, values={"g": 3.7})
    fast = eq.compile(arm, functions={"hold": control})
    for q, v in states(arm):
        np.testing.assert_allclose(fast.hold(q), control.inputs(0, q, v), rtol=1e-12)


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("reference", [None, {"theta_L": "t", "theta_R": "t", "dx": "R"}])
def test_linear_feedback(reference: Any) -> None:
    eom = eq.derive(eq.load("wheeled_inverted_pendulum"))
    lin = eq.linearize(eom, q={"q_imu": -np.arctan(0.1)})
    feedback = eq.lqr(lin, 1, 0.01, drop=["X0", "Y0"], reference=reference)
    fast = eq.compile(eom, functions={"control": feedback})
    for q, v in states(eom):
        given = []
        if reference is not None:
            at = dict(zip(feedback.lin.states, feedback.lin.chart.origin, strict=True))
            given = [[{**at, "theta_L": 0.3, "theta_R": 0.3, "dx": eom.robot.values["R"]}[n]
                      for n in feedback.lin.states]]  # fmt: skip
        found = fast.control(q, v, *[np.array(x, float) for x in given])
        np.testing.assert_allclose(found, feedback.inputs(0.3, q, v), rtol=1e-9, atol=1e-9)


@pytest.mark.needs("scipy")
def test_a_linear_system_without_a_robot_has_no_law() -> None:
    from equamo.motion.control.linear_system import LinearSystem

    double = LinearSystem(np.array([[0.0, 1], [0, 0]]), np.array([[0.0], [1]]), ("x", "v"), ("f",))
    with pytest.raises(
        EvaluationError, match="operating point only if it comes from the equations"
    ):
        _ = eq.lqr(double, {"x": 1}).law
