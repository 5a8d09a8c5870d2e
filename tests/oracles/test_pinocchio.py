"""Random trees: our numbers are Pinocchio's."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from equamo.algebra.expr import Expr
from equamo.mechanics.equations import FORMULATIONS, derive
from equamo.robot.model import Robot
from peer_pinocchio import Pinocchio, PinocchioKinematics, force_errors
from peers import errors, relative_error
from random_trees import WHOLE_SWEEPS, Tree, numbers, random_state, random_tree

pytestmark = pytest.mark.needs("pinocchio")

TOLERANCE = 1e-10
SEEDS = range(0, 200, 4 if WHOLE_SWEEPS else 20)  # of the trees in test_agreement
FEW = range(0, 200, 20 if WHOLE_SWEEPS else 50)


@cache
def case(seed: int) -> tuple[Tree, Robot, dict[Expr, float]]:
    tree = random_tree(seed)
    robot = tree.robot()
    return tree, robot, random_state(robot, seed)


@pytest.mark.parametrize("seed", SEEDS)
def test_dynamics(seed: int) -> None:
    """M is crba's, bias + gravity nonLinearEffects', inverse dynamics rnea's."""
    tree, robot, state = case(seed)
    found = errors(tree, robot, Pinocchio, state)
    assert max(found.values()) < TOLERANCE, found


@pytest.mark.parametrize("by", FORMULATIONS)
def test_every_formulation(by: str) -> None:
    tree, robot, state = case(3)
    theirs, eom = Pinocchio(tree, robot).dynamics(state), derive(robot, by=by)
    for name in ("mass_matrix", "bias", "gravity"):
        assert relative_error(numbers(getattr(eom, name), state), getattr(theirs, name)) < TOLERANCE


@pytest.mark.parametrize("seed", FEW)
def test_frames(seed: int) -> None:
    tree, robot, state = case(seed)
    eom, pin = derive(robot), PinocchioKinematics(tree, robot, state)
    for link in tree.links:
        frame = eom.frame(link.name)
        A, p = pin.pose(link.name)
        J, velocity, acceleration = pin.motion(link.name)
        for mine, theirs in (
            (frame.rotation(), A), (frame.position(), p), (frame.jacobian(), J),
            (frame.velocity(), velocity), (frame.acceleration(), acceleration),
        ):  # fmt: skip
            assert relative_error(numbers(mine, state), theirs, least=1.0) < TOLERANCE


@pytest.mark.parametrize("seed", FEW)
def test_energy_and_momentum(seed: int) -> None:
    tree, robot, state = case(seed)
    eom, pin = derive(robot), PinocchioKinematics(tree, robot, state)
    assert numbers(eom.kinetic_energy, state) == pytest.approx(pin.kinetic, rel=TOLERANCE)
    momentum, jacobian = eom.momentum, eom.momentum_jacobian
    v = np.array([state[x] for x in robot.v])
    # What is fixed to the world counts in our centre of mass, and not in Pinocchio's.
    moving = {x.name for x in tree.links if any(b.joint.v for b in robot.path(x.name))}
    if len(moving) == len(tree.links):
        assert numbers(eom.potential_energy, state) == pytest.approx(pin.potential, rel=TOLERANCE)
        assert relative_error(numbers(eom.center_of_mass, state), pin.center) < TOLERANCE
        rate = numbers(eom.center_of_mass_jacobian, state) @ v
        assert relative_error(rate, pin.center_velocity) < TOLERANCE
        assert relative_error(numbers(momentum, state), pin.momentum) < TOLERANCE
        assert relative_error(numbers(jacobian, state) @ v, pin.momentum) < TOLERANCE
    linear = numbers(momentum, state)[3:]
    assert relative_error(linear, pin.momentum[3:]) < TOLERANCE


@pytest.mark.parametrize("seed", FEW)
def test_forces(seed: int) -> None:
    """Generalized forces are Jᵀ of Pinocchio's Jacobians times the loads."""
    tree, robot, state = case(seed)
    for by in ("recursive", "kane"):
        found = force_errors(tree, robot, state, by)
        assert max(found.values()) < TOLERANCE, found
