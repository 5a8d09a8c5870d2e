"""Motions that should keep their energy: silence if they do, a warning that names the drift if not."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

from equamo.code.steps import METHODS
from equamo.errors import EnergyDriftWarning
from equamo.mechanics.equations import EquationsOfMotion, derive
from equamo.motion.simulation import stepping
from equamo.motion.simulation.energy_drift import GROSS
from equamo.motion.simulation.rollout import rollout
from equamo.motion.simulation.simulate import simulate
from equamo.robot.library import load
from equamo.robot.model import Body, Robot, free, joint_damper, joint_spring, prismatic, revolute

DRIFTED = r"the total energy drifted by .* J, \d+ % of the .* J exchanged"


@pytest.fixture(scope="module")
def arm() -> EquationsOfMotion:
    return derive(load("rr_arm"))


# -- it warns ------------------------------------------------------------------------------------------
def test_a_step_that_is_too_large(arm: EquationsOfMotion) -> None:
    with pytest.warns(EnergyDriftWarning, match="^simulate by rk4: " + DRIFTED) as caught:
        motion = simulate(arm, [0.7, 0.7], duration=5, method="rk4", step=0.1)
    energy = motion.energy
    worst = np.abs(energy.drift).max()
    assert worst > GROSS * max(energy.kinetic.max(), np.ptp(energy.potential))
    assert caught[0].filename == __file__
    assert len(caught) == 1


@pytest.mark.needs("scipy")
@pytest.mark.ci
def test_a_tolerance_that_is_too_loose(arm: EquationsOfMotion) -> None:
    with pytest.warns(EnergyDriftWarning, match="^simulate by RK23: " + DRIFTED):
        simulate(arm, [0.7, 0.7], duration=20, method="RK23", rtol=0.03, atol=0.03)


@pytest.mark.parametrize("method", METHODS)
def test_equations_that_are_wrong(
    arm: EquationsOfMotion, method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A fault of ours in the integrated equations, with any method: the wrong mass here."""
    true = stepping._compiled

    def wrong(flow: Any, *rest: Any) -> Any:
        flow.parameters[[s.name for s in flow.eom.parameters].index("m2")] *= 5
        return true(flow, *rest)

    def another(flow: Any, *rest: Any) -> Any:
        right = flow.parameters.copy()
        states = wrong(flow, *rest)
        flow.parameters[:] = right
        return states

    monkeypatch.setattr(stepping, "_compiled", another)
    with pytest.warns(EnergyDriftWarning, match=f"^simulate by {method}: " + DRIFTED):
        simulate(arm, [0.7, 0.7], duration=1, method=method, step=0.001)


def test_a_rollout(arm: EquationsOfMotion) -> None:
    with pytest.warns(EnergyDriftWarning, match="^rollout by rk4: " + DRIFTED) as caught:
        rollout(arm, [0.7, 0.7], step=0.1, duration=10)
    assert caught[0].filename == __file__


def test_one_run_of_a_batch(arm: EquationsOfMotion) -> None:
    """Two of three hang at rest; the masses of each run are its own."""
    q = [[-np.pi / 2, 0], [0.7, 0.7], [-np.pi / 2, 0]]
    with pytest.warns(EnergyDriftWarning, match="^rollout by rk4: run 1: " + DRIFTED):
        rollout(arm, q, step=0.1, duration=10, values={"m2": [1, 2, 3]})


# -- it does not ---------------------------------------------------------------------------------------
@pytest.fixture
def no_warning() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error", EnergyDriftWarning)
        yield


@pytest.mark.needs("scipy")
@pytest.mark.sweep(3)
@pytest.mark.usefixtures("no_warning")
@pytest.mark.parametrize(
    "name", ["rr_arm", "rp_arm", "three_link_arm", "wheeled_inverted_pendulum"]
)
def test_sensible_runs_are_silent(name: str) -> None:
    eom = derive(load(name))
    q, v = np.full(len(eom.q), 0.7), np.full(len(eom.v), 0.5)
    simulate(eom, q, v, duration=2)
    simulate(eom, q, v, duration=2, method="RK23", rtol=1e-3, atol=1e-6)
    simulate(eom, q, v, duration=2, method="rk4", step=0.002)
    rollout(eom, q, v, step=0.002, duration=2)


@pytest.mark.needs("scipy")
@pytest.mark.usefixtures("no_warning")
def test_rest_and_even_motion_are_silent() -> None:
    """Nothing moves, or the kinetic energy stays: the drift of rounding is compared with neither."""
    hangs = Robot("h", [Body("b", revolute("q", axis="y"), mass=1000, com="0 0 -1")])
    simulate(derive(hangs), duration=5, method="RK45", rtol=1e-3)
    simulate(derive(hangs), [1e-9], duration=5, method="rk4", step=0.01)
    flies = Robot("f", [Body("b", free("b"), mass=1, inertia="1 2 3")], gravity="0 0 0")
    simulate(derive(flies), v=[1, 2, 3, 4, 5, 6], duration=1, method="rk4", step=0.01)


@pytest.mark.usefixtures("no_warning")
def test_work_explains_a_change_of_energy(arm: EquationsOfMotion) -> None:
    body = Body("b", prismatic("x", axis="x"), mass=1)
    forces = [joint_spring("x", 10), joint_damper("x", 5)]
    damped = derive(Robot("d", [body], gravity="0 0 0", forces=forces))
    simulate(damped, [1], duration=5, method="rk4", step=0.01)
    rollout(damped, [1], step=0.01, duration=5)
    push = {"tau1": "-20*dq1"}
    simulate(arm, [0.7, 0.7], duration=1, control=push, method="rk4", step=0.001)
    rollout(arm, [0.7, 0.7], step=0.001, duration=1, control=push)
    rollout(arm, [0.7, 0.7], step=0.001, duration=1, control=[30, 0])
