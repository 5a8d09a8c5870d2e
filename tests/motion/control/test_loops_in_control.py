"""Control of robots with loops: assembled points, states on the loops, inputs that reach them."""

from __future__ import annotations

import numpy as np
import pytest

import equamo as eq
from loops_examples import four_bar, four_bar_home, parallelogram


@pytest.fixture(scope="module")
def whole() -> eq.EquationsOfMotion:
    return eq.derive(four_bar(forces=[eq.joint_actuator("q1", "tau1")]))


@pytest.fixture(scope="module")
def driven() -> eq.EquationsOfMotion:
    """With an actuator at every joint."""
    return eq.derive(four_bar())


@pytest.fixture(scope="module")
def minimal() -> eq.EquationsOfMotion:
    return eq.derive(four_bar(forces=[eq.joint_actuator("q1", "tau1")], speeds=("dq1",)))


def test_the_linear_system_has_one_state_per_degree_of_freedom(
    whole: eq.EquationsOfMotion, minimal: eq.EquationsOfMotion
) -> None:
    for options in ({"q": {"q1": 1.3}}, {"q": {"q1": 1.3}, "v": {"dq1": 2}, "inputs": [0.3]}):
        one, other = eq.linearize(whole, **options), eq.linearize(minimal, **options)
        assert one.states == other.states == ("q1", "dq1")
        np.testing.assert_allclose(one.A, other.A, atol=1e-9)
        np.testing.assert_allclose(one.B, other.B, atol=1e-9)
        np.testing.assert_allclose(one.drift, other.drift, atol=1e-9)
        np.testing.assert_allclose(one.A, _differences(whole, one), atol=1e-5)


def _differences(eom: eq.EquationsOfMotion, lin: eq.LinearSystem) -> np.ndarray:
    """∂ẋ/∂x of (q1, dq1) on the loop by finite differences."""
    point, h = lin.point, 1e-5
    columns = []
    for dq, dv in ((h, 0.0), (0.0, h)):
        ends = []
        for sign in (1, -1):
            q, v = point.q.copy(), point.v.copy()
            q[0], v[0] = q[0] + sign * dq, v[0] + sign * dv
            state = eq.assemble(eom, q, v, keep=["q1", "dq1"])
            rate = eom.evaluate("state_derivative", q=state.q, v=state.v, inputs=point.inputs)
            ends.append(rate[[0, 3]])
        columns.append((ends[0] - ends[1]) / (2 * h))
    return np.array(columns).T


def test_other_states_may_be_chosen(driven: eq.EquationsOfMotion) -> None:
    lin = eq.linearize(driven, {"q1": 1.3})
    rocker = lin.in_terms_of(["q3", "dq3"])
    np.testing.assert_allclose(sorted(lin.poles.real), sorted(rocker.poles.real), atol=1e-9)


def test_a_singular_configuration_has_no_linear_system() -> None:
    eom = eq.derive(parallelogram())
    with pytest.raises(eq.EvaluationError, match="must not be in a singular configuration"):
        eq.linearize(eom, [0, 0, 0], inputs=[0, 0, 0])


@pytest.mark.needs("scipy")
def test_states_of_rest_are_closed_and_the_same_in_both_forms(
    whole: eq.EquationsOfMotion, minimal: eq.EquationsOfMotion
) -> None:
    rests = eq.equilibria(whole, starts=8)
    assert len(rests) >= 2
    for rest in rests:
        assert np.abs(whole.evaluate("closure", q=rest.q)).max() < 1e-12
        assert np.abs(whole.evaluate("state_derivative", q=rest.q, inputs=rest.inputs)).max() < 1e-8
        assert len(rest.eigenvalues) == 2
        (other,) = eq.equilibria(minimal, rest.q)
        np.testing.assert_allclose(other.q, rest.q, atol=1e-9)
        np.testing.assert_allclose(other.eigenvalues, rest.eigenvalues, atol=1e-6)
    assert rests[0].stable is None
    assert rests[-1].stable is False


def test_a_singular_state_of_rest_is_listed_without_eigenvalues() -> None:
    eom = eq.derive(parallelogram())
    rests = eq.equilibria(eom, [np.pi, -np.pi, np.pi], inputs=None, values={"g": 0})
    assert rests
    assert rests[0].stable is None
    assert not len(rests[0].eigenvalues)


@pytest.mark.needs("scipy")
def test_feedback_balances_an_unstable_state_of_rest(whole: eq.EquationsOfMotion) -> None:
    rest = next(x for x in eq.equilibria(whole, starts=8) if x.stable is False)
    feedback = eq.lqr(eq.linearize(whole, rest.q, inputs=rest.inputs), 1)
    near = eq.assemble(whole, rest.q + np.array([0.03, 0, 0]), keep=["q1"])
    motion = eq.simulate(whole, near.q, duration=4, control=feedback, rtol=1e-7)
    assert np.abs(motion.q[-1] - rest.q).max() < 1e-3


