"""Computed torque: the error obeys its linear equation exactly."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.integrate

from equamo.algebra.expr import symbol
from equamo.code.jit.compiled import compile
from equamo.errors import EquamoError, EvaluationError, UnknownNameError
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.motion.control.computed_torque import computed_torque
from equamo.robot.library import load
from equamo.robot.model import (
    Body,
    Parameter,
    Robot,
    cylinder,
    joint_actuator,
    joint_damper,
    prismatic,
    revolute,
)

pytestmark = pytest.mark.needs("scipy")


def motion(t: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return (
        np.array([np.sin(t), t**2 / 10]),
        np.array([np.cos(t), t / 5]),
        np.array([-np.sin(t), 1 / 5]),
    )


@pytest.fixture(scope="module")
def eom() -> EquationsOfMotion:
    return derive(load("rr_arm"))


@pytest.mark.parametrize(
    "reference", [motion, {"q2": "t**2/10", "q1": "sin(t)"}, ["sin(t)", "t**2/10"]]
)
def test_the_error_obeys_its_equation(eom: EquationsOfMotion, reference: object) -> None:
    """e(t) = e₀ (1 + ω t) exp(−ω t) for kp = ω², kd = 2 ω, from ė = 0."""
    control = computed_torque(eom, reference, kp=9, kd=6)
    fast = compile(eom)
    start = motion(0)[0] - [0.3, -0.2]
    times = np.linspace(0, 3, 7)
    run = scipy.integrate.solve_ivp(
        lambda t, x: fast.state_derivative(x[:2], x[2:], control.inputs(t, x[:2], x[2:])),
        (0, 3),
        [*start, 1.0, 0.0],
        method="DOP853",
        t_eval=times,
        rtol=1e-10,
        atol=1e-12,
    )
    decay = (1 + 3 * times) * np.exp(-3 * times)
    wanted = np.array([motion(t)[0] for t in times]).T
    np.testing.assert_allclose(wanted - run.y[:2], np.outer([0.3, -0.2], decay), atol=1e-8)


def test_gains_in_all_forms(eom: EquationsOfMotion) -> None:
    q, v = [0.1, 0.2], [0.3, 0.4]
    forms = [(9, 6), ([9, 9], {"q1": 6, "q2": 6}), (9 * np.eye(2), 6 * np.eye(2))]
    inputs = [computed_torque(eom, motion, kp, kd).inputs(1, q, v) for kp, kd in forms]
    np.testing.assert_allclose(inputs[1], inputs[0], rtol=1e-14)
    np.testing.assert_allclose(inputs[2], inputs[0], rtol=1e-14)


def test_values_count(eom: EquationsOfMotion) -> None:
    heavy = computed_torque(eom, {"q1": 0, "q2": 0}, 0, 0, values={"m2": 5})
    expected = eom.evaluate("gravity", q=[0.4, 0.1], values={"m2": 5})
    np.testing.assert_allclose(heavy.inputs(0, [0.4, 0.1], [0, 0]), expected, rtol=1e-12)


def test_expressions_are_the_inputs(eom: EquationsOfMotion) -> None:
    control = computed_torque(eom, {"q1": "sin(t)", "q2": "L1*t**2/10"}, [9, 4], [6, 3])
    rng = np.random.default_rng(1)
    for _ in range(4):
        q, v, t = rng.normal(size=2), rng.normal(size=2), rng.uniform(0, 3)
        e = control.expressions.subs({symbol("t"): float(t)})
        np.testing.assert_allclose(eom.evaluate(e, q=q, v=v), control.inputs(t, q, v), rtol=1e-12)
    with pytest.raises(EvaluationError, match="expression in t"):
        _ = computed_torque(eom, motion).expressions


def test_an_input_matrix_that_varies() -> None:
    """A lever lifted by a hydraulic cylinder: the arm of its force depends on the angle."""
    lever = Robot(
        "lever",
        [Body("lever", revolute("q", axis="z"), mass=10, com="1 0 0", inertia="0 1 1")],
        gravity="0 -g 0",
        forces=[
            cylinder("lever", "world", "f", at="0.5 0 0", to_at="0 -1 0"),
            joint_damper("q", 3),
        ],
    )
    eom = derive(lever)
    control = computed_torque(eom, {"q": "sin(t)/2"}, 0, 0)
    for t in (0.0, 0.5, 1.0):
        q, v, a = (x for x in control.reference(t))
        u = control.inputs(t, q, v)
        np.testing.assert_allclose(
            eom.evaluate("state_derivative", q=q, v=v, inputs=u), [*v, *a], rtol=1e-10, atol=1e-12
        )
        found = eom.evaluate(control.expressions.subs({"t": t}), q=q, v=v)
        np.testing.assert_allclose(found, u, rtol=1e-12, atol=1e-12)


def test_parameters_of_a_reference() -> None:
    """A parameter needs a value, and must not have the name of the time."""
    body = Body("b", prismatic("x", axis="x"), mass=1)
    actuator = joint_actuator("x", "f")
    free = Robot("free", [body], forces=[actuator], parameters=[Parameter("a")])
    with pytest.raises(EvaluationError, match=r"no value for 1 parameter of robot 'free': 'a'"):
        computed_torque(derive(free), {"x": "a*t"})
    timed = Robot("timed", [body], forces=[actuator], parameters=[Parameter("t", 1)])
    with pytest.raises(EvaluationError, match=r"of 'x': 't' must have one meaning"):
        computed_torque(derive(timed), {"x": "t"})


def test_wrong_arguments(eom: EquationsOfMotion) -> None:
    with pytest.raises(EvaluationError, match="each coordinate; missing: q2"):
        computed_torque(eom, {"q1": "t"})
    with pytest.raises(UnknownNameError, match="q3"):
        computed_torque(eom, {"q1": "t", "q3": 1})
    with pytest.raises(UnknownNameError, match="omega"):
        computed_torque(eom, ["omega*t", 1])
    with pytest.raises(EvaluationError, match=r"kp must be one gain, .* got shape"):
        computed_torque(eom, motion, kp=[1, 2, 3])
    with pytest.raises(EvaluationError, match=r"an entry for each coordinate; missing: q2"):
        computed_torque(eom, motion, kp={"q1": 1})
    with pytest.raises(EvaluationError, match=r"kd must consist of finite numbers or .*'high\*'"):
        computed_torque(eom, motion, kd="high*")
    with pytest.raises(EvaluationError, match=r"must return 3 arrays, .*, got 1 array at t = 0"):
        computed_torque(eom, lambda t: [[1, 2]]).inputs(0, [0, 0], [0, 0])
    with pytest.raises(EquamoError, match="needs a robot with q̇ = v"):
        computed_torque(derive(load("wheeled_inverted_pendulum")), motion)
    arm = load("rr_arm")
    half = Robot("half", arm.bodies, gravity=arm.gravity, forces=arm.forces[:1],
                 parameters=arm.parameter_info.values())  # fmt: skip
    with pytest.raises(EquamoError, match="no input drives dq2"):
        computed_torque(derive(half), motion)
