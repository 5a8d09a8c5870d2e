"""Numbers from equations: states of every form, and messages about wrong ones."""

from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.errors import EvaluationError, UnknownNameError

ARM = eq.derive(eq.load("rr_arm"))


def test_a_batch_is_one_state_after_another() -> None:
    rng = np.random.default_rng(1)
    q, m = rng.uniform(-1, 1, (5, 2)), rng.uniform(1, 2, 5)
    together = ARM.evaluate("gravity", q=q, values={"m1": m})
    apart = [ARM.evaluate("gravity", q=x, values={"m1": y}) for x, y in zip(q, m, strict=True)]
    np.testing.assert_array_equal(together, apart)
    by_name = ARM.evaluate("gravity", q={"q1": q[:, 0], ARM.q[1]: q[:, 1]}, values={"m1": m})
    np.testing.assert_array_equal(together, by_name)


def test_exact_and_single_numbers_are_computed_in_doubles() -> None:
    right = ARM.evaluate("gravity", q=[0.25, 0.5])
    for q in ([Fraction(1, 4), 0.5], {"q1": "1/4", "q2": 0.5}, np.array([0.25, 0.5], "float32")):
        found = ARM.evaluate("gravity", q=q)
        np.testing.assert_array_equal(found, right)
        assert found.dtype == np.float64


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"q": [1]}, r"evaluate: q must have shape \(2,\) or \(N, 2\) .*q1, q2.* got \(1,\)"),
        ({"q": ["a", "b"]}, "evaluate: q must be real numbers"),
        ({"q": {"q3": 1}}, r"Unknown coordinate 'q3' in q of evaluate.*q1, q2"),
        ({"inputs": {"tau": 1}}, "Unknown input 'tau' in inputs of evaluate.*tau1"),
        ({"vdot": {"dq1": 1}}, "Unknown acceleration 'dq1'.*Did you mean 'ddq1'"),
        ({"values": {"m3": 1}}, "Unknown parameter 'm3' in values of evaluate"),
        ({"values": {"m1": "heavy"}}, r"values\['m1'\] must be a real number"),
        ({"values": [1]}, r"values must be \{name of a parameter: number\}, got \[1\]"),
        ({"q": np.zeros((3, 2)), "v": np.zeros((4, 2))}, "different sizes: q has 3, v has 4"),
        ({"q": [10**400, 0]}, "evaluate: q"),
    ],
)
def test_what_does_not_fit_is_said(given: dict[str, Any], said: str) -> None:
    with pytest.raises(EvaluationError, match=said):
        ARM.evaluate("bias", **given)


def test_all_parameters_without_a_value_are_listed() -> None:
    eom = eq.derive(eq.load("rr_arm").with_values(m1=None, m2=None, I2=None))
    with pytest.raises(EvaluationError, match=r"2 parameters of robot 'rr_arm': 'm1', 'm2'; pass"):
        eom.evaluate("gravity")  # I2 is not in it
    assert eom.evaluate("gravity", values={"m1": 1, "m2": 1}).shape == (2,)


def test_only_names_and_expressions_have_numbers() -> None:
    with pytest.raises(EvaluationError, match=r"takes the name of a quantity.* got 3\.$"):
        ARM.evaluate(3)
    with pytest.raises(
        UnknownNameError, match="Unknown quantity 'gravty' in the equations of motion"
    ):
        ARM.evaluate("gravty")


def test_a_symbol_that_is_none_of_the_robot() -> None:
    with pytest.raises(UnknownNameError, match="Unknown symbol 'x' in this expression"):
        ARM.evaluate(eq.parse("x"))