@pytest.mark.parametrize("inputs", [None, ["tau1"], ["tau2", "tau3"]])
def test_gravity_compensation_holds_the_mechanism(
    driven: eq.EquationsOfMotion, inputs: list[str] | None
) -> None:
    hold = eq.gravity_compensation(driven, inputs)
    start = eq.assemble(driven, {"q1": 0.7})
    motion = eq.simulate(driven, start.q, duration=0.2, control=hold, rtol=1e-8)
    assert np.abs(motion.q - start.q).max() < 1e-8
    if inputs is not None:
        unused = [k for k, s in enumerate(driven.inputs) if s.name not in inputs]
        assert not hold.inputs(0, start.q, start.v)[unused].any()
    with pytest.raises(eq.EquamoError, match="must have no loops"):
        _ = hold.expressions


def test_the_smallest_inputs_compensate(driven: eq.EquationsOfMotion) -> None:
    q = eq.assemble(driven, {"q1": 0.7}).q
    all_three = eq.gravity_compensation(driven).inputs(0, q, None)
    one = eq.gravity_compensation(driven, ["tau1"]).inputs(0, q, None)
    assert np.linalg.norm(all_three) < np.linalg.norm(one)


def test_gravity_compensation_with_chosen_speeds(minimal: eq.EquationsOfMotion) -> None:
    hold = eq.gravity_compensation(minimal)
    start = eq.assemble(minimal, {"q1": 0.7})
    motion = eq.simulate(minimal, start.q, duration=0.2, control=hold, rtol=1e-8)
    assert np.abs(motion.q - start.q).max() < 1e-8


def test_inputs_must_reach_all_degrees_of_freedom() -> None:
    eom = eq.derive(four_bar(forces=[]))
    with pytest.raises(eq.EquamoError, match=r"must reach all 1 degrees .* got 0 from no inputs"):
        eq.gravity_compensation(eom)


def test_computed_torque_follows_a_reference_of_the_crank(driven: eq.EquationsOfMotion) -> None:
    follow = eq.computed_torque(driven, {"q1": "1 + 0.3*sin(2*t)"}, kp=100, kd=20)
    motion = eq.simulate(driven, {"q1": 1}, {"dq1": 0.6}, duration=0.6, control=follow, rtol=1e-8)
    np.testing.assert_allclose(motion["q1"], 1 + 0.3 * np.sin(2 * motion.t), atol=1e-7)
    with pytest.raises(eq.EvaluationError, match="must have no loops"):
        _ = follow.expressions


def test_computed_torque_needs_independent_coordinates(
    driven: eq.EquationsOfMotion, minimal: eq.EquationsOfMotion
) -> None:
    with pytest.raises(eq.EvaluationError, match=r"must have 1 independent .* got q1, q2"):
        eq.computed_torque(driven, {"q1": 0, "q2": 0})
    with pytest.raises(eq.EvaluationError, match=r"must be \{coordinate: expression in t\} for 1"):
        eq.computed_torque(driven, lambda t: (0, 0, 0))
    with pytest.raises(eq.EquamoError, match=r"chosen speeds .* Use eom\.augmented\(\)"):
        eq.computed_torque(minimal, {"q1": 0})


def test_replaced_symbols_are_refused(driven: eq.EquationsOfMotion) -> None:
    """The loops would keep the symbols of the robot."""
    other = driven.subs({"L1": "0.21"})
    for call in (eq.linearize, eq.equilibria, eq.simulate, eq.gravity_compensation):
        with pytest.raises(eq.EvaluationError, match="must not have replaced symbols"):
            call(other)
    with pytest.raises(eq.EvaluationError, match="must not have replaced symbols"):
        eq.rollout(other, step=1e-3, steps=1)


def test_a_point_is_assembled(driven: eq.EquationsOfMotion) -> None:
    point = eq.linearize(driven, {"q1": 0.6}).point
    expected = four_bar_home(0.6)
    np.testing.assert_allclose(point.q, [expected[s.name] for s in driven.q], atol=1e-12)


@pytest.mark.parametrize(("fastest", "is_kept"), [(3.5, True), (4.5, False)])
def test_an_actuated_joint_is_a_state_unless_it_is_four_times_slower(
    fastest: float, is_kept: bool
) -> None:
    """Near a dead centre of the rocker, which is driven here, crank and coupler turn faster."""

    def ratio(q1: float) -> float:
        a, b = four_bar_home(q1 - 1e-5), four_bar_home(q1 + 1e-5)
        rates = {name: abs(b[name] - a[name]) for name in ("q1", "q2", "q3")}
        return max(rates["q1"], rates["q2"]) / rates["q3"]

    q1 = min(np.linspace(0.5, 2.5, 401).tolist(), key=lambda x: abs(ratio(x) - fastest))
    assert abs(ratio(q1) - fastest) < 0.2
    eom = eq.derive(four_bar(forces=[eq.joint_actuator("q3", "tau3")]))
    at = {name: x for name, x in four_bar_home(q1).items() if name != "q4"}
    states = eq.linearize(eom, at, inputs=[0]).states
    assert (states == ("q3", "dq3")) is is_kept
