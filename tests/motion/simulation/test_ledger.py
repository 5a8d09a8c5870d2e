"""The energy ledger: the work of every force element is the change of energy."""

from __future__ import annotations

import numpy as np
import pytest

import equamo as eq
from equamo.motion.simulation.simulate import simulate
from equamo.motion.simulation.trajectory import Trajectory
from force_robots import arm, one_of_each

CONTROL = {"tau1": "3*sin(2*t)", "T2": "-q2", "F3": "cos(t)", "F": "5*sin(t)"}
LOADS = {"Fx": "sin(t)", "Fy": 1, "Tz": "0.2*cos(3*t)"}


@pytest.fixture(scope="module")
def motion() -> Trajectory:
    eom = eq.derive(arm(*one_of_each()))
    q, v = {"q1": 1, "s": 0.1}, [0.5, -1, 0.2]
    return simulate(eom, q, v, duration=5, control=CONTROL, external=LOADS)


def test_it_closes_with_every_force_element(motion: Trajectory) -> None:
    energy = motion.energy
    assert set(energy.work) == {f.name for f in motion.eom.robot.forces}
    assert np.abs(energy.drift).max() < 1e-9 * energy.range
    change = energy.kinetic + energy.gravity - energy.kinetic[0] - energy.gravity[0]
    np.testing.assert_allclose(sum(energy.work.values()), change, atol=1e-9 * energy.range)


def test_work_is_the_integral_of_power(motion: Trajectory) -> None:
    """∫ v·f dt by Simpson's rule on many samples."""
    t = np.linspace(0, 5, 4001)
    eom = motion.eom
    fine = simulate(
        eom, motion.q[0], motion.v[0], duration=5, control=CONTROL, external=LOADS, t_eval=t
    )
    h = t[1] - t[0]
    for name, f in fine.torques.elements.items():
        power = np.einsum("ti,ti->t", f, fine.v)
        simpson = h / 3 * (power[:-1:2] + 4 * power[1::2] + power[2::2]).sum()
        np.testing.assert_allclose(fine.energy.work[name][-1], simpson, atol=2e-4, err_msg=name)


def test_dissipation_only_takes(motion: Trajectory) -> None:
    work = motion.energy.work
    for name in ("friction_q1", "friction_s", "damper_q2", "dashpot"):
        assert (np.diff(work[name]) < 1e-12).all()
        assert work[name][-1] < -0.1


def test_rotor_inertia_is_kinetic(motion: Trajectory) -> None:
    """A rotor does no work of its own: its energy ½ N² J q̇² is in the kinetic energy."""
    rotor = 0.5 * 0.0003 * 50**2 * motion["dq2"] ** 2
    without = motion.eom.evaluate("kinetic_energy", q=motion.q, v=motion.v, values={"Jm": 0})
    np.testing.assert_allclose(motion.energy.kinetic - without, rotor, atol=1e-12)
    assert not motion.energy.work["rotor_q2"].any()


def test_torques_balance(motion: Trajectory) -> None:
    """M v̇ + C v + g = passive + inputs + external; each part as evaluated alone."""
    T, state = motion.torques, {"q": motion.q, "v": motion.v}
    assert np.abs(T.residual).max() < 1e-10 * np.abs(T.inertia).max()
    np.testing.assert_allclose(T.gravity, motion.eom.evaluate("gravity", **state), rtol=1e-12)
    B = motion.eom.evaluate("input_matrix", **state)
    np.testing.assert_allclose(T.inputs, np.einsum("tij,tj->ti", B, motion.inputs), atol=1e-11)
    np.testing.assert_allclose(T.inputs + T.passive + T.external, sum(T.elements.values()))


@pytest.mark.parametrize("method", ["rk4", "semi_implicit_euler"])
def test_fixed_steps_close_it_at_their_order(method: str) -> None:
    eom = eq.derive(eq.load("rr_arm"))
    drifts = []
    for h in (1 / 128, 1 / 256):
        made = simulate(
            eom, [1, 0.5], duration=1, control={"tau2": "-3*dq2"}, method=method, step=h
        )
        drifts.append(np.abs(made.energy.drift).max())
    assert drifts[0] / drifts[1] > (12 if method == "rk4" else 1.7)


def test_a_moving_base_does_work() -> None:
    """A pendulum in a lift that goes up ever faster swings as if g were larger."""
    body = eq.Body("rod", eq.revolute("q", axis="y"), mass=1, com="0 0 -1", inertia="0 0 0")
    base = eq.BaseMotion(a="0 0 2")
    eom = eq.derive(eq.Robot("lift", [body], gravity="0 0 -8", base=base))
    motion = simulate(eom, [1.0], duration=3)
    plain = simulate(eq.derive(eq.Robot("still", [body], gravity="0 0 -10")), [1.0], duration=3)
    np.testing.assert_allclose(motion.q[-1], plain.q[-1], atol=1e-7)
    assert np.abs(motion.energy.drift).max() < 1e-7
    lift = 2 * (np.cos(motion.q[:, 0]) - np.cos(1.0))
    np.testing.assert_allclose(motion.energy.work["moving base"], lift, atol=1e-7)


def test_it_prints(motion: Trajectory) -> None:
    text = str(motion.energy)
    for name in ("kinetic", "gravity", "spring coil", "work of dashpot", "drift"):
        assert name in text
