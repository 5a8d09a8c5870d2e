"""Articulated bodies: inverse dynamics at the acceleration they give needs the force they were given."""

import pytest

from conftest import WHOLE_SWEEPS
from equamo.algebra.expr import symbol
from equamo.algebra.identity.prove import prove_zero
from equamo.mechanics.equations import derive
from equamo.mechanics.recursions.articulated_bodies import forward_dynamics
from random_trees import random_tree


@pytest.mark.parametrize("seed", range(0, 200, 8 if WHOLE_SWEEPS else 50))
def test_force_of_the_acceleration_is_the_force(seed: int) -> None:
    robot = random_tree(seed, most=6).robot()
    tau = [symbol(f"tau_{x.name}") for x in robot.v]
    passive = [f for f in robot.forces if not f.inputs()]
    vdot = forward_dynamics(robot, robot.v, tau, robot.gravity, passive)
    needed = derive(robot, by="kane").inverse_dynamics.subs(
        dict(zip(robot.vdot, vdot, strict=True))
    )
    difference = [a - b for a, b in zip(needed, tau, strict=True)]
    assert prove_zero(difference, unit=robot.unit_groups, seed=1)
