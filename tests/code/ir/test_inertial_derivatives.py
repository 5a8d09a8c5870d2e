"""d/dt of inverse dynamics and the derivative of M a: against Pinocchio, differences, and proved."""

from __future__ import annotations

import numpy as np
import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.code.ir.inertial_derivatives import inertial_derivatives
from equamo.code.ir.proof import prove_programs
from equamo.errors import UnknownNameError
from equamo.robot.model import BaseMotion, edits
from peer_pinocchio import Pinocchio
from random_trees import random_tree

pytestmark = pytest.mark.needs("pinocchio")


def test_the_rate_is_that_of_pinocchio_along_a_motion() -> None:
    tree = random_tree(3, kinds=["revolute", "prismatic"], bodies=5, forces=False, symbolic=False)
    robot = tree.robot()
    fast, peer = eq.compile(eq.derive(robot)), Pinocchio(tree, robot)
    q, v, a, j = np.random.default_rng(1).normal(size=(4, 5))

    def torque(t: float) -> np.ndarray:  # along q + v t + a t²/2 + j t³/6
        x = q + v * t + a * t**2 / 2 + j * t**3 / 6
        numbers = (*x, *(v + a * t + j * t**2 / 2), *(a + j * t))
        symbols = (*robot.q, *robot.v, *robot.vdot)
        return peer.dynamics(dict(zip(symbols, numbers, strict=True))).inverse_dynamics

    h = 1e-4  # five points, error of order h⁴
    slope = (8 * (torque(h) - torque(-h)) - (torque(2 * h) - torque(-2 * h))) / (12 * h)
    np.testing.assert_allclose(fast.inverse_dynamics_rate(q, v, a, j), slope, rtol=1e-9)


@pytest.mark.sweep(4)
@pytest.mark.parametrize("seed", range(1, 200, 4 if WHOLE_SWEEPS else 40))
def test_programs_are_proved_on_random_trees(seed: int) -> None:
    eom = eq.derive(random_tree(seed, most=4, speeds=9).robot())
    made = [(f, f.program()) for f in inertial_derivatives(eom).values()]
    assert all(prove_programs(eom, made, seed=1))


@pytest.mark.parametrize("name", ["rolling_disc", "wheeled_inverted_pendulum"])
def test_programs_are_proved_with_chosen_speeds(name: str) -> None:
    eom = eq.derive(eq.load(name))
    made = [(f, f.program()) for f in inertial_derivatives(eom).values()]
    assert all(prove_programs(eom, made, seed=1))


def test_a_moving_base_has_no_rate() -> None:
    robot = edits.copy_with(eq.load("rr_arm"), base=BaseMotion(w="0 0 w0", alpha="0 0 a0"))
    fast = eq.compile(eq.derive(robot))
    with pytest.raises(UnknownNameError, match="inverse_dynamics_rate"):
        fast.function("inverse_dynamics_rate")
