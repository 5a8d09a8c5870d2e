"""Inverse dynamics with loops: the inputs give the motion, and what is called unique is unique."""

import numpy as np
import pytest

import equamo as eq
from loops_examples import double_parallelogram, four_bar, parallelogram
from scaled_robots import Scaling, scaled


def driven(*joints: str) -> eq.Robot:
    """Four-bar with actuators at some joints."""
    return four_bar("spherical").with_forces(
        *(eq.joint_actuator(q, f"u{q}") for q in joints), only=True
    )


def test_the_inputs_give_the_motion() -> None:
    robot = four_bar()
    eom = eq.derive(robot)
    state = eq.assemble(robot, q={"q1": 1.2}, v={"dq1": 2})
    found = eq.distribute_torques(eom, q=state.q, v=state.v, vdot={"ddq1": 3})
    inputs = list(found.inputs.values())
    vdot = eom.evaluate("state_derivative", q=state.q, v=state.v, inputs=inputs)[3:]
    assert vdot[0] == pytest.approx(3, rel=1e-12)
    assert found.unique == ()
    assert found.unique_forces == ("closure x", "closure y")
    # Internal combinations do not change the motion, and the solution has no part along them.
    assert found.internal.shape == (2, 3)
    assert found.internal @ inputs == pytest.approx(0, abs=1e-12)
    more = eom.evaluate(
        "state_derivative", q=state.q, v=state.v, inputs=inputs + 5 * found.internal[0]
    )[3:]
    assert more == pytest.approx(vdot, rel=1e-9)
    for name, x in found.constraint_forces.items():
        if name in eom.constraint_forces:
            e = eom.constraint_forces[name]
            assert eom.evaluate(e, q=state.q, v=state.v, inputs=inputs) == pytest.approx(x)


def test_independent_speeds_give_the_same_inputs_and_forces() -> None:
    robot = four_bar("distance")
    eom = eq.derive(robot)
    state = eq.assemble(robot, q={"q1": 1.2}, v={"dq1": 2})
    found = eq.distribute_torques(eom, q=state.q, v=state.v, vdot={"ddq1": 3})
    small = eom.minimal("dq1")
    same = eq.distribute_torques(small, q=state.q, v=state.v[:1], vdot=[3])
    assert dict(same.inputs) == pytest.approx(dict(found.inputs))
    assert dict(same.constraint_forces) == pytest.approx(dict(found.constraint_forces))


def test_weights_move_the_load_to_cheap_inputs() -> None:
    robot = four_bar()
    eom = eq.derive(robot)
    q = eq.assemble(robot, q={"q1": 1.2}).q
    cheap = eq.distribute_torques(eom, q=q, weights={"tau1": 1e-9}).inputs
    assert abs(cheap["tau2"]) < 1e-6 * abs(cheap["tau1"])
    alone = eq.distribute_torques(eq.derive(driven("q1")), q=q)
    assert cheap["tau1"] == pytest.approx(alone.inputs["uq1"], rel=1e-6)
    assert alone.unique == ("uq1",)
    with pytest.raises(eq.EvaluationError, match="weights must be greater than 0"):
        eq.distribute_torques(eom, q=q, weights=[1, 0, 1])
    with pytest.raises(eq.UnknownNameError, match="'tau9'"):
        eq.distribute_torques(eom, q=q, weights={"tau9": 1})


def test_all_accelerations_can_be_passed_if_they_fit_the_loop() -> None:
    robot = four_bar()
    eom = eq.derive(robot)
    state = eq.assemble(robot, q={"q1": 1.2}, v={"dq1": 2})
    vdot = eom.evaluate("state_derivative", q=state.q, v=state.v, inputs=[1, 2, 3])[3:]
    found = eq.distribute_torques(eom, q=state.q, v=state.v, vdot=vdot)
    again = eom.evaluate(
        "state_derivative", q=state.q, v=state.v, inputs=list(found.inputs.values())
    )
    assert again[3:] == pytest.approx(vdot)
    with pytest.raises(
        eq.EvaluationError, match=r"vdot must satisfy A v̇ \+ Ȧ v = 0, got .* in 'closure"
    ):
        eq.distribute_torques(eom, q=state.q, v=state.v, vdot=[1, 0, 0])
    with pytest.raises(eq.EvaluationError, match=r"v must satisfy A v = 0, got .* in 'closure"):
        eq.distribute_torques(eom, q=state.q, v=[1, 0, 0])
    with pytest.raises(
        eq.AssemblyError,
        match=r"may exceed 5e-07, got .* in loop 'closure'.* first with eq.assemble\.$",
    ):
        eq.distribute_torques(eom, q=[1.0, 1.0, 1.0])


