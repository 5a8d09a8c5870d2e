"""Assembly: states on φ = 0 and A v = 0, and errors that name the loop and the gap."""

from math import pi

import numpy as np
import pytest

import equamo as eq
from loops_examples import bennett, double_parallelogram, four_bar, four_bar_home, parallelogram


def off(robot: eq.Robot, state: eq.Assembled) -> float:
    """Largest |φ| and |A v| of a state."""
    eom = eq.derive(robot)
    phi = eom.evaluate("closure", q=state.q)
    rate = eom.evaluate("constraint_matrix", q=state.q) @ state.v
    return max(np.abs(phi).max(), np.abs(rate).max())


@pytest.mark.parametrize("cut", ["revolute", "spherical", "fixed", "distance"])
def test_named_coordinates_and_speeds_are_kept_and_the_others_follow(cut: str) -> None:
    robot = four_bar(cut)
    state = eq.assemble(robot, q={"q1": 1.3}, v={"dq1": 2})
    assert state.q[0] == 1.3
    assert state.v[0] == 2
    assert off(robot, state) < 1e-14
    known = four_bar_home(1.3)
    assert state.q == pytest.approx([known[x.name] for x in robot.q], abs=1e-12)
    assert state.start_gap > 0.01 > state.gap


def test_a_whole_configuration_moves_to_the_nearest_assembled_one() -> None:
    robot = four_bar()
    home = np.array(eq.assemble(robot).q)
    near = home + np.array([1e-3, -2e-3, 1e-3])
    state = eq.assemble(eq.derive(robot), q=near, v=[1, 1, 1])
    assert off(robot, state) < 1e-14
    assert np.abs(state.q - near).max() < 3e-3
    # The change of velocity is that of an impact: M δ is a constraint force, w·M δ = 0 for A w = 0.
    M = eq.derive(robot.tree).evaluate("mass_matrix", q=state.q)
    change = state.v - 1
    allowed = eq.assemble(robot, q=state.q, v={"dq1": 1}).v
    assert abs(allowed @ M @ change) < 1e-14


@pytest.mark.parametrize("robot", [parallelogram(), double_parallelogram(), bennett()], ids=str)
def test_overconstrained_mechanisms_are_assembled(robot: eq.Robot) -> None:
    state = eq.assemble(robot, q={"q1": 1.2}, v={"dq1": -1})
    assert off(robot, state) < 1e-13
    assert state.q[0] == 1.2


def test_speeds_can_be_kept_without_coordinates() -> None:
    state = eq.assemble(four_bar(), v={"dq1": 1, "dq3": 0.3})  # more than the degrees of freedom
    assert off(four_bar(), state) < 1e-14
    with pytest.raises(eq.AssemblyError, match="the speeds dq1, dq3 cannot be kept: 'closure"):
        eq.assemble(four_bar(), v={"dq1": 1, "dq3": 0.3}, keep=["dq1", "dq3"])


def test_chosen_speeds_satisfy_the_rows_already() -> None:
    robot = four_bar(speeds="dq1")
    state = eq.assemble(robot, q={"q1": 1.3}, v=[2])
    assert list(state.v) == [2]
    assert np.abs(eq.derive(robot).evaluate("closure", q=state.q)).max() < 1e-15


def test_a_quaternion_joint_is_displaced_along_its_speeds() -> None:
    bar = eq.Body("bar", eq.spherical("s"), mass=1, com="1 0 0", inertia="1 1 1")
    robot = eq.Robot(
        "ball", [bar], loops=[eq.loop("pin", "bar", "1 0 0", to_at="0 1 0", joint="spherical")]
    )
    state = eq.assemble(robot)
    assert np.linalg.norm(state.q) == pytest.approx(1, abs=1e-15)
    assert off(robot, state) < 1e-14
    with pytest.raises(eq.AssemblyError, match=r"a gap of 1 remains in 'pin [xy]' with s_qw kept"):
        eq.assemble(robot, keep=["s_qw"])


@pytest.mark.ci
def test_a_loop_that_cannot_be_assembled_is_named_with_its_gap() -> None:
    with pytest.raises(eq.AssemblyError) as failure:
        eq.assemble(four_bar(values={"L3": 3}))
    assert "loop 'closure' of robot 'four_bar_revolute' cannot be assembled: a gap of" in str(
        failure.value
    )
    assert failure.value.loop == "closure"
    assert failure.value.gap > 0.5
    with pytest.raises(eq.AssemblyError, match="with q3 kept"):
        eq.assemble(four_bar(), q={"q3": 0})


