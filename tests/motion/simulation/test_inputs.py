"""What may drive a robot: expressions in the symbols of its equations, and functions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy

import equamo as eq
from equamo.algebra.expr import symbol, symbols
from equamo.errors import EvaluationError
from equamo.mechanics.equations import EquationsOfMotion
from equamo.motion.simulation.inputs import TIME, Called, as_function, insert

pytestmark = pytest.mark.needs("sympy")


@pytest.fixture(scope="module")
def arm() -> EquationsOfMotion:
    return eq.derive(eq.load("rr_arm"))


def test_one_for_each_input_or_by_name(arm: EquationsOfMotion) -> None:
    wanted = (eq.parse("-2*dq1"), eq.parse("m2*q1"))
    for given in (
        ["-2*dq1", "m2*q1"],
        {"tau2": "m2*q1", "tau1": "-2*dq1"},
        {arm.inputs[0]: wanted[0], arm.inputs[1]: wanted[1]},
        wanted,
        [-2 * sympy.Symbol("dq1"), sympy.Symbol("m2") * sympy.Symbol("q1")],
        eq.Vector(wanted),
    ):
        assert insert(arm, given) == wanted


@pytest.mark.parametrize(
    ("count", "listed"),
    [
        (0, "0 entries (none)"),
        (1, "1 entry (u0)"),
        (8, "8 entries (u0, u1, u2, u3, u4, u5, u6, u7)"),
        (9, "9 entries (u0, u1, u2, u3, u4, u5, u6, u7 …)"),
    ],
)
def test_a_wrong_number_of_entries_names_the_first_eight(count: int, listed: str) -> None:
    names = [symbol(f"u{k}") for k in range(count)]
    control = Called("controller", names, {}, lambda t, q, v: np.zeros(20))
    with pytest.raises(EvaluationError) as caught:
        control(0.25, np.zeros(1), np.zeros(1))
    assert str(caught.value) == f"controller must return {listed}, got shape (20,) at t = 0.25 s."


@pytest.mark.parametrize(
    ("count", "shown"),
    [(1, "(0)"), (8, "(0, 1, 2, 3, 4, 5, 6, 7)"), (9, "(0, 1, 2, 3, 4, 5, 6, 7 …)")],
)
def test_a_result_that_is_not_finite_is_shown_with_the_state(count: int, shown: str) -> None:
    control = Called("controller", symbols("a b"), {"a": 2}, lambda t, q, v: {"b": np.nan})
    with pytest.raises(EvaluationError) as caught:
        control(0.25, np.arange(count, dtype=float), np.zeros(2))
    assert str(caught.value) == (
        f"controller must return finite numbers, got nan for 'b' at t = 0.25 s, q = {shown}, "
        "v = (0, 0)."
    )
    control.function = lambda t, q, v: {"b": 3}
    assert list(control(0.0, np.zeros(1), np.zeros(1))) == [2, 3]  # others are at home


def test_what_is_not_given_is_home() -> None:
    robot = eq.load("rr_arm").with_home(tau1=3)
    assert insert(eq.derive(robot), {"tau2": 1}) == (eq.parse("3"), eq.parse("1"))
    assert insert(eq.derive(robot), None) == (eq.parse("3"), eq.parse("0"))


def test_time_is_a_symbol_of_its_own(arm: EquationsOfMotion) -> None:
    found = insert(arm, ["sin(t)", 0])
    assert found is not None
    assert found[0].symbols() == (TIME,)
    # A robot may have a t: then t is that.
    body = eq.Body("b", eq.revolute("q"), mass="t", inertia="1 1 1")
    own = insert(eq.derive(eq.Robot("own", [body])), "t*q")
    assert own == (eq.parse("t*q"),)


def test_numbers_stay_exact(arm: EquationsOfMotion) -> None:
    assert insert(arm, [0.1, np.float64(0.5)]) == (eq.parse("1/10"), eq.parse("1/2"))
    assert insert(arm, np.array([1.0, 2.0])) == (eq.parse("1"), eq.parse("2"))


def test_joint_speeds_and_dependent_coordinates_are_put_in() -> None:
    """ψ = R (θ_R − θ_L)/L and u = W v, as the robot has it."""
    eom = eq.derive(eq.load("wheeled_inverted_pendulum"))
    found = insert(eom, {"tau_L": "psi", "tau_R": "dtheta_L"})
    assert found is not None
    assert eq.prove_equal(found[0], eq.parse("R*(theta_R - theta_L)/L"))
    assert eq.prove_equal(found[1], eq.parse("(dx - L*dpsi/2)/R"))


def test_functions_are_no_expressions(arm: EquationsOfMotion) -> None:
    class Controller:
        def inputs(self, t: float, q: Any, v: Any) -> list[float]:
            return [t, 0]

    controller = Controller()
    assert insert(arm, controller) is None
    assert insert(arm, lambda t, q, v: [0, 0]) is None
    function = as_function(controller)
    assert function is not None
    assert function(3.0, np.zeros(2), np.zeros(2)) == [3.0, 0]
    assert as_function("q1") is None
    assert as_function(symbol("q1")) is None


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"tau7": 1}, "'tau7'.*tau1, tau2"),
        (["q1"], r"control must have 2 entries \(tau1, tau2\), got 1"),
        ("q1", r"control must have 2 entries \(tau1, tau2\), got 1"),
        ({"tau1": "q1 +"}, "tau1.*Column"),
        ({"tau1": "ddq1"}, "'ddq1'"),
        ({"tau1": "tau2"}, "'tau2'"),
        ({"tau1": float("inf")}, r"control\['tau1'\] must be a finite number .*, got inf"),
        ({"tau1": lambda t, q, v: 0}, "must be a number or an expression, .* one function"),
        ({"tau1": object()}, "tau1"),
        ([[1, 2], [3, 4]], "tau1"),
    ],
)
def test_bad_expressions(arm: EquationsOfMotion, given: Any, said: str) -> None:
    with pytest.raises(EvaluationError, match=said):
        insert(arm, given)


def test_a_function_cannot_change_the_state(arm: EquationsOfMotion) -> None:
    def spoil(t: float, q: np.ndarray, v: np.ndarray) -> dict[str, float]:
        q[:] = 99
        v[:] = 99
        return {"tau1": 1.0}

    called = Called("control", arm.inputs, {}, spoil)
    q, v = np.array([1.0, 2.0]), np.array([3.0, 4.0])
    np.testing.assert_array_equal(called(0.0, q, v), [1.0, 0.0])
    assert q.tolist() + v.tolist() == [1, 2, 3, 4]
