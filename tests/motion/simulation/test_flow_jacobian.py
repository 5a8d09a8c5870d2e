"""The Jacobian of implicit solvers: exact, for any control that is an expression."""

from __future__ import annotations

import numpy as np
import pytest

import equamo as eq
from equamo.motion.simulation.flow import Flow
from force_robots import arm, one_of_each
from generated_code import equations

CASES = {
    "rr_arm": {"tau1": "-2*q1*dq2 + sin(t)"},
    "four_bar": {"tau1": "-2*q1*dq2 + sin(t)"},
    "ball_arm": {},
    "rolling_disc": {},
    "wheeled_inverted_pendulum": {},
    "forces": {},
}


@pytest.mark.parametrize("name", CASES)
def test_it_is_the_slope_of_the_rates(name: str) -> None:
    """Central differences, also in the length of a quaternion and with smooth friction."""
    eom = eq.derive(arm(*one_of_each())) if name == "forces" else equations(name)
    values = [eom.robot.values[n] for n in (x.name for x in eom.parameters)]
    parameters = np.array([0.5 if x is None else float(x) for x in values])
    flow = Flow(eom, CASES[name], {}, parameters, smooth=0.1)
    kernel = flow.jacobian()
    assert kernel is not None
    n, none, h = flow.n_q + flow.n_v, np.empty(0), 1e-6
    y = np.random.default_rng(1).uniform(0.2, 0.9, flow.size)
    J = kernel(*flow.at(0.3, y), none).reshape(flow.size, n)
    for k in range(n):
        step = h * np.eye(flow.size)[k]
        up, down = (flow.rates(flow.at(0.3, y + s * step), none)[0].copy() for s in (1, -1))
        slope = (up - down) / (2 * h)
        assert np.abs(J[:, k] - slope).max() < 1e-7 * max(1.0, np.abs(slope).max())
