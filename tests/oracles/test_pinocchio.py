"""Random trees: our numbers are Pinocchio's."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
from peer_pinocchio import Pinocchio, PinocchioKinematics
from peers import errors, relative_error
from random_trees import WHOLE_SWEEPS, Tree, numbers, random_state, random_tree

from equamo.expr import Expr, symbol
from equamo.formulations import FORMULATIONS, derive
from equamo.model import Robot

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
    eom, pin = derive(robot), PinocchioKinematics(tree, robot, state)

    def given(names: str) -> np.ndarray:
        return np.array([state[symbol(n)] for n in names.split()])

    nothing = np.zeros(3)
    torque, strut, push, own = tree.acts
    T, F = given("T1 T2 T3"), given("F1 F2 F3")
    (d3, d4), e = given("d3 d4"), given("e1 e2 e3 e4")
    Vy, Va, Vc = given("Vy Va Vc")
    expected = {
        "torque": pin.load(torque.body, nothing, nothing, T, torque.body)
        - pin.load(torque.other, nothing, nothing, T, torque.body),
        "strut": pin.load(strut.body, np.array([1 / 2, -1 / 3, d3]), F, nothing, strut.body)
        - pin.load(strut.other, np.array([d4, 2, 1 / 5]), F, nothing, strut.body),
        "push": pin.load(push.body, e[:3], given("Wx Wy Wz"), given("Wa Wb Wc"), push.other),
        "own": pin.load(own.body, np.array([1 / 7, e[3], -2]), np.array([1, Vy, 2]),
                        np.array([Va, -3, Vc]), own.body),
    }  # fmt: skip
    for name, theirs in expected.items():
        for by in ("recursive", "kane"):
            f = derive(robot, by=by).forces[name] if by == "kane" else eom.forces[name]
            assert relative_error(numbers(f, state), theirs, least=1e-6) < TOLERANCE, (name, by)
