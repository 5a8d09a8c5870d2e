"""LQR: gains equal to python-control's, closed loops that settle, references, errors."""

from __future__ import annotations

import pickle

import control
import numpy as np
import pytest
import scipy.integrate

from equamo.algebra.expr import symbol
from equamo.code.jit.compiled import compile
from equamo.errors import EvaluationError, StabilizabilityError, UnknownNameError
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.motion.control.linear_feedback import LinearFeedback
from equamo.motion.control.linear_system import LinearSystem
from equamo.motion.control.linearize import linearize
from equamo.motion.control.lqr import lqr
from equamo.robot.library import load
from equamo.robot.model import (
    Body,
    Robot,
    joint_actuator,
    joint_damper,
    prismatic,
    spherical,
    torque_actuator,
)

pytestmark = pytest.mark.needs("control", "scipy")

UPRIGHT = {"q_imu": -np.arctan(0.1)}


@pytest.fixture(scope="module")
def pendulum() -> LinearSystem:
    eom = derive(load("wheeled_inverted_pendulum"))
    return linearize(eom, q=UPRIGHT).without(["X0", "Y0"])


def against_control(lin: LinearSystem) -> None:
    rng = np.random.default_rng(1)
    n, m = lin.B.shape
    half = rng.normal(size=(n, n))
    Q, R = half @ half.T + np.eye(n), np.diag(rng.uniform(0.1, 1, m))
    solve = control.lqr if lin.dt is None else control.dlqr
    K, S, poles = solve(lin.A, lin.B, Q, R)
    ours = lqr(lin, Q, R)
    np.testing.assert_allclose(ours.K, K, rtol=1e-7, atol=1e-9 * np.abs(K).max())
    np.testing.assert_allclose(ours.cost, S, rtol=1e-6, atol=1e-9 * np.abs(S).max())
    np.testing.assert_allclose(
        np.sort_complex(ours.closed_loop), np.sort_complex(poles), rtol=1e-5, atol=1e-6
    )


@pytest.mark.parametrize("dt", [None, 0.01])
def test_gains_equal_python_controls(pendulum: LinearSystem, dt: float | None) -> None:
    against_control(pendulum if dt is None else pendulum.discrete(dt))
    arm = linearize(derive(load("rr_arm")), q=[0.3, 0.5], dt=dt)
    against_control(arm)


def test_gains_of_krang_equal_python_controls() -> None:
    eom = derive(load("krang"))
    against_control(linearize(eom, q=np.linspace(-1, 1, 17)))


def test_weights_in_all_forms_are_the_same(pendulum: LinearSystem) -> None:
    n = len(pendulum.states)
    forms = [2.0, np.full(n, 2.0), 2 * np.eye(n), dict.fromkeys(pendulum.states, 2.0)]
    prices = [1, [1, 1], np.eye(2), {"tau_L": 1, "tau_R": 1}]
    gains = [lqr(pendulum, Q, R).K for Q, R in zip(forms, prices, strict=True)]
    for K in gains[1:]:
        np.testing.assert_allclose(K, gains[0], rtol=1e-10)


def run(
    eom: EquationsOfMotion, feedback: LinearFeedback, q: np.ndarray, duration: float
) -> np.ndarray:
    """The state at the end, by SciPy on the compiled derivative."""
    fast, k = compile(eom), len(eom.q)
    result = scipy.integrate.solve_ivp(
        lambda t, x: fast.state_derivative(x[:k], x[k:], feedback.inputs(t, x[:k], x[k:])),
        (0, duration),
        np.concatenate([q, np.zeros(len(eom.v))]),
        rtol=1e-8,
        atol=1e-10,
    )
    return result.y[:, -1]


def test_dropped_states_are_left_alone_and_the_rest_settles() -> None:
    eom = derive(load("wheeled_inverted_pendulum"))
    lin = linearize(eom, q=UPRIGHT)
    weights = {"theta_L": 1, "theta_R": 1, "q_imu": 100, "dx": 10, "dpsi": 1, "dphi": 1}
    feedback = lqr(lin, weights, 0.01, drop=["X0", "Y0"])
    assert feedback.closed_loop.real.max() < -0.1
    start = np.array([5.0, -3.0, 0.5, 0, UPRIGHT["q_imu"] + np.radians(15)])
    end = run(eom, feedback, start, 30)
    assert np.abs(end[2:] - [0, 0, UPRIGHT["q_imu"], 0, 0, 0]).max() < 1e-5
    assert np.abs(end[:2] - start[:2]).max() < 2  # moved by the wheels, not brought to 0


