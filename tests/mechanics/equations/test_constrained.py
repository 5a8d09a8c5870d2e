"""Equations with multipliers: they satisfy A v̇ + Ȧ v = 0, and all forms and cuts agree."""

from typing import Any

import numpy as np
import pytest

import equamo as eq
from equamo.algebra.expr.vector import Vector
from loops_examples import bennett, double_parallelogram, four_bar

Array = np.ndarray[Any, Any]


def state_of(robot: eq.Robot, q1: float = 1.2, dq1: float = 1.5) -> eq.Assembled:
    return eq.assemble(robot, q={"q1": q1}, v={"dq1": dq1})


def acceleration(eom: eq.EquationsOfMotion, state: eq.Assembled, inputs: Array) -> Array:
    x = eom.evaluate("state_derivative", q=state.q, v=state.v, inputs=inputs)
    return x[len(eom.q) :]


@pytest.mark.parametrize(
    "robot", [four_bar(), four_bar("fixed"), double_parallelogram(), bennett()], ids=str
)
def test_the_solution_satisfies_both_equations(robot: eq.Robot) -> None:
    eom = eq.derive(robot)
    state, inputs = state_of(robot), np.linspace(1, 2, len(robot.inputs))
    vdot = acceleration(eom, state, inputs)
    A = eom.evaluate("constraint_matrix", q=state.q)
    assert np.abs(A @ vdot + eom.evaluate("constraint_bias", q=state.q, v=state.v)).max() < 1e-12
    # M v̇ + C v + g − f = B τ + Aᵀ λ
    left = eom.evaluate("inverse_dynamics", q=state.q, v=state.v, vdot=vdot)
    force = eom.evaluate("input_matrix", q=state.q) @ inputs
    for name, e in eom.constraint_forces.items():
        number = eom.evaluate(e, q=state.q, v=state.v, inputs=inputs)
        force = force + A[list(eom.constraint_matrix.row_names or ()).index(name)] * number
    assert np.abs(left - force).max() < 1e-12


def test_the_equations_are_an_identity_for_all_states() -> None:
    eom = eq.derive(four_bar("distance"))
    vdot = Vector(eom.state_derivative[len(eom.q) :])
    assert eq.prove_zero(eom.constraint_matrix @ vdot + eom.constraint_bias)
    still = eom.inverse_dynamics.subs(dict(zip(eom.vdot, vdot, strict=True)))
    force = Vector(list(eom.constraint_forces.values()))
    assert eq.prove_zero(
        still - eom.input_matrix @ Vector(eom.inputs) - eom.constraint_matrix.T @ force
    )


@pytest.mark.parametrize("robot", [four_bar("distance"), bennett()], ids=str)
def test_the_minimal_form_has_the_same_acceleration(robot: eq.Robot) -> None:
    eom = eq.derive(robot)
    small = eom.minimal("dq1")
    state, inputs = state_of(robot), np.linspace(1, 2, len(robot.inputs))
    both = small.evaluate("state_derivative", q=state.q, v=state.v[:1], inputs=inputs)
    assert both[: len(robot.q)] == pytest.approx(state.v, abs=1e-12)
    assert both[-1] == pytest.approx(acceleration(eom, state, inputs)[0], rel=1e-9)
    assert small.augmented().robot.v == robot.v
    assert eom.augmented() is eom


def test_all_cuts_of_a_four_bar_have_the_same_acceleration() -> None:
    expected = None
    for cut in ("revolute", "spherical", "cylindrical", "universal"):
        robot = four_bar(cut)
        vdot = acceleration(eq.derive(robot), state_of(robot), np.ones(len(robot.inputs)))
        expected = vdot if expected is None else expected
        assert vdot == pytest.approx(expected, rel=1e-10)
    # Cut between the ground and the rocker instead: coordinates of the chain crank, coupler, rocker.
    whole = four_bar()
    bodies = [whole.bodies[0], whole.bodies[1]]
    bodies.append(
        eq.Body(
            "rocker",
            eq.revolute("q3", at="L2 0 0"),
            mass="m3",
            com="-L3/2 0 0",
            inertia="Ix I3 I3",
            parent="coupler",
        )
    )
    other = eq.Robot(
        "cut", bodies, gravity="0 -g 0", parameters=whole.parameter_info, forces=[],
        loops=[eq.loop("pivot", "rocker", "-L3 0 0", to_at="L4 0 0")],
        home={"q1": 1, "q2": -0.5, "q3": 1},
    )  # fmt: skip
    free = whole.with_forces(only=True)
    here, there = state_of(free), state_of(other)
    a, b = (acceleration(eq.derive(r), s, np.zeros(0)) for r, s in ((free, here), (other, there)))
    assert there.q[:2] == pytest.approx(here.q[:2])
    assert sum(there.q) == pytest.approx(here.q[2])
    assert b[:2] == pytest.approx(a[:2], rel=1e-10)
    assert sum(b) == pytest.approx(a[2], rel=1e-10)


def test_joints_without_inertia_are_moved_by_the_loop() -> None:
    """The pin of a weld has no mass: M is singular, the equations are not."""
    heavy, light = four_bar("spherical"), four_bar("fixed")
    a = acceleration(eq.derive(heavy), state_of(heavy), np.ones(3))
    b = acceleration(eq.derive(light), state_of(light), np.array([1.0, 1.0, 1.0, 0.0]))
    assert b[:3] == pytest.approx(a, rel=1e-9)


def test_substitutions_carry_over_to_the_other_forms() -> None:
    eom = eq.derive(four_bar("distance")).subs({"g": 0})
    for other in (eom.minimal("dq1"), eom.minimal("dq1").augmented()):
        assert other.gravity.is_zero
    assert eom.constraint_forces["closure"].subs({"g": 5}) is eom.constraint_forces["closure"]


def test_forms_need_loops() -> None:
    arm = eq.derive(eq.load("rr_arm"))
    assert arm.closure.shape == (0,)
    with pytest.raises(eq.ConstraintError, match="must have loops, held contacts or constraints"):
        arm.minimal()
    with pytest.raises(eq.ConstraintError, match="'rr_arm' has no constraints"):
        _ = arm.constraint_forces
    wheels = eq.derive(eq.load("wheeled_inverted_pendulum"))
    with pytest.raises(eq.ConstraintError, match="must have no velocity constraints"):
        wheels.augmented()
