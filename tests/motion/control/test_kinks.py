"""Linear systems at kinks: abs(u) at u = 0 is refused if and only if its sides have different slopes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import equamo as eq
import loops_examples
from equamo.errors import EvaluationError
from scaled_robots import Scaling, scaled


def block(*forces: Any) -> eq.Robot:
    return eq.Robot(
        "block", [eq.Body("b", eq.prismatic("x", axis="x"), mass=2)], gravity="0 0 0",
        forces=[eq.joint_actuator("x"), *forces],
    )  # fmt: skip


def pushed(force: str) -> eq.EquationsOfMotion:
    """A damper at speed 1 as a force that depends on the position."""
    return eq.derive(block(eq.joint_damper("x", force)))


KINKS = {
    "abs": "3*abs(x)",
    "at another place": "abs(x - 1/3) + abs(x)",
    "max": "(x + abs(x))/2",
    "within another": "abs(x + 2*abs(x))",
    "of a function": "abs(sin(x))",
    "of a product": "(2 + x)*abs(x)",
}
SLOPES = {  # of the force at x = 0 and v = 1
    "product": ("x*abs(x)", 0.0),
    "square": ("abs(x)**2", 0.0),
    "two": ("abs(x)*abs(sin(x)) + x", 1.0),
    "sides that cancel": ("(x + abs(x))/2 - (abs(x) - x)/2", 1.0),
    "elsewhere": ("abs(x - 1)", -1.0),
    "sign": ("4 + sign(x)", 0.0),
}


@pytest.mark.parametrize("force", KINKS.values(), ids=KINKS)
@pytest.mark.parametrize("symbolic", [False, True])
def test_a_kink_is_refused_in_numbers_and_symbols(force: str, symbolic: bool) -> None:
    eom = pushed(force)
    with pytest.raises(
        EvaluationError, match=r"must be differentiable .* has a kink here, where .* = 0"
    ):
        eq.linearize(eom, v=[1], symbolic=symbolic)
    q = [0.25]  # beside it
    beside = eq.linearize(eom, q, v=[1], symbolic=symbolic)
    A = beside.in_numbers().A if isinstance(beside, eq.SymbolicLinearSystem) else beside.A
    rates = [
        eom.evaluate("state_derivative", q=[0.25 + d], v=[1], inputs=[0])[1] for d in (-1e-6, 1e-6)
    ]
    assert A[1, 0] == pytest.approx((rates[1] - rates[0]) / 2e-6, rel=1e-6)


@pytest.mark.parametrize(("force", "slope"), SLOPES.values(), ids=SLOPES)
@pytest.mark.parametrize("symbolic", [False, True])
def test_what_has_a_slope_is_linearized(force: str, slope: float, symbolic: bool) -> None:
    found = eq.linearize(pushed(force), v=[1], symbolic=symbolic)
    assert float(found.A[1, 0]) == pytest.approx(-slope / 2, abs=1e-15)


def test_drag_at_rest_has_no_slope_and_dry_friction_neither() -> None:
    for force in (eq.joint_damper("x", "3*abs(dx)"), eq.joint_friction("x", 3)):
        for symbolic in (False, True):
            found = eq.linearize(eq.derive(block(force)), symbolic=symbolic)
            assert [float(found.A[1, k]) for k in range(2)] == [0, 0]


@pytest.mark.parametrize("length", [1e-6, 1.0, 1e6])
def test_rounding_does_not_hide_a_kink(length: float) -> None:
    """sin(π) is 1e-16, and a small robot has small slopes."""
    bob = eq.Robot(
        "bob", [eq.Body("b", eq.revolute("q", axis="y"), mass=1, com="0 0 -1")],
        forces=[eq.joint_damper("q", "abs(sin(q))"), eq.joint_actuator("q")],
    )  # fmt: skip
    eom = eq.derive(scaled(bob, Scaling.of(1, length, 1)))
    with pytest.raises(EvaluationError, match="kink"):
        eq.linearize(eom, q=[np.pi], v=[1])
    assert eq.linearize(eom, q=[np.pi - 1e-9], v=[1]).A[1, 0] != 0


def test_outputs_and_states_with_a_kink_are_refused() -> None:
    exact = eq.linearize(eq.derive(block()), symbolic=True)
    lin = eq.linearize(eq.derive(block()))
    for system in (lin, exact):
        with pytest.raises(
            EvaluationError, match=r"linear system: abs\(x\) must be differentiable"
        ):
            system.transfer_function("tau_x", "abs(x)")
        assert str(system.transfer_function("tau_x", "x + x*abs(x)")) == str(
            system.transfer_function("tau_x", "x")
        ).replace("x/", "x + x*abs(x)/", 1)
    with pytest.raises(EvaluationError, match="abs"):
        lin.in_terms_of({"y": "abs(x)", "dx": "dx"})


def test_the_stability_of_an_equilibrium_at_a_kink_is_undecided() -> None:
    """A spring whose rest length has a kink."""
    eom = eq.derive(block(eq.joint_spring("x", 5), eq.wrench("b", "F 0 0")))
    (smooth,) = eq.equilibria(eom)
    assert len(smooth.eigenvalues) == 2
    stop = eq.Robot(
        "stop",
        [eq.Body("a", eq.prismatic("y", axis="y"), mass=1),
         eq.Body("b", eq.prismatic("x", axis="x"), parent="a", mass=1)],
        gravity="0 0 0",
        forces=[eq.joint_spring("x", 5, rest="abs(y)"), eq.joint_spring("y", 5)],
    )  # fmt: skip
    found = eq.equilibria(eq.derive(stop), q=[0, 0])
    assert [(x.stable, len(x.eigenvalues)) for x in found] == [(None, 0)]


def test_robots_with_loops_have_kinks() -> None:
    """A damper in a loop whose force depends on |q|."""
    bent = loops_examples.four_bar().with_forces(eq.joint_damper("q1", "abs(q1 - 1)"))
    with pytest.raises(EvaluationError, match="kink"):
        eq.linearize(eq.derive(bent), v={"dq1": 1}, inputs=[0] * len(bent.inputs))
