"""`traj.plot(names)`: one panel per unit, with the values of the trajectory."""

from functools import cache

import numpy as np
import pytest

import equamo as eq
from equamo.motion.simulation.input_units import input_units


@cache
def swing() -> eq.Trajectory:
    eom = eq.derive(eq.load("rp_arm"))
    return eq.simulate(eom, q={"q1": 1}, v={"dq2": 0.3}, control={"tau1": "2*t"}, duration=0.4)


@pytest.mark.needs("matplotlib")
def test_names_with_the_same_unit_share_a_panel() -> None:
    figure = swing().plot("q1", "tau1", "q2", "dq1", "q1", "ddq2")
    assert [ax.get_ylabel() for ax in figure.axes] == [
        "q1 [rad]", "tau1 [N m]", "q2 [m]", "dq1 [rad/s]", "ddq2 [m/s²]",
    ]  # fmt: skip
    assert figure.axes[-1].get_xlabel() == "t [s]"
    assert figure.axes[0].get_title() == "rp_arm"
    for ax, name in zip(figure.axes, ("q1", "tau1", "q2", "dq1", "ddq2"), strict=True):
        (line,) = ax.lines
        t, y = line.get_data()
        assert np.interp(swing().t, t, y) == pytest.approx(swing()[name], abs=1e-9), name


@pytest.mark.needs("matplotlib")
def test_legends_and_long_lists() -> None:
    both = swing().plot("dq1", "dq1")
    assert both.axes[0].get_legend() is None
    robot = eq.load("iiwa")
    still = eq.simulate(eq.derive(robot), duration=0.01)
    figure = still.plot(*(s.name for s in robot.q))
    (ax,) = figure.axes
    assert ax.get_ylabel() == "[rad]"
    assert len(ax.get_legend().get_texts()) == len(robot.q)


def test_unknown_names() -> None:
    with pytest.raises(eq.UnknownNameError, match="q9"):
        swing().plot("q1", "q9")
    with pytest.raises(eq.UnknownNameError, match=r"must be given by name, got \['q1', 'tau1'\]"):
        swing().plot(["q1", "tau1"])


def test_units_of_inputs() -> None:
    """A factor of unknown unit, or two meanings, leave an input without a unit."""
    body = eq.Body("a", eq.free("b"), mass=1, inertia="1 1 1")
    arm = eq.Body("c", eq.revolute("q"), mass=1, inertia="1 1 1", parent="a")
    robot = eq.Robot("r", [body, arm], parameters={"K": 1}, forces=[
        eq.force_actuator("a", force="F 0 0"), eq.torque_actuator("a", "world", "T 0 0"),
        eq.force_actuator("a", force="0 2*G-F X"), eq.torque_actuator("a", "world", "0 0 X"),
        eq.joint_actuator("q", "i", gear="K"), eq.joint_actuator("q", "u", gear=2),
        eq.cylinder("a", "c", "P", to_at="1 0 0"), eq.wrench("a", "W 0 0", "0 N 0"),
    ])  # fmt: skip
    assert input_units(robot) == {
        "F": "N",
        "G": "N",
        "T": "N m",
        "u": "N m",
        "P": "N",
        "W": "N",
        "N": "N m",
    }
