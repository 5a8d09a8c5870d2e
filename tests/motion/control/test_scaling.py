"""Equilibria, linear systems, feedback and assembly scale with mass, length and time by 10^±6."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import equamo as eq
import loops_examples
from equamo.mechanics.equations.characteristic_sizes import CharacteristicSizes
from force_robots import arm
from scaled_robots import Scaling, scaled, scaled_values

SCALINGS = [
    Scaling.of(*(10.0 ** (6 * sign) if k == axis else 1 for k in range(3)))
    for axis in range(3)
    for sign in (1, -1)
]
BOTH = [Scaling.of(1e6, 1e-6, 1e6), Scaling.of(1e-6, 1e6, 1e-6)]


def passive_arm() -> eq.Robot:
    """Two angles and a length, with springs and a damper; one actuator."""
    return arm(
        eq.joint_spring("q1", 5, rest="0.3"), eq.joint_spring("s", 40),
        eq.spring("rod", "world", 30, rest="0.6", at="0.1 0 0", to_at="0 0.8 0"),
        eq.joint_damper("q1", "0.1"), eq.joint_damper("q2", "0.7"), eq.joint_damper("s", 2),
        eq.joint_actuator("q2"),
    )  # fmt: skip


def mass_on_spring() -> eq.Robot:
    """No length is given: how far the spring gives defines it."""
    return eq.Robot(
        "mass", [eq.Body("b", eq.prismatic("x", axis="z"), mass=2)], gravity="0 0 -9.81",
        forces=[eq.joint_spring("x", 1e4)],
    )  # fmt: skip


def pendulum(mass: Any = 1) -> eq.Robot:
    return eq.Robot("pendulum", [eq.Body("b", eq.revolute("q", axis="y"), mass=mass, com="0 0 -1")],
                    forces=[])  # fmt: skip


ROBOTS = {
    "pendulum": pendulum, "arm": passive_arm, "mass": mass_on_spring,
    "four bar": lambda: loops_examples.four_bar(),
    "rod": lambda: loops_examples.four_bar("distance"),
}  # fmt: skip


def rests(robot: eq.Robot) -> list[eq.Equilibrium]:
    return eq.equilibria(eq.derive(robot))


def sorted_q(found: list[eq.Equilibrium], sizes: np.ndarray) -> np.ndarray:
    return np.array(sorted((x.q / sizes).round(6).tolist() for x in found))


@pytest.mark.sweep(1)
@pytest.mark.parametrize("name", ["pendulum", "mass", "rod"])
@pytest.mark.parametrize("by", [BOTH[0], *SCALINGS[:2]])
def test_small_robots_have_the_same_equilibria(name: str, by: Scaling) -> None:
    check_equilibria(ROBOTS[name](), by)


@pytest.mark.ci
@pytest.mark.parametrize("name", ["arm", "four bar"])
def test_equilibria_scale(name: str, whole_sweeps: bool) -> None:
    robot = ROBOTS[name]()
    for by in [*SCALINGS, *BOTH] if whole_sweeps else BOTH:
        check_equilibria(robot, by)


def check_equilibria(robot: eq.Robot, by: Scaling) -> None:
    n, sizes = len(robot.q), CharacteristicSizes(robot).q
    plain, other = rests(robot), rests(scaled(robot, by))
    assert len(plain) == len(other) > 0
    factors = by.states(robot)[:n]
    here, there = sorted_q(plain, sizes), sorted_q(other, sizes * factors)
    np.testing.assert_allclose(there, here, atol=2e-6)
    count = [sorted(str(x.stable) for x in found) for found in (plain, other)]
    assert count[0] == count[1]


def test_a_light_pendulum_has_two_equilibria_and_no_inputs_hold_it_elsewhere() -> None:
    for mass in (1e-9, 1e-15):
        eom = eq.derive(pendulum(mass))
        np.testing.assert_allclose([x.q[0] for x in eq.equilibria(eom)], [0, np.pi], atol=1e-9)
        with pytest.raises(eq.EquilibriumError, match="no inputs can hold"):
            eq.linearize(eom, [0.5])
        eq.linearize(eom, [np.pi])


@pytest.mark.ci
def test_a_light_body_on_a_heavy_one_must_be_at_rest_too() -> None:
    """Its forces are below the rounding of nothing: each equation is judged by its own terms."""
    heavy = eq.Body("heavy", eq.revolute("q1", axis="y"), mass=1, com="0 0 -1")
    light = eq.Body("light", eq.revolute("q2", axis="y", at="0 0 -1"), mass=1e-10, com="0 0 -1",
                    parent="heavy")  # fmt: skip
    found = eq.equilibria(eq.derive(eq.Robot("two", [heavy, light], forces=[])))
    expected = [[0, 0], [0, np.pi], [np.pi, 0], [np.pi, np.pi]]
    np.testing.assert_allclose(sorted(x.q.round(5).tolist() for x in found), expected, atol=1e-4)


@pytest.mark.ci
@pytest.mark.parametrize("name", ["arm", "four bar"])
def test_linear_systems_and_feedback_scale(name: str) -> None:
    robot = ROBOTS[name]() if name == "arm" else actuated_four_bar()
    eom, n = eq.derive(robot), len(robot.q)
    rest = eq.assemble(robot).q
    lin = eq.linearize(eom, rest, inputs=np.zeros(len(eom.inputs)))
    names = [*(x.name for x in robot.q), *(x.name for x in robot.v)]
    keep = [names.index(x) for x in lin.states]
    R = {x: 1.0 for x in lin.inputs}
    gain = eq.lqr(lin, np.eye(len(lin.states)), R).K
    for by in [*SCALINGS, *BOTH]:
        factors, T = by.states(robot), float(by.time)
        torque, other = float(by.factor((1, 2, -2))), eq.derive(scaled(robot, by))
        found = eq.linearize(other, rest * factors[:n], inputs=np.zeros(len(eom.inputs)))
        assert found.states == lin.states
        x = factors[keep]
        A, B = found.A * x[None] / x[:, None] * T, found.B * torque / x[:, None] * T
        np.testing.assert_allclose(A, lin.A, rtol=1e-9, atol=1e-9 * np.abs(lin.A).max())
        np.testing.assert_allclose(B, lin.B, rtol=1e-9, atol=1e-9 * np.abs(lin.B).max())
        assert ("drift" in str(found)) is ("drift" in str(lin))
        assert bool(found.controllability()) is bool(lin.controllability())
        K = eq.lqr(found, np.diag(1 / x**2), {n: 1 / torque**2 for n in R}).K
        np.testing.assert_allclose(
            K * x[None] / torque, gain, rtol=1e-6, atol=1e-6 * np.abs(gain).max()
        )


def actuated_four_bar() -> eq.Robot:
    return loops_examples.four_bar(forces=[eq.joint_actuator("q1"), eq.joint_damper("q3", "0.05")])


@pytest.mark.sweep(1)
@pytest.mark.parametrize("cut", ["revolute", "distance", "fixed", "prismatic", "planar"])
def test_loops_are_assembled_in_any_size(cut: str) -> None:
    robot = loops_examples.four_bar(cut)
    expected = eq.assemble(robot, {"q1": 0.9}, {"dq1": 1.0})
    for by in (Scaling.of(1, 1e5, 1), Scaling.of(1, 1e6, 1), Scaling.of(1, 1e-6, 1)):
        found = eq.assemble(scaled(robot, by), {"q1": 0.9}, {"dq1": 1.0})
        np.testing.assert_allclose(found.q, expected.q, atol=1e-9)
        np.testing.assert_allclose(found.v, expected.v, atol=1e-9)
        assert eq.mobility(scaled(robot, by)).rank == eq.mobility(robot).rank


@pytest.mark.ci
def test_loops_with_lengths_as_coordinates_are_assembled_in_any_size() -> None:
    robot = eq.load("stewart")
    rng = np.random.default_rng(4)
    start = np.array([float(x or 0) for x in robot.state_space.q.numbers])
    start = start + 0.05 * rng.uniform(-1, 1, len(start))
    for group in robot.state_space.quaternions:
        start[group] /= np.linalg.norm(start[group])
    expected = eq.assemble(robot, start).q
    for by in (Scaling.of(1, 1e6, 1), Scaling.of(1, 1e-6, 1)):
        factors = by.states(robot)[: len(start)]
        found = eq.assemble(scaled(robot, by), start * factors).q / factors
        np.testing.assert_allclose(found, expected, atol=1e-9)


@pytest.mark.ci
def test_a_rolling_robot_scales_by_its_parameters() -> None:
    robot = eq.load("wheeled_inverted_pendulum")
    lin = eq.linearize(eq.derive(robot), {"q_imu": -np.arctan(0.1)})
    rank = lin.controllability().rank
    for by in (*SCALINGS, *BOTH):
        found = eq.linearize(
            eq.derive(robot), {"q_imu": -np.arctan(0.1)}, values=scaled_values(robot, by)
        )
        assert found.controllability().rank == rank
        np.testing.assert_allclose(
            np.sort(found.poles.real) * float(by.time), np.sort(lin.poles.real), atol=1e-6
        )