def test_inputs_that_do_not_drive_every_degree_of_freedom_are_an_error() -> None:
    bare = eq.derive(driven())
    q = eq.assemble(bare).q
    with pytest.raises(
        eq.ConstraintError, match="must drive all 1 degree of freedom, got 0: none drives a"
    ):
        eq.distribute_torques(bare, q=q)
    pendulum = eq.derive(eq.load("wheeled_inverted_pendulum"))
    with pytest.raises(eq.ConstraintError, match="must drive all 3 degrees of freedom, got 2"):
        eq.distribute_torques(pendulum)


def test_a_singular_configuration_is_an_error() -> None:
    eom = eq.derive(parallelogram())
    with pytest.raises(
        eq.ConstraintError, match="must have rank 2, got 1 at this q, a configuration"
    ):
        eq.distribute_torques(eom, q=[0, 0, 0])


def test_uniqueness_is_exact_for_general_q() -> None:
    report = eq.actuation(eq.derive(four_bar()))
    assert (report.degrees_of_freedom, report.rank) == (1, 1)
    assert (report.unique, report.shared) == ((), ("tau1", "tau2", "tau3"))
    assert "not unique: tau1, tau2, tau3" in str(report)
    one = eq.actuation(eq.derive(driven("q3")))
    assert one.unique == ("uq3",)
    assert "unique: uq3" in str(one)
    assert eq.actuation(eq.derive(double_parallelogram())).rank == 1
    wheels = eq.actuation(eq.derive(eq.load("wheeled_inverted_pendulum")))
    assert (wheels.degrees_of_freedom, wheels.rank, len(wheels.unique)) == (3, 2, 2)
    assert np.isfinite(wheels.rank)


@pytest.mark.parametrize("power", [-6, 6])
def test_forces_and_uniqueness_scale_with_the_robot(power: int) -> None:
    """A fixed joint has rows in m and in rad, and forces in N and N m."""
    robot, by = four_bar("fixed"), Scaling.of(1, 10.0**power, 1)
    found = []
    for each in (robot, scaled(robot, by)):
        eom, state = eq.derive(each), eq.assemble(each, q={"q1": 1.2}, v={"dq1": 2})
        found.append(eq.distribute_torques(eom, q=state.q, v=state.v, vdot={"ddq1": 3}))
    plain, other = found
    assert (other.unique, other.unique_forces) == (plain.unique, plain.unique_forces)
    assert other.internal.shape == plain.internal.shape
    for name, x in plain.inputs.items():
        assert other.inputs[name] == pytest.approx(x * float(by.length) ** 2, rel=1e-12)
    for name, x in plain.constraint_forces.items():
        size = float(by.length) ** (2 if name in ("closure rx", "closure ry", "closure rz") else 1)
        assert other.constraint_forces[name] / size == pytest.approx(x, rel=1e-12, abs=1e-13)


@pytest.mark.parametrize("length", ["1", "1e-10"])
def test_an_input_counts_by_its_work(length: str) -> None:
    """A force in N turns an arm of 1e-10 m by little, but can replace its drive in N m."""
    arm = eq.Robot(
        "arm", [eq.Body("b", eq.revolute("q", axis="z"), mass=1, com=[length, 0, 0])],
        gravity="0 0 0",
        forces=[eq.joint_actuator("q"), eq.force_actuator("b", force="0 F 0", at=[length, 0, 0])],
    )  # fmt: skip
    found = eq.distribute_torques(eq.derive(arm), vdot=[1])
    assert found.unique == ()
    L = float(length)
    assert found.inputs["tau_q"] + L * found.inputs["F"] == pytest.approx(L**2, rel=1e-12)
