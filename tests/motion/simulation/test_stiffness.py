"""Runs that would take for ever stop after a number of steps, and say what to do."""

from __future__ import annotations

import numpy as np
import pytest

from equamo.errors import EvaluationError, SimulationError
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.motion.simulation.simulate import simulate
from equamo.motion.simulation.stiffness import EXPLICIT, advice
from equamo.robot.model import Body, Robot, joint_actuator, joint_damper, joint_spring, prismatic


def slider(spring: float, damper: float) -> EquationsOfMotion:
    forces = [joint_actuator("x"), joint_spring("x", spring), joint_damper("x", damper)]
    body = Body("b", prismatic("x", axis="x"), mass=1)
    return derive(Robot("slider", [body], gravity="0 0 0", forces=forces))


@pytest.mark.needs("scipy")
@pytest.mark.parametrize("method", EXPLICIT)
def test_a_stiff_run_says_so(method: str) -> None:
    stiff = slider(1, 1e5)
    with pytest.raises(SimulationError) as caught:
        simulate(stiff, [1], duration=2, method=method, rtol=1e-4, atol=1e-6, max_steps=3000)
    text = str(caught.value)
    assert "max_steps=3000 steps do not reach the end at 2 s" in text
    assert "The problem looks stiff; try method='Radau'" in text
    motion = caught.value.trajectory
    assert len(motion) == 3001
    assert motion.t[-1] == caught.value.t < 2
    # as it says
    implicit = simulate(stiff, [1], duration=2, method="Radau", rtol=1e-4, max_steps=3000)
    assert implicit.q[-1, 0] == pytest.approx(np.exp(-2e-5), rel=1e-6)


@pytest.mark.needs("scipy")
def test_a_fast_run_is_not_called_stiff() -> None:
    """It oscillates, and the steps are what that needs."""
    with pytest.raises(SimulationError, match=r"max_steps=500 steps .* fast and long") as caught:
        simulate(slider(1e6, 0), [1], duration=10, max_steps=500)
    assert "stiff" not in str(caught.value)
    with pytest.raises(SimulationError, match="larger max_steps= or a larger rtol="):
        simulate(slider(1e6, 0), [1], duration=10, method="Radau", max_steps=200)


@pytest.mark.needs("scipy")
def test_a_run_without_hope_stops_long_before() -> None:
    with pytest.raises(SimulationError, match=r"2000 steps cover only .* looks stiff"):
        simulate(slider(1, 1e9), [1], duration=100, method="RK45", rtol=1e-4)


def test_enough_steps_change_nothing() -> None:
    eom = slider(100, 0)
    short, long = (simulate(eom, [1], duration=1, max_steps=n) for n in (60, 10_000))
    assert short.q[-1, 0] == long.q[-1, 0] == pytest.approx(np.cos(10), abs=1e-8)
    with pytest.raises(EvaluationError, match="simulate: max_steps must be an integer ≥ 1"):
        simulate(eom, [1], max_steps=0)


def test_advice_of_a_derivative_that_is_not_finite() -> None:
    text = advice("RK45", lambda t, y: np.full(2, np.nan), 0.0, np.zeros(2), 1.0, np.ones(2))
    assert "stiff" not in text
