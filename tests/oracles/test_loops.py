"""Mechanisms with closed loops against Pinocchio: constraintDynamics, lcaba, and the rank of their rows.

All states satisfy φ(q) = 0 and A(q) v = 0. StarlETH on four feet is in `test_pinocchio_stance`.
"""

import numpy as np
import pytest

import equamo as eq
from conftest import WHOLE_SWEEPS
from equamo.robot.model.forces import RotorInertia
from loops_examples import NAMES, RANKS, closed_states, mechanism
from peer_loops import PinocchioLoops

pytestmark = pytest.mark.needs("pinocchio")

COUNT = 100 if WHOLE_SWEEPS else 3
EVERY = pytest.mark.parametrize("name", NAMES)
EXACT, PROXIMAL = 1e-8, 1e-6
MU = 1e-4  # of lcaba, which loses accuracy on redundant loops as mu shrinks


@EVERY
def test_accelerations(name: str) -> None:
    """Ours in machine code; theirs with our springs, dampers and inputs as generalized forces."""
    robot = mechanism(name)
    eom, peer = eq.derive(robot), PinocchioLoops(robot)
    fast = eq.compile(eom)
    random = np.random.default_rng(2)
    acting = [f.name for f in robot.forces if not isinstance(f, RotorInertia)]
    for k, (q, v) in enumerate(closed_states(robot, COUNT, seed=1)):
        inputs = random.uniform(-1, 1, len(robot.inputs))
        ours = fast.forward_dynamics_inputs(q, v, inputs)
        force = sum(
            (np.array(eom.evaluate(eom.forces[n], q=q, v=v, inputs=inputs)) for n in acting),
            np.zeros(len(v)),
        )
        theirs, rest = peer.accelerations(q, v, force)
        assert rest < 1e-12  # their model is closed at our state
        size = max(1.0, abs(theirs).max())
        assert abs(ours - theirs).max() / size < EXACT, k
        if k % 10 == 0:
            theirs, _ = peer.accelerations(q, v, force, MU)
            assert abs(ours - theirs).max() / size < PROXIMAL, k


@EVERY
def test_redundancy_is_the_numerical_rank(name: str) -> None:
    robot = mechanism(name)
    report = eq.mobility(robot)
    rows, rank = RANKS[name]
    assert (len(robot.rows), report.rank) == (rows, rank)
    assert len(report.redundant) == rows - rank
    eom = eq.derive(robot)
    for q, _ in closed_states(robot, COUNT, seed=4):
        sizes = np.linalg.svd(eom.evaluate(eom.constraint_matrix, q=q), compute_uv=False)
        assert np.sum(sizes > 1e-9 * sizes[0]) == rank