def test_contradictory_loops_cannot_be_assembled() -> None:
    bar = eq.Body("bar", eq.revolute("q"), mass=1, com="1 0 0")
    above = eq.loop("above", "bar", "1 0 0", to_at="0 1 0", joint="spherical")
    below = eq.loop("below", "bar", "1 0 0", to_at="0 -1 0", joint="spherical")
    with pytest.raises(eq.AssemblyError, match=r"loop '(above|below)' of robot 'pins' cannot"):
        eq.assemble(eq.Robot("pins", [bar], loops=[above, below]))
    high = eq.loop("high", "bar", "1 0 0", to_at="0 1 1/2", joint="spherical")
    with pytest.raises(
        eq.AssemblyError, match=r"a gap of 0\.5 remains in 'high z', which no joint moves"
    ):
        eq.assemble(eq.Robot("pins", [bar], loops=[high]))


def test_antiparallel_axes_are_not_assembled() -> None:
    arm = [
        eq.Body("a", eq.revolute("q1", axis="x"), mass=1),
        eq.Body("b", eq.prismatic("s", axis="x"), mass=1),
    ]
    flipped = eq.loop("hinge", "a", axis="z", to="b", to_axis="z")
    assert eq.assemble(eq.Robot("flip", arm, loops=[flipped]), q=[2.0, 0.3]).q == pytest.approx(
        [0, 0]
    )
    stuck = eq.Robot("stuck", [eq.Body("a", eq.fixed(rotation="pi 0 0")), arm[1]], loops=[flipped])
    with pytest.raises(eq.AssemblyError, match="must close with hinge: z₁·z₂ > 0"):
        eq.assemble(stuck)


def test_a_start_must_be_as_close_as_asked() -> None:
    robot = four_bar()
    assert eq.assemble(robot, start_gap="1e-6").gap < 1e-14
    with pytest.raises(
        eq.AssemblyError,
        match=r"may exceed 0.001, got .* in loop 'closure'.* larger start_gap",
    ):
        eq.assemble(robot, q={"q1": 1.3}, start_gap=1e-3)
    with pytest.raises(eq.EvaluationError, match="start_gap must be a number ≥ 0, got -1"):
        eq.assemble(robot, start_gap=-1)
    with pytest.raises(eq.EvaluationError, match="start_gap must be a number ≥ 0, got 'a'"):
        eq.assemble(robot, start_gap="a")


def test_wrong_names_and_missing_values_are_errors() -> None:
    with pytest.raises(eq.UnknownNameError, match="Unknown coordinate or speed 'q9'"):
        eq.assemble(four_bar(), keep=["q9"])
    with pytest.raises(
        eq.EvaluationError, match="no value for 1 parameter of robot 'four_bar_revolute': 'L1'"
    ):
        eq.assemble(four_bar(values={"L1": None}))


def test_an_expression_without_a_value_is_not_assembled() -> None:
    bar = eq.Body("bar", eq.revolute("q"), mass=1, com="1 0 0")
    robot = eq.Robot(
        "reach",
        [bar],
        loops=[eq.loop("rod", "bar", "sqrt(a) 0 0", joint="spherical")],
        parameters={"a": -1},
    )
    with pytest.raises(eq.AssemblyError, match="'rod x' has no value at the given coordinates"):
        eq.assemble(robot, q=[pi])


@pytest.mark.parametrize("number", [0, -0.5])
def test_a_distance_must_be_greater_than_0(number: float) -> None:
    """Its row is 0 where it is closed, so that every configuration is singular."""
    robot = four_bar("distance")
    match = (
        r"loop 'closure': the length of a distance must be greater than 0, got (0|-0\.5) for L2;"
    )
    with pytest.raises(eq.AssemblyError, match=f"assemble: {match}"):
        eq.assemble(robot, values={"L2": number})
    eom = eq.derive(robot)
    with pytest.raises(eq.AssemblyError, match=match):
        eq.simulate(eom, duration=0.1, values={"L2": number})
    # The ends of crank and rocker meet here, so that d·d = 0.
    x = (0.2**2 + 0.45**2 - 0.4**2) / (2 * 0.45)
    y = np.sqrt(0.2**2 - x**2)
    closed = {"q1": np.arctan2(y, x), "q3": np.arctan2(y, x - 0.45)}
    for q in ({}, closed):
        with pytest.raises(eq.AssemblyError, match=match):
            eq.rollout(eom, q, step=1e-3, steps=2, values={"L2": [0.5, number]})
    zero = eq.derive(robot.with_values(L2=number))
    with pytest.raises(eq.AssemblyError, match=match):
        eq.simulate(zero, duration=0.1)
