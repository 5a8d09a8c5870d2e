"""Dry friction that differs in the two directions: at rest any force between the two is possible."""

from __future__ import annotations

import numpy as np
import pytest

import equamo as eq

# 3 N against motion along +x, 1 N along −x: what a pair of numbers in a DH table becomes.
COULOMB = "3*(sign(dx) + 1)**2/4 + (sign(dx) - 1)**2/4"


def block(coulomb: str = COULOMB) -> eq.EquationsOfMotion:
    body = eq.Body("block", eq.prismatic("x", axis="x"), mass=2)
    forces = [eq.joint_actuator("x", "F"), eq.joint_friction("x", coulomb)]
    return eq.derive(eq.Robot("block", [body], gravity="0 0 0", forces=forces))


@pytest.mark.parametrize(("sign", "limit"), [(1, 3), (-1, 1)])
def test_a_block_rests_until_the_friction_of_its_direction(sign: int, limit: int) -> None:
    """m ẍ = ±(t − limit) from t = limit on, so x = ±(t − limit)³/(6 m)."""
    motion = eq.simulate(block(), duration=4, control={"F": f"{sign}*t"})
    assert motion.q[-1, 0] == pytest.approx(sign * (4 - limit) ** 3 / 12, rel=1e-9)
    at_rest = motion.t < limit
    assert at_rest.sum() > 1
    assert np.abs(motion.q[at_rest]).max() < 1e-13


def test_a_block_that_comes_to_rest_stays() -> None:
    motion = eq.simulate(block(), v=[1.5], duration=3, control={"F": "-0.9"})
    # ẍ = −(3 + 0.9)/2 until rest; 0.9 N is less than the 1 N of the other direction.
    assert motion.q[-1, 0] == pytest.approx(1.5**2 / 2 / 1.95, rel=1e-9)
    assert abs(motion.v[-1, 0]) < 1e-12


def test_equal_numbers_for_both_directions_are_one_number() -> None:
    pair = COULOMB.replace("3*", "2*").replace(" + (sign(dx) - 1)", " + 2*(sign(dx) - 1)")
    one, two = (
        eq.simulate(block(c), v=[1], duration=3, control={"F": "3*sin(2*t)"}).q[-1]
        for c in ("2", pair)
    )
    assert np.allclose(one, two, rtol=1e-9)


def test_a_robot_with_such_friction_comes_to_rest_in_few_steps() -> None:
    """It once chattered about rest with steps of 10⁻⁷ s."""
    motion = eq.simulate(
        eq.derive(eq.load("puma560")), q=[0.7] * 6, v=[0.5] * 6, duration=0.1, max_steps=200
    )
    assert motion.t[-1] == pytest.approx(0.1)
