"""Random trees: our numbers are MuJoCo's."""

from __future__ import annotations

import pytest

from peer_mujoco import MuJoCo
from peers import errors
from random_trees import WHOLE_SWEEPS, random_state, random_tree

pytestmark = pytest.mark.needs("mujoco")

TOLERANCE = 1e-10


@pytest.mark.parametrize("seed", range(1, 200, 4 if WHOLE_SWEEPS else 20))
def test_dynamics(seed: int) -> None:
    """M is fullM's, bias + gravity is qfrc_bias, inverse dynamics mj_rne's.

    A free joint hangs on the world there; else the trees are those of test_agreement.
    """
    tree = random_tree(seed, free_at_root=True)
    robot = tree.robot()
    found = errors(tree, robot, MuJoCo, random_state(robot, seed))
    assert max(found.values()) < TOLERANCE, found