def test_a_reference_is_followed(pendulum: LinearSystem) -> None:
    """A straight line at constant speed: by expressions and by functions the same, without offset."""
    feedback = lqr(pendulum, {n: 1 for n in pendulum.states} | {"q_imu": 100}, 0.01)
    line = {"theta_L": "2*t + 1/2", "theta_R": "2*t + 1/2", "dx": "2*R"}
    along = feedback.following(line)
    eom = pendulum.point.eom
    end = run(eom, along, pendulum.point.q, 25)
    assert end[2:4] == pytest.approx([50.5, 50.5], abs=1e-3)
    assert end[4] == pytest.approx(UPRIGHT["q_imu"], abs=1e-4)

    def by_name(t: float) -> dict[str, float]:
        return {"theta_L": 2 * t + 0.5, "theta_R": 2 * t + 0.5, "dx": 0.5}

    def whole(t: float) -> list[float]:
        return [2 * t + 0.5, 2 * t + 0.5, UPRIGHT["q_imu"], 0.5, 0, 0]

    rng = np.random.default_rng(2)
    for t in (0.0, 3.7):
        q, v = rng.normal(size=5), rng.normal(size=3)
        u = along.inputs(t, q, v)
        for other in (by_name, whole):
            np.testing.assert_allclose(feedback.following(other).inputs(t, q, v), u, rtol=1e-12)


def ball() -> Robot:
    """A body on a ball joint, with a torque about each of its axes."""
    return Robot("ball", [Body("b", spherical("s"), mass=2, com="0 0 0.5", inertia="0.1 0.2 0.15")],
                 forces=[torque_actuator("b", "world", "T1 T2 T3")])  # fmt: skip


def test_expressions_are_the_inputs() -> None:
    """For code that is compiled: at random states and times, with a quaternion on either side."""
    eom = derive(ball())
    feedback = lqr(linearize(eom), 1, 1).following({"s_ex": "sin(t)/5", "s_wx": "cos(t)/5"})
    rng = np.random.default_rng(3)
    for _ in range(6):
        q, v, t = rng.normal(size=4), rng.normal(size=3), rng.uniform(0, 3)
        q /= np.linalg.norm(q)
        expressions = feedback.expressions.subs({symbol("t"): float(t)})
        np.testing.assert_allclose(
            eom.evaluate(expressions, q=q, v=v), feedback.inputs(t, q, v), rtol=1e-9, atol=1e-9
        )
        np.testing.assert_allclose(feedback.inputs(t, -q, v), feedback.inputs(t, q, v), rtol=1e-12)


def test_a_ball_stands_up() -> None:
    """By its error state an upside-down pendulum on a ball joint is brought upright."""
    eom = derive(ball())
    feedback = lqr(linearize(eom), {"s_ex": 10, "s_ey": 10, "s_ez": 10}, 0.1)
    start = np.array([np.cos(0.4), *(np.sin(0.4) * np.array([0.6, -0.64, 0.48]))])
    end = run(eom, feedback, start, 20)
    assert np.abs(np.abs(end[:4]) - [1, 0, 0, 0]).max() < 1e-6


def test_feedback_pickles(pendulum: LinearSystem) -> None:
    feedback = lqr(pendulum, 1, 1)
    copy = pickle.loads(pickle.dumps(feedback))
    q, v = np.arange(5.0), np.arange(3.0)
    np.testing.assert_array_equal(copy.inputs(0, q, v), feedback.inputs(0, q, v))


# -- what cannot be ------------------------------------------------------------------------------------
def test_states_that_are_not_reached_are_named() -> None:
    lin = linearize(derive(load("wheeled_inverted_pendulum")), q=UPRIGHT)
    with pytest.raises(StabilizabilityError, match=r"Y0.*drop="):
        lqr(lin, 1, 1)


def test_motion_without_a_price_is_named(pendulum: LinearSystem) -> None:
    with pytest.raises(EvaluationError, match=r"no weight to a motion of theta_"):
        lqr(pendulum, {"q_imu": 1}, 1)


@pytest.mark.parametrize(
    ("Q", "R", "message"),
    [
        ({"q_imo": 1}, 1, "q_imu"),
        (1, {"tau_L": 1}, "R must have a positive weight for each input; missing: tau_R"),
        (1, 0, "eigenvalues of the weights R must be > 0, got 0"),
        (-1, 1, "eigenvalues of the weights Q must be ≥ 0, got -1"),
        (np.ones((2, 2)), 1, r"Q must be a number, .* for the states .*, got shape \(2, 2\)"),
        (np.triu(np.ones((6, 6))), 1, "Q must be a symmetric matrix"),
        (np.nan, 1, "Q must be finite, got"),
        ("x", 1, r"shape \(6,\) or \(6, 6\), .* got 'x'"),
        (None, 1, "finite"),
        ([[1], [1, 2]], 1, r"shape \(6,\) or \(6, 6\), .* got \[\[1\], \[1, 2\]\]"),
        ({"q_imu": "a"}, 1, r"Q\['q_imu'\] must be a number, got 'a'"),
        (1, "x", r"R must be a number, .* for the inputs tau_L, tau_R, got 'x'"),
        (1, 1e-300, r"Riccati equation could not be solved \(.*\)\. Give weights"),
    ],
)
def test_wrong_weights(pendulum: LinearSystem, Q: object, R: object, message: str) -> None:
    with pytest.raises((EvaluationError, UnknownNameError), match=message):
        lqr(pendulum, Q, R)


