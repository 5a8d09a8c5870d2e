"""Friction and dampers never create energy, whatever the state."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.identity import prove_equal
from equamo.errors import ModelError, UnknownNameError
from equamo.mechanics.certificate import dissipation
from equamo.mechanics.certificate.dissipation import nonnegative
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


def wheel(*forces: eq.ForceElement, nonnegative: str = "") -> eq.EquationsOfMotion:
    """One revolute joint q with these force elements; all parameters that are named may not be < 0."""
    body = eq.Body("wheel", eq.revolute("q"), mass="m", inertia="I I I")
    marked = [eq.Parameter(n, nonnegative=True) for n in nonnegative.split()]
    return eq.derive(eq.Robot("wheel", [body], forces=forces, parameters=marked))


def test_every_field_of_a_proved_verdict() -> None:
    found = dissipation(
        wheel(eq.joint_friction("q", "Fc", "Fv"), nonnegative="Fc Fv"), "friction_q"
    )
    assert (found.element, found.verdict, found.reason) == ("friction_q", "proved", "")
    assert prove_equal(found.power, eq.parse("-Fv*dq**2 - Fc*dq*sign(dq)"))
    assert found.identity.verdict == "proved"
    assert str(found) == f"friction_q: power ≤ 0 by its structure; v·f {found.identity}"


@pytest.mark.parametrize(
    ("coefficient", "nonnegative", "reason"),
    [
        ("a", "", "parameter 'a' may be negative: not marked nonnegative=True"),
        ("a*b", "", "parameters 'a', 'b' may be negative: not marked nonnegative=True"),
        ("a*b", "a", "parameter 'b' may be negative: not marked nonnegative=True"),
        ("cos(a)", "a", "the sign of cos(a) is unknown"),
        ("-a", "a", "the sign of -a*dq**2 is unknown"),
    ],
)
def test_every_field_of_an_undecided_verdict(
    coefficient: str, nonnegative: str, reason: str
) -> None:
    damper = eq.joint_damper("q", coefficient)
    found = dissipation(wheel(damper, nonnegative=nonnegative), "damper_q")
    assert (found.element, found.verdict, found.reason) == ("damper_q", "undecided", reason)
    assert prove_equal(found.power, -eq.parse(coefficient) * eq.parse("dq**2"))
    assert found.identity
    assert not found
    assert str(found) == f"damper_q: undecided: {reason}"


def test_a_force_that_does_not_have_the_power_of_its_element() -> None:
    eom = wheel(eq.joint_damper("q", "d"), nonnegative="d")
    twice = {name: f * 2 for name, f in eom.derivation.forces.items()}
    wrong = replace(eom, derivation=replace(eom.derivation, forces=twice))
    found = dissipation(wrong, "damper_q")
    assert (found.element, found.verdict) == ("damper_q", "undecided")
    assert found.identity.verdict == "refuted"
    assert prove_equal(found.power, eq.parse("-d*dq**2"))
    assert found.reason == (
        f"v·f is not proved equal to the power that the element defines ({found.identity})"
    )


def test_what_does_not_dissipate_is_refused() -> None:
    eom = eq.derive(arm(*one_of_each()))
    with pytest.raises(ModelError, match=r"'spring_q1' .* 'damper_q2', 'friction_q1'"):
        dissipation(eom, "spring_q1")
    with pytest.raises(UnknownNameError, match="friction_q1"):
        dissipation(eom, "friction_q9")
    with pytest.raises(ModelError, match=r"friction of robot 'wheel'; valid: none\.$"):
        dissipation(wheel(eq.joint_spring("q", "k")), "spring_q")


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


def test_shared_sums_are_examined_once() -> None:
    """As a tree, this has 2⁶⁰ sums."""
    e = eq.parse("x**2")
    for _ in range(60):
        e = (e + 1) * (e + 2)
    assert nonnegative(e)
    assert not nonnegative(e * eq.parse("x"))
