"""Friction and dampers never create energy, whatever the state."""

from __future__ import annotations

import numpy as np
import pytest

import equamo as eq
from equamo.certificate import dissipation
from equamo.certificate.dissipation import nonnegative
from equamo.errors import ModelError, UnknownNameError
from force_robots import arm, one_of_each

DISSIPATING = [f.name for f in one_of_each() if f.dissipates]


def test_these_dissipate() -> None:
    assert DISSIPATING == ["damper_q2", "friction_q1", "friction_s", "dashpot"]


@pytest.mark.parametrize("name", DISSIPATING)
def test_proved(name: str) -> None:
    found = dissipation(eq.derive(arm(*one_of_each())), name)
    assert found, str(found)
    assert "power ≤ 0" in str(found)


@pytest.mark.parametrize("name", DISSIPATING)
def test_proved_in_chosen_speeds(name: str) -> None:
    rates = {"dq1": "cos(q2)*x - y", "dq2": "y - q1*x", "ds": "-3*x"}
    robot = arm(*one_of_each(), speeds="x y", rates=rates)
    for by in ("kane", "recursive"):
        found = dissipation(eq.derive(robot, by=by), name)
        assert found, str(found)


@pytest.mark.parametrize("name", DISSIPATING)
def test_numbers_agree(name: str) -> None:
    eom = eq.derive(arm(*one_of_each()))
    q, v = np.random.default_rng(1).normal(size=(2, 200, 3))
    f = eom.evaluate(name, q=q, v=v)
    assert ((f * v).sum(axis=1) <= 0).all()


def test_krang_with_friction() -> None:
    eom = eq.derive(eq.load("krang", frames=3, friction=True))
    for joint in ("imu", "w", "torso"):
        assert dissipation(eom, f"friction_{joint}")


def test_a_parameter_that_may_be_negative_is_named() -> None:
    robot = arm(eq.joint_friction("q1", "mu", "Fv1"))
    found = dissipation(eq.derive(robot), "friction_q1")
    assert found.verdict == "undecided"
    assert "'mu'" in found.reason
    assert "'Fv1'" not in found.reason


def test_what_does_not_dissipate_is_refused() -> None:
    eom = eq.derive(arm(*one_of_each()))
    with pytest.raises(ModelError, match=r"'spring_q1' .* 'damper_q2', 'friction_q1'"):
        dissipation(eom, "spring_q1")
    with pytest.raises(UnknownNameError, match="friction_q1"):
        dissipation(eom, "friction_q9")


GOOD = [
    "x**2", "a*x*sign(x)", "x*tanh(x/a)", "x*tanh(3*x)", "a*x*tanh(x*b)/b + 2*y**4",
    "(x - y)*sign(x - y)", "sqrt(x)*abs(y)", "-(-a)", "x*y*sign(x*y)", "(x - 2*y)**2/(a + b*x**2)",
    "sign(x)*tanh(x)", "a - (-b)", "-x*tanh(-x)", "(y - x)*sign(x - y)*(-1)", "x**3*sign(x)", "pi*a",
    "0",
]  # fmt: skip
BAD = [
    "x", "-a", "a - b", "x*y", "x*sign(y)", "-x*sign(x)", "x*tanh(x/c)", "x**3", "c*x**2",
    "x*cos(x)*sign(x)", "(x - y)*sign(x + y)", "x**2 - a*x**2", "-1", "log(a)",
]  # fmt: skip


@pytest.mark.parametrize("text", GOOD)
def test_nonnegative(text: str) -> None:
    assert nonnegative(eq.parse(text), ["a", "b"])


@pytest.mark.parametrize("text", BAD)
def test_not_nonnegative(text: str) -> None:
    assert not nonnegative(eq.parse(text), ["a", "b"])