def test_a_state_is_kept(pendulum: LinearSystem) -> None:
    with pytest.raises(
        EvaluationError, match=r"at least one state to control; keep one of .*q_imu"
    ):
        lqr(pendulum, 1, drop=pendulum.states)
    none = np.zeros((0, 0))
    with pytest.raises(EvaluationError, match="at least one state to control; the system has none"):
        lqr(LinearSystem(none, none, (), ()), 1)


def test_wrong_references(pendulum: LinearSystem) -> None:
    feedback = lqr(pendulum, 1, 1)
    with pytest.raises(UnknownNameError, match="theta_L"):
        feedback.following({"theta_l": 1})
    with pytest.raises(UnknownNameError, match="speed"):
        feedback.following({"theta_L": "speed*t"})
    with pytest.raises(EvaluationError, match=r"reference must have 6 entries .*, got 1"):
        feedback.following("t")
    with pytest.raises(EvaluationError, match=r"the reference of 'theta_L': "):
        feedback.following({"theta_L": "2 +"})
    with pytest.raises(EvaluationError, match=r"must return 6 finite numbers, got .* at t = 0"):
        feedback.following(lambda t: [1, 2]).inputs(0, np.zeros(5), np.zeros(3))
    with pytest.raises(EvaluationError, match="has no expression"):
        _ = feedback.following(lambda t: np.zeros(6)).expressions
    with pytest.raises(EvaluationError, match="lin must be a linear system, got"):
        lqr(np.eye(2), 1, 1)  # type: ignore[arg-type]


def test_a_feedback_says_that_it_does_not_compensate_a_drift(pendulum: LinearSystem) -> None:
    falling = linearize(derive(load("rr_arm")), q=[0.3, 0.5], inputs=[0, 0])
    for lin in (falling, falling.discrete(0.01)):
        size = np.abs(lin.drift).max()
        assert f"without compensation of a drift up to {size:.3g}" in repr(lqr(lin, 1))
    own = LinearSystem(np.zeros((1, 1)), np.ones((1, 1)), ("x",), ("f",), np.array([2.0]))
    assert repr(lqr(own, 1)).endswith("1 input, without compensation of a drift up to 2>")
    near = {"q_imu": UPRIGHT["q_imu"] + 1e-8}  # within what holding inputs accept
    eom = derive(load("wheeled_inverted_pendulum"))
    found = linearize(eom, q=near, inputs=[0, 0])
    assert np.abs(found.drift).max() > 0
    for rest in (pendulum, found.without(["X0", "Y0"])):
        assert repr(lqr(rest, 1)) == "<linear feedback of 6 states to 2 inputs>"


def test_with_a_drift_the_closed_loop_settles_beside_the_point() -> None:
    """A cart with a damper, driven too little for the speed of its operating point."""
    cart = derive(Robot("cart", [Body("b", prismatic("x", axis="x"), mass=2)], gravity="0 0 0",
                        forces=[joint_actuator("x"), joint_damper("x", 3)]))  # fmt: skip
    lin = linearize(cart, v=[1], inputs=[1]).without(["x"])
    feedback = lqr(lin, 1)
    assert repr(feedback).endswith("a drift up to 1>")
    offset = np.linalg.solve(lin.B @ feedback.K - lin.A, lin.drift)
    speed = 1 + offset[0]
    force = feedback.inputs(0, [0], [speed])[0]
    assert force == pytest.approx(3 * speed, rel=1e-12)


def test_forces_that_balance_but_for_rounding_are_rest() -> None:
    """0.1 + 0.2 − 0.3 is 6e-17, and nothing else defines a rate."""
    block = Robot("block", [Body("b", prismatic("x", axis="x"), mass=1)], gravity="0 0 0",
                  forces=[joint_actuator("x", "a"), joint_actuator("x", "b")])  # fmt: skip
    lin = linearize(derive(block), inputs=[0.1 + 0.2, -0.3])
    assert lin.drift[1] != 0
    assert repr(lqr(lin, 1)) == "<linear feedback of 2 states to 2 inputs>"
