"""Equations of constraints along a motion: values at given rates, and 0 for rates that satisfy them."""

from __future__ import annotations

import numpy as np
import pytest

from equamo.mechanics.equations import derive
from equamo.motion.simulation.violation import constraint_rates
from equamo.robot.library import load


def test_values_of_the_constraints_of_a_rolling_disc() -> None:
    """ẋ cos ψ + ẏ sin ψ − r φ̇ and ẏ cos ψ − ẋ sin ψ."""
    eom = derive(load("rolling_disc"))
    random = np.random.default_rng(1)
    q, rates = random.uniform(-1, 1, (2, 3, 5))
    parameters = np.array([2.0, 0.5, 9.81])
    assert [x.name for x in (*eom.q, *eom.robot.parameters)] == [
        "x", "y", "yaw", "lean", "spin", "m", "r", "g",
    ]  # fmt: skip
    found = constraint_rates(eom, q, rates, parameters)
    (x, y, _, _, spin), yaw = rates.T, q[:, 2]
    assert found == {
        "disc rolls": pytest.approx(x * np.cos(yaw) + y * np.sin(yaw) - 0.5 * spin),
        "no skidding": pytest.approx(y * np.cos(yaw) - x * np.sin(yaw)),
    }


def test_no_constraints_have_no_values() -> None:
    eom, none = derive(load("rr_arm")), np.zeros((1, 2))
    assert constraint_rates(eom, none, none, np.ones(len(eom.robot.parameters))) == {}
