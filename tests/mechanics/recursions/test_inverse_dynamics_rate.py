"""The recursion that is differentiated once more: a pendulum by hand, and a rotor."""

from __future__ import annotations

import equamo as eq
from equamo.algebra.expr import symbol
from equamo.algebra.identity import prove_equal
from equamo.mechanics.recursions.inverse_dynamics_rate import inverse_dynamics_rate
from equamo.robot.model import Body, Robot, revolute, rotor_inertia

JERK = symbol("j")


def pendulum(*forces: eq.ForceElement) -> Robot:
    rod = Body("rod", revolute("q", axis="0 1 0"), mass="m", com="0 0 -l", inertia="0 J 0")
    return Robot("pendulum", [rod], forces=forces)


def test_a_pendulum_by_hand() -> None:
    # τ = (J + m l²) q̈ + m g l sin q
    robot = pendulum()
    (rate,) = inverse_dynamics_rate(robot, [JERK], robot.gravity)
    assert prove_equal(rate, "(J + m*l**2)*j + m*g*l*cos(q)*dq")


def test_a_rotor_takes_its_part() -> None:
    robot = pendulum(rotor_inertia("q", "J_r", 3))
    (rate,) = inverse_dynamics_rate(robot, [JERK], robot.gravity)
    assert prove_equal(rate, "(J + m*l**2 + 9*J_r)*j + m*g*l*cos(q)*dq")
